// Makes random boxes of the kinds that are difficult for a broad phase, moves some of them, and checks the
// pairs that the broad phase finds.
import * as assert from 'uvu/assert';
import type { BroadPhase } from '../../dist/index.js';
import type { Random } from '../../dist/samples/random.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import type { Pair } from '../oracle/bruteForce.js';
import { pairsOf } from '../support/engines.js';

export const KINDS = [
  'scattered',
  'lattice',
  'coincident',
  'signed zeros',
  'all sizes',
  'often empty',
  'in a row',
] as const;
export type Kind = (typeof KINDS)[number];

const sizes: Record<Kind, (random: Random, count: number) => [low: number, high: number]> = {
  scattered: (random, count) => from(random.between(0, Math.cbrt(count)), random.between(0, 1)),
  lattice: random => from(random.below(5), random.below(3)),
  coincident: random => (random.below(20) === 0 ? [1, 2] : [0, 1]),
  'signed zeros': random =>
    [
      [-0, 0],
      [0, -0],
      [-0, -0],
      [0, 0],
      [-1, -0],
      [0, 1],
      [-1, 0],
      [-0, 1],
    ][random.below(8)] as [number, number],
  'all sizes': random => {
    const size = 2 ** random.between(-126, 120);
    return from(
      size * random.between(-1, 1) * (random.below(2) === 0 ? 1 : 2 ** -20),
      size * random.between(0, 1),
    );
  },
  'often empty': random =>
    random.below(5) === 0
      ? [3e38, -3e38]
      : random.below(4) === 0
        ? from(random.below(4), -1)
        : from(random.below(4), random.below(2)),
  'in a row': (random, count) => from(random.below(2 * count), 1),
};

const from = (low: number, size: number): [number, number] => [low, low + size];

/** Makes new boxes for `ids`: six floats each. */
export function placesFor(kind: Kind, random: Random, ids: Uint32Array, count: number): Float32Array {
  const places = new Float32Array(6 * ids.length);
  for (let k = 0; k < ids.length; k++) {
    for (let axis = 0; axis < 3; axis++) {
      const [low, high] = kind === 'in a row' && axis > 0 ? [0, 1] : sizes[kind](random, count);
      places[6 * k + axis] = low;
      places[6 * k + axis + 3] = high;
    }
  }
  return places;
}

/**
 * Chooses some or all boxes, and their motion. The boxes jump, move a little, or move by 1 on each axis; or the
 * order of all boxes is reversed, all boxes are reflected in the origin, or boxes move to the places of other
 * boxes. Returns the ids and the new boxes. An id may occur twice.
 */
export function motion(
  kind: Kind,
  random: Random,
  boxes: Float32Array,
): { ids: Uint32Array; places: Float32Array } {
  const count = boxes.length / 6;
  const all = Uint32Array.from({ length: count }, (_, i) => i);
  const some = Uint32Array.from({ length: random.below(Math.min(count, 9) + 1) }, () => random.below(count));
  const ways: (() => [Uint32Array, Float32Array])[] = [
    () => [some, placesFor(kind, random, some, count)],
    () => [all, placesFor(kind, random, all, count)],
    () => [all, boxes.map(value => value + random.between(-0.02, 0.02) * Math.abs(value))],
    () => [all, boxes.map(value => value + 1)],
    () => [all, boxes.map((_, i) => boxes[6 * (count - 1 - Math.floor(i / 6)) + (i % 6)])],
    () => [all, boxes.map((_, i) => -boxes[i % 6 < 3 ? i + 3 : i - 3])],
    () => [
      some,
      Float32Array.from(
        { length: 6 * some.length },
        (_, i) => boxes[6 * ((some[Math.floor(i / 6)] + 1) % count) + (i % 6)],
      ),
    ],
  ];
  const [ids, places] = ways[random.below(ways.length)]();
  return { ids, places };
}

/** Moves boxes in the broad phase, and in `boxes`, the array from which the expected pairs are computed. */
export function moveBoth(
  broad: BroadPhase,
  boxes: Float32Array,
  { ids, places }: { ids: Uint32Array; places: Float32Array },
): void {
  broad.move(ids, places);
  ids.forEach((id, i) => boxes.set(places.subarray(6 * i, 6 * i + 6), 6 * id));
}

const keyOf = (pair: Pair): string => pair.join();
const without = (pairs: readonly Pair[], others: readonly Pair[]): Pair[] => {
  const keys = new Set(others.map(keyOf));
  return pairs.filter(pair => !keys.has(keyOf(pair)));
};

/**
 * Checks the pairs of a frame, and the pairs that began or ended in it. The expected pairs are found by
 * comparing all pairs of `boxes`. before: the pairs of the previous frame. @returns the pairs of this frame
 */
export function checkFrame(
  broad: BroadPhase,
  boxes: Float32Array,
  before: readonly Pair[],
  name: string,
): Pair[] {
  const expected = boxPairsByAll(boxes);
  assert.equal(pairsOf(broad.pairs()), expected, name);
  assert.equal(pairsOf(broad.began), without(expected, before), `${name}: began`);
  assert.equal(pairsOf(broad.ended), without(before, expected), `${name}: ended`);
  return expected;
}
