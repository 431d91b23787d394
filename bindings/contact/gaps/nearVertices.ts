// Finds vertices that are close to each other, with a grid of cells.
import { lengthOf, minus } from '../overlapDepth/piece.js';
import type { PointOf } from './edgeChain.js';

/** Factors of a hash of three cell numbers. Cells with the same hash share a list. */
const FACTORS = [73856093, 19349663, 83492791] as const;

/**
 * Chooses some of the vertices as targets, and returns a target for each vertex: the nearest target that is at
 * most `reach` away. A vertex without such a target becomes a target itself.
 * @param reach - Above 0.
 */
export function nearVertices(
  vertices: readonly number[],
  pointOf: PointOf,
  reach: number,
): Map<number, number> {
  const cells = new Map<number, number[]>();
  const targets = new Map<number, number>();
  for (const vertex of vertices) {
    const point = pointOf(vertex);
    const cell = [0, 1, 2].map(axis => Math.floor(point[axis] / reach));
    let target = vertex;
    let least = Infinity;
    for (let i = 0; i < 27; i++) {
      const neighbor = [
        cell[0] + (i % 3) - 1,
        cell[1] + (Math.floor(i / 3) % 3) - 1,
        cell[2] + Math.floor(i / 9) - 1,
      ];
      for (const other of cells.get(hashOf(neighbor)) ?? []) {
        const length = lengthOf(minus(pointOf(other), point));
        if (length <= reach && length < least) [target, least] = [other, length];
      }
    }
    targets.set(vertex, target);
    if (target !== vertex) continue;
    const hash = hashOf(cell);
    const list = cells.get(hash);
    if (list) list.push(vertex);
    else cells.set(hash, [vertex]);
  }
  return targets;
}

const hashOf = (cell: readonly number[]): number =>
  Math.imul(cell[0], FACTORS[0]) ^ Math.imul(cell[1], FACTORS[1]) ^ Math.imul(cell[2], FACTORS[2]);
