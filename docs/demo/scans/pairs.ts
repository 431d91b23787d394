// The pairs of meshes of the scans page, and the path of one mesh through the other.
import bunny from 'bunny';
import {
  loopSubdivide,
  type MeshData,
  penetrationPath,
  type Scene,
  skittle,
  sphere,
  torus,
} from 'pfront/samples';

export type Shape = 'bunnies' | 'rings' | 'skittles';

/** Number of frames from one end of the path to the other. */
export const STEPS = 600;
/** Number of triangles of the torus, sphere and skittle before subdivision; the bunny has somewhat fewer. */
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

/**
 * Returns a pair of meshes and the path of one of them through the other. Each mesh is subdivided `detail`
 * times; each subdivision replaces a triangle with four.
 */
export function scanPair(shape: Shape, detail: number): Scene {
  const meshes = pairs[shape]().map(mesh => {
    let fine = mesh;
    for (let level = 0; level < detail; level++) fine = loopSubdivide(fine);
    return fine;
  });
  return penetrationPath(meshes[0]!, meshes[1]!, STEPS);
}
