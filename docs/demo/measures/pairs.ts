// Choices of the measures page -> two bodies and the way of one through the other.
import bunny from 'bunny';
import { box, loopSubdivide, type MeshData, penetrationPath, type Scene, sphere, torus } from 'pfront/scenes';

export type Shape = 'ball' | 'bunnies' | 'rings';

/** Frames from one side to the other. */
export const STEPS = 600;

// About two units wide, so that lengths of all choices are alike.
function scannedBunny(): MeshData {
  const positions = Float32Array.from(bunny.positions.flat());
  const least = Math.min(...positions);
  const greatest = Math.max(...positions);
  return {
    positions: positions.map(value => (2 * value) / (greatest - least)),
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
