// Models the time of box-pair jobs on separate machines from the costs of their tasks on this machine, and
// contains the tables of Lucchesi's thesis (2002, section 5.2).

import type { OctreeStages, OctreeStats } from '../../dist/cluster/index.js';
import { fitCosts } from './fitCosts.js';

/** Latency of a message from one machine to another, in milliseconds. */
const LATENCY_MILLISECONDS = 0.2;
/** Speeds of the modeled network links, in bits per second. */
export const LINKS = { '1 Gbit/s': 1e9, '10 Gbit/s': 1e10 };
/** The numbers of machines to model. For each number, the thesis has at least one time. */
export const MACHINES = [1, 2, 3, 4, 5, 10, 20, 40];
export const FORMULA =
  "modeled: the sum over all rounds except 'distribute' of (kernel CPU time of its longest task + a + c * r + max(s, r) / link + 2 * 0.2 ms), where r is the most bytes that one task reads (from the caller, from other nodes and from its own node), and s is the number of bytes that the caller sends; plus bytes to the caller * (c + 1 / link); plus the time in which the caller distributes boxes, the round 'distribute'; a per task and c per byte that tasks read are the CPU time that the nodes spend outside of kernels, fitted to jobs for all numbers of machines" as const;

/**
 * Times in milliseconds, by number of spheres, table, and number of processors. The thesis prints the same
 * times in Tables 5.5 and 5.6.
 */
const TABLES: Readonly<Record<number, Readonly<Record<string, Readonly<Record<number, number>>>>>> = {
  100000: {
    '5.1': { 1: 1460.885, 2: 761.157 },
    '5.3': { 1: 1708.203, 2: 965.051, 3: 685.805, 4: 571.763, 5: 502.234 },
    '5.5': { 1: 3379.94, 2: 1953.981, 4: 1212.657, 6: 928.884, 8: 828.263, 10: 713.694 },
  },
  199000: {
    '5.2': { 1: 2921.999, 2: 1471.116 },
    '5.4': { 1: 3379.94, 2: 1908.001, 3: 1395.906, 4: 1140.158, 5: 986.878 },
    '5.6': { 1: 3379.94, 2: 1953.981, 4: 1212.657, 6: 928.884, 8: 828.263, 10: 713.694 },
  },
  1000000: {
    '5.7': { 1: 29537.415, 2: 15596.299, 10: 3615.147, 20: 2177.746, 30: 1682.112, 40: 1480.608 },
  },
  2000000: {
    '5.8': { 1: 59706.876, 2: 31332.31, 10: 7215.86, 20: 4298.207, 30: 3331.193, 40: 2889.864 },
  },
};

/** Returns the tables for a number of spheres: the name, and the milliseconds by number of processors. */
export const tablesOf = (count: number) => Object.entries(TABLES[count] ?? {});

/**
 * Returns the text for the field `figure` of bench rows with this number of spheres: the thesis tables that the
 * rows reproduce.
 */
export const figureOf = (count: number): string =>
  `Lucchesi, ${
    tablesOf(count)
      .map(([name]) => `Table ${name}`)
      .join(', ') || 'section 5.2'
  }`;

/** Returns the thesis's times and speedups for these numbers of spheres and processors, as text. */
export const thesisText = (count: number, machines: number): string => {
  const found = tablesOf(count).flatMap(([name, times]) =>
    times[machines] === undefined
      ? []
      : [
          `Table ${name}: ${times[machines].toFixed(0)} ms, speedup ${(times[1]! / times[machines]).toFixed(2)}`,
        ],
  );
  return found.length > 0 ? `thesis, ${found.join('; ')}` : 'not in the thesis';
};

type Cost = 'cpu' | 'computed' | 'fromCaller' | 'fromNodes' | 'fromSelf';
export const total = ({ rounds }: Pick<OctreeStats, 'rounds'>, field: Cost): number =>
  rounds.reduce((sum, round) => sum + round[field], 0);

/** CPU milliseconds outside of kernels, per task and per byte that a task reads: the a and c of FORMULA. */
export interface Overhead {
  task: number;
  byte: number;
}

/** Fits the overhead to jobs. The numbers of tasks must differ, or the two costs could not be separated. */
export function fitOverhead(jobs: readonly OctreeStats[]): Overhead {
  const costly = jobs.filter(stats => total(stats, 'cpu') > total(stats, 'computed'));
  if (costly.length === 0) return { task: 0, byte: 0 };
  const [task, byte] = fitCosts(
    costly.map(stats => [
      stats.rounds.reduce((sum, { tasks }) => sum + tasks, 0),
      total(stats, 'fromCaller') + total(stats, 'fromNodes') + total(stats, 'fromSelf'),
    ]),
    costly.map(stats => total(stats, 'cpu') - total(stats, 'computed')),
  );
  return { task: task!, byte: byte! };
}

export const overheadText = ({ task, byte }: Overhead): string =>
  `a = ${task.toFixed(2)} ms per task, c = ${(1e6 * byte).toFixed(2)} ns per byte`;

/** Returns the milliseconds of a job or a frame, modeled by FORMULA. */
export function modeled(
  { rounds, toCaller }: OctreeStats,
  { task, byte }: Overhead,
  bitsPerSecond: number,
): number {
  const wire = (bytes: number): number => (8000 * bytes) / bitsPerSecond;
  return rounds.reduce(
    (sum, { name, milliseconds, maxComputed, maxBytesRead, fromCaller }) =>
      sum +
      (name === 'distribute'
        ? milliseconds
        : maxComputed +
          task +
          maxBytesRead * byte +
          wire(Math.max(fromCaller, maxBytesRead)) +
          2 * LATENCY_MILLISECONDS),
    wire(toCaller) + toCaller * byte,
  );
}

/**
 * Sums the milliseconds of each stage over all rounds, because rounds, such as merges, run one after another.
 * In each round, only the task that takes longest in the stage counts.
 */
export const stagesOf = ({ rounds }: Pick<OctreeStats, 'rounds'>): OctreeStages =>
  rounds.reduce(
    (sum, { stages: { codes, sort, merge, scan } }) => ({
      codes: sum.codes + codes,
      sort: sum.sort + sort,
      merge: sum.merge + merge,
      scan: sum.scan + scan,
    }),
    { codes: 0, sort: 0, merge: 0, scan: 0 },
  );

/**
 * Times of the stages on 40 processors, from section 5.3 of the thesis, which does not say for how many
 * spheres.
 */
export const THESIS_STAGES: Readonly<Record<keyof OctreeStages, string>> = {
  codes: 'ResolveObject() 1307.6 ms',
  sort: 'qsort() 89.0 ms',
  merge: 'MergeSlaveResults() of a slave 38.6 ms, of the master 791.5 ms',
  scan: 'not given',
};
