// Builds the 4-wide tree of a mesh in steps, and refits it.

import { partition } from '../core/partition.js';
import {
  BuildRecord,
  GrowJob,
  Leaf,
  limits,
  MeshRecord,
  Node,
  RefitRange,
  Subtree,
} from '../records/layout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { WorkerLost } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import type { MeshStatistics } from './normalize.js';
import { type NodeNumbers, numberNodes, type SubtreeSize } from './numberNodes.js';
import { isTopSplit, type SubtreeRange, type Top } from './plan.js';
import { planMorton } from './planMorton.js';
import { planSah } from './planSah.js';

/** Returns the word index of a field of the record at a byte address. */
const wordOf = (at: number, field: number): number => (at + field) / 4;

const plans = { sah: planSah, morton: planMorton };

/**
 * 'once': builds all subtrees in one step. 'often': builds them in several steps, so that a build can report
 * progress and be aborted.
 */
export type Pace = 'once' | 'often';
/**
 * How a tree is built. 'sah' uses the surface area heuristic, for the fastest queries. 'morton' uses Morton
 * codes and builds several times faster. Source: Wald 2007 (binned surface area heuristic); Lauterbach et al.
 * 2009 (Morton codes).
 */
export type Builder = 'sah' | 'morton';
export interface BuildOptions {
  builder: Builder;
  deformable: boolean;
}
const STEPS_OFTEN = 16;

/** A finished tree: its memory, its bounds, its cost, and the jobs that refit it. */
export interface Tree extends RefitJobs {
  blocks: BlockGroup;
  bounds: Float32Array;
  /** Sum of the areas of all boxes, divided by the area of the root box, at build time. */
  cost: number;
}

/** The jobs of a refit. */
export interface RefitJobs {
  rangesAt: number;
  rangeCount: number;
  /** The job that refits the subtrees, on sliceCount slices. */
  subtreesJobAt: number;
  sliceCount: number;
  /** The job that refits the nodes above the subtrees afterwards, on one slice. */
  topJobAt: number;
}

/**
 * Builds the tree of a mesh. Sets these fields of the mesh record: coordinate frame, nodes, leaves, counts,
 * depth, and the root box (middle and half).
 * @yields progress, 0 to 1
 * @throws Capacity, with all memory released
 */
export function* buildTree(
  context: EngineContext,
  meshAt: number,
  options: BuildOptions,
  statistics: MeshStatistics,
  pace: Pace,
): Generator<number, Tree> {
  for (;;) {
    try {
      return yield* buildOnce(context, meshAt, options, statistics, pace);
    } catch (error) {
      // If a worker was lost, the build is repeated. `retry` cannot be used for this, because it cannot yield
      // progress. buildOnce has released its memory.
      if (!(error instanceof WorkerLost)) throw error;
    }
  }
}

function* buildOnce(
  context: EngineContext,
  meshAt: number,
  options: BuildOptions,
  statistics: MeshStatistics,
  pace: Pace,
): Generator<number, Tree> {
  const { arena } = context;
  const scratch = new BlockGroup(arena);
  const treeBlocks = new BlockGroup(arena);
  // If the caller aborts a build between two steps, no `catch` block runs, only `finally`.
  let isDone = false;
  try {
    const { bounds, top } = yield* scaleProgress(
      0,
      0.3,
      plans[options.builder](context, meshAt, statistics, scratch),
    );
    const subtreeRanges = top === undefined ? [] : listSubtreeRanges(top);
    const subtreesAt = scratch.take(Math.max(subtreeRanges.length, 1) * Subtree.size);
    yield* scaleProgress(0.3, 0.9, buildSubtrees(context, options.builder, subtreeRanges, subtreesAt, pace));
    const numbers = numberNodes(top, readSubtreeSizes(context, subtreeRanges, subtreesAt));
    const tree = layOut(
      context,
      meshAt,
      subtreeRanges,
      subtreesAt,
      numbers,
      bounds,
      options.deformable,
      treeBlocks,
      scratch,
    );
    tree.cost = sahCost(context, meshAt, tree);
    isDone = true;
    return tree;
  } finally {
    scratch.releaseAll();
    if (!isDone) treeBlocks.releaseAll();
  }
}

function* scaleProgress<T>(from: number, to: number, steps: Generator<number, T>): Generator<number, T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield from + (to - from) * step.value;
  }
}

const listSubtreeRanges = (top: Top): SubtreeRange[] =>
  isTopSplit(top) ? [...listSubtreeRanges(top.left), ...listSubtreeRanges(top.right)] : [top];

const sizeOf = (range: SubtreeRange): number => range.end - range.begin;

/**
 * Distributes items to lists by weight. order: the items, one list after another. starts: for each list, the
 * index in `order` at which the list starts; then, as the last entry, the number of items.
 */
function distributeLists(
  weights: number[] | Float32Array,
  listCount: number,
): { order: number[]; starts: number[] } {
  const lists = partition(weights, listCount);
  const starts = [0];
  for (const list of lists) starts.push(starts.at(-1)! + list.length);
  return { order: lists.flat(), starts };
}

function* buildSubtrees(
  context: EngineContext,
  builder: Builder,
  subtreeRanges: SubtreeRange[],
  subtreesAt: number,
  pace: Pace,
): Generator<number, void> {
  const { arena, pool } = context;
  subtreeRanges.forEach((range, i) => writeSubtree(context, subtreesAt + i * Subtree.size, range));
  const perStep =
    pace === 'once'
      ? subtreeRanges.length
      : Math.max(pool.threadCount, Math.ceil(subtreeRanges.length / STEPS_OFTEN));
  for (let first = 0; first < subtreeRanges.length; first += perStep) {
    const batch = subtreeRanges.slice(first, first + perStep);
    const sliceCount = Math.min(pool.threadCount, batch.length);
    const { order, starts } = distributeLists(batch.map(sizeOf), sliceCount);
    const capacity = Math.max(...batch.map(sizeOf));
    const stride =
      limits.GROW_SCRATCH_BYTES + (builder === 'sah' ? (capacity + 1) * BuildRecord.size * 3 : 0);
    const blocks = new BlockGroup(arena);
    try {
      const jobAt = blocks.take(GrowJob.size);
      const words = [
        subtreesAt,
        blocks.takeWords(order.map(i => first + i)),
        blocks.takeWords(starts),
        blocks.take(stride * sliceCount),
        stride,
        capacity,
      ];
      arena.u32.set(words, jobAt / 4);
      runStep(context, builder === 'sah' ? 'growSubtrees' : 'growMortonSubtrees', jobAt, sliceCount);
    } finally {
      blocks.releaseAll();
    }
    yield Math.min(1, (first + perStep) / subtreeRanges.length);
  }
}

function writeSubtree({ arena }: EngineContext, at: number, range: SubtreeRange): void {
  arena.u32.set([range.begin, range.end, range.depth, range.recordsAt], at / 4);
  arena.f32.set(range.boxes, wordOf(at, Subtree.at.low));
  arena.u32.set([range.shapesAt, range.idsAt], wordOf(at, Subtree.at.shapesAt));
}

function readSubtreeSizes(
  { arena }: EngineContext,
  subtreeRanges: SubtreeRange[],
  subtreesAt: number,
): Map<SubtreeRange, SubtreeSize> {
  return new Map(
    subtreeRanges.map((range, i) => {
      const at = subtreesAt + i * Subtree.size;
      const nodeCount = arena.u32[wordOf(at, Subtree.at.nodeCount)];
      return [
        range,
        {
          nodeCount,
          leafCount: arena.u32[wordOf(at, Subtree.at.leafCount)],
          nodeDepth: arena.u32[wordOf(at, Subtree.at.nodeDepth)],
        },
      ];
    }),
  );
}

// Allocates nodes and leaves, writes the nodes above the subtrees, and fills the subtrees in place.
function layOut(
  context: EngineContext,
  meshAt: number,
  subtreeRanges: SubtreeRange[],
  subtreesAt: number,
  numbers: NodeNumbers,
  bounds: Float32Array,
  isDeformable: boolean,
  treeBlocks: BlockGroup,
  scratch: BlockGroup,
): Tree {
  const { arena } = context;
  const { nodeCount, leafCount, depth, subtreeNumbers } = numbers;
  const nodesAt = treeBlocks.take(nodeCount * Node.size);
  const leavesAt = treeBlocks.take(leafCount * Leaf.size);
  arena.u32.set([nodesAt, nodeCount, leavesAt, leafCount, depth], wordOf(meshAt, MeshRecord.at.nodesAt));
  // After the build, only refits need the corners. So a deformable mesh keeps them; for other meshes, they are
  // in the scratch memory.
  const cornersAt = (isDeformable ? treeBlocks : scratch).take(leafCount * limits.CORNERS_BYTES);
  writeTop(context, nodesAt, cornersAt, numbers);
  const ranges = subtreeRanges.map((range, i) => {
    const subtree = subtreeNumbers.get(range)!;
    const at = subtreesAt + i * Subtree.size;
    arena.u32.set([subtree.root, subtree.nodesFrom, subtree.leavesFrom], wordOf(at, Subtree.at.root));
    const count = arena.u32[wordOf(at, Subtree.at.nodeCount)];
    if (count > 0) arena.u32[wordOf(nodesAt + subtree.root * Node.size, Node.at.parent)] = subtree.parent;
    // A subtree's root is refitted together with the subtree if it is stored directly before the other nodes.
    // Otherwise, it is stored among the roots of other subtrees, and is refitted after all subtrees.
    const begin = count > 0 && subtree.root + 1 === subtree.nodesFrom ? subtree.root : subtree.nodesFrom;
    const firstLeaf = subtree.leavesFrom;
    const lastLeaf = firstLeaf + arena.u32[wordOf(at, Subtree.at.leafCount)];
    return { begin, end: subtree.nodesFrom + Math.max(count, 1) - 1, firstLeaf, lastLeaf };
  });
  const refits = planRefits(
    context,
    meshAt,
    ranges,
    Float32Array.from(subtreeRanges, sizeOf),
    cornersAt,
    treeBlocks,
  );
  if (subtreeRanges.length > 0) {
    const job = arena.u32.subarray(refits.subtreesJobAt / 4, refits.subtreesJobAt / 4 + 4);
    const [, rangesAt, orderAt, startsAt] = job;
    runStep(
      context,
      'fillTree',
      scratch.takeWords([meshAt, subtreesAt, orderAt, startsAt, rangesAt, cornersAt]),
      refits.sliceCount,
    );
    runStep(context, 'refitTree', refits.topJobAt, 1);
  }
  return { blocks: treeBlocks, bounds, cost: 0, ...refits };
}

/**
 * A subtree that one thread refits, perhaps without its root. The thread first refits the leaves with an index
 * from firstLeaf to lastLeaf - 1, then the nodes with an index from begin to end - 1.
 */
export interface TreeRange {
  begin: number;
  end: number;
  firstLeaf: number;
  lastLeaf: number;
}

/**
 * Prepares `refitTree`: distributes the ranges to threads by weight, and lists the nodes above the ranges.
 * Together, the given ranges must contain all leaves. Allocates from `treeBlocks`.
 */
export function planRefits(
  context: EngineContext,
  meshAt: number,
  ranges: TreeRange[],
  weights: Float32Array,
  cornersAt: number,
  treeBlocks: BlockGroup,
): RefitJobs {
  const nodeCount = context.arena.u32[wordOf(meshAt, MeshRecord.at.nodeCount)];
  const above = rangesAbove(nodeCount, ranges);
  const all = [...ranges, ...above];
  const rangesAt = treeBlocks.takeWords(
    all.length > 0
      ? all.flatMap(({ begin, end, firstLeaf, lastLeaf }) => [begin, end, firstLeaf, lastLeaf, 0, 0, 0, 0])
      : [0],
  );
  const sliceCount = Math.max(1, Math.min(context.pool.threadCount, ranges.length));
  const { order, starts } = distributeLists(weights, sliceCount);
  const takeList = (list: number[]) => treeBlocks.takeWords(list.length > 0 ? list : [0]);
  const subtreesJobAt = treeBlocks.takeWords([
    meshAt,
    rangesAt,
    takeList(order),
    takeList(starts),
    cornersAt,
  ]);
  const topJobAt = treeBlocks.takeWords([
    meshAt,
    rangesAt,
    takeList(above.map((_, i) => ranges.length + i)),
    takeList([0, above.length]),
    cornersAt,
  ]);
  return { rangesAt, rangeCount: all.length, subtreesJobAt, sliceCount, topJobAt };
}

// Returns ranges that contain all nodes outside the given ranges. The returned ranges are in descending order,
// so that children are refitted before their parents.
function rangesAbove(nodeCount: number, ranges: TreeRange[]): TreeRange[] {
  const above: TreeRange[] = [];
  let end = nodeCount;
  for (const range of [...ranges].filter(({ begin, end }) => begin < end).sort((a, b) => b.begin - a.begin)) {
    if (range.end < end) above.push({ begin: range.end, end, firstLeaf: 0, lastLeaf: 0 });
    end = range.begin;
  }
  if (end > 0) above.push({ begin: 0, end, firstLeaf: 0, lastLeaf: 0 });
  return above;
}

function writeTop(
  { arena }: EngineContext,
  nodesAt: number,
  cornersAt: number,
  { topNodes }: NodeNumbers,
): void {
  for (const { number, parent, children } of topNodes) {
    const at = (nodesAt + number * Node.size) / 4;
    arena.f32.fill(0, at, at + Node.at.halfX / 4);
    arena.f32.fill(-Infinity, at + Node.at.halfX / 4, at + Node.at.child / 4);
    arena.u32.fill(limits.NOTHING, at + Node.at.child / 4, at + Node.at.parent / 4);
    arena.u32.set(children, at + Node.at.child / 4);
    arena.u32[at + Node.at.parent / 4] = parent;
    children.forEach((child, lane) => {
      if (child >= limits.LEAF_BIT)
        arena.u32[wordOf(cornersAt + (child - limits.LEAF_BIT) * limits.CORNERS_BYTES, limits.CORNERS_SLOT)] =
          number * limits.WIDTH + lane;
    });
  }
}

/**
 * Refits all leaves and boxes to the positions and the coordinate frame of the mesh record. Writes the root's
 * box to the record's fields middle and half.
 */
export function refitTree(context: EngineContext, tree: Tree): void {
  runStep(context, 'refitTree', tree.subtreesJobAt, tree.sliceCount);
  runStep(context, 'refitTree', tree.topJobAt, 1);
}

/**
 * Returns the current cost of the tree by the surface area heuristic: the sum of the areas of all child
 * boxes, divided by the area of the mesh's box; 0 if that box has no area.
 */
export function sahCost({ arena }: EngineContext, meshAt: number, tree: Tree): number {
  let sum = 0;
  for (let i = 0; i < tree.rangeCount; i++)
    sum += arena.f32[wordOf(tree.rangesAt + i * RefitRange.size, RefitRange.at.area)];
  const half = (field: 'halfX' | 'halfY' | 'halfZ') => arena.f32[wordOf(meshAt, MeshRecord.at[field])];
  const whole = half('halfX') * half('halfY') + half('halfY') * half('halfZ') + half('halfZ') * half('halfX');
  return whole > 0 ? sum / whole : 0;
}
