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

/** Number of frames from one side to the other. */
export const STEPS = 600;

// Returns the bunny scaled to a size of about two units, so that distances and depths are similar for all
// pairs.
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
