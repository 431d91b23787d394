// Finds out how the triangles of two placed, closed meshes cross after mesh A has moved by an infinitesimal
// vector (see generalPosition.ts), and how often each mesh then winds around the vertices of the other one.

import { type MeshContacts, sharesArea } from '../meshContacts.js';
import { crossingsOf, type MovedPair } from './generalPosition.js';
import { PatchWindings } from './patchWindings.js';

/** The meshes of a pair, in their order. */
export const SIDES = [0, 1] as const;
export type SideNumber = (typeof SIDES)[number];

/** How two meshes cross after the movement. Triangles that share an area do not cross then. */
export class MovedCrossings {
  /** For each mesh: how often the other mesh winds around the vertices of this mesh. */
  readonly windings: readonly [PatchWindings, PatchWindings];
  // For each pair of triangles: bit 0 is what `crosses` returns, and two bits for each of the six edges follow.
  readonly #packed: Uint16Array;

  constructor({ a, b, pairs }: MeshContacts) {
    this.#packed = new Uint16Array(pairs.a.length);
    const corners = new Float64Array(18);
    const jumps = [new Map<number, number>(), new Map<number, number>()] as const;
    for (let i = 0; i < pairs.a.length; i++) {
      const triangles = [pairs.a[i], pairs.b[i]] as const;
      if (sharesArea(pairs.kind[i])) {
        this.#packed[i] = NO_CROSSING;
        continue;
      }
      a.writeCorners(triangles[0], corners, 0);
      b.writeCorners(triangles[1], corners, 9);
      this.#packed[i] = pack(crossingsOf(corners));
      for (const side of SIDES) {
        for (let edge = 0; edge < 3; edge++) {
          const hit = this.edgeHit(side, i, edge);
          if (hit === 0) continue;
          const key = 3 * triangles[side] + edge;
          jumps[side].set(key, (jumps[side].get(key) ?? 0) - hit);
        }
      }
    }
    this.windings = [
      new PatchWindings(a, b, 1, new Set(pairs.a), jumps[0]),
      new PatchWindings(b, a, -1, new Set(pairs.b), jumps[1]),
    ];
  }

  /** Returns whether each triangle of a pair has corners on both sides of the other triangle's plane. */
  crosses(pair: number): boolean {
    return (this.#packed[pair] & 1) === 1;
  }

  /**
   * Returns how an edge of one triangle of a pair crosses the other triangle: 0 if it does not, -1 if it leaves
   * the side to which the other triangle's normal points, 1 if it reaches that side. The edge goes from corner
   * `edge` to the next.
   */
  edgeHit(side: SideNumber, pair: number, edge: number): number {
    return ((this.#packed[pair] >> (1 + 6 * side + 2 * edge)) & 3) - 1;
  }
}

/**
 * Returns the offset of the point at which an edge of one triangle of a pair crosses the other one: `first` or
 * `last`, the offsets of the start and the end of the segment that the triangles share. If an edge of A leads
 * to the inner side of B's triangle (`hit` is -1), the segment leaves A's triangle there. If an edge of B leads
 * to the inner side of A's triangle, the segment enters B's triangle there.
 */
export const hitPoint = (side: SideNumber, hit: number, first: number, last: number): number =>
  hit < 0 === (side === 0) ? last : first;

const pack = ({ cross, edgesA, edgesB }: MovedPair): number => {
  let bits = cross ? 1 : 0;
  for (let edge = 0; edge < 3; edge++)
    bits |= ((edgesA[edge] + 1) << (1 + 2 * edge)) | ((edgesB[edge] + 1) << (7 + 2 * edge));
  return bits;
};

const NO_CROSSING = pack({ cross: false, edgesA: new Int8Array(3), edgesB: new Int8Array(3) });
