// The pairs of bodies of the measures page, and the path of one body through the other.
import bunny from 'bunny';
import {
  box,
  loopSubdivide,
  type MeshData,
  penetrationPath,
  type Scene,
  sphere,
  torus,
} from 'pfront/samples';

export type Shape = 'ball' | 'bunnies' | 'rings';

/** Number of frames from one end of the path to the other. */
export const STEPS = 600;

// Returns the scanned bunny, scaled to a size of about two units. All pairs then have similar distances and
// depths.
function scannedBunny(): MeshData {
  const positions = Float32Array.from(bunny.positions.flat());
  const min = Math.min(...positions);
  const max = Math.max(...positions);
  return {
    positions: positions.map(value => (2 * value) / (max - min)),
    indices: Uint32Array.from(bunny.cells.flat()),
  };
}

const scaled = ({ positions, indices }: MeshData, by: number): MeshData => ({
  positions: positions.map(value => by * value),
  indices,
});

const pairs: Record<Shape, () => [MeshData, MeshData]> = {
  ball: () => [box(), scaled(sphere(2000), 0.45)],
  bunnies: () => [loopSubdivide(scannedBunny()), scannedBunny()],
  rings: () => [torus(6000), torus(3000)],
};

export const measuredPair = (shape: Shape): Scene => penetrationPath(...pairs[shape](), STEPS);
