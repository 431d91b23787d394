// Transforms triangles from mesh coordinates, in float32 or doubles, to doubles in the common frame of both
// meshes. Every exact test places its vertices with this file, so all exact tests use identical coordinates.
import { MeshRecord } from '../records';

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
  placePoint(
    <f64>load<f32>(positionAt),
    <f64>load<f32>(positionAt, 4),
    <f64>load<f32>(positionAt, 8),
    placementAt,
    out,
  );
}

// @ts-ignore: decorator
@inline
function placePoint(x: f64, y: f64, z: f64, placementAt: usize, out: usize): void {
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

// Places the three vertices of a triangle of the mesh, and writes them to `out` (9 f64). mesh: the address of
// the MeshRecord. If the mesh has vertices in doubles, these are placed.
export function placeTriangle(mesh: usize, triangle: u32, placementAt: usize, out: usize): void {
  const corners = <usize>load<u32>(mesh, MeshRecord.indicesAt) + <usize>triangle * 12;
  const doubles: usize = load<u32>(mesh, MeshRecord.doublesAt);
  if (doubles != 0) {
    for (let corner: usize = 0; corner < 3; corner++) {
      const at = doubles + <usize>load<u32>(corners + (corner << 2)) * 24;
      placePoint(load<f64>(at), load<f64>(at, 8), load<f64>(at, 16), placementAt, out + corner * 24);
    }
    return;
  }
  const positions: usize = load<u32>(mesh, MeshRecord.positionsAt);
  placeVertex(positions + <usize>load<u32>(corners) * 12, placementAt, out);
  placeVertex(positions + <usize>load<u32>(corners, 4) * 12, placementAt, out + 24);
  placeVertex(positions + <usize>load<u32>(corners, 8) * 12, placementAt, out + 48);
}
