// Formats text for a terminal: colors, sanitized names, numbers and aligned tables.
import { styleText } from 'node:util';
import type { Note } from '../core/note.js';
import { formatCount, nounFor } from '../formats/formatCount.js';

export { formatCount };

type Style = Parameters<typeof styleText>[0];

/** Styles text if standard output is a terminal and colors are not turned off (by NO_COLOR or TERM=dumb). */
export function paint(style: Style, text: string): string {
  const isWanted = process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return isWanted ? styleText(style, text) : text;
}

/**
 * Replaces control characters with `?`. Otherwise, a name in a file could move the cursor, change colors or
 * reverse the direction of text.
 */
export function printable(name: string): string {
  return name.replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, '?');
}

/**
 * Maximum width of a name in a table, in columns of the terminal. Without a maximum, one long name would widen
 * a whole column of the table.
 */
const MAX_NAME_WIDTH = 120;

/** Replaces control characters as `printable` does, and replaces the middle of a long name by an ellipsis. */
export function printableShort(name: string, maxWidth = MAX_NAME_WIDTH): string {
  return cutMiddle(printable(cutEnds(name)), maxWidth);
}

// Removes the middle of a very long text, whose width would take long to measure. Keeps the ends that
// `cutMiddle` may show.
function cutEnds(text: string): string {
  const max = 4 * MAX_NAME_WIDTH;
  return text.length > 2 * max ? `${text.slice(0, max)}${text.slice(-max)}` : text;
}

// Replaces the middle of a text by an ellipsis if the text is wider than maxWidth columns. The end is kept,
// because names of a model often differ only there.
function cutMiddle(text: string, maxWidth: number): string {
  if (widthOf(text) <= maxWidth) return text;
  const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  let [from, to] = [0, characters.length];
  let left = maxWidth - 1;
  for (let takesFirst = true; from < to; takesFirst = !takesFirst) {
    const width = widthOf(characters[takesFirst ? from : to - 1]);
    if (width > left) break;
    left -= width;
    if (takesFirst) from++;
    else to--;
  }
  return `${characters.slice(0, from).join('')}\u2026${characters.slice(to).join('')}`;
}

/** Replaces the end of a text by an ellipsis if the text is wider than `maxWidth` columns. */
export function cutEnd(text: string, maxWidth: number): string {
  if (widthOf(text) <= maxWidth) return text;
  let cut = '';
  let left = maxWidth - 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    cut += segment;
  }
  return `${cut.trimEnd()}\u2026`;
}

// Returns the width of the terminal in columns. If standard output is not a terminal, returns the value of the
// variable COLUMNS; undefined if this variable is not set.
function knownWidth(): number | undefined {
  const columns = process.stdout.columns ?? Number(process.env.COLUMNS);
  return columns > 0 ? columns : undefined;
}

/** Returns the width of the terminal in columns, or else the value of the variable COLUMNS, or else 120. */
export const outputWidth = (): number => knownWidth() ?? 120;

/**
 * Breaks a line at spaces if it is wider than the terminal, and indents the second and all later lines by two
 * spaces. If the output is not a terminal and the variable COLUMNS is not set, the line stays whole.
 */
export function wrapText(text: string, width = knownWidth()): string {
  if (width === undefined) return text;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    const longer = line === '' ? word : `${line}${line === '  ' ? '' : ' '}${word}`;
    if (widthOf(longer) <= width || line.trim() === '') lines[lines.length - 1] = longer;
    else lines.push(`  ${word}`);
  }
  return lines.join('\n');
}

/** Returns the line that prints a note: what happened, and what to do about it, as two sentences. */
export function noteText({ message, fix }: Pick<Note, 'message' | 'fix'>): string {
  const advice = fix.charAt(0).toUpperCase() + fix.slice(1);
  return `note: ${printable(message)}. ${advice}${advice.endsWith('.') ? '' : '.'}`;
}

/** Returns the count and the noun, such as `2 clashes`. The noun is in the plural unless the count is 1. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${nounFor(count, noun)}`;
}

/**
 * Formats a table: a row of titles, a horizontal line, and the rows. Columns for which `numeric` is true are
 * right-aligned. No table library is used, because such libraries take seconds for ten thousand rows.
 */
export function textTable(head: string[], rows: string[][], numeric: boolean[]): string {
  const widths = head.map((title, column) =>
    rows.reduce((width, row) => Math.max(width, widthOf(row[column])), widthOf(title)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => {
        const padding = ' '.repeat(widths[column] - widthOf(cell));
        return numeric[column] ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  return [
    paint('bold', line(head)),
    paint('dim', widths.map(width => '\u2500'.repeat(width)).join('  ')),
    ...rows.map(line),
  ].join('\n');
}

// Matches East Asian wide characters and emoji, which are two columns wide on a terminal.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Returns the number of terminal columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += /\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
