// Defines what the random calls of the soak test (calls.ts, shapeCalls.ts) receive, and chooses their meshes
// and placements.

import { CollisionError, type Engine, type Mesh } from '../../dist/index.js';
import { product, type Random, rotation, translation } from '../../dist/samples/index.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import { type NastyMesh, sizeOf } from './nastyMeshes.js';

export interface Part {
  data: NastyMesh;
  mesh: Mesh;
}

export type Transform = Float64Array | undefined;

export interface Call {
  engine: Engine;
  random: Random;
  parts: readonly Part[];
  /** Whether the result is compared with the oracle. */
  isChecked: boolean;
  /** Adds values to the hash of the results of a block of calls. */
  note(...values: ArrayBufferView[]): void;
}

export const choose = <T>(random: Random, items: readonly T[]): T => items[random.below(items.length)]!;
const noteText = ({ note }: Call, text: string): void => note(new TextEncoder().encode(text));

/**
 * Returns a random transform, or undefined for the identity. On each axis, the translation is at most the
 * size of the mesh.
 */
export function placement(random: Random, { data }: Part): Transform {
  if (random.below(4) === 0) return undefined;
  const size = sizeOf(data);
  const shift = translation(
    [0, 1, 2].map(() => (random.below(2) === 0 ? 0 : random.between(-1, 1) * size)) as [
      number,
      number,
      number,
    ],
  );
  return random.below(2) === 0
    ? Float64Array.from(shift)
    : Float64Array.from(product(shift, rotation(random.direction(), random.between(0, 6))));
}

export interface PairCall {
  a: Part;
  b: Part;
  transformA: Transform;
  transformB: Transform;
}

export function pairCall({ random, parts }: Call): PairCall {
  const [a, b] = [choose(random, parts), choose(random, parts)];
  return { a, b, transformA: placement(random, a), transformB: placement(random, b) };
}

export const truthOf = ({ a, b, transformA, transformB }: PairCall): Pair[] =>
  trianglePairs(a.data, transformA, b.data, transformB);

/**
 * Runs a call that throws an error for some meshes. Adds the result of the call to the hash or, if the call
 * throws, the code of the error.
 */
export function noteResultOrError(call: Call, run: () => unknown): void {
  try {
    noteText(call, JSON.stringify(run()) ?? '');
  } catch (error) {
    if (!(error instanceof CollisionError) || error.code === 'Internal') throw error;
    noteText(call, error.code);
  }
}
