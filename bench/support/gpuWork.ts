// Computes the work of kernels from the lengths of their lists: the bytes that the kernels read and write, and
// how full the lists are.
//
// The bytes of a kernel are its number of items times the size of the records that one item uses. A record that
// several invocations use for the same item counts once. If several items use the same record, it counts for
// each of them, as if there were no cache. Tables of a few kilobytes that all invocations share do not count:
// uniforms, counters, pairs of meshes, cells, and large boxes. The lengths are numbers of entries that the
// device counted, not capacities. So the results are the same on every GPU whose workgroups have the same size.

import { GpuEntry, gpuBoxLimits } from '../../dist/records/gpuBoxLayout.js';
import { GpuMovingBody } from '../../dist/records/gpuContinuousLayout.js';
import { GpuPass, gpuLimits } from '../../dist/records/gpuLayout.js';
import { GpuLevel, GpuRange, GpuSpan, gpuTreeLimits } from '../../dist/records/gpuTreeLayout.js';
import { Leaf, limits, Node } from '../../dist/records/layout.js';
import type { Batch, KernelCall, Stages } from './gpuTimes.js';

const { LEVELS, LEAF_PAIR_COUNT, CERTAIN_COUNT, UNCERTAIN_COUNT } = gpuLimits;
const { DIGITS, LARGE_COUNT, MAX_RANKED, PAIRS_HIGH, PAIRS_LOW, SCAN_ITEMS } = gpuBoxLimits;
const WORD = 4;
const POINT = 12;
const BOX = 24;
const TRIPLE = 12;
/**
 * Bytes of a pair of boxes in the front or in the list of a pass. Its four words are the number of the pair of
 * meshes, two slots, and the number of a front node.
 */
const BOX_PAIR = 16;
/** Bytes of a face of a moving body: the numbers of its vertices and edges, and the points of its corners. */
const FACE = 6 * WORD + 3 * POINT;
/** Corners of the triangles of a leaf. */
const LEAF_CORNERS = 12;

export interface KernelWork {
  dispatches: number;
  invocations: number;
  bytesRead: number;
  bytesWritten: number;
}

/**
 * used: the number of entries that were found. It exceeds `capacity` if the list was too short and the kernel
 * ran again.
 */
export interface ListFill {
  used: number;
  capacity: number;
}

export interface Work {
  kernels: ReadonlyMap<string, KernelWork>;
  lists: ReadonlyMap<string, ListFill>;
}

/** Lengths of lists that kernels have written, as far as they are known at a dispatch. */
interface Lengths {
  workgroupSize: number;
  /** Words that the host read back: counters of the search for box pairs, of queries, and of tree levels. */
  counters: Uint32Array;
  counts: Uint32Array;
  passes: Uint32Array;
  levels: Uint32Array;
  /** The max level of the traversal passes in the batch that reads back `passes`. */
  lastLevel: number;
  /** Entries of boxes in cells, and pairs of entries that a sweep compares. */
  entries: number;
  compared: number;
  /** The lengths of the rows of a list of pairs of boxes. */
  rows: readonly number[];
  /** Number of triangles in the tree that is being built. */
  triangles: number;
  /** Pairs of features that remain after a filter. */
  kept: number;
}

const NONE: Omit<Lengths, 'workgroupSize'> = {
  counters: new Uint32Array(4),
  counts: new Uint32Array(4),
  passes: new Uint32Array(4),
  levels: new Uint32Array(4),
  lastLevel: 0,
  entries: 0,
  compared: 0,
  rows: [],
  triangles: 0,
  kept: 0,
};

type Values = KernelCall['values'];
/** Returns the bytes that a dispatch reads and the bytes that it writes. */
type Formula = (
  values: Values,
  lengths: Lengths,
  snapshots: KernelCall['snapshots'],
) => readonly [read: number, written: number];

const pairsOf = ({ counters }: Lengths): number => counters[PAIRS_LOW] + counters[PAIRS_HIGH] * 2 ** 32;
const itemsOf = ({ slot, maxCount }: Values, { entries }: Lengths): number =>
  slot === limits.NOTHING ? maxCount : Math.min(entries, maxCount);
const tilesOf = (items: number, { workgroupSize }: Lengths): number =>
  Math.ceil(items / (workgroupSize * SCAN_ITEMS));
const tableBytes = (chunks: number): number => WORD * DIGITS * chunks;

// A sweep reads its own entries, the entries that it compares them with, and all boxes if there are large ones.
const sweepBytes = ({ count }: Values, { entries, compared, counters }: Lengths): number =>
  (entries + compared) * (GpuEntry.size + WORD) + (counters[LARGE_COUNT] > 0 ? count * BOX : 0);

const sumOf = (numbers: readonly number[], of: (value: number) => number): number =>
  numbers.reduce((sum, value) => sum + of(value), 0);

const passField = (passes: Uint32Array, level: number, field: keyof typeof GpuPass.at): number =>
  passes[(level * GpuPass.size + GpuPass.at[field]) / WORD];

// A pass of a traversal: its items, and the pairs of boxes and of leaves that it found.
function passOf({ level, listCapacity }: Values, { counts, passes, lastLevel }: Lengths) {
  const items = passField(passes, level, 'count');
  if (items === 0) return { items, inner: 0, leafPairs: 0 };
  const after = level === lastLevel ? counts[LEAF_PAIR_COUNT] : passField(passes, level + 1, 'leafPairs');
  return {
    items,
    inner: Math.min(counts[level + 1], listCapacity),
    leafPairs: after - passField(passes, level, 'leafPairs'),
  };
}

function levelOf(levels: Uint32Array, level: number) {
  const field = (name: 'count' | 'firstLeaf', of: number): number =>
    levels[(of * GpuLevel.size + GpuLevel.at[name]) / WORD] ?? 0;
  const nodes = field('count', level);
  return {
    nodes,
    children: nodes > 0 ? field('count', level + 1) : 0,
    leaves: nodes > 0 ? field('firstLeaf', level + 1) - field('firstLeaf', level) : 0,
  };
}

const FORMULAS: Readonly<Record<string, Formula>> = {
  // Pairs of boxes.
  countCells: ({ count }) => [count * BOX, (count + 1) * WORD],
  writeCellEntries: ({ count }, { entries }) => [count * (BOX + WORD), 2 * WORD * entries],
  gatherEntries: (_, { entries }) => [entries * (BOX + 2 * WORD), entries * GpuEntry.size],
  countPairs: (values, lengths) => [sweepBytes(values, lengths), WORD * pairsOf(lengths)],
  writePairs: (values, lengths) => [sweepBytes(values, lengths), 3 * WORD * pairsOf(lengths)],
  // For each pair, the kernel reads the pair itself and the start and end of its row. If the row is short, it
  // also reads the second boxes of all pairs of the row.
  rankPairs: (_, lengths) => {
    const short = lengths.rows.filter(length => length <= MAX_RANKED);
    return [
      4 * WORD * pairsOf(lengths) + WORD * sumOf(short, length => length ** 2),
      WORD * sumOf(short, length => length),
    ];
  },
  sortRows: ({ passes }, { rows }) => {
    const long = rows.filter(length => length > MAX_RANKED);
    const bytes = WORD * passes * sumOf(long, length => length);
    return [2 * bytes, bytes];
  },
  // Prefix sums and radix sorts.
  sumTiles: (values, lengths) => {
    const items = itemsOf(values, lengths);
    return [WORD * items, WORD * tilesOf(items, lengths)];
  },
  scanSums: (values, lengths) => {
    const bytes = WORD * tilesOf(itemsOf(values, lengths), lengths);
    return [bytes, bytes];
  },
  scanTiles: (values, lengths) => {
    const items = itemsOf(values, lengths);
    return [WORD * (items + tilesOf(items, lengths)), WORD * items];
  },
  countDigits: (values, lengths) => [WORD * itemsOf(values, lengths), tableBytes(values['chunks'])],
  scanDigits: ({ chunks }) => [tableBytes(chunks), tableBytes(chunks + 1)],
  moveDigits: (values, lengths) => {
    const bytes = 2 * WORD * itemsOf(values, lengths);
    return [bytes + tableBytes(values['chunks']), bytes];
  },
  // Triangle pairs. A pass reads, for each pair of boxes, both nodes with the boxes of all their children.
  writePassSize: () => [2 * WORD, 2 * WORD],
  growFront: ({ level, listCapacity }, { counts, passes }) => [
    passField(passes, level, 'count') * (BOX_PAIR + WORD + 8 * WORD),
    BOX_PAIR * Math.min(counts[level + 1], listCapacity),
  ],
  testFront: (values, lengths) => {
    const { items, inner, leafPairs } = passOf(values, lengths);
    return [items * (BOX_PAIR + 2 * (BOX + WORD)), BOX_PAIR * inner + TRIPLE * leafPairs];
  },
  traverse: (values, lengths) => {
    const { items, inner, leafPairs } = passOf(values, lengths);
    return [items * (BOX_PAIR + 2 * Node.size), BOX_PAIR * inner + TRIPLE * leafPairs + WORD * items];
  },
  testLeafPairs: ({ certainCapacity, uncertainCapacity }, { counts, passes }) => [
    passField(passes, LEVELS, 'count') * (TRIPLE + 2 * Leaf.size),
    TRIPLE *
      (Math.min(counts[CERTAIN_COUNT], certainCapacity) +
        Math.min(counts[UNCERTAIN_COUNT], uncertainCapacity)),
  ],
  // Trees.
  storeVertices: ({ vertexCount }) => [POINT * vertexCount, POINT * vertexCount],
  computeTriangleCodes: ({ triangleCount }) => [triangleCount * 3 * (WORD + POINT), 2 * WORD * triangleCount],
  // A node is split by up to three binary searches in its triangles' codes.
  splitRanges: ({ level }, { levels, triangles }) => {
    const { nodes } = levelOf(levels, level);
    const steps = 2 + Math.ceil(Math.log2(Math.max(1, triangles / Math.max(1, nodes))));
    return [nodes * (GpuRange.size + (limits.WIDTH - 1) * WORD * steps), nodes * BOX_PAIR];
  },
  placeRanges: ({ level }, { levels }) => {
    const { nodes, children, leaves } = levelOf(levels, level);
    return [
      nodes * (GpuRange.size + BOX_PAIR),
      nodes * BOX_PAIR + children * GpuRange.size + leaves * GpuSpan.size,
    ];
  },
  linkTree: ({ nodeCount, leafCount }, { triangles }) => [
    nodeCount * (GpuRange.size + BOX_PAIR) + leafCount * GpuSpan.size + WORD * triangles,
    nodeCount * (Node.size + WORD) + leafCount * (4 * WORD + WORD),
  ],
  fillLeaves: ({ leafCount }) => [
    leafCount * (5 * WORD + LEAF_CORNERS * (WORD + POINT)),
    leafCount * (Leaf.size - 4 * WORD + BOX),
  ],
  refitNodes: ({ deepest, highest }, _, { shape }) => {
    let nodes = 0;
    for (let level = highest; level <= deepest; level++)
      nodes += shape[gpuTreeLimits.LEVELS_AT + 2 * level + 1];
    return [nodes * (4 * BOX + 4 * WORD + 2 * WORD), nodes * BOX];
  },
  // For each pair of moving features, the kernel reads the numbers of both features, the numbers of four
  // corners of two edges or of three corners of a face, and four points, each at the start and at the end.
  filterFeaturePairs: ({ isEdge }, lengths) => [
    pairsOf(lengths) * (2 * WORD + (isEdge ? 4 : 3) * WORD + 8 * POINT),
    lengths.kept * 2 * WORD,
  ],
  // The formula assigns the pairs of leaves that all passes write to the first pass.
  traverseMoving: ({ level }, { counts }) => [
    counts[level] * (BOX_PAIR + 2 * (Node.size + GpuMovingBody.size)),
    BOX_PAIR * counts[level + 1] + (level === 0 ? TRIPLE * counts[LEAF_PAIR_COUNT] : 0),
  ],
  // The formula counts the faces of all pairs of leaves in both dispatches, although the second dispatch skips
  // pairs of bodies that are near each other according to the first dispatch.
  filterBodyPairs: (_, { counts }) => [
    counts[LEAF_PAIR_COUNT] * (TRIPLE + 2 * (GpuMovingBody.size + 4 * (WORD + FACE))),
    0,
  ],
};

/**
 * Returns the lists that a kernel writes: their names, and their lengths and capacities.
 */
const LISTS: Readonly<Record<string, (values: Values, lengths: Lengths) => Record<string, ListFill>>> = {
  countCells: ({ maxLarge }, { counters }) => ({
    'large boxes': { used: counters[LARGE_COUNT], capacity: maxLarge },
  }),
  writeCellEntries: ({ entries: capacity }, { entries }) => ({
    'entries of boxes': { used: entries, capacity },
  }),
  writePairs: ({ pairs }, lengths) => ({ pairs: { used: pairsOf(lengths), capacity: pairs } }),
  growFront: ({ level, listCapacity }, { counts }) => ({
    front: { used: counts[level + 1], capacity: listCapacity },
  }),
  testFront: ({ level, listCapacity }, { counts }) => ({
    'pairs of boxes': { used: counts[level + 1], capacity: listCapacity },
  }),
  traverse: ({ level, listCapacity, leafCapacity }, { counts }) => ({
    'pairs of boxes': { used: counts[level + 1], capacity: listCapacity },
    'pairs of leaves': { used: counts[LEAF_PAIR_COUNT], capacity: leafCapacity },
  }),
  traverseMoving: ({ level, listCapacity, leafCapacity }, { counts }) => ({
    'pairs of moving boxes': { used: counts[level + 1], capacity: listCapacity },
    'pairs of moving leaves': { used: counts[LEAF_PAIR_COUNT], capacity: leafCapacity },
  }),
  testLeafPairs: ({ certainCapacity, uncertainCapacity }, { counts }) => ({
    'pairs of triangles': { used: counts[CERTAIN_COUNT], capacity: certainCapacity },
    'uncertain pairs': { used: counts[UNCERTAIN_COUNT], capacity: uncertainCapacity },
  }),
  filterFeaturePairs: ({ capacity }, { kept }) => ({ 'remaining pairs': { used: kept, capacity } }),
};

/** Computes the work of all dispatches. @throws Error if a kernel has no formula */
export function workOf({ batches, workgroupSize }: Stages): Work {
  const kernels = new Map<string, KernelWork>();
  const lists = new Map<string, ListFill>();
  let lengths: Lengths = { ...NONE, workgroupSize };
  for (const batch of batches) {
    lengths = lengthsOf(batch, lengths);
    for (const call of batch.calls) {
      const formula = FORMULAS[call.kernel];
      if (!formula) throw new Error(`no formula for the bytes of the kernel ${call.kernel}`);
      const [bytesRead, bytesWritten] = formula(call.values, lengths, call.snapshots);
      const known = kernels.get(call.kernel);
      kernels.set(call.kernel, {
        dispatches: (known?.dispatches ?? 0) + 1,
        invocations: (known?.invocations ?? 0) + call.invocations,
        bytesRead: (known?.bytesRead ?? 0) + bytesRead,
        bytesWritten: (known?.bytesWritten ?? 0) + bytesWritten,
      });
      for (const [name, fill] of Object.entries(LISTS[call.kernel]?.(call.values, lengths) ?? {})) {
        const fullest = lists.get(name);
        if (!fullest || fullest.used * fill.capacity < fill.used * fullest.capacity) lists.set(name, fill);
      }
    }
  }
  return { kernels, lists };
}

// Returns the lengths that are known when a batch has run. Lengths that this batch did not read back are taken
// from earlier batches.
function lengthsOf({ calls, reads }: Batch, before: Lengths): Lengths {
  const words = (label: string, known: Uint32Array): Uint32Array => reads.get(label)?.[0] ?? known;
  const counted = calls.find(({ kernel }) => kernel === 'countPairs');
  const ranked = calls.find(({ kernel }) => kernel === 'rankPairs');
  const coded = calls.find(({ kernel }) => kernel === 'computeTriangleCodes');
  return {
    workgroupSize: before.workgroupSize,
    counters: words('counters', before.counters),
    counts: words('counts', before.counts),
    passes: words('passes', before.passes),
    levels: words('levels', before.levels),
    lastLevel: calls.reduce(
      (last, { kernel, values: { level } }) =>
        kernel === 'testFront' || kernel === 'traverse' ? Math.max(last, level) : last,
      0,
    ),
    entries: counted ? counted.snapshots['counts'][counted.values['count']] : before.entries,
    compared: counted ? comparedEntries(counted) : before.compared,
    rows: ranked ? rowLengths(ranked) : before.rows,
    triangles: coded ? coded.values['triangleCount'] : before.triangles,
    kept: reads.get('counts of pairs')?.[0][0] ?? before.kept,
  };
}

// Returns the number of pairs in each row. `counts` has the position of the first pair of each row.
function rowLengths({ values: { count }, snapshots: { counts: starts } }: KernelCall): number[] {
  return Array.from({ length: count }, (_, row) => starts[row + 1] - starts[row]);
}

// Counts the entries that a sweep compares: for each entry, the later entries whose keys are not above the
// entry's last key.
function comparedEntries({ values: { count, entries: capacity }, snapshots }: KernelCall): number {
  const { counts, keys, entries } = snapshots;
  const length = counts[count];
  if (length > capacity) return 0;
  const lastKeyAt = GpuEntry.at.high / WORD + 3;
  let compared = 0;
  for (let at = 0; at < length; at++) {
    const lastKey = entries[(at * GpuEntry.size) / WORD + lastKeyAt];
    let [first, end] = [at + 1, length];
    while (first < end) {
      const middle = (first + end) >>> 1;
      if (keys[middle] <= lastKey) first = middle + 1;
      else end = middle;
    }
    compared += first - at - 1;
  }
  return compared;
}
