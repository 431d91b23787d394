// Makes the rows of a table from the figures that a paper published and the times measured on this machine.

import type { Measured, Paper } from '../../papers/scenes/scene.js';
import { formatCount, textTable } from '../terminal.js';

export interface Figure {
  milliseconds?: number;
  speedUp?: number;
}

/** The figures of one measure, such as the time of a frame, for one number of threads. */
export interface Row {
  measure: string;
  threads: number;
  paper?: Figure;
  ours?: Figure;
}

/**
 * Returns the rows, grouped by measure. The measures that were taken on this machine come first, in the order
 * in which they were taken. Measures that only the paper has follow.
 */
export function rowsOf(paper: Paper | undefined, measured: readonly Measured[]): Row[] {
  const names = new Set([
    ...measured.flatMap(({ milliseconds }) => [...milliseconds.keys()]),
    ...(paper?.series ?? []).map(({ measure }) => measure),
  ]);
  return [...names].flatMap(measure => {
    const theirs = new Map(
      (paper?.series ?? [])
        .filter(series => series.measure === measure)
        .flatMap(({ milliseconds = {}, speedUps = {} }) => figures(milliseconds, speedUps)),
    );
    const times = measured
      .filter(({ milliseconds }) => milliseconds.has(measure))
      .map(({ threads, milliseconds }) => [threads, milliseconds.get(measure)!] as const);
    const ours = new Map(figures(Object.fromEntries(times), {}));
    const threads = [...new Set([...theirs.keys(), ...ours.keys()])].sort((a, b) => a - b);
    return threads.map(
      (count): Row => ({ measure, threads: count, paper: theirs.get(count), ours: ours.get(count) }),
    );
  });
}

// Returns the figure of each thread count. If no speed-up is given, it is computed as the time with one
// thread divided by the time with this number of threads.
function figures(
  milliseconds: Readonly<Record<number, number>>,
  speedUps: Readonly<Record<number, number>>,
): [number, Figure][] {
  const oneThread = milliseconds[1];
  const counts = [...new Set([...Object.keys(milliseconds), ...Object.keys(speedUps)].map(Number))];
  return counts.map(count => [
    count,
    {
      milliseconds: milliseconds[count],
      speedUp:
        speedUps[count] ??
        (oneThread === undefined || milliseconds[count] === undefined
          ? undefined
          : oneThread / milliseconds[count]),
    },
  ]);
}

const COLUMNS: readonly [title: string, cell: (row: Row) => string][] = [
  ['measure', ({ measure }) => measure],
  ['threads', ({ threads }) => formatCount(threads)],
  ['paper ms', ({ paper }) => time(paper?.milliseconds)],
  ['paper speed-up', ({ paper }) => ratio(paper?.speedUp)],
  ['here ms', ({ ours }) => time(ours?.milliseconds)],
  ['here speed-up', ({ ours }) => ratio(ours?.speedUp)],
];

/** Formats the rows as a table. Empty columns are left out. */
export function tableOf(rows: readonly Row[]): string {
  const columns = COLUMNS.filter(([, cell]) => rows.some(row => cell(row) !== ''));
  const body = rows.map((row, i) =>
    columns.map(([title, cell]) =>
      title === 'measure' && rows[i - 1]?.measure === row.measure ? '' : cell(row),
    ),
  );
  return textTable(
    columns.map(([title]) => title),
    body,
    columns.map(([title]) => title !== 'measure'),
  );
}

// Formats times of 100 ms or more as whole milliseconds, and shorter times with at most three significant
// digits.
function time(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '';
  // Rounding may add a digit before the point: 99.96 becomes 100.
  const rounded = Number(milliseconds.toPrecision(3));
  if (rounded >= 100) return formatCount(Math.round(milliseconds));
  return milliseconds.toFixed(rounded >= 10 ? 1 : rounded >= 1 ? 2 : 3);
}

const ratio = (speedUp: number | undefined): string => (speedUp === undefined ? '' : speedUp.toFixed(2));
