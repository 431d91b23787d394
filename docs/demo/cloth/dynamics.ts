// Springs, weight, a ball and a floor -> where the vertices of a cloth want to go in a step: position-based
// dynamics in small steps.
import type { Springs } from './sheet.js';
import { spread } from './spread.js';
import { type FindPairs, Thickness } from './thickness.js';

/** The ball lies about the origin, the floor below it. */
export const RADIUS = 0.5,
  FLOOR = -0.72;
export const STEP_SECONDS = 1 / 60;
const SUBSTEPS = 12;
/** Lengths in metres; a vertex weighs 1. */
const GRAVITY = 6;
/** How far vertices stay from ball and floor, so that the triangles between them do, too. */
const SKIN = 0.012;
/** Of the ball, and of the rough floor. */
const BALL_FRICTION = 2;
const FLOOR_FRICTION = 20;
/** Of the length of a thread between two vertices. */
const THICKNESS = 0.6;
/** The same length is the unit of what a vertex goes in a step at most: air slows thin cloth. */
const FASTEST = 0.7;
/** What is left of a velocity after a second. */
const LEFT_AFTER_SECOND = 0.55;

/** Source: Macklin et al., XPBD and Small Steps in Physics Simulation, 2016 and 2019. */
export class Cloth {
  /** x, y, z of each vertex, as the last step left them. */
  readonly positions: Float64Array;
  private readonly velocities: Float64Array;
  private readonly springs: Springs;
  private readonly thickness: Thickness;
  private readonly fastest: number;
  /** Radians a second that the ball turns by, about the vertical. */
  spin = 0;

  constructor(positions: ArrayLike<number>, springs: Springs) {
    this.positions = Float64Array.from(positions);
    this.velocities = new Float64Array(positions.length);
    this.springs = springs;
    this.fastest = (FASTEST * springs.length[0]!) / STEP_SECONDS;
    this.thickness = new Thickness(positions.length / 3, THICKNESS * springs.length[0]!);
  }

  /** Where all vertices go in a step if nothing of the cloth is in the way of the rest. */
  wanted(find: FindPairs): Float64Array {
    this.thickness.look(this.positions, find);
    const now = this.positions.slice();
    const before = new Float64Array(now.length);
    const velocities = this.velocities.slice();
    const seconds = STEP_SECONDS / SUBSTEPS;
    const kept = LEFT_AFTER_SECOND ** seconds;
    for (let substep = 0; substep < SUBSTEPS; substep++) {
      before.set(now);
      for (let at = 0; at < now.length; at++) {
        if (at % 3 === 2) velocities[at]! -= GRAVITY * seconds;
        now[at]! += seconds * velocities[at]!;
      }
      pull(now, this.springs, seconds);
      this.thickness.pushApart(now);
      for (let at = 0; at < now.length; at += 3) this.keepOut(now, before, at, seconds);
      for (let at = 0; at < now.length; at++) velocities[at] = (kept * (now[at]! - before[at]!)) / seconds;
      slowDown(velocities, this.fastest);
    }
    this.velocities.set(velocities);
    return now;
  }

  /** Takes up where the vertices went. stopped: those that went elsewhere than they wanted. */
  move(to: Float64Array, stopped: Iterable<number>): void {
    for (const vertex of stopped) {
      for (let at = 3 * vertex; at < 3 * vertex + 3; at++)
        this.velocities[at] = (to[at]! - this.positions[at]!) / STEP_SECONDS;
    }
    this.positions.set(to);
  }

  // Out of the ball and the floor; friction takes along what lies on them.
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
      rub(now, before, at, [x / distance, y / distance, z / distance], BALL_FRICTION * inBall, [
        -this.spin * y * seconds,
        this.spin * x * seconds,
        0,
      ]);
    }
    if (inFloor > 0) {
      now[at + 2] = FLOOR + SKIN;
      rub(now, before, at, [0, 0, 1], FLOOR_FRICTION * inFloor, [0, 0, 0]);
    }
  }
}

function slowDown(velocities: Float64Array, most: number): void {
  for (let at = 0; at < velocities.length; at += 3) {
    const speed = Math.hypot(velocities[at]!, velocities[at + 1]!, velocities[at + 2]!);
    for (let axis = at; speed > most && axis < at + 3; axis++) velocities[axis]! *= most / speed;
  }
}

type Vector = readonly [number, number, number];

// Takes away of the way along the surface, as it is seen from the surface, what friction holds.
function rub(
  now: Float64Array,
  before: Float64Array,
  at: number,
  normal: Vector,
  grip: number,
  surface: Vector,
): void {
  const way = [0, 1, 2].map(axis => now[at + axis]! - before[at + axis]! - surface[axis]!);
  const up = way[0]! * normal[0] + way[1]! * normal[1] + way[2]! * normal[2];
  const along = way.map((value, axis) => value - up * normal[axis]!);
  const length = Math.hypot(...along);
  if (length === 0) return;
  const held = Math.min(1, grip / length);
  for (let axis = 0; axis < 3; axis++) now[at + axis]! -= held * along[axis]!;
}

// One round over all springs: each brings its two ends to its length as far as it is stiff.
function pull(now: Float64Array, { a, b, length, compliance }: Springs, seconds: number): void {
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
    spread(now, i, j, share * x, share * y, share * z);
  }
}
