// Finds the overlapping pairs among the boxes of a tree by traversing the tree against itself. Each step
// takes two nodes of the same level and tests the four boxes of one node against the four boxes of the other.
// Boxes that share a flag form no pair, and the hull of a subtree has the flags that all boxes in the subtree
// share. In an incremental search, unmoved boxes share the flag PASSIVE, so two subtrees in which nothing has
// moved are skipped after one test.
import { BoxList, BoxNode, BoxTreeJob, MAX_FOUND, NOTHING, PairBlocks } from '../records';
import { and, le, load4, maskBits, splatAt } from '../simd/lanes';
import { appendPairs } from './appendPairs';
import { reserveSpace } from './pairBlocks';

/** Number of leaf pairs that are tested as one batch. Each leaf pair has at most sixteen pairs of boxes. */
const BATCH: u32 = MAX_FOUND / 16;

/**
 * Runs the slices begin <= i < end of the job. Slice i writes the pairs that it finds to list i. A task pairs
 * one node of a certain level (the task level) with itself and all later nodes of that level. Each slice takes
 * tasks from a shared counter until none are left.
 */
export function traverseBoxTree(jobAt: usize, begin: u32, end: u32): void {
  const taskCount = load<u32>(jobAt, BoxTreeJob.taskCount);
  const half = (<usize>load<u32>(jobAt, BoxTreeJob.stackCapacity)) << 3;
  const areLeaves = load<u32>(jobAt, BoxTreeJob.taskFirst) == 0;
  for (let i = begin; i < end; i++) {
    const list = <usize>load<u32>(jobAt, BoxTreeJob.listsAt) + <usize>i * BoxList.SIZE;
    const inner = <usize>load<u32>(jobAt, BoxTreeJob.stacksAt) + <usize>i * 2 * half;
    const leaves = inner + half;
    for (;;) {
      const task = atomic.add<u32>(jobAt, 1, BoxTreeJob.cursor);
      if (task >= taskCount) break;
      const count = beginTask(jobAt, list, areLeaves ? leaves : inner, task);
      walk(jobAt, list, inner, areLeaves ? 0 : count, leaves, areLeaves ? count : 0);
    }
  }
}

// Pairs the task's node with itself and with all later nodes of its level, and pushes the pairs whose hulls
// overlap. Returns the number of pushed pairs.
function beginTask(job: usize, list: usize, stack: usize, task: u32): u32 {
  const nodes: usize = load<u32>(job, BoxTreeJob.nodesAt);
  const table: usize = load<u32>(job, BoxTreeJob.packTableAt);
  const stride = (<usize>load<u32>(job, BoxTreeJob.stackCapacity)) << 2;
  const hulls = nodes + <usize>load<u32>(job, BoxTreeJob.taskHullsFirst) * BoxNode.SIZE;
  const taskCount = load<u32>(job, BoxTreeJob.taskCount);
  const own = hulls + <usize>(task >> 2) * BoxNode.SIZE + ((<usize>(task & 3)) << 2);
  const a = splatAt(own, BoxNode.id);
  let top: u32 = 0;
  let later = (15 << (task & 3)) & 15;
  for (let first = task & ~3; first < taskCount; first += 4) {
    const node = hulls + <usize>(first >> 2) * BoxNode.SIZE;
    top = push(table, stack, stride, top, overlaps(own, 0, node) & later, a, load4(node, BoxNode.id));
    later = 15;
  }
  store<f64>(list, load<f64>(list, BoxList.tests) + <f64>(taskCount - task), BoxList.tests);
  return top;
}

// Traverses pairs of nodes depth first. Leaf pairs are collected and tested in batches, in a loop without
// unpredictable branches.
function walk(job: usize, list: usize, inner: usize, innerCount: u32, leaves: usize, leafPairs: u32): void {
  const nodes: usize = load<u32>(job, BoxTreeJob.nodesAt);
  const table: usize = load<u32>(job, BoxTreeJob.packTableAt);
  const stride = (<usize>load<u32>(job, BoxTreeJob.stackCapacity)) << 2;
  const leafCount = load<u32>(job, BoxTreeJob.leafCount);
  let steps: u64 = 0;
  for (;;) {
    while (innerCount > 0 && leafPairs < BATCH) {
      const at = inner + ((<usize>--innerCount) << 2);
      const a = nodes + <usize>load<u32>(at) * BoxNode.SIZE;
      const b = nodes + <usize>load<u32>(at + stride) * BoxNode.SIZE;
      // A node paired with itself yields each pair of different children once, and each child with itself.
      const hits = overlaps16(a, b) & (a == b ? 0x8cef : 0xffff);
      steps++;
      if (load<u32>(a, BoxNode.id) < leafCount)
        leafPairs = push16(table, leaves, stride, leafPairs, hits, a, b);
      else innerCount = push16(table, inner, stride, innerCount, hits, a, b);
    }
    if (leafPairs == 0) break;
    for (let first: u32 = 0; first < leafPairs; first += BATCH)
      testLeaves(job, list, leaves + ((<usize>first) << 2), min(leafPairs - first, BATCH));
    leafPairs = 0;
  }
  store<f64>(list, load<f64>(list, BoxList.tests) + 16 * <f64>steps, BoxList.tests);
}

function testLeaves(job: usize, list: usize, leaves: usize, count: u32): void {
  const nodes: usize = load<u32>(job, BoxTreeJob.nodesAt);
  const table: usize = load<u32>(job, BoxTreeJob.packTableAt);
  const stride = (<usize>load<u32>(job, BoxTreeJob.stackCapacity)) << 2;
  const secondFrom = load<u32>(job, BoxTreeJob.secondFrom);
  const base = i32x4.splat(secondFrom == NOTHING ? 0 : secondFrom);
  const mayWrite = reserveSpace(list, 16 * count);
  const output: usize = load<u32>(list, BoxList.outputAt);
  const outA: usize = load<u32>(output, PairBlocks.aAt);
  const outB: usize = load<u32>(output, PairBlocks.bAt);
  const first = load<u32>(list, BoxList.next);
  let next = first;
  let counted: u64 = 0;
  for (let at = leaves, end = leaves + ((<usize>count) << 2); at < end; at += 4) {
    const a = nodes + <usize>load<u32>(at) * BoxNode.SIZE;
    const b = nodes + <usize>load<u32>(at + stride) * BoxNode.SIZE;
    const hits = overlaps16(a, b) & (a == b ? 0x08ce : 0xffff);
    if (mayWrite) {
      const others = load4(b, BoxNode.id);
      appendPairs(table, outA, outB, next, hits & 15, splatAt(a, BoxNode.id), others, base);
      appendPairs(
        table,
        outA,
        outB,
        next + popcnt(hits & 0xf),
        (hits >> 4) & 15,
        splatAt(a, BoxNode.id + 4),
        others,
        base,
      );
      appendPairs(
        table,
        outA,
        outB,
        next + popcnt(hits & 0xff),
        (hits >> 8) & 15,
        splatAt(a, BoxNode.id + 8),
        others,
        base,
      );
      appendPairs(
        table,
        outA,
        outB,
        next + popcnt(hits & 0xfff),
        hits >> 12,
        splatAt(a, BoxNode.id + 12),
        others,
        base,
      );
      next += popcnt(hits);
    } else counted += <u64>popcnt(hits);
  }
  store<u32>(list, next, BoxList.next);
  store<f64>(list, load<f64>(list, BoxList.found) + <f64>(next - first) + <f64>counted, BoxList.found);
  store<f64>(list, load<f64>(list, BoxList.tests) + 16 * <f64>count, BoxList.tests);
}

// Tests the four boxes of node a against the four boxes of node b. Bit 4 * k + m of the result is set if lane k
// of a and lane m of b overlap and share no flag.
// @ts-ignore: decorator
@inline
function overlaps16(a: usize, b: usize): i32 {
  return overlaps(a, 0, b) | (overlaps(a, 4, b) << 4) | (overlaps(a, 8, b) << 8) | (overlaps(a, 12, b) << 12);
}

// Tests the four boxes of `node` against one box, a lane of the node `own`. Returns a bit for each of the
// four boxes that overlaps this box and shares no flag with it.
function overlaps(own: usize, lane: usize, node: usize): i32 {
  const x = and(
    le(load4(node, BoxNode.minX), splatAt(own + lane, BoxNode.maxX)),
    le(splatAt(own + lane, BoxNode.minX), load4(node, BoxNode.maxX)),
  );
  const y = and(
    le(load4(node, BoxNode.minY), splatAt(own + lane, BoxNode.maxY)),
    le(splatAt(own + lane, BoxNode.minY), load4(node, BoxNode.maxY)),
  );
  const z = and(
    le(load4(node, BoxNode.minZ), splatAt(own + lane, BoxNode.maxZ)),
    le(splatAt(own + lane, BoxNode.minZ), load4(node, BoxNode.maxZ)),
  );
  const free = i32x4.eq(and(load4(node, BoxNode.flags), splatAt(own + lane, BoxNode.flags)), i32x4.splat(0));
  return maskBits(and(and(and(x, y), z), free));
}

// Pushes pairs of `a` and one of the four others: a pair for each of the others whose bit in `hits` is set.
// Returns the stack's new height.
function push(table: usize, stack: usize, stride: usize, top: u32, hits: i32, a: v128, others: v128): u32 {
  const at = stack + ((<usize>top) << 2);
  v128.store(at, a);
  v128.store(at + stride, i8x16.swizzle(others, v128.load(table + ((<usize>hits) << 4))));
  return top + popcnt(hits);
}

// @ts-ignore: decorator
@inline
function push16(table: usize, stack: usize, stride: usize, top: u32, hits: i32, a: usize, b: usize): u32 {
  const others = load4(b, BoxNode.id);
  push(table, stack, stride, top, hits & 15, splatAt(a, BoxNode.id), others);
  push(table, stack, stride, top + popcnt(hits & 0xf), (hits >> 4) & 15, splatAt(a, BoxNode.id + 4), others);
  push(table, stack, stride, top + popcnt(hits & 0xff), (hits >> 8) & 15, splatAt(a, BoxNode.id + 8), others);
  push(table, stack, stride, top + popcnt(hits & 0xfff), hits >> 12, splatAt(a, BoxNode.id + 12), others);
  return top + popcnt(hits);
}
