// Finds the pairs of boxes in one list that overlap or almost overlap, with a tree over the boxes in Morton
// order.

/** Max number of boxes below a leaf of the tree. */
const LEAF = 4;
/** Number of cells along each axis of the grid whose Morton codes order the boxes. */
const CELLS = 256;

/**
 * Calls `visit` once for each pair of boxes that are near each other, and passes the numbers of both boxes. Two
 * boxes are near if, along each axis, they overlap or are at most `slack` apart. Stops after `maxPairs` pairs.
 * @param boxes Six numbers for each box: minimum x, y, z, then maximum x, y, z.
 * @returns whether all pairs were visited
 */
export function forEachBoxPair(
  boxes: Float64Array,
  slack: number,
  maxPairs: number,
  visit: (i: number, j: number) => void,
): boolean {
  const count = boxes.length / 6;
  if (count < 2) return true;
  let pairsLeft = maxPairs;
  const order = orderOf(boxes, count);
  const sorted = new Float64Array(boxes.length);
  order.forEach((i, rank) => {
    sorted.set(boxes.subarray(6 * i, 6 * i + 6), 6 * rank);
  });
  // The boxes of the tree's nodes, one list for each level, leaves first. The children of node n are the nodes
  // 2 n and 2 n + 1 of the level below.
  const levels = [mergeBoxes(sorted, LEAF)];
  while (levels[levels.length - 1].length > 6) levels.push(mergeBoxes(levels[levels.length - 1], 2));
  const isNear = (list: Float64Array, at: number, from: number): boolean =>
    list[at] <= sorted[from + 3] + slack &&
    sorted[from] <= list[at + 3] + slack &&
    list[at + 1] <= sorted[from + 4] + slack &&
    sorted[from + 1] <= list[at + 4] + slack &&
    list[at + 2] <= sorted[from + 5] + slack &&
    sorted[from + 2] <= list[at + 5] + slack;
  // Visits the boxes below a node that are near the box of a given rank and have a higher rank, so that each
  // pair is visited only once.
  const descend = (level: number, node: number, rank: number): void => {
    const nodes = levels[level];
    const span = LEAF * 2 ** level;
    if (
      pairsLeft < 0 ||
      6 * node >= nodes.length ||
      (node + 1) * span <= rank + 1 ||
      !isNear(nodes, 6 * node, 6 * rank)
    )
      return;
    if (level > 0) {
      descend(level - 1, 2 * node, rank);
      descend(level - 1, 2 * node + 1, rank);
      return;
    }
    const end = Math.min(count, LEAF * (node + 1));
    for (let other = Math.max(rank + 1, LEAF * node); other < end; other++)
      if (isNear(sorted, 6 * other, 6 * rank) && pairsLeft-- > 0) visit(order[rank], order[other]);
  };
  for (let rank = 0; rank < count && pairsLeft >= 0; rank++) descend(levels.length - 1, 0, rank);
  return pairsLeft >= 0;
}

// Returns the numbers of the boxes, sorted by the Morton codes of their centers.
function orderOf(boxes: Float64Array, count: number): Uint32Array {
  const centers = new Float64Array(3 * count);
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const center = (boxes[6 * i + axis] + boxes[6 * i + 3 + axis]) / 2;
      centers[3 * i + axis] = center;
      min[axis] = Math.min(min[axis], center);
      max[axis] = Math.max(max[axis], center);
    }
  }
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]) || 1;
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let code = 0;
    for (let axis = 0; axis < 3; axis++) {
      const cell = Math.floor(((centers[3 * i + axis] - min[axis]) / size) * CELLS);
      code |= spread(Math.min(CELLS - 1, cell)) << axis;
    }
    keys[i] = code * count + i;
  }
  keys.sort();
  return Uint32Array.from(keys, key => key % count);
}

// Inserts two zero bits before each bit of an 8-bit number.
function spread(value: number): number {
  let bits = (value | (value << 8)) & 0x00f00f;
  bits = (bits | (bits << 4)) & 0x0c30c3;
  return (bits | (bits << 2)) & 0x249249;
}

// Returns the smallest box around each group of `groupSize` consecutive boxes. The last group may be smaller.
function mergeBoxes(boxes: Float64Array, groupSize: number): Float64Array {
  const groups = new Float64Array(6 * Math.ceil(boxes.length / 6 / groupSize));
  for (let at = 0; at < groups.length; at++) groups[at] = at % 6 < 3 ? Infinity : -Infinity;
  for (let i = 0; i < boxes.length / 6; i++) {
    const to = 6 * Math.floor(i / groupSize);
    for (let axis = 0; axis < 3; axis++) {
      groups[to + axis] = Math.min(groups[to + axis], boxes[6 * i + axis]);
      groups[to + 3 + axis] = Math.max(groups[to + 3 + axis], boxes[6 * i + 3 + axis]);
    }
  }
  return groups;
}
