// Gives the cloth a thickness: pushes vertices apart if they are closer to each other than the thickness.
// Edges and faces may still slip between vertices; only sweeps detect that.
import { moveApart } from './moveApart.js';

/** Finds pairs of overlapping boxes. A box is six numbers: min x, y, z, then max x, y, z. */
export type FindPairs = (boxes: Float32Array) => { a: ArrayLike<number>; b: ArrayLike<number> };

/**
 * Search distance as a multiple of the thickness. It is more than 1 because vertices move before the next
 * search.
 */
const REACH = 1.6;

export class Thickness {
  private readonly boxes: Float32Array;
  private pairs: { a: ArrayLike<number>; b: ArrayLike<number> } = { a: [], b: [] };

  constructor(
    vertexCount: number,
    private readonly thickness: number,
  ) {
    this.boxes = new Float32Array(6 * vertexCount);
  }

  /** Finds the pairs of vertices that are close to each other at the start of a step. */
  findNearVertices(positions: Float64Array, find: FindPairs): void {
    const half = (REACH * this.thickness) / 2;
    const { boxes } = this;
    for (let at = 0, to = 0; at < positions.length; at += 3, to += 6) {
      for (let axis = 0; axis < 3; axis++) {
        boxes[to + axis] = positions[at + axis]! - half;
        boxes[to + axis + 3] = positions[at + axis]! + half;
      }
    }
    this.pairs = find(boxes);
  }

  /** Pushes the vertices of each found pair apart if they are closer to each other than the thickness. */
  pushApart(now: Float64Array): void {
    const {
      thickness,
      pairs: { a, b },
    } = this;
    for (let pair = 0; pair < a.length; pair++) {
      const i = 3 * a[pair]!;
      const j = 3 * b[pair]!;
      const x = now[i]! - now[j]!;
      const y = now[i + 1]! - now[j + 1]!;
      const z = now[i + 2]! - now[j + 2]!;
      const square = x * x + y * y + z * z;
      if (square >= thickness * thickness || square === 0) continue;
      const share = 0.5 * (thickness / Math.sqrt(square) - 1);
      moveApart(now, i, j, share * x, share * y, share * z);
    }
  }
}
