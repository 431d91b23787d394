// Remembers pairs of triangles that crossed at earlier placements of two meshes. If one of these pairs is
// proven to cross at a new placement too, no query is needed for that placement.
import { filteredSide } from './orientation.js';
import type { Surface } from './surface.js';

/** At most this many pairs of one query are kept. */
const MAX_PER_QUERY = 64;

/**
 * Triangle `ta` of A and triangle `tb` of B. `reach`: the range of translations of A for which the boxes of
 * the two triangles overlap, as minimum x, y, z, then maximum x, y, z.
 */
interface Pair {
  ta: number;
  tb: number;
  reach: Float64Array;
}

/** Pairs of triangles that may prove that two surfaces still cross after one of them has moved. */
export class CrossingCache {
  readonly #a: Surface;
  readonly #b: Surface;
  // The pairs in the order in which they are tested. Whenever a pair proves a crossing, it is moved halfway to
  // the front, so pairs that often prove one are tested early.
  readonly #pairs: Pair[] = [];
  readonly #points = new Float64Array(18);
  readonly #sides = new Int8Array(6);

  /** a, b: the surfaces at the placements from which translations are measured. */
  constructor(a: Surface, b: Surface) {
    this.#a = a;
    this.#b = b;
  }

  /** Adds the crossing triangles a[i] and b[i], or an even sample of them if there are many. */
  add(a: readonly number[], b: readonly number[]): void {
    const step = Math.max(1, a.length / MAX_PER_QUERY);
    for (let i = 0; i < a.length; i += step) this.#addPair(a[Math.floor(i)], b[Math.floor(i)]);
  }

  #addPair(ta: number, tb: number): void {
    const p = this.#points;
    const reach = new Float64Array(6);
    this.#a.writeCorners(ta, p, 0);
    this.#b.writeCorners(tb, p, 9);
    for (let i = 0; i < 3; i++) {
      reach[i] = Math.min(p[9 + i], p[12 + i], p[15 + i]) - Math.max(p[i], p[3 + i], p[6 + i]);
      reach[3 + i] = Math.max(p[9 + i], p[12 + i], p[15 + i]) - Math.min(p[i], p[3 + i], p[6 + i]);
    }
    this.#pairs.push({ ta, tb, reach });
  }

  /**
   * Returns whether arithmetic in doubles proves that one of the pairs crosses. If the result is false, pairs
   * may still cross.
   * @param a A at its new placement.
   * @param translation How far A has moved.
   */
  provesCrossing(a: Surface, [x, y, z]: readonly [number, number, number]): boolean {
    const b = this.#b;
    const pairs = this.#pairs;
    const points = this.#points;
    for (let i = 0; i < pairs.length; i++) {
      const { ta, tb, reach } = pairs[i];
      if (x < reach[0] || x > reach[3] || y < reach[1] || y > reach[4] || z < reach[2] || z > reach[5])
        continue;
      a.writeCorners(ta, points, 0);
      b.writeCorners(tb, points, 9);
      if (!this.#crossSurely()) continue;
      [pairs[i], pairs[i >> 1]] = [pairs[i >> 1], pairs[i]];
      return true;
    }
    return false;
  }

  // Returns whether two triangles certainly cross. Two conditions must hold. Each triangle has corners on both
  // sides of the other's plane and none on it. And the segments in which the two triangles intersect the common
  // line of their planes overlap (Guigue and Devillers 2003).
  #crossSurely(): boolean {
    const p = this.#points;
    const sides = this.#sides;
    const apexA = this.#apexOf(0, 9, 0);
    if (apexA < 0) return false;
    const apexB = this.#apexOf(9, 0, 3);
    if (apexB < 0) return false;
    const keepsOrderB = sides[apexA] > 0;
    const keepsOrderA = sides[3 + apexB] > 0;
    const a = 3 * apexA;
    const a1 = 3 * ((apexA + (keepsOrderA ? 1 : 2)) % 3);
    const a2 = 3 * ((apexA + (keepsOrderA ? 2 : 1)) % 3);
    const b = 9 + 3 * apexB;
    const b1 = 9 + 3 * ((apexB + (keepsOrderB ? 1 : 2)) % 3);
    const b2 = 9 + 3 * ((apexB + (keepsOrderB ? 2 : 1)) % 3);
    return filteredSide(p, a, a1, b, b1) < 0 && filteredSide(p, a, a2, b, b2) > 0;
  }

  // Returns the corner of the triangle at offset `own` that is alone on its side of the other triangle's plane.
  // Writes the sides of all corners to `#sides`, starting at index `to`. Returns -1 if all corners are on the same side,
  // or if doubles cannot decide.
  #apexOf(own: number, other: number, to: number): number {
    const p = this.#points;
    const sides = this.#sides;
    let sum = 0;
    for (let corner = 0; corner < 3; corner++) {
      const side = filteredSide(p, other, other + 3, other + 6, own + 3 * corner);
      if (side === 0) return -1;
      sum += sides[to + corner] = side;
    }
    if (sum === 3 || sum === -3) return -1;
    return [0, 1, 2].find(corner => sides[to + corner] !== sum)!;
  }
}
