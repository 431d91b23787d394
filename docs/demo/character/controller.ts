// A character controller: moves an upright capsule through a level. The capsule walks, slides along walls,
// steps up and down, falls and jumps, but does not climb steep slopes. It collides and slides: the engine moves
// the capsule until it touches a triangle, and the rest of the motion continues along that triangle.
import type { BodyFilterOptions, Engine, Mesh, Scene, ShapeHit } from 'pfront';
import { type CharacterSettings, defaultSettings } from './settings.js';
import { add, alongCrease, clip, dot, horizontal, UP, type Vector, ZERO } from './vectors.js';

/** The number of times that a move can change its direction. */
const MAX_SLIDES = 4;

export class CharacterController {
  /** The lowest point of the capsule. The y axis points up. */
  position: Vector;
  /** The velocity of a fall or a jump: negative for a fall. */
  verticalVelocity = 0;
  /** The normal of the ground on which the character stands; undefined in the air. */
  ground: Vector | undefined;
  /** The number of casts so far. */
  casts = 0;

  constructor(
    private readonly engine: Engine,
    private readonly level: Mesh | Scene,
    position: Vector,
    readonly settings: CharacterSettings = defaultSettings,
    private readonly filter: BodyFilterOptions = {},
  ) {
    this.position = position;
  }

  /** Moves the character for one frame. walk: the desired horizontal velocity of the character. */
  move(seconds: number, walk: readonly [x: number, z: number], jumps = false): void {
    const motion: Vector = [walk[0] * seconds, 0, walk[1] * seconds];
    if (this.ground && jumps) {
      this.ground = undefined;
      this.verticalVelocity = this.settings.jumpSpeed;
    }
    if (this.ground) this.#walk(motion);
    else this.#fly(motion, seconds);
  }

  #walk(motion: Vector): void {
    const start = this.position;
    const wall = this.#slide(motion);
    const { stepHeight, skin } = this.settings;
    if (wall && this.#isStep(wall, this.position[1] + stepHeight, stepHeight) && this.#climb(start, motion))
      return;
    // Stays on the ground on the way down a slope or stairs.
    this.#stand(stepHeight + 2 * skin);
  }

  #fly(motion: Vector, seconds: number): void {
    this.verticalVelocity -= this.settings.gravity * seconds;
    const { position, verticalVelocity: velocity } = this;
    this.#slide(add(motion, UP, velocity * seconds));
    const moved = add(this.position, position, -1);
    // A ceiling ends a jump.
    if (velocity > 0) this.verticalVelocity = Math.max(0, Math.min(velocity, moved[1] / seconds));
    // A fall also ends in a hole between slopes that are too steep to stand on. The character can then jump
    // out of the hole.
    else if (dot(moved, moved) < 1e-12) this.ground ??= UP;
    if (this.ground) this.verticalVelocity = 0;
  }

  /**
   * Moves the capsule, and slides along what it touches. If the character is falling, the move ends when it
   * lands on ground on which it can stand. Returns the contact with the first wall that the capsule touched.
   * For a character on the ground, a wall is anything that is too steep to stand on.
   */
  #slide(motion: Vector): ShapeHit | undefined {
    const { skin } = this.settings;
    const planes: Vector[] = [];
    let wall: ShapeHit | undefined;
    let rest = this.#alongGround(motion);
    for (let slide = 0; slide <= MAX_SLIDES && dot(rest, rest) > 1e-18; slide++) {
      const hit = this.#cast(rest);
      if (!hit) {
        this.position = add(this.position, rest);
        break;
      }
      // Stops before the contact, at the distance `skin` from the triangle. If the capsule was already closer,
      // it does not move, and the rest of the motion also leads away from the triangle.
      const { normal } = hit;
      const speed = Math.max(1e-12, -dot(normal, rest));
      const back = Math.min(hit.t, skin / speed);
      const gap = back * speed + Math.min(0, hit.separation);
      this.position = add(this.position, rest, hit.t - back);
      rest = add(ZERO, rest, 1 - hit.t + back);
      if (this.ground && this.#isWalkable(normal)) {
        this.ground = normal;
        rest = this.#alongGround(rest);
      } else {
        if (!this.ground && this.verticalVelocity <= 0) {
          this.ground = this.#groundOf(hit);
          if (this.ground) break;
        }
        wall ??= hit;
        rest = this.#alongWall(rest, normal, planes);
        planes.push(normal);
      }
      rest = add(rest, normal, Math.max(0, skin - gap));
    }
    return wall;
  }

  // Returns the motion along the ground that has the same horizontal part as the given motion.
  #alongGround(motion: Vector): Vector {
    if (!this.ground) return motion;
    const [x, y, z] = this.ground;
    return [motion[0], -(x * motion[0] + z * motion[2]) / y, motion[2]];
  }

  // Returns the part of a motion that a wall does not stop. normal: the normal of this wall. planes: the
  // normals of the walls that the same move touched before.
  #alongWall(motion: Vector, normal: Vector, planes: readonly Vector[]): Vector {
    // In the air, a slope that is too steep deflects a fall sideways, but does not deflect a horizontal motion
    // upward.
    let rest = clip(clip(motion, horizontal(normal)), normal);
    const isBlocked = (plane: Vector): boolean => dot(plane, rest) < -1e-9;
    const second = this.ground ?? planes.find(isBlocked);
    if (second) rest = alongCrease(this.ground ? motion : [0, motion[1], 0], second, normal);
    return planes.some(isBlocked) ? ZERO : rest;
  }

  /**
   * Tries to step onto the obstacle that stopped the character. If the character gets no farther in this way,
   * restores its position and returns false.
   */
  #climb(start: Vector, motion: Vector): boolean {
    const { stepHeight, skin } = this.settings;
    const { position, ground } = this;
    const above = stepHeight + 2 * skin;
    this.position = start;
    this.ground = UP;
    const rise = Math.max(0, above * (this.#cast([0, above, 0])?.t ?? 1) - skin);
    this.position = add(start, UP, rise);
    this.#slide(motion);
    if (dot(add(this.position, position, -1), motion) > 1e-9 * dot(motion, motion)) {
      const below = this.#stand(rise + 2 * skin);
      if (this.ground && below!.point[1] <= start[1] + Math.min(stepHeight, rise)) return true;
    }
    this.position = position;
    this.ground = ground;
    return false;
  }

  /**
   * Moves the capsule down to the ground if the ground is at most `reach` below the capsule. Returns the
   * contact below the capsule, if there is one within this distance.
   */
  #stand(reach: number): ShapeHit | undefined {
    const below = this.#cast([0, -reach, 0]);
    this.ground = below && this.#groundOf(below);
    this.verticalVelocity = 0;
    if (this.ground)
      this.position = add(this.position, UP, -Math.max(0, reach * below!.t - this.settings.skin));
    return below;
  }

  #isWalkable(normal: Vector): boolean {
    return normal[1] >= Math.cos(this.settings.maxSlope);
  }

  /** Returns the normal of the ground if the character can stand on what it touches; otherwise undefined. */
  #groundOf(hit: ShapeHit): Vector | undefined {
    if (this.#isWalkable(hit.normal)) return hit.normal;
    const { skin } = this.settings;
    return hit.normal[1] > 0.1 && this.#isStep(hit, hit.point[1] + 8 * skin, 10 * skin) ? UP : undefined;
  }

  /**
   * Returns whether a contact is at the edge of a step. Where the round end of a capsule touches an edge, the
   * contact normal is that of a steep slope. A small sphere is therefore cast down behind the edge, from the
   * height `top` by the distance `reach`, to find the ground.
   */
  #isStep({ normal, point }: ShapeHit, top: number, reach: number): boolean {
    const radius = 2 * this.settings.skin;
    const [x, , z] = add(point, horizontal(normal), -2 * radius);
    this.casts++;
    const sphere = { center: [x, top + radius, z], radius };
    const hit = this.engine.castSphere(this.level, sphere, [0, -reach, 0], this.filter);
    return hit !== undefined && hit.t > 0 && this.#isWalkable(hit.normal);
  }

  #cast(motion: Vector): ShapeHit | undefined {
    const { radius, height } = this.settings;
    this.casts++;
    const start = add(this.position, UP, radius);
    const capsule = { start, end: add(this.position, UP, height - radius), radius };
    const options = { ...this.filter, ignoreSeparating: true };
    return this.engine.castCapsule(this.level, capsule, motion, options);
  }
}
