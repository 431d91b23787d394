// Formats the statistics that `pfront clash --stats` prints: the work of each thread as bars (Zhang & Kim,
// Fig. 4), the balance of work and the memory.
import type { QueryStats } from '../index.js';
import type { ClusterStats } from './findClashes.js';
import { formatCount, paint, plural, textTable } from './terminal.js';

const BAR_WIDTH = 24;
const EIGHTHS = ['', '\u258f', '\u258e', '\u258d', '\u258c', '\u258b', '\u258a', '\u2589'];

/**
 * Combines the statistics of several queries. Work, times and numbers of front nodes are summed. Imbalance,
 * bytes and `threadsWorthwhile` are the maximum of all queries. The other values are taken from the first
 * query. Returns undefined for an empty array.
 */
export function addStats(calls: QueryStats[]): QueryStats | undefined {
  if (calls.length < 2) return calls[0];
  const max = (value: (stats: QueryStats) => number) =>
    calls.reduce((result, stats) => Math.max(result, value(stats)), 0);
  const sum = (value: (stats: QueryStats) => number) =>
    calls.reduce((total, stats) => total + value(stats), 0);
  const threads = Array.from({ length: max(stats => stats.threads.length) }, (_, thread) => {
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
    imbalance: max(stats => stats.imbalance),
    milliseconds: sum(stats => stats.milliseconds),
    threadsWorthwhile: max(stats => stats.threadsWorthwhile),
    frontBytes: max(stats => stats.frontBytes),
    bytes: max(stats => stats.bytes),
  };
}

/** Formats the statistics of a search on a cluster. */
export function clusterStatsText({
  nodes,
  tasks,
  reassigned,
  sentBytes,
  receivedBytes,
  contentBytes,
}: ClusterStats): string {
  return [
    `${paint('bold', 'nodes')} ${formatCount(nodes)}, ${plural(tasks, 'task')}, ${plural(reassigned, 'reassignment')}`,
    `${paint('bold', 'bytes')} ${formatCount(sentBytes)} sent to nodes (${formatCount(contentBytes)} for meshes), ${formatCount(receivedBytes)} received`,
  ].join('\n');
}

/** Formats the statistics of a search in this process. `stats` is undefined if nothing was tested. */
export function statsText(stats: QueryStats | undefined): string {
  if (!stats) return 'Work per thread: none, because no oriented boxes of parts overlap.';
  const maxBoxTests = Math.max(...stats.threads.map(({ boxTests }) => boxTests));
  const maxTriangleTests = Math.max(...stats.threads.map(({ triangleTests }) => triangleTests));
  const rows = stats.threads.map(({ boxTests, triangleTests, exactTests, pairs, milliseconds }, thread) => [
    `${thread}`,
    bar(boxTests, maxBoxTests),
    formatCount(boxTests),
    bar(triangleTests, maxTriangleTests),
    formatCount(triangleTests),
    formatCount(exactTests),
    formatCount(pairs),
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
    `${paint('bold', 'imbalance')} ${stats.imbalance.toFixed(3)} (max cost over mean cost of the work lists; 1 is perfect balance)`,
    `${paint('bold', 'front')} ${formatCount(stats.startingFrontNodes)} starting nodes, ${formatCount(stats.frontNodes)} after expansion, ${formatCount(stats.frontBytes)} bytes`,
    `${paint('bold', 'threads worthwhile')} ${stats.threadsWorthwhile} (Zhang & Kim, eq. 6, limited by the amount of work)`,
    `${paint('bold', 'memory')} ${formatCount(stats.bytes)} bytes in total`,
  ].join('\n');
}

function bar(value: number, max: number): string {
  const eighths = max === 0 ? 0 : Math.round((8 * BAR_WIDTH * value) / max);
  return '\u2588'.repeat(eighths >> 3) + EIGHTHS[eighths & 7];
}
