// Moves robots one at a time: each robot's motion depends only on its own state, its number and the step, so
// robots may be simulated on any machine.

import { cbrt, cos, log, sin } from './portableMath.js';
import { createRandom, hash32, type Random } from './random.js';
import { skittle } from './shapes.js';
import type { Vector } from './transforms.js';
import type { MeshData } from './types.js';

/**
 * 'random': uniformly distributed and wandering. 'skewed': moving from corner to corner of the cube and
 * staying at each for a while. 'corner': all in one corner, an eighth of the cube, moving to the opposite
 * corner and back, and staying at each for a while.
 */
export type Movement = 'random' | 'skewed' | 'corner';

/** Robots that are identified by number, each with its own state. Can be used as a SwarmWorld. */
export interface RobotWorld {
  /** Number of robots. */
  readonly count: number;
  /** Length of a state, in numbers. */
  readonly stateLength: number;
  /** One mesh, which every robot has: 700 triangles, 352 vertices, within distance 1 of its center. */
  readonly meshes: readonly MeshData[];
  /** Bounds of the robots' centers: minimum x, minimum y, maximum x, maximum y. */
  readonly ground: readonly [number, number, number, number];
  /** The cube reaches from 0 to `side` along each axis. */
  readonly side: number;
  /** Returns the index of a robot's mesh. */
  meshOf(robot: number): number;
  /** Writes the state before the first step. */
  begin(robot: number, state: Float64Array): void;
  /** Advances the state by a step; steps are numbered from 1. */
  advance(robot: number, state: Float64Array, step: number): void;
  /** Writes the placement, three rows of four; all numbers are float32 values. */
  place(robot: number, state: Float64Array, rows: Float64Array): void;
  /**
   * Handles a collision with a robot whose center is at x, y, z: reverses the velocity if the robot
   * approaches it.
   */
  meet(state: Float64Array, x: number, y: number, z: number): void;
  /** Handles the collisions of a step, in order. */
  respond(
    robot: number,
    state: Float64Array,
    step: number,
    contacts: readonly { x: number; y: number; z: number }[],
  ): void;
}

const TRIANGLES = 700;
/** Distance per step, and maximum rotation per step in radians. */
const SPEED = 0.1;
const MAX_SPIN = 0.1;
/** Mean number of steps until a wandering robot changes its direction. */
const WANDER_STEPS = 50;
/**
 * Movement to corners: mean distance of skewed targets from their corner along each axis, relative to the
 * side; minimum and maximum number of steps that a robot stays at its target; number of steps that a robot
 * keeps going after it turned back.
 */
const CORNER_SPREAD = 0.12;
const MIN_STAY = 20;
const MAX_STAY = 60;
const RETREAT_STEPS = 8;
/**
 * Offsets in a state: center, velocity, axis and target, three numbers each; then spin, angle, and the number
 * of steps until the robot moves to its target.
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
 * Creates the robots of `nanorobots`, one at a time. Never throws. Source: Du, Liu and Suzumura (2017),
 * section 5.1.
 * @param density Robots per unit volume of the cube; if their movement is 'corner', of the corner.
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
    // Walls reflect.
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

  // If all robots share a corner, the next target is in the other half of the cube along each axis. The
  // target of a new state is 0, 0, 0.
  function setTarget(state: Float64Array, random: Random): void {
    if (isSkewed) return state.set(nearCorner(random, side), TARGET);
    const low = state[TARGET] < side / 2 ? side / 2 : 0;
    for (let axis = 0; axis < 3; axis++) state[TARGET + axis] = random.between(low, low + side / 2);
  }

  function meet(state: Float64Array, x: number, y: number, z: number): void {
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
    meet,
    respond(_robot, state, _step, contacts) {
      for (const { x, y, z } of contacts) meet(state, x, y, z);
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

// Returns a point near a random corner: density increases toward the corner, and no point is beyond the
// middle of the cube.
function nearCorner(random: Random, side: number): Vector {
  const along = (): number => {
    const away = Math.min(side / 2, -CORNER_SPREAD * side * log(1 - random.between(0, 1)));
    return random.below(2) === 0 ? away : side - away;
  };
  return [along(), along(), along()];
}
