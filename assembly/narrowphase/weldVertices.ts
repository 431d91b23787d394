// Maps each vertex of a mesh to the first vertex with the same coordinates, where -0 equals 0. Uses a hash
// table with open addressing.

import { MeshRecord, NOTHING, SelfTree } from '../records';
import { add, load4, splat } from '../simd/lanes';

/** Runs on one thread; the slice is ignored. */
export function weldVertices(jobAt: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(jobAt, SelfTree.meshAt);
  const numbers: usize = load<u32>(jobAt, SelfTree.numbersAt);
  const positions: usize = load<u32>(mesh, MeshRecord.positionsAt);
  const vertexCount = load<u32>(mesh, MeshRecord.vertexCount);
  const table: usize = load<u32>(jobAt, SelfTree.tableAt);
  const bits = load<u32>(jobAt, SelfTree.tableBits);
  const mask = (1 << bits) - 1;
  for (let vertex: u32 = 0; vertex < vertexCount; vertex++) {
    const point = pointAt(positions, vertex);
    let place = <u32>(hash(point) >>> <u64>(64 - bits));
    let found = load<u32>(table + ((<usize>place) << 2));
    while (found != NOTHING && !isSame(point, pointAt(positions, found))) {
      place = (place + 1) & mask;
      found = load<u32>(table + ((<usize>place) << 2));
    }
    if (found == NOTHING) store<u32>(table + ((<usize>place) << 2), (found = vertex));
    store<u32>(numbers + ((<usize>vertex) << 2), found);
  }
}

// Returns the coordinates of a vertex in lanes 0..2. Adding 0 turns -0 into 0.
function pointAt(positions: usize, vertex: u32): v128 {
  return add(load4(positions + <usize>vertex * 12), splat(0));
}

function isSame(p: v128, q: v128): bool {
  return (i32x4.bitmask(i32x4.eq(p, q)) & 7) == 7;
}

// Hashes a point. The upper bits depend on all bits of all three coordinates.
function hash(p: v128): u64 {
  const x: u64 = <u32>i32x4.extract_lane(p, 0);
  const y: u64 = <u32>i32x4.extract_lane(p, 1);
  const z: u64 = <u32>i32x4.extract_lane(p, 2);
  const sum = x * 0x9e3779b97f4a7c15 + y * 0xc2b2ae3d27d4eb4f + z * 0x165667b19e3779f9;
  return (sum ^ (sum >>> 32)) * 0xd6e8feb86659fd93;
}
