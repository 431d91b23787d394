// Generates the motion of small robots that turn back when they collide. They wander through a cube, gather
// in its corners, or all move together from one corner to the opposite one.

import { type Movement, robotWorld } from './robots.js';
import type { MeshData } from './types.js';

/** Robots that move step by step in a cube. */
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
   * Handles collisions. For each i, the robots with the indices a[i] and b[i] have collided. Each of the two
   * robots that approaches the other reverses its velocity.
   */
  turnBack(a: ArrayLike<number>, b: ArrayLike<number>): void;
}

/**
 * Generates `count` robots of 700 triangles. In each step a robot rotates and moves by a tenth of its radius.
 * With 'skewed' and 'corner', it stops at each target for 21 to 60 steps, during which it only rotates. Never
 * throws. Source: the nanorobots of Du, Liu and Suzumura (2017), section 5.1. The paper does not specify their
 * shape, size or speed.
 * @param movement 'random': robots start uniformly distributed, each in its own cell of a grid, and wander.
 * 'skewed': each robot starts somewhere on its way to a corner of the cube, and from there moves from corner
 * to corner. 'corner': robots start uniformly distributed in one corner, an eighth of the cube, and move to
 * the opposite corner and back.
 * @param density Robots per unit volume of the cube. With 'corner', robots per unit volume of the corner in
 * which they start.
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

  // Reverses a robot if it approaches the other robot. Takes the center of the other robot from its placement,
  // which is rounded to float32. In a distributed simulation, a node knows only the placements of robots of
  // other nodes, so both simulations compute the same.
  function reverse(robot: number, other: number): void {
    world.place(other, stateOf(other), rows);
    world.reverseOnContact(stateOf(robot), rows[3], rows[7], rows[11]);
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
