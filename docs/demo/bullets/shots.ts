// Makes random shots, and moves the bullet of each shot step by step in both worlds.
import { createRandom, type Random, type Vector } from 'pfront/samples';
import { mat4d } from 'wgpu-matrix';
import { FIRST_WALL, HALF_WIDTH, HEIGHT, WALL_STEP, WALLS } from './walls.js';

/** Bullets start at x <= START and disappear at x > END. */
export const START = FIRST_WALL - 3.2,
  END = FIRST_WALL + (WALLS - 1) * WALL_STEP + 2.4;
export const RADIUS = 0.035,
  LENGTH = 0.14;
/** Number of steps for which a shot stays visible after its flights in both worlds have ended. */
const REST_STEPS = 50;
const SPREAD = 0.035;
/** Each of the first bullets begins at a random distance behind its start, at most this number of meters. */
const LONGEST_WAIT = 24;

/** The state of a shot in one of the two worlds. */
export interface Flight {
  /** Distance along the bullet's path in meters; negative before the start. */
  at: number;
  /** Value of `at` before the last step. */
  before: number;
  state: 'flying' | 'hit' | 'gone';
}

export interface Shot {
  from: Vector;
  direction: Vector;
  rest: number;
  flights: readonly [Flight, Flight];
}

const newFlight = (): Flight => ({ at: 0, before: 0, state: 'flying' });

export class Shots {
  readonly all: Shot[];
  private readonly random: Random = createRandom(1);

  constructor(count: number) {
    this.all = Array.from({ length: count }, () => this.make());
    // The first bullets start at random times, not all at once.
    for (const shot of this.all) {
      const wait = this.random.between(0, LONGEST_WAIT);
      for (const flight of shot.flights) flight.at = flight.before = -wait;
    }
  }

  /**
   * Moves all flying bullets by `length` meters. Replaces each shot whose flights in both worlds ended
   * REST_STEPS steps ago with a new shot. Returns the replaced shots.
   */
  step(length: number): Shot[] {
    const finished: Shot[] = [];
    this.all.forEach((shot, i) => {
      for (const flight of shot.flights) {
        flight.before = flight.at;
        if (flight.state === 'flying') flight.at += length;
        if (flight.state === 'flying' && placeOf(shot, flight.at)[0] > END) flight.state = 'gone';
      }
      if (shot.flights.some(({ state }) => state === 'flying') || shot.rest++ < REST_STEPS) return;
      finished.push(shot);
      this.all[i] = this.make();
    });
    return finished;
  }

  private make(): Shot {
    const { random } = this;
    const direction: Vector = [1, SPREAD * random.between(-1, 1), SPREAD * random.between(-1, 1)];
    const length = Math.hypot(...direction);
    return {
      from: [
        START - random.between(0, 0.5),
        random.between(-0.9, 0.9) * HALF_WIDTH,
        random.between(0.06, 0.94) * HEIGHT,
      ],
      direction: direction.map(value => value / length) as unknown as Vector,
      rest: 0,
      flights: [newFlight(), newFlight()],
    };
  }
}

/**
 * Returns the position of a shot's bullet at distance `at` along its path, in meters. A negative distance is
 * behind the start.
 */
export const placeOf = ({ from, direction }: Shot, at: number): Vector => [
  from[0] + at * direction[0],
  from[1] + at * direction[1],
  from[2] + at * direction[2],
];

/**
 * Returns the transform (16 numbers) of a shot's bullet at distance `at` along its path. The bullet's x axis
 * points along the path.
 */
export function placementOf(shot: Shot, at: number): Float64Array {
  const [x, y, z] = shot.direction;
  const across = Math.hypot(y, z);
  const place = mat4d.translation([...placeOf(shot, at)]);
  return across === 0 ? place : mat4d.rotate(place, [0, -z, y], Math.atan2(across, x), place);
}
