// Simulates a cloth of springs by extended position-based dynamics (XPBD) in small steps. The cloth falls
// under gravity, and collides with a ball and a floor.

import { moveApart } from './moveApart.js';
import type { Springs } from './sheet.js';
import { type FindPairs, Thickness } from './thickness.js';

/** Radius of the ball, and z coordinate of the floor. The center of the ball is the origin. */
export const RADIUS = 0.5,
  FLOOR = -0.72;
export const STEP_SECONDS = 1 / 60;
const SUBSTEPS = 12;
/**
 * Acceleration by gravity in meters per second squared. All lengths are in meters; each vertex has mass 1.
 */
const GRAVITY = 6;
/**
 * Min distance of the vertices from the ball and the floor. At this distance, the triangles between the
 * vertices do not touch the ball or the floor.
 */
const SKIN = 0.012;
/**
 * Friction coefficients of the ball and of the rough floor. In a substep, friction reduces the tangential
 * motion of a vertex by at most coefficient * depth, where depth is the distance by which the vertex is moved
 * out of the ball or the floor.
 */
const BALL_FRICTION = 2;
const FLOOR_FRICTION = 20;
/** Thickness of the cloth, as a fraction of the rest length between two vertices. */
const THICKNESS = 0.6;
/**
 * Max motion of a vertex in a step, as a fraction of the rest length between two vertices. The limit replaces
 * air resistance.
 */
const MAX_MOTION = 0.7;
/** Damping: the fraction of its velocity that a vertex keeps after a second. */
const DAMPING = 0.55;

/**
 * The simulated cloth. Sources: Macklin et al., XPBD, 2016; Macklin et al., Small Steps in Physics
 * Simulation, 2019.
 */
export class Cloth {
  /** x, y, z of each vertex after the last step. */
  readonly positions: Float64Array;
  private readonly velocities: Float64Array;
  private readonly springs: Springs;
  private readonly thickness: Thickness;
  private readonly maxSpeed: number;
  /** Angular velocity of the ball about the vertical axis, in radians per second. */
  spin = 0;

  constructor(positions: ArrayLike<number>, springs: Springs) {
    this.positions = Float64Array.from(positions);
    this.velocities = new Float64Array(positions.length);
    this.springs = springs;
    this.maxSpeed = (MAX_MOTION * springs.length[0]!) / STEP_SECONDS;
    this.thickness = new Thickness(positions.length / 3, THICKNESS * springs.length[0]!);
  }

  /**
   * Computes one step: updates the velocities, and returns the positions that the vertices have after the
   * step unless the cloth collides with itself. Does not change `positions`: the caller handles collisions of
   * the cloth with itself and then calls `move`. `find` is used to find vertices that are close to each
   * other.
   */
  predict(find: FindPairs): Float64Array {
    this.thickness.findNearVertices(this.positions, find);
    const now = this.positions.slice();
    const before = new Float64Array(now.length);
    const velocities = this.velocities.slice();
    const seconds = STEP_SECONDS / SUBSTEPS;
    const damping = DAMPING ** seconds;
    for (let substep = 0; substep < SUBSTEPS; substep++) {
      before.set(now);
      for (let at = 0; at < now.length; at++) {
        if (at % 3 === 2) velocities[at]! -= GRAVITY * seconds;
        now[at]! += seconds * velocities[at]!;
      }
      solveSprings(now, this.springs, seconds);
      this.thickness.pushApart(now);
      for (let at = 0; at < now.length; at += 3) this.keepOut(now, before, at, seconds);
      for (let at = 0; at < now.length; at++) velocities[at] = (damping * (now[at]! - before[at]!)) / seconds;
      limitSpeed(velocities, this.maxSpeed);
    }
    this.velocities.set(velocities);
    return now;
  }

  /**
   * Sets the final positions after a step. `stopped`: the vertices that collisions moved away from the
   * positions that `predict` returned. The velocities of these vertices are recomputed from their motion.
   */
  move(to: Float64Array, stopped: Iterable<number>): void {
    for (const vertex of stopped) {
      for (let at = 3 * vertex; at < 3 * vertex + 3; at++)
        this.velocities[at] = (to[at]! - this.positions[at]!) / STEP_SECONDS;
    }
    this.positions.set(to);
  }

  // If a vertex is inside the ball or the floor, moves the vertex to the surface and applies friction.
  private keepOut(now: Float64Array, before: Float64Array, at: number, seconds: number): void {
    const [x, y, z] = [now[at]!, now[at + 1]!, now[at + 2]!];
    const distance = Math.hypot(x, y, z);
    const inBall = RADIUS + SKIN - distance;
    const inFloor = FLOOR + SKIN - z;
    if (inBall > 0 && distance > 0) {
      const out = inBall / distance;
      now[at] = x + out * x;
      now[at + 1] = y + out * y;
      now[at + 2] = z + out * z;
      applyFriction(now, before, at, [x / distance, y / distance, z / distance], BALL_FRICTION * inBall, [
        -this.spin * y * seconds,
        this.spin * x * seconds,
        0,
      ]);
    }
    if (inFloor > 0) {
      now[at + 2] = FLOOR + SKIN;
      applyFriction(now, before, at, [0, 0, 1], FLOOR_FRICTION * inFloor, [0, 0, 0]);
    }
  }
}

function limitSpeed(velocities: Float64Array, max: number): void {
  for (let at = 0; at < velocities.length; at += 3) {
    const speed = Math.hypot(velocities[at]!, velocities[at + 1]!, velocities[at + 2]!);
    for (let axis = at; speed > max && axis < at + 3; axis++) velocities[axis]! *= max / speed;
  }
}

type Vector = readonly [number, number, number];

// Applies friction: reduces the tangential motion of a vertex relative to the surface by at most `grip`.
// `surface`: motion of the surface in the substep.
function applyFriction(
  now: Float64Array,
  before: Float64Array,
  at: number,
  normal: Vector,
  grip: number,
  surface: Vector,
): void {
  const motion = [0, 1, 2].map(axis => now[at + axis]! - before[at + axis]! - surface[axis]!);
  const normalMotion = motion[0]! * normal[0] + motion[1]! * normal[1] + motion[2]! * normal[2];
  const tangent = motion.map((value, axis) => value - normalMotion * normal[axis]!);
  const length = Math.hypot(...tangent);
  if (length === 0) return;
  const held = Math.min(1, grip / length);
  for (let axis = 0; axis < 3; axis++) now[at + axis]! -= held * tangent[axis]!;
}

// Projects the constraint of each spring once: moves the two ends of the spring so that its length gets
// closer to its rest length. A spring with a higher compliance is corrected less.
function solveSprings(now: Float64Array, { a, b, length, compliance }: Springs, seconds: number): void {
  const perStep = 1 / (seconds * seconds);
  for (let spring = 0; spring < a.length; spring++) {
    const i = 3 * a[spring]!;
    const j = 3 * b[spring]!;
    const x = now[i]! - now[j]!;
    const y = now[i + 1]! - now[j + 1]!;
    const z = now[i + 2]! - now[j + 2]!;
    const distance = Math.sqrt(x * x + y * y + z * z);
    if (distance === 0) continue;
    const share = (length[spring]! - distance) / (distance * (2 + compliance[spring]! * perStep));
    moveApart(now, i, j, share * x, share * y, share * z);
  }
}
