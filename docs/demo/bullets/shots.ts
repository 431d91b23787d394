// Random shots -> where each bullet is, step by step, in two worlds: one asks where bullets are, the other
// where they fly through.
import { createRandom, type Random, rotation, type Vector } from 'pfront/scenes';
import { FIRST_WALL, HALF_WIDTH, HEIGHT, WALL_STEP, WALLS } from './walls.js';

/** Bullets start somewhere before here, and are gone behind there. */
export const START = FIRST_WALL - 3.2,
  END = FIRST_WALL + (WALLS - 1) * WALL_STEP + 2.4;
export const RADIUS = 0.035,
  LENGTH = 0.14;
/** Steps that a bullet which hit stays where it is, at least. */
const REST_STEPS = 50;
const SPREAD = 0.035;
/** Metres that the last of the first bullets waits behind the start. */
const LONGEST_WAIT = 24;

/** Of a shot in one of the worlds. */
export interface Flight {
  /** How far along its way, in metres. */
  at: number;
  before: number;
  state: 'flying' | 'hit' | 'gone';
}

export interface Shot {
  from: Vector;
  way: Vector;
  rest: number;
  flights: readonly [Flight, Flight];
}

const newFlight = (): Flight => ({ at: 0, before: 0, state: 'flying' });

export class Shots {
  readonly all: Shot[];
  private readonly random: Random = createRandom(1);

  constructor(count: number) {
    this.all = Array.from({ length: count }, () => this.make());
    // Begun one after the other.
    for (const shot of this.all) {
      const wait = this.random.between(0, LONGEST_WAIT);
      for (const flight of shot.flights) flight.at = flight.before = -wait;
    }
  }

  /** Flies on by `length`; those whose time is over in both worlds are shot again. @returns these */
  step(length: number): Shot[] {
    const again: Shot[] = [];
    this.all.forEach((shot, i) => {
      for (const flight of shot.flights) {
        flight.before = flight.at;
        if (flight.state === 'flying') flight.at += length;
        if (flight.state === 'flying' && placeOf(shot, flight.at)[0] > END) flight.state = 'gone';
      }
      if (shot.flights.some(({ state }) => state === 'flying') || shot.rest++ < REST_STEPS) return;
      again.push(shot);
      this.all[i] = this.make();
    });
    return again;
  }

  private make(): Shot {
    const { random } = this;
    const way: Vector = [1, SPREAD * random.between(-1, 1), SPREAD * random.between(-1, 1)];
    const length = Math.hypot(...way);
    return {
      from: [
        START - random.between(0, 0.5),
        random.between(-0.9, 0.9) * HALF_WIDTH,
        random.between(0.06, 0.94) * HEIGHT,
      ],
      way: way.map(value => value / length) as unknown as Vector,
      rest: 0,
      flights: [newFlight(), newFlight()],
    };
  }
}

/** Where a shot is after so many metres. Those that wait are behind the start. */
export const placeOf = ({ from, way }: Shot, at: number): Vector => [
  from[0] + at * way[0],
  from[1] + at * way[1],
  from[2] + at * way[2],
];

/** 16 numbers: the bullet's own x axis along its way. */
export function placementOf(shot: Shot, at: number): Float64Array {
  const [x, y, z] = shot.way;
  const across = Math.hypot(y, z);
  const place = placeOf(shot, at);
  return across === 0
    ? rotation([1, 0, 0], 0, place)
    : rotation([0, -z / across, y / across], Math.atan2(across, x), place);
}
