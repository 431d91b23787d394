// Fills a loop of edges with triangles of the least total area.
import { cross, lengthOf, minus, type Vector } from '../overlapDepth/piece.js';
import type { PointOf } from './edgeChain.js';

/** Loops with more edges are divided before they are filled. Filling takes the cube of the number of edges. */
const MAX_EDGES = 128;
/** The two parts of a divided loop have at least this share of its edges. */
const MIN_SHARE = 1 / 8;

/**
 * Returns triangles, as three vertices each, that use the edges of a loop in the other direction. If the loop has
 * at most MAX_EDGES edges, the triangles have the least area. A larger loop is first divided where it is narrow.
 *
 * @param loop - Distinct vertices. The edges join each vertex with the next one, and the last with the first.
 * Source: Barequet and Sharir 1995.
 */
export function fillLoop(loop: readonly number[], pointOf: PointOf): number[] {
  const triangles: number[] = [];
  const waiting = [loop];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (part.length > MAX_EDGES) waiting.push(...divide(part, pointOf));
    else fillSmall(part, pointOf, triangles);
  }
  return triangles;
}

// Divides a loop at two vertices that are close to each other, but not along the loop.
function divide(loop: readonly number[], pointOf: PointOf): number[][] {
  const points = loop.map(pointOf);
  const { length } = loop;
  const least = Math.floor(length * MIN_SHARE);
  let best = { from: 0, to: least, length: Infinity };
  for (let from = 0; from < length; from++) {
    for (let to = from + least; to < length && length - (to - from) >= least; to++) {
      const between = lengthOf(minus(points[to], points[from]));
      if (between < best.length) best = { from, to, length: between };
    }
  }
  const { from, to } = best;
  return [loop.slice(from, to + 1), [...loop.slice(to), ...loop.slice(0, from + 1)]];
}

// Computes the least area for each polygon of the vertices from i to j of the loop, by dynamic programming: one
// of its triangles has the corners i and j, and a third corner k between them.
function fillSmall(loop: readonly number[], pointOf: PointOf, triangles: number[]): void {
  const points = loop.map(pointOf);
  const { length } = loop;
  const areas = new Float64Array(length * length);
  const thirds = new Uint32Array(length * length);
  for (let span = 2; span < length; span++) {
    for (let i = 0; i + span < length; i++) {
      const j = i + span;
      const at = i * length + j;
      areas[at] = Infinity;
      for (let k = i + 1; k < j; k++) {
        const area = areas[i * length + k] + areas[k * length + j] + areaOf(points[i], points[k], points[j]);
        if (area < areas[at]) [areas[at], thirds[at]] = [area, k];
      }
    }
  }
  const waiting: [number, number][] = [[0, length - 1]];
  for (let range = waiting.pop(); range; range = waiting.pop()) {
    const [i, j] = range;
    if (j - i < 2) continue;
    const k = thirds[i * length + j];
    triangles.push(loop[j], loop[k], loop[i]);
    waiting.push([i, k], [k, j]);
  }
}

/** Returns the area of a triangle. */
export const areaOf = (a: Vector, b: Vector, c: Vector): number =>
  lengthOf(cross(minus(b, a), minus(c, a))) / 2;
