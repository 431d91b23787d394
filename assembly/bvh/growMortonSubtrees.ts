// Builds the shapes of 4-wide subtrees (the children of each node and the triangles of each leaf) from ranges
// of sorted Morton codes. A range is split by the highest bit in which its codes differ: codes in which this
// bit is 0 go left, codes in which it is 1 go right.
import { GrowJob, LEAF_BIT, NOTHING, Subtree } from '../records';

const LEAF_SIZE: u32 = 4;
const ENTRY_BYTES: usize = 16;

/**
 * Splits a range of sorted codes. Returns the first index of the right side. The range begin <= i < end must
 * have more than one entry.
 */
function splitRange(codes: usize, begin: u32, end: u32): u32 {
  const first = load<u32>(codes + ((<usize>begin) << 2));
  const differing = first ^ load<u32>(codes + ((<usize>end) << 2) - 4);
  // Equal codes: split near the middle. The left side gets half of the entries, rounded up to a multiple of the
  // leaf size, but at least one entry stays on the right side.
  if (differing == 0)
    return min(begin + ((((end - begin + 1) >> 1) + LEAF_SIZE - 1) & ~(LEAF_SIZE - 1)), end - 1);
  const bit = <u32>0x80000000 >> clz<u32>(differing);
  // Binary search for the last index on the left side. The loop body has no branch that could be
  // mispredicted.
  let left = begin;
  let length = end - begin - 1;
  while (length > 0) {
    const step = (length + 1) >> 1;
    left = select(left + step, left, (load<u32>(codes + ((<usize>(left + step)) << 2)) & bit) == 0);
    length -= step;
  }
  return left + 1;
}

// Splits the range at `list` into up to four ranges: splits the largest range repeatedly, until there are
// four ranges or every range fits in a leaf. A range is two words: begin and end. Returns the number of
// ranges.
function splitRanges(codes: usize, list: usize): u32 {
  let count: u32 = 1;
  while (count < 4) {
    let largest: usize = 0;
    let size = LEAF_SIZE;
    for (let i: u32 = 0; i < count; i++) {
      const other = load<u32>(list + ((<usize>i) << 3), 4) - load<u32>(list + ((<usize>i) << 3));
      if (other > size) {
        size = other;
        largest = list + ((<usize>i) << 3);
      }
    }
    if (largest == 0) break;
    const end = load<u32>(largest, 4);
    const middle = splitRange(codes, load<u32>(largest), end);
    memory.copy(largest + 16, largest + 8, list + ((<usize>count) << 3) - largest - 8);
    store<u32>(largest, middle, 4);
    store<u32>(largest, middle, 8);
    store<u32>(largest, end, 12);
    count++;
  }
  return count;
}

function shapeLeaf(to: usize, ids: usize, begin: u32, count: u32): void {
  const lanes = v128.load(ids + ((<usize>begin) << 2));
  const unused = i32x4.ge_u(i32x4(0, 1, 2, 3), i32x4.splat(count));
  v128.store(to, v128.or(lanes, unused));
}

function growSubtree(subtree: usize, scratch: usize): void {
  const codes: usize = load<u32>(subtree, Subtree.recordsAt);
  const ids: usize = load<u32>(subtree, Subtree.idsAt);
  const begin = load<u32>(subtree, Subtree.begin);
  const size = load<u32>(subtree, Subtree.end) - begin;
  const leaves = <usize>load<u32>(subtree, Subtree.shapesAt) + <usize>begin * 32;
  const nodes = leaves + <usize>size * 16;
  let nodeCount: u32 = 1;
  let leafCount: u32 = 0;
  let maxDepth: u32 = 1;
  if (size <= LEAF_SIZE) {
    shapeLeaf(leaves, ids, begin, size);
    nodeCount = 0;
    leafCount = 1;
    maxDepth = 0;
  }
  // The scratch memory holds the list of a node's ranges, then a stack. Each stack entry holds a range, and the
  // number and depth of the node that will be built from it.
  const bottom = scratch + 64;
  let top = bottom;
  if (nodeCount > 0) {
    v128.store(top, i32x4(0, 0, 0, 1));
    store<u32>(top, begin);
    store<u32>(top, begin + size, 4);
    top += ENTRY_BYTES;
  }
  while (top > bottom) {
    top -= ENTRY_BYTES;
    store<u64>(scratch, load<u64>(top));
    const shape = nodes + ((<usize>load<u32>(top, 8)) << 4);
    const depth = load<u32>(top, 12);
    maxDepth = max(maxDepth, depth);
    const count = splitRanges(codes, scratch);
    v128.store(shape, i32x4.splat(NOTHING));
    let lane = shape;
    for (let i: u32 = 0; i < count; i++) {
      const from = load<u32>(scratch + ((<usize>i) << 3));
      const length = load<u32>(scratch + ((<usize>i) << 3), 4) - from;
      if (length > LEAF_SIZE) continue;
      shapeLeaf(leaves + ((<usize>leafCount) << 4), ids, from, length);
      store<u32>(lane, LEAF_BIT | leafCount++);
      lane += 4;
    }
    const innerCount = count - <u32>((lane - shape) >> 2);
    let number = nodeCount + innerCount;
    for (let i: u32 = 0; i < innerCount; i++) store<u32>(lane + ((<usize>i) << 2), nodeCount + i);
    nodeCount = number;
    for (let i = count; i > 0; i--) {
      const range = scratch + ((<usize>i) << 3) - 8;
      if (load<u32>(range, 4) - load<u32>(range) <= LEAF_SIZE) continue;
      store<u64>(top, load<u64>(range));
      store<u32>(top, --number, 8);
      store<u32>(top, depth + 1, 12);
      top += ENTRY_BYTES;
    }
  }
  store<u32>(subtree, nodeCount, Subtree.nodeCount);
  store<u32>(subtree, leafCount, Subtree.leafCount);
  store<u32>(subtree, maxDepth, Subtree.nodeDepth);
}

export function growMortonSubtrees(jobAt: usize, begin: u32, end: u32): void {
  const order: usize = load<u32>(jobAt, GrowJob.orderAt);
  const lists: usize = load<u32>(jobAt, GrowJob.listsAt);
  for (let slice = begin; slice < end; slice++) {
    const scratch =
      <usize>load<u32>(jobAt, GrowJob.scratchAt) + <usize>slice * load<u32>(jobAt, GrowJob.scratchStride);
    const last = load<u32>(lists + ((<usize>slice) << 2), 4);
    for (let i = load<u32>(lists + ((<usize>slice) << 2)); i < last; i++) {
      growSubtree(
        <usize>load<u32>(jobAt, GrowJob.subtreesAt) +
          <usize>load<u32>(order + ((<usize>i) << 2)) * Subtree.SIZE,
        scratch,
      );
    }
  }
}
