// Choices of the scans page -> two meshes and the way of one through the other.
import bunny from 'bunny';
import {
  loopSubdivide,
  type MeshData,
  penetrationPath,
  type Scene,
  skittle,
  sphere,
  torus,
} from 'pfront/scenes';

export type Shape = 'bunnies' | 'rings' | 'skittles';

/** Frames from one side to the other. */
export const STEPS = 600;
/** Triangles of the bunny as it was scanned and decimated; other meshes begin with about as many. */
const TRIANGLES = 5000;

function scannedBunny(): MeshData {
  return {
    positions: Float32Array.from(bunny.positions.flat()),
    indices: Uint32Array.from(bunny.cells.flat()),
  };
}

const pairs: Record<Shape, () => [MeshData, MeshData]> = {
  bunnies: () => [scannedBunny(), scannedBunny()],
  rings: () => [torus(TRIANGLES), sphere(TRIANGLES)],
  skittles: () => [torus(TRIANGLES, 0.5), skittle(TRIANGLES)],
};

/** detail: how often each triangle is made four. */
export function scanPair(shape: Shape, detail: number): Scene {
  const meshes = pairs[shape]().map(mesh => {
    let fine = mesh;
    for (let level = 0; level < detail; level++) fine = loopSubdivide(fine);
    return fine;
  });
  return penetrationPath(meshes[0]!, meshes[1]!, STEPS);
}
