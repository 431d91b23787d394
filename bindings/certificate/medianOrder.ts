// Orders the leaves of a tree, such as triangles, so that the leaves in each half of the list are close
// together, and also the leaves in each quarter, each eighth and so on.

import { BOX } from './nodeBoxes.js';

/**
 * Returns a list of the numbers of all leaves, in an order that suits a `Certificate`. The nodes of a
 * certificate are ranges of this list, which is halved again and again. In each range, the centers of the
 * leaves are compared by their coordinate on the axis along which they spread most: no center in the first half
 * has a larger coordinate than a center in the second half.
 * @param points - the points of each leaf; their mean is the center of the leaf
 * @param size - number of coordinates per leaf: three per point
 */
export function medianOrder(points: Float64Array, size: number): Uint32Array {
  const count = points.length / size;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const centers = new Float64Array(3 * count);
  for (let i = 0; i < centers.length; i++) {
    const at = size * Math.floor(i / 3);
    for (let k = i % 3; k < size; k += 3) centers[i] += points[at + k] / (size / 3);
  }
  const ranges = [0, count];
  while (ranges.length > 0) {
    const high = ranges.pop()!;
    const low = ranges.pop()!;
    if (high - low < 2) continue;
    const middle = (low + high) >>> 1;
    partition(order, centers, longestAxis(order, centers, low, high), low, high, middle);
    ranges.push(low, middle, middle, high);
  }
  return order;
}

function longestAxis(order: Uint32Array, centers: Float64Array, low: number, high: number): number {
  const box = BOX.slice();
  for (let i = low; i < high; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = centers[3 * order[i] + axis];
      if (value < box[axis]) box[axis] = value;
      if (value > box[axis + 3]) box[axis + 3] = value;
    }
  }
  const [x, y, z] = [box[3] - box[0], box[4] - box[1], box[5] - box[2]];
  if (x >= y && x >= z) return 0;
  return y >= z ? 1 : 2;
}

// Partitions a range by quickselect: afterwards, no center in [low, middle) is above a center in [middle,
// high). Equal centers are compared by leaf number, so the initial order does not decide which half a leaf is
// in.
function partition(
  order: Uint32Array,
  centers: Float64Array,
  axis: number,
  low: number,
  high: number,
  middle: number,
): void {
  const isBefore = (a: number, b: number): boolean => {
    const difference = centers[3 * a + axis] - centers[3 * b + axis];
    return difference < 0 || (difference === 0 && a < b);
  };
  let [first, last] = [low, high - 1];
  while (first < last) {
    const pivot = order[(first + last) >>> 1];
    let [i, k] = [first, last];
    while (i <= k) {
      while (isBefore(order[i], pivot)) i++;
      while (isBefore(pivot, order[k])) k--;
      if (i > k) break;
      [order[i], order[k]] = [order[k], order[i]];
      i++;
      k--;
    }
    if (middle <= k) last = k;
    else if (middle >= i) first = i;
    else return;
  }
}
