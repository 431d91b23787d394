// Finds which triangles of two leaves share a vertex. Bit 4 * j + i of the result is set if triangle i of the
// first leaf and triangle j of the second leaf share one.

import { LeafVertices } from '../records';
import { load4, maskBits, splatAt } from '../simd/lanes';

/** Compares two LeafVertices at addresses a and b. */
export function sharedVertices16(a: usize, b: usize): i32 {
  const u = load4(a, LeafVertices.first);
  const v = load4(a, LeafVertices.second);
  const w = load4(a, LeafVertices.third);
  return (
    maskBits(share(u, v, w, b)) |
    (maskBits(share(u, v, w, b + 4)) << 4) |
    (maskBits(share(u, v, w, b + 8)) << 8) |
    (maskBits(share(u, v, w, b + 12)) << 12)
  );
}

// Returns a lane mask that tells which of four triangles share a vertex with the triangle whose lane is at
// `b`. u, v, w: the vertices of the four triangles.
function share(u: v128, v: v128, w: v128, b: usize): v128 {
  const p = splatAt(b, LeafVertices.first);
  const q = splatAt(b, LeafVertices.second);
  const r = splatAt(b, LeafVertices.third);
  return v128.or(v128.or(isAnyOf(u, p, q, r), isAnyOf(v, p, q, r)), isAnyOf(w, p, q, r));
}

function isAnyOf(u: v128, p: v128, q: v128, r: v128): v128 {
  return v128.or(v128.or(i32x4.eq(u, p), i32x4.eq(u, q)), i32x4.eq(u, r));
}
