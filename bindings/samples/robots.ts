// A robot's own numbers -> where it goes next, where that places it, and how it answers to those that it
// meets: by nothing but its own state, its number and the step, so that robots may live anywhere.

import { createRandom, mixed, type Random } from './random.js';
import { skittle } from './shapes.js';
import type { Vector } from './transforms.js';
import type { MeshData } from './types.js';

/**
 * Evenly spread and wandering at random; or going from corner to corner of the cube, and staying there for a
 * while.
 */
export type Movement = 'random' | 'skewed';

/** Robots by their numbers, each a state of its own: worlds of swarms have these names. */
export interface RobotWorld {
  /** How many robots. */
  readonly count: number;
  /** Numbers of a state. */
  readonly stateLength: number;
  /** One: of every robot, 700 triangles, 352 vertices, within 1 of its middle. */
  readonly meshes: readonly MeshData[];
  /** Least x, least y, greatest x, greatest y of middles. */
  readonly ground: readonly [number, number, number, number];
  /** Extent of the cube from 0 on, along each axis. */
  readonly side: number;
  /** Which mesh it has. */
  meshOf(robot: number): number;
  /** Writes the state before the first step. */
  begin(robot: number, state: Float64Array): void;
  /** Changes the state by a step, numbered from 1 on. */
  advance(robot: number, state: Float64Array, step: number): void;
  /** Writes the placement, three rows of four; all its numbers are float32. */
  place(robot: number, state: Float64Array, rows: Float64Array): void;
  /** Has met another, whose middle is there: reverses its velocity where it nears it. */
  meet(state: Float64Array, x: number, y: number, z: number): void;
  /** Answers to those that it met, in their order. */
  respond(
    robot: number,
    state: Float64Array,
    step: number,
    meetings: readonly { x: number; y: number; z: number }[],
  ): void;
}

const TRIANGLES = 700;
/** Length of a step; radians that it turns by. */
const SPEED = 0.1;
const MOST_SPIN = 0.1;
/** Steps until a wandering robot chooses another direction, in the mean. */
const WANDER_STEPS = 50;
/**
 * Mean distance from the corner that a robot goes to, on each axis, over the side; steps that it stays there;
 * steps that one which turned back goes on.
 */
const CORNER_SPREAD = 0.12;
const LEAST_STAY = 20;
const MOST_STAY = 60;
const RETREAT_STEPS = 8;
/**
 * Places in a state: three numbers of middle, velocity, axis and target; then spin, angle, and steps until it
 * goes to its target.
 */
const MIDDLE = 0;
const VELOCITY = 3;
const AXIS = 6;
const TARGET = 9;
const SPIN = 12;
const ANGLE = 13;
const PAUSE = 14;
const LENGTH = 15;

/**
 * The robots of `nanorobots`, one by one. density: robots a unit volume. Source: Du, Liu and Suzumura 2017,
 * section 5.1. Errors: none.
 */
export function robotWorld(count: number, movement: Movement, seed = 1, density = 0.1): RobotWorld {
  const side = Math.cbrt(count / density);
  const across = Math.max(1, Math.ceil(Math.cbrt(count)));
  const isSkewed = movement === 'skewed';

  function begin(robot: number, state: Float64Array): void {
    const random = createRandom(mixed(seed, robot, 0));
    const cell = side / across;
    const part = random.between(0, 1);
    state.set(random.direction(), AXIS);
    state.set(
      random.direction().map(value => SPEED * value),
      VELOCITY,
    );
    state[SPIN] = random.between(-MOST_SPIN, MOST_SPIN);
    state[ANGLE] = random.between(0, 2 * Math.PI);
    state[PAUSE] = 0;
    state.set(isSkewed ? nearCorner(random, side) : [0, 0, 0], TARGET);
    const places = [robot % across, Math.floor(robot / across) % across, Math.floor(robot / across ** 2)];
    for (let axis = 0; axis < 3; axis++) {
      const even = (places[axis] + random.between(0.4, 0.6)) * cell;
      state[MIDDLE + axis] = isSkewed ? even + part * (state[TARGET + axis] - even) : even;
    }
  }

  function advance(robot: number, state: Float64Array, step: number): void {
    if (isSkewed) goToCorner(robot, state, step);
    else if (mixed(seed, robot, step) % WANDER_STEPS === 0)
      head(state, createRandom(mixed(seed, robot, step, 1)).direction());
    // Walls throw back.
    for (let axis = 0; axis < 3; axis++) {
      const next = state[MIDDLE + axis] + state[VELOCITY + axis];
      if (next < 0 || next > side) state[VELOCITY + axis] = -state[VELOCITY + axis];
      state[MIDDLE + axis] = Math.min(side, Math.max(0, next));
    }
    state[ANGLE] = state[ANGLE] + state[SPIN];
  }

  function goToCorner(robot: number, state: Float64Array, step: number): void {
    if (state[PAUSE] > 0) {
      state[PAUSE] = state[PAUSE] - 1;
      return;
    }
    const x = state[TARGET] - state[MIDDLE];
    const y = state[TARGET + 1] - state[MIDDLE + 1];
    const z = state[TARGET + 2] - state[MIDDLE + 2];
    const distance = Math.sqrt(x * x + y * y + z * z);
    if (distance > SPEED) return head(state, [x / distance, y / distance, z / distance]);
    const random = createRandom(mixed(seed, robot, step));
    state.set(nearCorner(random, side), TARGET);
    state[PAUSE] = LEAST_STAY + random.below(MOST_STAY - LEAST_STAY);
    head(state, [0, 0, 0]);
  }

  function meet(state: Float64Array, x: number, y: number, z: number): void {
    const closing =
      state[VELOCITY] * (x - state[MIDDLE]) +
      state[VELOCITY + 1] * (y - state[MIDDLE + 1]) +
      state[VELOCITY + 2] * (z - state[MIDDLE + 2]);
    if (closing <= 0) return;
    for (let at = VELOCITY; at < VELOCITY + 3; at++) state[at] = -state[at];
    if (isSkewed) state[PAUSE] = RETREAT_STEPS;
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
    respond(_robot, state, _step, meetings) {
      for (const { x, y, z } of meetings) meet(state, x, y, z);
    },
  };
}

function head(state: Float64Array, direction: Vector): void {
  for (let axis = 0; axis < 3; axis++) state[VELOCITY + axis] = SPEED * direction[axis];
}

// Turned about its axis, then shifted.
function place(_robot: number, state: Float64Array, rows: Float64Array): void {
  const x = state[AXIS];
  const y = state[AXIS + 1];
  const z = state[AXIS + 2];
  const cos = Math.cos(state[ANGLE]);
  const sin = Math.sin(state[ANGLE]);
  const rest = 1 - cos;
  rows[0] = Math.fround(cos + rest * x * x);
  rows[1] = Math.fround(rest * x * y - sin * z);
  rows[2] = Math.fround(rest * x * z + sin * y);
  rows[4] = Math.fround(rest * x * y + sin * z);
  rows[5] = Math.fround(cos + rest * y * y);
  rows[6] = Math.fround(rest * y * z - sin * x);
  rows[8] = Math.fround(rest * x * z - sin * y);
  rows[9] = Math.fround(rest * y * z + sin * x);
  rows[10] = Math.fround(cos + rest * z * z);
  for (let axis = 0; axis < 3; axis++) rows[4 * axis + 3] = Math.fround(state[MIDDLE + axis]);
}

// Denser towards the corner, and never beyond the middle of the cube.
function nearCorner(random: Random, side: number): Vector {
  const along = (): number => {
    const away = Math.min(side / 2, -CORNER_SPREAD * side * Math.log(1 - random.between(0, 1)));
    return random.below(2) === 0 ? away : side - away;
  };
  return [along(), along(), along()];
}
