// Divides boxes into the cells of a k-d tree, so that the pairs of a cell can be found from the boxes of this
// cell alone.

import type { SortedPairs } from '../../broadphase/incremental/mergePairs.js';

/** A cell with more boxes than this is divided, if the limits below permit it. */
const MAX_CELL_BOXES = 2 ** 16;
/**
 * A box that reaches into both halves of a cell belongs to both. A cell is divided only if both halves
 * together have at most MAX_GROWTH times as many boxes as the cell, and each half at most MAX_HALF times as
 * many.
 */
const MAX_GROWTH = 1.2;
const MAX_HALF = 0.75;
/**
 * A cell is divided at about the median of its boxes' minima, which is estimated from a sample of this many
 * boxes.
 */
const SAMPLE = 255;

/**
 * A cell of space. A cell does not include its upper sides, so every box that overlaps the cell has minima less
 * than the maxima of the cell. low: the minimum x, y and z of the cell. ids: the boxes that overlap the cell,
 * in ascending order.
 */
export interface BoxCell {
  ids: Uint32Array;
  low: readonly number[];
}

/** Divides boxes into about `minCells` cells, or more if there are many boxes. All boxes must be finite. */
export function divideIntoCells(boxes: Float32Array, minCells: number): BoxCell[] {
  const count = boxes.length / 6;
  const whole: BoxCell = {
    ids: Uint32Array.from({ length: count }, (_, i) => i),
    low: [-Infinity, -Infinity, -Infinity],
  };
  return divide(boxes, whole, Math.min(MAX_CELL_BOXES, Math.ceil(count / minCells)));
}

function divide(boxes: Float32Array, cell: BoxCell, maxBoxes: number): BoxCell[] {
  const halves = cell.ids.length > maxBoxes ? halvesOf(boxes, cell) : [];
  return halves.length === 0 ? [cell] : halves.flatMap(half => divide(boxes, half, maxBoxes));
}

// Cuts a cell into halves on the axis on which the fewest boxes reach into both halves, and returns the halves.
// Returns an empty list if no axis satisfies the limits MAX_GROWTH and MAX_HALF.
function halvesOf(boxes: Float32Array, cell: BoxCell): BoxCell[] {
  const { ids } = cell;
  let best: { axis: number; cut: number } | undefined;
  let fewest = MAX_GROWTH * ids.length;
  for (let axis = 0; axis < 3; axis++) {
    const cut = medianOf(boxes, ids, axis);
    let below = 0;
    let above = 0;
    for (const id of ids) {
      if (boxes[6 * id + axis] < cut) below++;
      if (boxes[6 * id + axis + 3] >= cut) above++;
    }
    if (Math.max(below, above) > MAX_HALF * ids.length || below + above > fewest) continue;
    best = { axis, cut };
    fewest = below + above;
  }
  if (!best) return [];
  const { axis, cut } = best;
  return [
    {
      ids: ids.filter(id => boxes[6 * id + axis] < cut),
      low: cell.low,
    },
    {
      ids: ids.filter(id => boxes[6 * id + axis + 3] >= cut),
      low: cell.low.map((value, i) => (i === axis ? cut : value)),
    },
  ];
}

function medianOf(boxes: Float32Array, ids: Uint32Array, axis: number): number {
  const size = Math.min(SAMPLE, ids.length);
  const minima = Float32Array.from(
    { length: size },
    (_, i) => boxes[6 * ids[Math.floor((i * ids.length) / size)] + axis],
  );
  return minima.sort()[size >>> 1];
}

/** Returns copies of the boxes of a cell, in the order of their ids. */
export function boxesOfCell(boxes: Float32Array, { ids }: BoxCell): Float32Array {
  const copies = new Float32Array(6 * ids.length);
  ids.forEach((id, i) => copies.set(boxes.subarray(6 * id, 6 * id + 6), 6 * i));
  return copies;
}

/**
 * Returns those pairs of a cell whose reference point (the minimum corner of the overlap of both boxes) lies in
 * the cell. Every pair of overlapping boxes has its reference point in exactly one cell, and both boxes overlap
 * this cell. The reference point is compared only with the lower sides of the cell, because the minima of all
 * boxes of the cell are below its upper sides. a, b: the pairs as indices into `ids`, sorted by a, then b.
 */
export function pairsOfCell(boxes: Float32Array, { ids, low }: BoxCell, { a, b }: SortedPairs): SortedPairs {
  const kept = { a: new Uint32Array(a.length), b: new Uint32Array(a.length) };
  let count = 0;
  for (let k = 0; k < a.length; k++) {
    const [first, second] = [ids[a[k]], ids[b[k]]];
    let isInside = true;
    for (let axis = 0; axis < 3; axis++) {
      const corner = Math.max(boxes[6 * first + axis], boxes[6 * second + axis]);
      isInside &&= low[axis] <= corner;
    }
    if (!isInside) continue;
    kept.a[count] = first;
    kept.b[count++] = second;
  }
  return { a: kept.a.slice(0, count), b: kept.b.slice(0, count) };
}
