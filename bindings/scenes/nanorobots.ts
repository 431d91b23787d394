// A count, a movement and a seed -> small robots that wander through a cube, or crowd in its corners, and turn back where they meet.

import { createRandom, type Random } from './random.js';
import { skittle } from './shapes.js';
import { rotation, type Vector } from './transforms.js';
import type { MeshData } from './types.js';

/** Evenly spread and wandering at random; or going from corner to corner of the cube, and staying there for a while. */
export type Movement = 'random' | 'skewed';

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

const TRIANGLES = 700;
/** Robots a unit volume. */
const DENSITY = 0.1;
/** Length of a step; radians that it turns by. */
const SPEED = 0.1, MOST_SPIN = 0.1;
/** Steps until a wandering robot chooses another direction, in the mean. */
const WANDER_STEPS = 50;
/** Mean distance from the corner that a robot goes to, on each axis, over the side; steps that it stays there; steps that one which turned back goes on. */
const CORNER_SPREAD = 0.12, LEAST_STAY = 20, MOST_STAY = 60, RETREAT_STEPS = 8;

/** What a robot aims at; steps until it goes there, or on from there. */
interface Way { target: Vector; pause: number }

/**
 * `count` robots of 700 triangles that take steps of a tenth of their radius and spin, in a cube with ten times their number of
 * unit volumes. 'random': they start evenly spread, each in a cell of its own. 'skewed': each starts somewhere on the way to its corner.
 * Source: the nanorobots of Du, Liu and Suzumura 2017, section 5.1, which leaves shape, size and speed open. Errors: none.
 */
export function nanorobots(count: number, movement: Movement, seed = 1): Nanorobots {
  const random = createRandom(seed), side = Math.cbrt(count / DENSITY);
  const middles = new Float64Array(3 * count), velocities = new Float64Array(3 * count), angles = new Float64Array(count);
  const spins = Array.from({ length: count }, () => ({ axis: random.direction(), speed: random.between(-MOST_SPIN, MOST_SPIN) }));
  const ways: Way[] = movement === 'skewed' ? spins.map(() => ({ target: nearCorner(random, side), pause: 0 })) : [];
  const move = movement === 'skewed' ? goToCorner : wander;
  begin();

  function begin(): void {
    const across = Math.max(1, Math.ceil(Math.cbrt(count))), cell = side / across;
    for (let robot = 0; robot < count; robot++) {
      const places = [robot % across, Math.floor(robot / across) % across, Math.floor(robot / across ** 2)], part = random.between(0, 1);
      for (let axis = 0; axis < 3; axis++) {
        const even = (places[axis]! + random.between(0.4, 0.6)) * cell;
        middles[3 * robot + axis] = movement === 'random' ? even : even + part * (ways[robot]!.target[axis]! - even);
      }
      angles[robot] = random.between(0, 2 * Math.PI);
      head(robot, random.direction());
    }
  }

  function head(robot: number, direction: Vector): void {
    for (let axis = 0; axis < 3; axis++) velocities[3 * robot + axis] = SPEED * direction[axis]!;
  }

  function wander(robot: number): void {
    if (random.below(WANDER_STEPS) === 0) head(robot, random.direction());
    advance(robot);
  }

  function goToCorner(robot: number): void {
    const way = ways[robot]!;
    if (way.pause > 0) {
      way.pause--;
      return advance(robot);
    }
    const gap = way.target.map((value, axis) => value - middles[3 * robot + axis]!), distance = Math.hypot(...gap);
    if (distance > SPEED) {
      head(robot, gap.map((value) => value / distance) as unknown as Vector);
      return advance(robot);
    }
    way.target = nearCorner(random, side);
    way.pause = LEAST_STAY + random.below(MOST_STAY - LEAST_STAY);
    head(robot, [0, 0, 0]);
  }

  // Walls throw back.
  function advance(robot: number): void {
    for (let at = 3 * robot; at < 3 * robot + 3; at++) {
      const next = middles[at]! + velocities[at]!;
      if (next < 0 || next > side) velocities[at]! *= -1;
      middles[at] = Math.min(side, Math.max(0, next));
    }
  }

  function placements(): Float32Array {
    const matrices = new Float32Array(16 * count);
    for (let robot = 0; robot < count; robot++) {
      const shift: Vector = [middles[3 * robot]!, middles[3 * robot + 1]!, middles[3 * robot + 2]!];
      matrices.set(rotation(spins[robot]!.axis, angles[robot]!, shift), 16 * robot);
    }
    return matrices;
  }

  function reverse(robot: number, other: number): void {
    let closing = 0;
    for (let axis = 0; axis < 3; axis++) closing += velocities[3 * robot + axis]! * (middles[3 * other + axis]! - middles[3 * robot + axis]!);
    if (closing <= 0) return;
    for (let axis = 0; axis < 3; axis++) velocities[3 * robot + axis]! *= -1;
    if (movement === 'skewed') ways[robot]!.pause = RETREAT_STEPS;
  }

  return {
    side, mesh: skittle(TRIANGLES), placements,
    step() {
      for (let robot = 0; robot < count; robot++) {
        move(robot);
        angles[robot]! += spins[robot]!.speed;
      }
      return placements();
    },
    turnBack(a, b) {
      for (let i = 0; i < a.length; i++) {
        reverse(a[i]!, b[i]!);
        reverse(b[i]!, a[i]!);
      }
    },
  };
}

// Denser towards the corner, and never beyond the middle of the cube.
function nearCorner(random: Random, side: number): Vector {
  const along = (): number => {
    const away = Math.min(side / 2, -CORNER_SPREAD * side * Math.log(1 - random.between(0, 1)));
    return random.below(2) === 0 ? away : side - away;
  };
  return [along(), along(), along()];
}
