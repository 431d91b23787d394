// Fills a mesh's table of support values for a grid of directions. The support value of a direction is the
// maximum of its dot products with the vertices. assembly/bvh/supports.ts uses the tables of two bodies to test
// whether a plane separates the bodies.

import { SUPPORT_CELLS, SUPPORT_EDGE, SUPPORT_ENTRIES, SUPPORT_OCTANT, SupportsJob } from '../records';
import { abs, add, load4, max4, mul, splat, splatAt } from '../simd/lanes';

// ROUNDING is an error bound relative to the largest support value. It is far larger than the sum of two
// rounding errors: the error of the float32 dot products in this file, and the error of the interpolation in
// a lookup. UNDERFLOW is added for products that underflow.
const ROUNDING: f32 = 3.814697265625e-6;
const UNDERFLOW: f32 = 7.174648137343064e-43;
const VERTEX: usize = 12;

export function fillSupportTable(jobAt: usize, begin: u32, end: u32): void {
  const table: usize = load<u32>(jobAt, SupportsJob.tableAt);
  const from: usize = load<u32>(jobAt, SupportsJob.positionsAt);
  const last = from + <usize>load<u32>(jobAt, SupportsJob.vertexCount) * VERTEX;
  let maxSupport = splat(0);
  for (let entry: u32 = 0; entry < SUPPORT_ENTRIES; entry += 4) {
    const at = table + ((<usize>entry) << 2);
    for (let lane: u32 = 0; lane < 4; lane++)
      storeDirection(entry + lane, jobAt + SupportsJob.directions + ((<usize>lane) << 2));
    const x = load4(jobAt, SupportsJob.directions);
    const y = load4(jobAt, SupportsJob.directions + 16);
    const z = load4(jobAt, SupportsJob.directions + 32);
    let support = splat(-Infinity);
    for (let vertex = from; vertex < last; vertex += VERTEX) {
      support = max4(
        support,
        add(add(mul(x, splatAt(vertex, 0)), mul(y, splatAt(vertex, 4))), mul(z, splatAt(vertex, 8))),
      );
    }
    v128.store(at, support);
    maxSupport = max4(maxSupport, abs(support));
  }
  const maxOfAll = max(
    max(f32x4.extract_lane(maxSupport, 0), f32x4.extract_lane(maxSupport, 1)),
    max(f32x4.extract_lane(maxSupport, 2), f32x4.extract_lane(maxSupport, 3)),
  );
  store<f32>(table + ((<usize>SUPPORT_ENTRIES) << 2), maxOfAll * ROUNDING + UNDERFLOW);
}

// Writes the direction of a table entry to one lane of three vectors, which hold x, y and z. `to` is the
// address of the lane of x. Each octant has a square grid of directions, with |x| = i and |y| = j. Directions
// with i + j <= SUPPORT_CELLS are on one face of an octahedron. The others are in the plane of that face but
// beyond its edge, where z has the opposite sign.
function storeDirection(entry: u32, to: usize): void {
  const octant = entry / SUPPORT_OCTANT;
  const corner = entry % SUPPORT_OCTANT;
  const i = corner / SUPPORT_EDGE;
  const j = corner % SUPPORT_EDGE;
  store<f32>(to, signed(<f32>i, octant & 1));
  store<f32>(to, signed(<f32>j, octant & 2), 16);
  store<f32>(to, signed(<f32>SUPPORT_CELLS - <f32>i - <f32>j, octant & 4), 32);
}

function signed(size: f32, isNegative: u32): f32 {
  return isNegative != 0 ? -size : size;
}
