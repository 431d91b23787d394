// Prints the rows of one bench on the terminal, and writes them to results/<machine>.csv or, with --papers,
// to results/papers-<machine>.csv. With --quick, nothing is written.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeHash, commitText } from './codeHash.mjs';
import { machineName, machineText, versionsText } from './machine.js';
import { papers } from './papersPage.mjs';
import type { Summary } from './statistics.js';

/** --quick: small inputs, and nothing is written. */
export const isQuick = process.argv.includes('--quick');

/** --papers: `npm run papers` runs the bench, so its rows are written to results/papers-<machine>.csv. */
const isPapers = process.argv.includes('--papers');

export interface Row extends Partial<Summary> {
  /** The input, such as 'bunny 69K'. */
  scene: string;
  /** The measured quantity, such as 'all pairs'. */
  measure: string;
  /** What was measured: a package, an algorithm or a device, such as 'three-mesh-bvh' or '2 threads'. */
  variant: string;
  unit: 'ms' | 'us' | 'ns' | 'x' | 'share' | 'bytes' | 'count';
  n: number;
  /**
   * `rival`: what this row is compared with. `ratio`: the rival's value, such as its mean time, divided by
   * this row's value.
   */
  rival?: string;
  ratio?: number;
  /** The goal, such as '>= 40 x', or a bound. */
  limit?: string;
  note?: string;
  /** The figure or table of a paper that this row reproduces, such as 'Zhang and Kim, Fig. 10'. */
  figure?: string;
  /**
   * How the row's values were obtained: 'measured' (a clock or a meter), 'counted' (a counter, the same in
   * every run), 'published' (a paper or a thesis states them), or 'modeled: ' and the formula. Default:
   * 'counted' for counts, shares and bytes, else 'measured'.
   */
  how?: 'measured' | 'counted' | 'published' | `modeled: ${string}`;
  /** The 99th percentile. Only for calls that tinybench measured. */
  p99?: number;
  /**
   * The margin of error of the mean at 95 % confidence, divided by the mean. Only for calls that tinybench
   * measured.
   */
  margin?: number;
  /** Operations per second. Only for calls that tinybench measured. */
  rate?: number;
}

const columns = [
  'scene',
  'measure',
  'variant',
  'unit',
  'n',
  'median',
  'p95',
  'mean',
  'max',
  'rival',
  'ratio',
  'limit',
  'note',
] as const;
const ofCalls = ['p99', 'margin', 'rate'] as const;
const header = [
  'date',
  'bench',
  ...columns,
  'seed',
  'versions',
  'figure',
  'how',
  'commit',
  'code',
  ...ofCalls,
];
const folder = fileURLToPath(new URL('../results/', import.meta.url));

/** One bench's report. Rows are printed as they are added, so that a long run shows its results so far. */
export class Report {
  private readonly rows: Row[] = [];
  private readonly bench: string;
  private readonly seed: number | undefined;
  private readonly versions: string;

  /** `rivals`: the packages whose versions are recorded. */
  constructor(bench: string, seed?: number, rivals?: readonly string[]) {
    this.bench = bench;
    this.seed = seed;
    this.versions = versionsText(rivals);
    console.log(
      `\n${bench}: ${machineText()} (${machineName()}); ${this.versions}; ${seed === undefined ? 'nothing random' : `seed ${seed}`}`,
    );
  }

  /**
   * Prints the rows and keeps them for `save`.
   * @throws Error if a row's figure does not begin with the key of a known paper, because no page would show
   * the row
   */
  add(...rows: Row[]): void {
    for (const { figure } of rows)
      if (figure && !papers.some(({ key }) => figure.startsWith(key)))
        throw new Error(
          `figure is '${figure}': begin it with ${papers.map(({ key }) => `'${key}'`).join(', ')}`,
        );
    this.rows.push(...rows);
    for (const row of rows) console.log(lineOf(row));
  }

  /** Writes the rows. They replace all recorded rows of the same bench. */
  save(): void {
    this.writeRows(line => line.split(',')[1] !== this.bench);
  }

  /**
   * Writes the rows and clears them. Each row replaces the recorded row of this bench with the same scene,
   * measure and variant, so that a long bench can be run in several runs.
   */
  saveFinished(): void {
    const own = this.rows.map(
      ({ scene, measure, variant }) => `${[this.bench, scene, measure, variant].map(quoted).join(',')},`,
    );
    this.writeRows(line => !own.some(start => line.startsWith(start, line.indexOf(',') + 1)));
    this.rows.length = 0;
  }

  private writeRows(isKept: (line: string) => boolean): void {
    if (isQuick) return;
    const date = new Date().toISOString().slice(0, 10);
    const commit = commitText();
    const code = codeHash(process.argv[1]);
    const lines = this.rows.map(row =>
      [
        date,
        this.bench,
        ...columns.map(column => cell(row[column])),
        cell(this.seed),
        this.versions,
        row.figure ?? '',
        row.how ?? (['count', 'share', 'bytes'].includes(row.unit) ? 'counted' : 'measured'),
        commit,
        code,
        ...ofCalls.map(column => cell(row[column])),
      ]
        .map(quoted)
        .join(','),
    );
    const path = `${folder}${isPapers ? 'papers-' : ''}${machineName()}.csv`;
    mkdirSync(folder, { recursive: true });
    const kept = existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .slice(1)
          .filter(line => line !== '' && isKept(line))
      : [];
    writeFileSync(
      path,
      [
        header.join(','),
        ...[...kept, ...lines].sort((a, b) => compare(a.split(',')[1], b.split(',')[1])),
        '',
      ].join('\n'),
    );
    console.log(`wrote ${lines.length} rows to ${path}`);
  }
}

/** Writes a separate table for a figure to results/<name>-<machine>.csv, beside the machine's table. */
export function saveFigure(
  name: string,
  titles: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  if (isQuick) return;
  mkdirSync(folder, { recursive: true });
  const path = `${folder}${name}-${machineName()}.csv`;
  writeFileSync(
    path,
    `${[titles, ...rows].map(row => row.map(value => quoted(cell(value))).join(',')).join('\n')}\n`,
  );
  console.log(`wrote ${rows.length} rows to ${path}`);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const quoted = (text: string): string => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// Formats integers in full, and other numbers with four digits, the precision of a measurement.
function cell(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

function lineOf(row: Row): string {
  const figures = (['median', 'p95', 'mean', 'max', ...ofCalls] as const)
    .filter(name => row[name] !== undefined)
    .map(name => `${name} ${cell(row[name])}`);
  const rival = row.ratio === undefined ? '' : `  ${cell(row.ratio)} x ${row.rival ?? ''}`;
  const limit = row.limit === undefined ? '' : `  [${row.limit}]`;
  const note = row.note === undefined ? '' : `  ${row.note}`;
  return `  ${row.scene.padEnd(22)} ${row.measure.padEnd(30)} ${row.variant.padEnd(26)} n ${String(row.n).padStart(5)}  ${figures.join('  ')} ${row.unit}${rival}${limit}${note}`;
}
