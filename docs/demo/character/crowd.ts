// The characters of the page. All wander about, except the one that the user steers.
import type { Engine, Mesh } from 'pfront';
import { createRandom, type Random } from 'pfront/samples';
import { CharacterController } from './controller.js';
import { type CharacterSettings, defaultSettings } from './settings.js';
import type { Vector } from './vectors.js';

/** The distance from the origin, in meters, beyond which a character turns back. */
const HOME = 42;
/** The place where the first character starts: x, z. */
const START = [-4, 5] as const;
const HIGHEST = 30;
const JUMPS_A_SECOND = 0.1;
/** A character is stuck if it moves with less than this fraction of its speed. */
const STUCK = 0.4;

/** What the user wants the first character to do. */
export interface Steering {
  /** Horizontal direction x, z, of length 0 or 1. */
  direction: readonly [number, number];
  jumps: boolean;
}

/** Returns the position of a character that stands on the level at x, z. Finds it by dropping a capsule. */
function placeOn(engine: Engine, level: Mesh, x: number, z: number, settings: CharacterSettings): Vector {
  const { radius, height, skin } = settings;
  const capsule = { start: [x, HIGHEST + radius, z], end: [x, HIGHEST + height - radius, z], radius };
  const hit = engine.castCapsule(level, capsule, [0, -2 * HIGHEST, 0]);
  return [x, HIGHEST - 2 * HIGHEST * (hit?.t ?? 1) + skin, z];
}

export class Character {
  readonly controller: CharacterController;
  /** The angle of the direction in which the character walks, from the x axis toward the z axis. */
  heading: number;

  constructor(
    engine: Engine,
    level: Mesh,
    private readonly random: Random,
    settings: CharacterSettings,
    [x, z] = [random.between(-HOME, HOME), random.between(-HOME, HOME)] as readonly [number, number],
  ) {
    this.controller = new CharacterController(
      engine,
      level,
      placeOn(engine, level, x, z, settings),
      settings,
    );
    this.heading = random.between(0, 2 * Math.PI);
  }

  /** Moves the character: as the user steers, or else on its own. */
  step(seconds: number, speed: number, steering?: Steering): void {
    const { controller, random } = this;
    const [fromX, , fromZ] = controller.position;
    if (steering) {
      const [x, z] = steering.direction;
      controller.move(seconds, [speed * x, speed * z], steering.jumps);
      if (x !== 0 || z !== 0) this.heading = Math.atan2(z, x);
      return;
    }
    this.heading += random.between(-2, 2) * seconds;
    if (Math.hypot(fromX, fromZ) > HOME) this.heading = Math.atan2(-fromZ, -fromX);
    const walk = [speed * Math.cos(this.heading), speed * Math.sin(this.heading)] as const;
    controller.move(seconds, walk, random.between(0, 1) < JUMPS_A_SECOND * seconds);
    const [x, , z] = controller.position;
    if (Math.hypot(x - fromX, z - fromZ) < STUCK * speed * seconds) this.heading += random.between(1, 3);
  }
}

export class Crowd {
  readonly characters: Character[];
  readonly settings: CharacterSettings = { ...defaultSettings };
  /** The number of casts in the last step, and the duration of the whole step. */
  casts = 0;
  milliseconds = 0;

  constructor(engine: Engine, level: Mesh, count: number) {
    const random = createRandom(3);
    this.characters = Array.from(
      { length: count },
      (_, i) => new Character(engine, level, random, this.settings, i === 0 ? START : undefined),
    );
  }

  /** Moves all characters. `steering` moves the first one; without it, the first one wanders as well. */
  step(seconds: number, speed: number, steering?: Steering): void {
    const begin = performance.now();
    const before = this.castsSoFar;
    this.characters.forEach((character, i) => {
      character.step(seconds, speed, i === 0 ? steering : undefined);
    });
    this.casts = this.castsSoFar - before;
    this.milliseconds = performance.now() - begin;
  }

  private get castsSoFar(): number {
    return this.characters.reduce((sum, { controller }) => sum + controller.casts, 0);
  }
}
