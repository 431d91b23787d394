// Simulates robots one at a time. The motion of a robot depends only on its own state, its number, the number
// of the step and its collisions, so each robot can be simulated on any machine.

import { cbrt, cos, log, sin } from './portableMath.js';
import { createRandom, hash32, type Random } from './random.js';
import { skittle } from './shapes.js';
import type { Vector } from './transforms.js';
import type { MeshData } from './types.js';

/**
 * How robots move. 'random': they are uniformly distributed and wander. 'skewed': each moves between random
 * corners of the cube, and stays near each corner for a while. 'corner': all start in one corner (an eighth
 * of the cube), move to the opposite corner and back, and stay in each for a while.
 */
export type Movement = 'random' | 'skewed' | 'corner';

/**
 * A world of robots. A robot is identified by its number, and its state is an array of numbers. A RobotWorld
 * can be used as a SwarmWorld, the world of a distributed simulation.
 */
export interface RobotWorld {
  /** Number of robots. */
  readonly count: number;
  /** Length of a state, in numbers. */
  readonly stateLength: number;
  /** One mesh, which all robots share: 700 triangles, 352 vertices, within distance 1 of its center. */
  readonly meshes: readonly MeshData[];
  /** Bounds of the robots' centers: minimum x, minimum y, maximum x, maximum y. */
  readonly ground: readonly [number, number, number, number];
  /** The robots move in a cube that reaches from 0 to `side` along each axis. */
  readonly side: number;
  /** Returns the index of a robot's mesh. */
  meshOf(robot: number): number;
  /** Writes the initial state of a robot to `state`. */
  begin(robot: number, state: Float64Array): void;
  /** Advances a robot's state by one step. Steps are numbered from 1. */
  advance(robot: number, state: Float64Array, step: number): void;
  /** Writes a robot's placement to `rows`, three rows of four. All numbers are float32 values. */
  place(robot: number, state: Float64Array, rows: Float64Array): void;
  /**
   * Handles a collision for one of the two robots. `state` is the state of this robot; the center of the other
   * robot is at x, y, z. If this robot approaches the other robot, reverses the velocity of this robot.
   */
  reverseOnContact(state: Float64Array, x: number, y: number, z: number): void;
  /**
   * Handles all collisions of a robot in a step, in order. contacts: the centers of the robots with which it
   * collided.
   */
  respond(
    robot: number,
    state: Float64Array,
    step: number,
    contacts: readonly { x: number; y: number; z: number }[],
  ): void;
}

const TRIANGLES = 700;
/** Distance that a robot moves per step, and its maximum rotation per step in radians. */
const SPEED = 0.1;
const MAX_SPIN = 0.1;
/** Mean number of steps until a wandering robot changes its direction. */
const WANDER_STEPS = 50;
/**
 * Movement to corners. CORNER_SPREAD: mean distance of a 'skewed' target from its corner along each axis,
 * relative to the side of the cube. MIN_STAY, MAX_STAY: a robot stays at its target for more than MIN_STAY and
 * at most MAX_STAY steps. RETREAT_STEPS: number of steps that a robot moves back after a collision.
 */
const CORNER_SPREAD = 0.12;
const MIN_STAY = 20;
const MAX_STAY = 60;
const RETREAT_STEPS = 8;
/**
 * Offsets in a state. CENTER, VELOCITY, AXIS (of rotation) and TARGET are three numbers each. SPIN: rotation
 * per step. PAUSE: number of steps until the robot moves toward its target again. LENGTH: length of a state.
 */
const CENTER = 0;
const VELOCITY = 3;
const AXIS = 6;
const TARGET = 9;
const SPIN = 12;
const ANGLE = 13;
const PAUSE = 14;
const LENGTH = 15;

/**
 * Creates the robots of the function `nanorobots`. That function moves all robots in each step; here, each
 * robot is simulated on its own. Never throws. Source: Du, Liu and Suzumura (2017), section 5.1.
 * @param density Robots per unit volume of the cube. With 'corner', robots per unit volume of the corner in
 * which they start.
 */
export function robotWorld(count: number, movement: Movement, seed = 1, density = 0.1): RobotWorld {
  /** Edge of the cube in which robots start. */
  const extent = cbrt(count / density);
  const side = movement === 'corner' ? 2 * extent : extent;
  const across = Math.max(1, Math.ceil(cbrt(count)));
  const isSkewed = movement === 'skewed';
  const hasTargets = movement !== 'random';

  function begin(robot: number, state: Float64Array): void {
    const random = createRandom(hash32(seed, robot, 0));
    const cell = extent / across;
    const part = random.between(0, 1);
    state.set(random.direction(), AXIS);
    state.set(
      random.direction().map(value => SPEED * value),
      VELOCITY,
    );
    state[SPIN] = random.between(-MAX_SPIN, MAX_SPIN);
    state[ANGLE] = random.between(0, 2 * Math.PI);
    state[PAUSE] = 0;
    state.fill(0, TARGET, TARGET + 3);
    if (hasTargets) setTarget(state, random);
    const cellIndices = [
      robot % across,
      Math.floor(robot / across) % across,
      Math.floor(robot / across ** 2),
    ];
    for (let axis = 0; axis < 3; axis++) {
      const even = (cellIndices[axis] + random.between(0.4, 0.6)) * cell;
      state[CENTER + axis] = isSkewed ? even + part * (state[TARGET + axis] - even) : even;
    }
  }

  function advance(robot: number, state: Float64Array, step: number): void {
    if (hasTargets) goToTarget(robot, state, step);
    else if (hash32(seed, robot, step) % WANDER_STEPS === 0)
      setDirection(state, createRandom(hash32(seed, robot, step, 1)).direction());
    // Robots are reflected at the walls of the cube.
    for (let axis = 0; axis < 3; axis++) {
      const next = state[CENTER + axis] + state[VELOCITY + axis];
      if (next < 0 || next > side) state[VELOCITY + axis] = -state[VELOCITY + axis];
      state[CENTER + axis] = Math.min(side, Math.max(0, next));
    }
    state[ANGLE] = state[ANGLE] + state[SPIN];
  }

  function goToTarget(robot: number, state: Float64Array, step: number): void {
    if (state[PAUSE] > 0) {
      state[PAUSE] = state[PAUSE] - 1;
      return;
    }
    const x = state[TARGET] - state[CENTER];
    const y = state[TARGET + 1] - state[CENTER + 1];
    const z = state[TARGET + 2] - state[CENTER + 2];
    const distance = Math.sqrt(x * x + y * y + z * z);
    if (distance > SPEED) return setDirection(state, [x / distance, y / distance, z / distance]);
    const random = createRandom(hash32(seed, robot, step));
    setTarget(state, random);
    state[PAUSE] = MIN_STAY + random.below(MAX_STAY - MIN_STAY);
    setDirection(state, [0, 0, 0]);
  }

  // Chooses the next target. With 'corner', targets alternate between two opposite corners: along each axis,
  // the next target lies in the half of the cube that does not contain the previous target. In a new state, the
  // previous target is 0, 0, 0.
  function setTarget(state: Float64Array, random: Random): void {
    if (isSkewed) return state.set(nearCorner(random, side), TARGET);
    const low = state[TARGET] < side / 2 ? side / 2 : 0;
    for (let axis = 0; axis < 3; axis++) state[TARGET + axis] = random.between(low, low + side / 2);
  }

  function reverseOnContact(state: Float64Array, x: number, y: number, z: number): void {
    const approach =
      state[VELOCITY] * (x - state[CENTER]) +
      state[VELOCITY + 1] * (y - state[CENTER + 1]) +
      state[VELOCITY + 2] * (z - state[CENTER + 2]);
    if (approach <= 0) return;
    for (let at = VELOCITY; at < VELOCITY + 3; at++) state[at] = -state[at];
    if (hasTargets) state[PAUSE] = RETREAT_STEPS;
  }

  return {
    count,
    side,
    stateLength: LENGTH,
    meshes: [skittle(TRIANGLES)],
    ground: [0, 0, side, side],
    meshOf: () => 0,
    begin,
    advance,
    place,
    reverseOnContact,
    respond(_robot, state, _step, contacts) {
      for (const { x, y, z } of contacts) reverseOnContact(state, x, y, z);
    },
  };
}

function setDirection(state: Float64Array, direction: Vector): void {
  for (let axis = 0; axis < 3; axis++) state[VELOCITY + axis] = SPEED * direction[axis];
}

// Rotates about the robot's axis, then translates.
function place(_robot: number, state: Float64Array, rows: Float64Array): void {
  const x = state[AXIS];
  const y = state[AXIS + 1];
  const z = state[AXIS + 2];
  const cosine = cos(state[ANGLE]);
  const sine = sin(state[ANGLE]);
  const rest = 1 - cosine;
  rows[0] = Math.fround(cosine + rest * x * x);
  rows[1] = Math.fround(rest * x * y - sine * z);
  rows[2] = Math.fround(rest * x * z + sine * y);
  rows[4] = Math.fround(rest * x * y + sine * z);
  rows[5] = Math.fround(cosine + rest * y * y);
  rows[6] = Math.fround(rest * y * z - sine * x);
  rows[8] = Math.fround(rest * x * z - sine * y);
  rows[9] = Math.fround(rest * y * z + sine * x);
  rows[10] = Math.fround(cosine + rest * z * z);
  for (let axis = 0; axis < 3; axis++) rows[4 * axis + 3] = Math.fround(state[CENTER + axis]);
}

// Returns a random point near a random corner of the cube. The density of such points increases toward the
// corner. Along each axis, the point lies in the half of the cube that touches the corner.
function nearCorner(random: Random, side: number): Vector {
  const along = (): number => {
    const away = Math.min(side / 2, -CORNER_SPREAD * side * log(1 - random.between(0, 1)));
    return random.below(2) === 0 ? away : side - away;
  };
  return [along(), along(), along()];
}
