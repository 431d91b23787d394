// Computes the bounding box of each node of a binary tree over an ordered list of leaves: see `Certificate`.

/** An empty box: minimum x, y, z, then maximum x, y, z. */
export const BOX = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);

/**
 * Returns one box per node, 6 numbers each. If node i has the leaves in the range [low, high), its children
 * are the nodes `firstChild(i)` and `secondChild(i, low, high)`.
 * @param points - the points of each leaf, from which its box is computed
 * @param size - number of coordinates per leaf: three per point
 */
export function nodeBoxes(points: Float64Array, size: number, order: Uint32Array): Float64Array {
  const boxes = new Float64Array(6 * Math.max(0, 2 * order.length - 1));
  const fill = (node: number, low: number, high: number): void => {
    const at = 6 * node;
    boxes.set(BOX, at);
    if (high - low === 1) {
      const leaf = size * order[low];
      for (let i = 0; i < size; i++) include(at, i % 3, points[leaf + i], points[leaf + i]);
      return;
    }
    const middle = (low + high) >>> 1;
    const children = [firstChild(node), secondChild(node, low, high)];
    fill(children[0], low, middle);
    fill(children[1], middle, high);
    for (const child of children)
      for (let axis = 0; axis < 3; axis++)
        include(at, axis, boxes[6 * child + axis], boxes[6 * child + axis + 3]);
  };
  const include = (at: number, axis: number, min: number, max: number): void => {
    boxes[at + axis] = Math.min(boxes[at + axis], min);
    boxes[at + axis + 3] = Math.max(boxes[at + axis + 3], max);
  };
  if (order.length > 0) fill(0, 0, order.length);
  return boxes;
}

/** Returns the number of the first child of a node. */
export const firstChild = (node: number): number => node + 1;

/** Returns the number of the second child of a node that has the leaves in the range [low, high). */
export const secondChild = (node: number, low: number, high: number): number =>
  node + 2 * (((low + high) >>> 1) - low);
