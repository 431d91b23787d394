// Generates small robots that turn back when they collide. They wander through a cube, gather in its corners,
// or move from one corner to another.

import { type Movement, robotWorld } from './robots.js';
import type { MeshData } from './types.js';

/** Robots that move step by step. */
export interface Nanorobots {
  /** The cube reaches from 0 to `side` along each axis. */
  side: number;
  /** The mesh of every robot: 700 triangles, 352 vertices, within distance 1 of its center. */
  mesh: MeshData;
  /** Returns the current placements: column-major, 16 float32 for each robot. */
  placements(): Float32Array;
  /** Moves all robots by one step. @returns the new placements */
  step(): Float32Array;
  /**
   * Handles the collisions of the robots with the indices a[i] and b[i]. Each of the two reverses its
   * velocity if it approaches the other.
   */
  turnBack(a: ArrayLike<number>, b: ArrayLike<number>): void;
}

/**
 * Generates `count` robots of 700 triangles that move by a tenth of their radius per step and spin. Never
 * throws. Source: the nanorobots of Du, Liu and Suzumura (2017), section 5.1, which does not specify shape,
 * size or speed.
 * @param movement 'random': robots start uniformly distributed, each in its own cell. 'skewed': each starts
 * somewhere on the path to its corner. 'corner': robots start uniformly distributed in one corner.
 * @param density Robots per unit volume of the cube; if their movement is 'corner', of the corner.
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

  // Uses the placed position of the other robot, as a remote node knows it.
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
