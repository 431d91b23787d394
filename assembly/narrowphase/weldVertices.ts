// Maps each vertex of a mesh to the first vertex with the same coordinates, where -0 equals 0. Uses a hash
// table with open addressing.

import { MeshRecord, NOTHING, SelfTree } from '../records';
import { add, load4, splat } from '../simd/lanes';

/** Runs on one thread; the slice is ignored. */
export function weldVertices(jobAt: usize, begin: u32, end: u32): void {
  const mesh: usize = load<u32>(jobAt, SelfTree.meshAt);
  const numbers: usize = load<u32>(jobAt, SelfTree.numbersAt);
  const vertexCount = load<u32>(mesh, MeshRecord.vertexCount);
  const table: usize = load<u32>(jobAt, SelfTree.tableAt);
  const bits = load<u32>(jobAt, SelfTree.tableBits);
  const mask = (1 << bits) - 1;
  for (let vertex: u32 = 0; vertex < vertexCount; vertex++) {
    let place = <u32>(hash(mesh, vertex) >>> <u64>(64 - bits));
    let found = load<u32>(table + ((<usize>place) << 2));
    while (found != NOTHING && !isSame(mesh, vertex, found)) {
      place = (place + 1) & mask;
      found = load<u32>(table + ((<usize>place) << 2));
    }
    if (found == NOTHING) store<u32>(table + ((<usize>place) << 2), (found = vertex));
    store<u32>(numbers + ((<usize>vertex) << 2), found);
  }
}

// Returns the coordinates of a vertex in lanes 0..2. Adding 0 turns -0 into 0.
function pointAt(mesh: usize, vertex: u32): v128 {
  return add(load4(<usize>load<u32>(mesh, MeshRecord.positionsAt) + <usize>vertex * 12), splat(0));
}

// Returns the bits of one coordinate of a vertex, for a mesh whose positions are doubles. axis: the byte offset
// of the coordinate: 0, 8 or 16. Adding 0 turns -0 into 0.
function bitsAt(mesh: usize, vertex: u32, axis: usize): u64 {
  const at = <usize>load<u32>(mesh, MeshRecord.doublesAt) + <usize>vertex * 24 + axis;
  return reinterpret<u64>(load<f64>(at) + 0.0);
}

function hasDoubles(mesh: usize): bool {
  return load<u32>(mesh, MeshRecord.doublesAt) != 0;
}

function isSame(mesh: usize, i: u32, j: u32): bool {
  if (hasDoubles(mesh))
    return (
      bitsAt(mesh, i, 0) == bitsAt(mesh, j, 0) &&
      bitsAt(mesh, i, 8) == bitsAt(mesh, j, 8) &&
      bitsAt(mesh, i, 16) == bitsAt(mesh, j, 16)
    );
  return (i32x4.bitmask(i32x4.eq(pointAt(mesh, i), pointAt(mesh, j))) & 7) == 7;
}

// Hashes a vertex. The upper bits depend on all bits of all three coordinates.
function hash(mesh: usize, vertex: u32): u64 {
  if (hasDoubles(mesh))
    return mix(bitsAt(mesh, vertex, 0), bitsAt(mesh, vertex, 8), bitsAt(mesh, vertex, 16));
  const p = pointAt(mesh, vertex);
  return mix(<u32>i32x4.extract_lane(p, 0), <u32>i32x4.extract_lane(p, 1), <u32>i32x4.extract_lane(p, 2));
}

function mix(x: u64, y: u64, z: u64): u64 {
  const sum = x * 0x9e3779b97f4a7c15 + y * 0xc2b2ae3d27d4eb4f + z * 0x165667b19e3779f9;
  return (sum ^ (sum >>> 32)) * 0xd6e8feb86659fd93;
}
