// Compares figures in documents with recorded rows, the CSV files of bench/results. Messages of failed checks
// name the text of the document and the recorded values.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { readRows } from '../../bench/support/csv.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type Row = Record<string, string>;
export type Column = 'mean' | 'median' | 'max' | 'ratio';

export interface Recorded {
  value: number;
  note: string;
}

/** Returns the rows of `bench/results/<file>.csv`. */
export const rowsOf = (file: string): Row[] => readRows(file);

/** Finds the last row with these names. The column is `median` by default, or `mean` if there is no median. */
export type Find = (
  bench: string,
  scene: string,
  measure: string,
  variant: string,
  column?: Column,
) => Recorded;

/** Returns a function that finds rows of `bench/results/<file>.csv`. */
export function recordedIn(file: string): Find {
  const rows = rowsOf(file);
  return (bench, scene, measure, variant, column) => {
    const row = rows.findLast(
      one => one.bench === bench && one.scene === scene && one.measure === measure && one.variant === variant,
    );
    const text = column ? row?.[column] : row?.median || row?.mean;
    assert.ok(row && text, `no row: ${bench}, ${scene}, ${measure}, ${variant}`);
    return { value: Number(text), note: row.note };
  };
}

/** Returns the number in a note, or in another text, that a group of the pattern matches. */
export function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text);
  assert.ok(found, `no ${pattern} in: ${text}`);
  return Number(found[1]);
}

/** Returns functions that find rows of `bench/results/<file>.csv` and return a value, or a number of a note. */
export function figuresIn(file: string): {
  value: (...names: Parameters<Find>) => number;
  noted: (pattern: RegExp, ...names: Parameters<Find>) => number;
} {
  const recorded = recordedIn(file);
  return {
    value: (...names) => recorded(...names).value,
    noted: (pattern, ...names) => numberIn(recorded(...names).note, pattern),
  };
}

/** Returns the minimum and the maximum. */
export const rangeOf = (values: readonly number[]): [min: number, max: number] => [
  Math.min(...values),
  Math.max(...values),
];

const textOf = (document: string): string => readFileSync(root + document, 'utf8');

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim());

/** Returns the titles and the lines of the first table after a place. See `tableOf`. */
function findTable(document: string, place: string): { titles: string[]; lines: string[][] } {
  const text = textOf(document);
  const at = [`\n## ${place}\n`, `\n**${place}.**`, `\n| ${place} |`, `\n${place}`]
    .map(start => [text.indexOf(start), text.lastIndexOf(start)])
    .find(([first]) => first >= 0);
  assert.ok(at, `${document} has no table at: ${place}`);
  assert.is(at[0], at[1], `${document} has several places: ${place}`);
  const [, titles, lines] = /\n(\|[^\n]*)\n\|[-:| ]*\n((?:\|[^\n]*\n)+)/.exec(text.slice(at[0]))!;
  return { titles: cellsOf(titles), lines: lines.trim().split('\n').map(cellsOf) };
}

/**
 * Returns the cells of the first table after a place, without its titles.
 * @param place The title of a section, the bold label of a paragraph, the first titles of the table's columns,
 *   or the first words of a paragraph.
 */
export const tableOf = (document: string, place: string): string[][] => findTable(document, place).lines;

export const numbersOf = (text: string): string[] =>
  [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([number]) => number.replaceAll(',', ''));

/**
 * Whether a number of a document is the recorded value, rounded. Recorded values have four digits, so they are
 * uncertain by one unit of the fourth digit, except integers, which are exact.
 */
export function isRounded(text: string, value: number): boolean {
  const decimals = text.split('.')[1]?.length ?? 0;
  const uncertainty = Number.isInteger(value) ? 0 : 10 ** (Math.floor(Math.log10(value)) - 3);
  return Math.abs(Number(text) - value) <= 0.5 * 10 ** -decimals + uncertainty + 1e-9;
}

const areRounded = (texts: readonly string[], values: readonly number[]): boolean =>
  texts.length === values.length && texts.every((text, i) => isRounded(text, values[i]));

const listOf = (values: readonly number[]): string =>
  values.length === 0
    ? 'nothing'
    : values.map(value => Number(value.toPrecision(Number.isInteger(value) ? 12 : 4))).join(' and ');

/** The recorded values of the cells of a row, except its first cell. Undefined: the cell is not checked. */
export type Cells = readonly (readonly number[] | undefined)[];

/** Returns the rows of a table by their names. `toCells` makes a row from the key that belongs to its name. */
export const namedRows = <Key>(
  keys: Record<string, Key>,
  toCells: (key: Key) => Cells,
): Record<string, Cells> =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, toCells(key)]));

/**
 * Checks the numbers of all cells of a table, except those of its first column.
 * @param expected The rows. If they have names, the cells of the first column must begin with these names.
 */
export function checkTable(
  document: string,
  place: string,
  expected: readonly Cells[] | Record<string, Cells>,
): void {
  const { titles, lines } = findTable(document, place);
  const names = Array.isArray(expected) ? undefined : Object.keys(expected);
  const rows: readonly Cells[] = Object.values(expected);
  assert.is(lines.length, rows.length, `${document}, ${place}: rows`);
  const wrong = lines.flatMap(([name, ...cells], line) => [
    ...(names && !name.startsWith(names[line]) ? [`${name}: expected the row ${names[line]}`] : []),
    ...(cells.length === rows[line].length ? [] : [`${name}: ${cells.length} cells`]),
    ...cells.flatMap((cell, column) => {
      const values = rows[line][column];
      return !values || areRounded(numbersOf(cell), values)
        ? []
        : [`${name}, ${titles[column + 1]}: ${cell}, recorded ${listOf(values)}`];
    }),
  ]);
  assert.equal(wrong, [], `${document}, ${place}`);
}

/** A sentence or a part of one, in which `#` stands for a number and `…` for any text, and the numbers. */
export type Sentence = readonly [pattern: string, ...values: number[]];

/** Checks the numbers of sentences. A sentence may be in several places. */
export function checkSentences(document: string, sentences: readonly Sentence[]): void {
  const text = textOf(document);
  const wrong = sentences.flatMap(([pattern, ...values]) => {
    const source = pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('#', '(\\d[\\d,]*(?:\\.\\d+)?)')
      .replaceAll('…', '[^\\n]*?');
    const found = [...text.matchAll(new RegExp(source, 'g'))];
    if (found.length === 0) return [`missing: ${pattern}, recorded ${listOf(values)}`];
    return found
      .filter(([, ...numbers]) => !areRounded(numbers.flatMap(numbersOf), values))
      .map(([sentence]) => `${sentence}, recorded ${listOf(values)}`);
  });
  assert.equal(wrong, [], document);
}
