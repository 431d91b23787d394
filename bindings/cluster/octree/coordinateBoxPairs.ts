// Coordinates a box-pair job. First, nodes compute the bounds of each subset of the boxes, and a sorted list of
// its octants. Then each node searches a range of octant codes for pairs. Alternatively, the lists are merged,
// and one node or the caller searches the merged list. Finally, the caller fetches the pairs that nodes found.

import { mergePairs, type SortedPairs } from '../../broadphase/incremental/mergePairs.js';
import { integer } from '../../core/checkOptions.js';
import type { PairsCopy } from '../../core/results.js';
import { bytesOf } from '../bytes.js';
import type { JobCoordinator, NodePool } from '../jobs/jobKind.js';
import { MAX_TESTS } from '../jobs/proveBoxPairs.js';
import type { TaskPlacement } from '../jobs/storedResults.js';
import { lowerBound } from '../lowerBound.js';
import { sleep } from '../promises.js';
import { boundsOf } from './boxAssignment.js';
import { firstBoxOfSubset } from './boxBytes.js';
import { findPairsInCells } from './cellPairs.js';
import { FalsePairs, recomputeIfFalse, rejectFalsePairs } from './falsePairs.js';
import type { ClusterBoxPairs, ClusterBoxPairsOptions } from './job.js';
import { decodeList, type KeyedList, listEncodings } from './listEncoding.js';
import {
  HISTOGRAM_BUCKETS,
  MAX_SAMPLE,
  type OctreeReportValues,
  octreeResultFields,
  octreeTaskKinds,
} from './messages.js';
import { firstNonFiniteError, OctreeComputation } from './octreeComputation.js';
import { octreeTasks } from './octreeTasks.js';
import { splitRanges } from './ranges.js';
import { maxOf, RoundLog, sumOf } from './roundLog.js';

const CHUNK_PAIRS = 2 ** 20;
export const MAX_SUBSETS = 1024;
/** The default of `silence`, in milliseconds. */
export const DEFAULT_SILENCE = 10_000;
/** The maximum of `silence`, whose value is sent with each task as a 32-bit word. */
export const MAX_SILENCE = 2 ** 32 - 1;
/** Checks the option `silence`. */
export const SILENCE = integer(0, MAX_SILENCE);

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
      subsets: 1,
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

/**
 * The pairs of all boxes, and counts. octants: the octants of all boxes. tests: box pairs tested by all
 * tasks. maxTests: box pairs tested by the task that tested most. These three counts are 0 if the pairs were
 * found by findPairsInCells.
 */
interface FoundPairs {
  pairs: PairsCopy;
  octants: number;
  tests: number;
  maxTests: number;
}

class BoxPairsCoordinator {
  private readonly pool: NodePool;
  private readonly boxes: Float32Array;
  private readonly options: ClusterBoxPairsOptions;
  private readonly count: number;
  private readonly log = new RoundLog();
  private subsetCount = 1;
  /** The minimum and maximum of all boxes, once known. */
  private grid = new Float64Array(0);
  private toCaller = 0;
  /**
   * The pairs that were passed to `forEachChunk`. count: their number. before: the numbers of their first boxes
   * are all less than this.
   */
  private delivered = { count: 0, before: 0 };

  constructor(pool: NodePool, boxes: Float32Array, options: ClusterBoxPairsOptions) {
    this.pool = pool;
    this.boxes = boxes;
    this.options = options;
    this.count = boxes.length / 6;
  }

  async answer(): Promise<ClusterBoxPairs> {
    const { pool } = this;
    const { nodes, subsets: givenCount } = this.options;
    const gathered = await pool.gather(nodes);
    const startedAt = performance.now();
    this.subsetCount = givenCount ?? Math.min(gathered, MAX_SUBSETS);
    const nonFinite = pool.recompute && firstNonFiniteError(this.boxes);
    if (nonFinite) throw nonFinite;
    const find = (): Promise<FoundPairs> => this.find();
    const findInCells = (): Promise<FoundPairs> => this.findInCells();
    const { pairs, octants, tests, maxTests } = pool.isTwofold
      ? await findInCells()
      : await recomputeIfFalse(pool, find, findInCells);
    const {
      log: { rounds },
      toCaller,
    } = this;
    const { reassigned, sentMessages, receivedMessages } = pool.stats;
    return {
      ...pairs,
      stats: {
        subsets: this.subsetCount,
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

  private async findInCells(): Promise<FoundPairs> {
    const { a, b } = await findPairsInCells(this.pool, this.boxes, this.subsetCount, this.log);
    this.toCaller += 8 * a.length;
    return { pairs: this.deliver({ count: a.length, a, b }), octants: 0, tests: 0, maxTests: 0 };
  }

  private async find(): Promise<FoundPairs> {
    const { ids: statistics } = await this.statistics();
    const lists = await this.round('list', octreeTaskKinds.LIST, this.subsetCount, subset => ({
      subset,
      needs: [statistics[subset]],
      prefer: statistics[subset],
      isBound: true,
    }));
    const found =
      this.options.where === 'lists'
        ? await this.scanAtCaller(lists.ids)
        : await this.onNodes(lists.ids, lists.results);
    return { ...found, octants: sumOf(lists.results, 'items') };
  }

  private async statistics(): Promise<Round> {
    const { boxes, subsetCount, count } = this;
    const from = (subset: number): number => 6 * firstBoxOfSubset(subset, subsetCount, count);
    for (let subset = 0; subset < subsetCount; subset++)
      this.pool.shareAs([subset], bytesOf(boxes.subarray(from(subset), from(subset + 1))));
    const round = await this.round('statistics', octreeTaskKinds.STATISTICS, subsetCount, subset => ({
      subset,
      needs: [],
    }));
    // Wrong bounds would make other nodes fail, so the caller uses the bounds that it computes itself.
    if (this.pool.recompute) {
      const { low, high } = boundsOf(boxes);
      this.grid = Float64Array.of(...low, ...high);
      return round;
    }
    if (round.results.some(({ hasNonFinite }) => hasNonFinite !== 0))
      throw firstNonFiniteError(boxes) ?? new FalsePairs('it says a box is not finite, but all are finite');
    this.grid = Float64Array.from({ length: 6 }, (_, i) =>
      (i < 3 ? Math.min : Math.max)(...round.results.map(({ bounds }) => bounds[i])),
    );
    return round;
  }

  private async onNodes(
    lists: readonly number[],
    results: readonly OctreeReportValues[],
  ): Promise<Omit<FoundPairs, 'octants'>> {
    const found = this.isByRanges ? await this.scanByRanges(lists, results) : await this.mergeAndScan(lists);
    return {
      pairs: await this.collect(found.ids, found.results),
      tests: sumOf(found.results, 'tests'),
      maxTests: maxOf(found.results, 'tests'),
    };
  }

  private scanByRanges(lists: readonly number[], results: readonly OctreeReportValues[]): Promise<Round> {
    const samples = results.map(({ sampleKeys, sampleIds, items }) => ({
      keys: sampleKeys,
      ids: sampleIds,
      each: items / Math.max(1, sampleKeys.length),
    }));
    const ranges = splitRanges(samples, this.subsetCount);
    return this.round(
      'scan',
      octreeTaskKinds.SCAN,
      this.subsetCount,
      subset => ({ subset, needs: lists, prefer: lists[subset] }),
      subset => {
        const { from, to } = ranges[subset];
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
        subset: 0,
        needs: [below[2 * i], below[2 * i + 1]],
        prefer: below[2 * i],
      }));
      level = [...ids, ...odd];
    }
    return this.round('scan', octreeTaskKinds.ROOT, 1, () => ({
      subset: 0,
      needs: [level[0], ...lists],
      prefer: level[0],
    }));
  }

  // Fetches the lists of octants. The caller's engine merges them and searches them for pairs.
  private async scanAtCaller(lists: readonly number[]): Promise<Omit<FoundPairs, 'octants'>> {
    const startedAt = performance.now();
    const computation = new OctreeComputation(this.options.engine!);
    try {
      const fetched = await Promise.all(lists.map(list => this.fetch(list, [octreeResultFields.LIST])));
      const [low, high] = [Array.from(this.grid.subarray(0, 3)), Array.from(this.grid.subarray(3))];
      const { lists: found, tests } = computation.findAllPairs([this.boxes], fetched, { low, high });
      const { a, b } = mergePairs(found);
      rejectFalsePairs(this.pool, this.boxes, { a, b });
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
    const { delivered } = this;
    let first = lowerBound(a, delivered.before);
    // All delivered pairs were checked and overlap, so no pair is missing if their number is right.
    if (first !== delivered.count)
      throw new FalsePairs(
        `forEachChunk received ${delivered.count} of the ${first} pairs with a first box below ${delivered.before}`,
        'discard the chunks, and submit the boxes again; with verify, chunks are complete',
      );
    while (first < count) {
      let end = Math.min(count, first + chunkPairs);
      // Pairs with the same a stay in one chunk.
      while (end < count && a[end] === a[end - 1]) end++;
      forEachChunk({ count: end - first, a: a.slice(first, end), b: b.slice(first, end) });
      first = end;
    }
    return { count, a: new Uint32Array(0), b: new Uint32Array(0) };
  }

  // Fetches the pairs of all scan tasks and merges them, one chunk at a time. A chunk has all pairs whose first
  // box `a` is in one range of box numbers; the ranges ascend.
  private async collect(ids: readonly number[], results: readonly OctreeReportValues[]): Promise<PairsCopy> {
    const startedAt = performance.now();
    const { forEachChunk, chunkPairs = CHUNK_PAIRS } = this.options;
    const total = sumOf(results, 'items');
    // The total is not trusted, so no memory is allocated for it before the pairs have arrived.
    const kept: SortedPairs[] = [];
    let received = 0;
    const chunks = chunksOf(results, this.count, chunkPairs);
    for (const [from, to] of chunks) {
      const lists = await Promise.all(ids.map(id => this.fetch(id, [octreeResultFields.PAIRS, from, to])));
      const merged = mergePairs(lists.map(({ keys, ids: second }) => ({ a: keys, b: second })));
      if (received + merged.a.length > total)
        throw new FalsePairs(`more pairs were received than the ${total} reported ones`);
      const tests = MAX_TESTS / chunks.length;
      rejectFalsePairs(this.pool, this.boxes, merged, [from, to], tests);
      received += merged.a.length;
      if (!forEachChunk) kept.push(merged);
      else {
        if (merged.a.length > 0) forEachChunk({ count: merged.a.length, ...merged });
        this.delivered = { count: received, before: to };
      }
    }
    if (received !== total)
      throw new FalsePairs(`only ${received} of the ${total} reported pairs were received`);
    this.log.add('pairs', ids.length, startedAt);
    return { count: total, ...concatPairs(kept) };
  }

  // Whether each scan task searches one range of codes. With one subset there is only one list, which already
  // has all octants, so there is nothing to exchange.
  private get isByRanges(): boolean {
    return this.options.where !== 'lists' && this.options.merge !== 'tree' && this.subsetCount > 1;
  }
  private get encoding(): number {
    return listEncodings.indexOf(this.options.encoding ?? 'raw');
  }

  private async fetch(task: number, selector: readonly number[]): Promise<KeyedList> {
    const bytes = await this.pool.fetch(task, [...selector, this.encoding]);
    this.toCaller += bytes.length;
    return decodeList(bytes, this.count, this.encoding);
  }

  private async round(
    name: string,
    kind: number,
    roundTasks: number,
    placementOf: (i: number) => TaskPlacement & { subset: number },
    rangeOf: (i: number) => number[] = () => [],
  ): Promise<Round> {
    const {
      pool,
      grid,
      count,
      subsetCount,
      encoding,
      options: { silence = DEFAULT_SILENCE },
    } = this;
    const first = pool.stats.tasks;
    const ids = Array.from({ length: roundTasks }, (_, i) => first + i);
    const common = {
      kind,
      count,
      subsetCount,
      encoding,
      silence,
      sample: this.isByRanges ? MAX_SAMPLE : 0,
      grid: kind === octreeTaskKinds.MERGE ? new Float64Array(0) : grid,
    };
    const results = await this.log.measure<OctreeReportValues>(name, roundTasks, note =>
      pool.run(
        octreeTasks,
        roundTasks,
        (i, holderOf) => {
          const { subset, needs } = placementOf(i);
          return {
            ...common,
            subset,
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
  results: OctreeReportValues[];
}

function concatPairs(lists: readonly SortedPairs[]): SortedPairs {
  if (lists.length === 1) return lists[0];
  const count = lists.reduce((sum, { a }) => sum + a.length, 0);
  const all = { a: new Uint32Array(count), b: new Uint32Array(count) };
  let at = 0;
  for (const { a, b } of lists) {
    all.a.set(a, at);
    all.b.set(b, at);
    at += a.length;
  }
  return all;
}

// Divides the box numbers into ranges. The pairs whose first box `a` is in one range form a chunk. The
// histograms of `a` give the sizes of chunks. A chunk has at most maxPairs pairs, unless a single bucket of
// the histograms has more.
function chunksOf(
  results: readonly OctreeReportValues[],
  count: number,
  maxPairs: number,
): [from: number, to: number][] {
  const buckets = Math.min(HISTOGRAM_BUCKETS, count);
  const chunks: [number, number][] = [];
  let first = 0;
  let pairs = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const own = results.reduce((sum, { histogram }) => sum + (histogram[bucket] ?? 0), 0);
    const border = Math.ceil((bucket * count) / buckets);
    if (pairs > 0 && pairs + own > maxPairs) {
      chunks.push([first, border]);
      first = border;
      pairs = 0;
    }
    pairs += own;
  }
  return [...chunks, [first, count]];
}
