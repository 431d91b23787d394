// Coordinates a box-pair job. First, nodes compute the bounds and the sorted octants of each part of the
// boxes. Then each node searches a range of octant codes for pairs, or the lists are merged and one node
// searches the merged list. Finally, the caller fetches the pairs.

import { mergePairs } from '../../broadphase/incremental/mergePairs.js';
import type { PairsCopy } from '../../core/results.js';
import { bytesOf } from '../bytes.js';
import { ClusterError } from '../errors.js';
import type { JobCoordinator, NodePool } from '../jobs/jobKind.js';
import { MAX_TESTS } from '../jobs/proveBoxPairs.js';
import type { TaskPlacement } from '../jobs/storedResults.js';
import { sleep } from '../promises.js';
import { rejectFalsePairs } from './falsePairs.js';
import type { ClusterBoxPairs, ClusterBoxPairsOptions } from './job.js';
import { decodeList, type KeyedList, listEncodings } from './listEncoding.js';
import { HISTOGRAM_BUCKETS, type OctreePartValues, octreeResultParts, octreeTaskKinds } from './messages.js';
import { firstNonFiniteError, OctreeComputation } from './octreeComputation.js';
import { octreeTasks } from './octreeTasks.js';
import { firstBoxOfPart } from './partBytes.js';
import { splitRanges } from './ranges.js';
import { maxOf, RoundLog, sumOf } from './roundLog.js';

const CHUNK_PAIRS = 2 ** 20;
/** Sampled octants per part, from which ranges are chosen. */
const SAMPLE = 2048;
export const MAX_PARTS = 1024;
/** The default of `silence`, in milliseconds. */
export const DEFAULT_SILENCE = 10_000;

export const coordinateBoxPairs =
  (boxes: Float32Array, options: ClusterBoxPairsOptions): JobCoordinator<ClusterBoxPairs> =>
  async pool => {
    // Lets the caller continue before any work starts.
    await sleep(0);
    return options.where === 'caller' || boxes.length === 0
      ? computeAtCaller(boxes, options)
      : new BoxPairsCoordinator(pool, boxes, options).answer();
  };

function computeAtCaller(
  boxes: Float32Array,
  { engine, forEachChunk, chunkPairs }: ClusterBoxPairsOptions,
): ClusterBoxPairs {
  const startedAt = performance.now();
  const none = { count: 0, a: new Uint32Array(0), b: new Uint32Array(0) };
  const found =
    boxes.length === 0
      ? undefined
      : engine!.boxPairs(boxes, {
          method: 'octree',
          ...(forEachChunk ? { forEachChunk } : {}),
          ...(chunkPairs ? { chunkPairs } : {}),
        });
  const pairs = found && !forEachChunk ? found.copy() : { ...none, count: found?.count ?? 0 };
  return {
    ...pairs,
    stats: {
      parts: 1,
      octants: found?.stats.places ?? 0,
      tests: found?.stats.tests ?? 0,
      maxTests: found?.stats.tests ?? 0,
      rounds: [],
      toCaller: 0,
      reassigned: 0,
      messages: 0,
      milliseconds: performance.now() - startedAt,
    },
  };
}

/** Pairs. tests: box pairs tested by all tasks. maxTests: box pairs tested by the task that tested most. */
interface FoundPairs {
  pairs: PairsCopy;
  tests: number;
  maxTests: number;
}

class BoxPairsCoordinator {
  private readonly pool: NodePool;
  private readonly boxes: Float32Array;
  private readonly options: ClusterBoxPairsOptions;
  private readonly count: number;
  private readonly log = new RoundLog();
  private partCount = 1;
  /** The minimum and maximum of all boxes, once known. */
  private grid = new Float64Array(0);
  private taskCount = 0;
  private toCaller = 0;

  constructor(pool: NodePool, boxes: Float32Array, options: ClusterBoxPairsOptions) {
    this.pool = pool;
    this.boxes = boxes;
    this.options = options;
    this.count = boxes.length / 6;
  }

  async answer(): Promise<ClusterBoxPairs> {
    const { nodes, parts: givenParts, where } = this.options;
    const gathered = await this.pool.gather(nodes);
    const startedAt = performance.now();
    this.partCount = givenParts ?? Math.min(gathered, MAX_PARTS);
    const { ids: statistics } = await this.statistics();
    const lists = await this.round('list', octreeTaskKinds.LIST, this.partCount, part => ({
      part,
      needs: [statistics[part]],
      prefer: statistics[part],
      isBound: true,
    }));
    const octants = sumOf(lists.results, 'items');
    const { pairs, tests, maxTests } =
      where === 'lists' ? await this.scanAtCaller(lists.ids) : await this.onNodes(lists.ids, lists.results);
    const {
      log: { rounds },
      toCaller,
      pool: {
        stats: { reassigned, sentMessages, receivedMessages },
      },
    } = this;
    return {
      ...pairs,
      stats: {
        parts: this.partCount,
        octants,
        tests,
        maxTests,
        rounds,
        toCaller,
        reassigned,
        messages: sentMessages + receivedMessages,
        milliseconds: performance.now() - startedAt,
      },
    };
  }

  private async statistics(): Promise<Round> {
    const { boxes, partCount, count } = this;
    const from = (part: number): number => 6 * firstBoxOfPart(part, partCount, count);
    for (let part = 0; part < partCount; part++)
      this.pool.shareAs([part], bytesOf(boxes.subarray(from(part), from(part + 1))));
    const round = await this.round('statistics', octreeTaskKinds.STATISTICS, partCount, part => ({
      part,
      needs: [],
    }));
    if (round.results.some(({ hasNonFinite }) => hasNonFinite !== 0))
      throw (
        firstNonFiniteError(boxes) ??
        new ClusterError(
          'a node reported a box that is not finite, but all boxes are finite',
          'run the same version on all nodes',
        )
      );
    this.grid = Float64Array.from({ length: 6 }, (_, i) =>
      (i < 3 ? Math.min : Math.max)(...round.results.map(({ bounds }) => bounds[i])),
    );
    return round;
  }

  private async onNodes(lists: readonly number[], results: readonly OctreePartValues[]): Promise<FoundPairs> {
    const found = this.isByRanges ? await this.scanByRanges(lists, results) : await this.mergeAndScan(lists);
    return {
      pairs: await this.collect(found.ids, found.results),
      tests: sumOf(found.results, 'tests'),
      maxTests: maxOf(found.results, 'tests'),
    };
  }

  private scanByRanges(lists: readonly number[], results: readonly OctreePartValues[]): Promise<Round> {
    const samples = results.map(({ sampleKeys, sampleIds, items }) => ({
      keys: sampleKeys,
      ids: sampleIds,
      each: items / Math.max(1, sampleKeys.length),
    }));
    const ranges = splitRanges(samples, this.partCount);
    return this.round(
      'scan',
      octreeTaskKinds.SCAN,
      this.partCount,
      part => ({ part, needs: lists, prefer: lists[part] }),
      part => {
        const { from, to } = ranges[part];
        return [from.key, from.id, to.key, to.id];
      },
    );
  }

  // Merges lists two by two until one is left: for four lists, 1 into 0 and 3 into 2, then 2 into 0. The node
  // that has the first list of a pair fetches the second list. The node that has the final list searches it
  // for pairs.
  private async mergeAndScan(lists: readonly number[]): Promise<Round> {
    let level = lists;
    while (level.length > 1) {
      const below = level;
      const odd = below.length % 2 === 1 ? [below.at(-1)!] : [];
      const { ids } = await this.round('merge', octreeTaskKinds.MERGE, Math.floor(below.length / 2), i => ({
        part: 0,
        needs: [below[2 * i], below[2 * i + 1]],
        prefer: below[2 * i],
      }));
      level = [...ids, ...odd];
    }
    return this.round('scan', octreeTaskKinds.ROOT, 1, () => ({
      part: 0,
      needs: [level[0], ...lists],
      prefer: level[0],
    }));
  }

  // Fetches the lists of octants. The caller's engine merges them and searches them for pairs.
  private async scanAtCaller(lists: readonly number[]): Promise<FoundPairs> {
    const startedAt = performance.now();
    const computation = new OctreeComputation(this.options.engine!);
    try {
      const fetched = await Promise.all(lists.map(list => this.fetch(list, [octreeResultParts.LIST])));
      const [low, high] = [Array.from(this.grid.subarray(0, 3)), Array.from(this.grid.subarray(3))];
      const { lists: found, tests } = computation.findAllPairs([this.boxes], fetched, { low, high });
      const { a, b } = mergePairs(found);
      rejectFalsePairs(this.pool, this.log.nodes, this.boxes, { a, b });
      this.log.add('scan', 1, startedAt);
      return { pairs: this.deliver({ count: a.length, a, b }), tests, maxTests: tests };
    } finally {
      computation.dispose();
    }
  }

  private deliver(pairs: PairsCopy): PairsCopy {
    const { forEachChunk, chunkPairs = CHUNK_PAIRS } = this.options;
    const { a, b, count } = pairs;
    if (!forEachChunk) return pairs;
    for (let first = 0; first < count; ) {
      let end = Math.min(count, first + chunkPairs);
      // Pairs with the same a stay in one chunk.
      while (end < count && a[end] === a[end - 1]) end++;
      forEachChunk({ count: end - first, a: a.slice(first, end), b: b.slice(first, end) });
      first = end;
    }
    return { count, a: new Uint32Array(0), b: new Uint32Array(0) };
  }

  // Fetches the pairs of all scan tasks and merges them, one window at a time. A window is a range of the
  // pairs' first boxes `a`; windows are in ascending order.
  private async collect(ids: readonly number[], results: readonly OctreePartValues[]): Promise<PairsCopy> {
    const startedAt = performance.now();
    const { forEachChunk, chunkPairs = CHUNK_PAIRS } = this.options;
    const total = sumOf(results, 'items');
    const a = new Uint32Array(forEachChunk ? 0 : total);
    const b = new Uint32Array(forEachChunk ? 0 : total);
    let received = 0;
    const windows = windowsOf(results, this.count, chunkPairs);
    for (const [from, to] of windows) {
      const lists = await Promise.all(ids.map(id => this.fetch(id, [octreeResultParts.PAIRS, from, to])));
      const merged = mergePairs(lists.map(({ keys, ids: second }) => ({ a: keys, b: second })));
      if (received + merged.a.length > total)
        throw new ClusterError(
          `nodes returned more pairs than the ${total} that they reported`,
          'run the same version on all nodes',
        );
      const tests = MAX_TESTS / windows.length;
      rejectFalsePairs(this.pool, this.log.nodes, this.boxes, merged, [from, to], tests);
      if (forEachChunk && merged.a.length > 0) forEachChunk({ count: merged.a.length, ...merged });
      else if (!forEachChunk) {
        a.set(merged.a, received);
        b.set(merged.b, received);
      }
      received += merged.a.length;
    }
    if (received !== total)
      throw new ClusterError(
        `nodes returned ${received} of the ${total} pairs that they reported`,
        'run the same version on all nodes',
      );
    this.log.add('pairs', ids.length, startedAt);
    return { count: total, a, b };
  }

  // Whether each scan task searches one range of codes. With one part there is only one list, which already
  // has all octants, so there is nothing to exchange.
  private get isByRanges(): boolean {
    return this.options.where !== 'lists' && this.options.merge !== 'tree' && this.partCount > 1;
  }
  private get encoding(): number {
    return listEncodings.indexOf(this.options.encoding ?? 'raw');
  }

  private async fetch(task: number, selector: readonly number[]): Promise<KeyedList> {
    const bytes = await this.pool.fetch(task, [...selector, this.encoding]);
    this.toCaller += bytes.length;
    return decodeList(bytes, this.count);
  }

  private async round(
    name: string,
    kind: number,
    roundTasks: number,
    placementOf: (i: number) => TaskPlacement & { part: number },
    rangeOf: (i: number) => number[] = () => [],
  ): Promise<Round> {
    const {
      pool,
      grid,
      count,
      partCount,
      encoding,
      options: { silence = DEFAULT_SILENCE },
    } = this;
    const ids = Array.from({ length: roundTasks }, () => this.taskCount++);
    const common = {
      kind,
      count,
      partCount,
      encoding,
      silence,
      sample: this.isByRanges ? SAMPLE : 0,
      grid: kind === octreeTaskKinds.MERGE ? new Float64Array(0) : grid,
    };
    const results = await this.log.measure<OctreePartValues>(name, roundTasks, note =>
      pool.run(
        octreeTasks,
        roundTasks,
        (i, holderOf) => {
          const { part, needs } = placementOf(i);
          return {
            ...common,
            part,
            range: Uint32Array.from(rangeOf(i)),
            needs: Uint32Array.from(needs),
            holders: Uint32Array.from(needs, holderOf),
          };
        },
        note,
        placementOf,
      ),
    );
    return { ids, results };
  }
}

interface Round {
  ids: number[];
  results: OctreePartValues[];
}
// Divides the range of the pairs' first boxes `a` into windows, according to histograms of `a`. A window has
// at most about maxPairs pairs, unless a single bucket of the histograms has more.
function windowsOf(
  results: readonly OctreePartValues[],
  count: number,
  maxPairs: number,
): [from: number, to: number][] {
  const buckets = Math.min(HISTOGRAM_BUCKETS, count);
  const windows: [number, number][] = [];
  let first = 0;
  let pairs = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const own = results.reduce((sum, { histogram }) => sum + (histogram[bucket] ?? 0), 0);
    const border = Math.ceil((bucket * count) / buckets);
    if (pairs > 0 && pairs + own > maxPairs) {
      windows.push([first, border]);
      first = border;
      pairs = 0;
    }
    pairs += own;
  }
  return [...windows, [first, count]];
}
