// A count, a movement and a seed -> small robots that wander through a cube, or crowd in its corners, and
// turn back where they meet.

import { type Movement, robotWorld } from './robots.js';
import type { MeshData } from './types.js';

/** Robots that move step by step. */
export interface Nanorobots {
  /** Extent of the cube from 0 on, along each axis. */
  side: number;
  /** Of every robot: 700 triangles, 352 vertices, within 1 of its middle. */
  mesh: MeshData;
  /** Placements as they are now, 16 float32 a robot. */
  placements(): Float32Array;
  /** Moves all by one step. @returns the placements then */
  step(): Float32Array;
  /** Robots a[i] and b[i] have met, by their places: those that near the other reverse their velocity. */
  turnBack(a: ArrayLike<number>, b: ArrayLike<number>): void;
}

/**
 * `count` robots of 700 triangles that take steps of a tenth of their radius and spin, `density` of them a
 * unit volume of a cube. 'random': they start evenly spread, each in a cell of its own. 'skewed': each starts
 * somewhere on the way to its corner. Source: the nanorobots of Du, Liu and Suzumura 2017, section 5.1, which
 * leaves shape, size and speed open. Errors: none.
 */
export function nanorobots(count: number, movement: Movement, seed = 1, density = 0.1): Nanorobots {
  const world = robotWorld(count, movement, seed, density);
  const { side, stateLength } = world;
  const states = new Float64Array(stateLength * count);
  const rows = new Float64Array(12);
  const stateOf = (robot: number): Float64Array =>
    states.subarray(stateLength * robot, stateLength * (robot + 1));
  for (let robot = 0; robot < count; robot++) world.begin(robot, stateOf(robot));
  let steps = 0;

  function placements(): Float32Array {
    const matrices = new Float32Array(16 * count);
    for (let robot = 0; robot < count; robot++) {
      world.place(robot, stateOf(robot), rows);
      for (let row = 0; row < 3; row++)
        for (let column = 0; column < 4; column++)
          matrices[16 * robot + 4 * column + row] = rows[4 * row + column];
      matrices[16 * robot + 15] = 1;
    }
    return matrices;
  }

  // By where the other is placed, as who is told of it from elsewhere knows it.
  function reverse(robot: number, other: number): void {
    world.place(other, stateOf(other), rows);
    world.meet(stateOf(robot), rows[3], rows[7], rows[11]);
  }

  return {
    side,
    mesh: world.meshes[0],
    placements,
    step() {
      steps++;
      for (let robot = 0; robot < count; robot++) world.advance(robot, stateOf(robot), steps);
      return placements();
    },
    turnBack(a, b) {
      for (let i = 0; i < a.length; i++) {
        reverse(a[i], b[i]);
        reverse(b[i], a[i]);
      }
    },
  };
}
