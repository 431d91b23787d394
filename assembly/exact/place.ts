// Transforms triangles from float32 mesh coordinates to doubles in the common frame of both meshes. Every
// exact test places its vertices with this file, so all of them use identical coordinates.

// Returns one placed coordinate. A placement is the first three rows, 4 f64 each, of a column-major 4 x 4
// matrix m: m0 m4 m8 m12, m1 m5 m9 m13, m2 m6 m10 m14. `row`: the address of one row.
function placeAxis(row: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z + load<f64>(row, 24);
}

// Places the vertex at `positionAt` (3 f32) and writes it to `out` (3 f64). placementAt: the address of the
// placement, or 0 for the identity.
// @ts-ignore: decorator
@inline
export function placeVertex(positionAt: usize, placementAt: usize, out: usize): void {
  const x = <f64>load<f32>(positionAt);
  const y = <f64>load<f32>(positionAt, 4);
  const z = <f64>load<f32>(positionAt, 8);
  if (placementAt == 0) {
    store<f64>(out, x);
    store<f64>(out, y, 8);
    store<f64>(out, z, 16);
    return;
  }
  store<f64>(out, placeAxis(placementAt, x, y, z));
  store<f64>(out, placeAxis(placementAt + 32, x, y, z), 8);
  store<f64>(out, placeAxis(placementAt + 64, x, y, z), 16);
}

// Places the three vertices of a triangle and writes them to `out` (9 f64). The mesh has 3 f32 per vertex at
// `positionsAt` and 3 u32 per triangle at `indicesAt`.
export function placeTriangle(
  positionsAt: usize,
  indicesAt: usize,
  triangle: u32,
  placementAt: usize,
  out: usize,
): void {
  const corners = indicesAt + <usize>triangle * 12;
  placeVertex(positionsAt + <usize>load<u32>(corners) * 12, placementAt, out);
  placeVertex(positionsAt + <usize>load<u32>(corners, 4) * 12, placementAt, out + 24);
  placeVertex(positionsAt + <usize>load<u32>(corners, 8) * 12, placementAt, out + 48);
}
