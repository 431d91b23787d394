// A search's counters -> the bars of work per thread (Zhang & Kim, Fig. 4) and the figures below them.
import type { QueryStats } from '../index.js';
import type { ClusterShare } from './findClashes.js';
import { grouped, paint, plural, textTable } from './terminal.js';

const BAR_WIDTH = 24;
const EIGHTHS = ['', '\u258f', '\u258e', '\u258d', '\u258c', '\u258b', '\u258a', '\u2589'];

/**
 * Several calls' counters -> those of all of them together: work adds up, bytes and threads are the greatest,
 * the imbalance is that of the worst.
 */
export function addStats(calls: QueryStats[]): QueryStats | undefined {
  if (calls.length < 2) return calls[0];
  const greatest = (value: (stats: QueryStats) => number) =>
    calls.reduce((most, stats) => Math.max(most, value(stats)), 0);
  const sum = (value: (stats: QueryStats) => number) =>
    calls.reduce((total, stats) => total + value(stats), 0);
  const threads = Array.from({ length: greatest(stats => stats.threads.length) }, (_, thread) => {
    const total = (key: keyof QueryStats['threads'][number]) =>
      sum(stats => stats.threads[thread]?.[key] ?? 0);
    return {
      boxTests: total('boxTests'),
      leafPairs: total('leafPairs'),
      triangleTests: total('triangleTests'),
      exactTests: total('exactTests'),
      pairs: total('pairs'),
      milliseconds: total('milliseconds'),
    };
  });
  return {
    ...calls[0],
    threads,
    startingFrontNodes: sum(stats => stats.startingFrontNodes),
    frontNodes: sum(stats => stats.frontNodes),
    imbalance: greatest(stats => stats.imbalance),
    milliseconds: sum(stats => stats.milliseconds),
    threadsWorthwhile: greatest(stats => stats.threadsWorthwhile),
    frontBytes: greatest(stats => stats.frontBytes),
    bytes: greatest(stats => stats.bytes),
  };
}

/** What a cluster did, where one searched. */
export function shareText({
  nodes,
  tasks,
  reissued,
  sentBytes,
  receivedBytes,
  contentBytes,
}: ClusterShare): string {
  return [
    `${paint('bold', 'nodes')} ${grouped(nodes)}, ${plural(tasks, 'task')}, of which ${grouped(reissued)} were given out again`,
    `${paint('bold', 'bytes')} ${grouped(sentBytes)} to nodes, ${grouped(contentBytes)} of them meshes; ${grouped(receivedBytes)} from nodes`,
  ].join('\n');
}

export function statsText(stats: QueryStats | undefined): string {
  if (!stats) return 'Work per thread: none, as no part boxes overlap, turned with their parts.';
  const mostBoxes = Math.max(...stats.threads.map(({ boxTests }) => boxTests));
  const mostTriangles = Math.max(...stats.threads.map(({ triangleTests }) => triangleTests));
  const rows = stats.threads.map(({ boxTests, triangleTests, exactTests, pairs, milliseconds }, thread) => [
    `${thread}`,
    bar(boxTests, mostBoxes),
    grouped(boxTests),
    bar(triangleTests, mostTriangles),
    grouped(triangleTests),
    grouped(exactTests),
    grouped(pairs),
    milliseconds.toFixed(2),
  ]);
  const table = textTable(['thread', 'box tests', '', 'triangle tests', '', 'exact', 'pairs', 'ms'], rows, [
    true,
    false,
    true,
    false,
    true,
    true,
    true,
    true,
  ]);
  return [
    table,
    '',
    `${paint('bold', 'imbalance')} ${stats.imbalance.toFixed(3)} (greatest over mean cost; 1 is perfect)`,
    `${paint('bold', 'front')} ${grouped(stats.startingFrontNodes)} starting nodes, ${grouped(stats.frontNodes)} after expansion, ${grouped(stats.frontBytes)} bytes`,
    `${paint('bold', 'threads worthwhile')} ${stats.threadsWorthwhile} (eq. 6, and what the work pays for)`,
    `${paint('bold', 'memory')} ${grouped(stats.bytes)} bytes in all`,
  ].join('\n');
}

function bar(value: number, most: number): string {
  const eighths = most === 0 ? 0 : Math.round((8 * BAR_WIDTH * value) / most);
  return '\u2588'.repeat(eighths >> 3) + EIGHTHS[eighths & 7];
}
