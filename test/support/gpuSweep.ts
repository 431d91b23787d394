// Compares the contacts of moving features that a GPU finds with those that the CPU finds, byte for byte.
// Also evaluates the GPU's filter on the CPU, in simulated float arithmetic.

import * as assert from 'uvu/assert';
import {
  contactTimes,
  type FeatureContacts,
  type FeatureKind,
  type FeatureSweepOptions,
  sweepFeatures,
} from '../../dist/ccd/featureSweep.js';
import { floatAbove } from '../../dist/core/floats.js';
import { type GpuFeatureSweep, MIN_ERROR } from '../../dist/gpu/ccd/gpuFeatureSweep.js';
import type { Floats, Vector } from './impreciseFloats.js';
import { isFarBy } from './simulatedFilter.js';
import { readHandcrafted, readSimulated } from './sweepQueries.js';
import type { TestContext } from './testContext.js';

/** The object under test: a GPU in Node, or in a page. */
export type FeatureSweep = Pick<GpuFeatureSweep, 'sweepFeatures' | 'contactTimes' | 'filter'>;

const PLACES = {
  VF: [
    [0, 1],
    [0, 2],
    [0, 3],
  ],
  EE: [
    [1, 2],
    [0, 2],
    [0, 3],
  ],
} as const;

/**
 * Returns the three differences of a query's points that the filter uses, at the start and at the end of the
 * motion, rounded to float32.
 */
export function differencesOf(query: ArrayLike<number>, kind: FeatureKind): [Vector[], Vector[]] {
  const at = (time: number): Vector[] =>
    PLACES[kind].map(
      ([a, b]) =>
        [0, 1, 2].map(axis =>
          Math.fround(query[time + 3 * a + axis] - query[time + 3 * b + axis]),
        ) as unknown as Vector,
    );
  return [at(0), at(12)];
}

/** Returns whether the filter, evaluated in the given float arithmetic, drops the query. */
export function isDroppedBy(
  floats: Floats,
  kind: FeatureKind,
  query: ArrayLike<number>,
  minSeparation = 0,
): boolean {
  const [start, end] = differencesOf(query, kind);
  const isHeld = [...start, ...end].flat().every(value => Math.abs(value) < 2 ** 33);
  return (
    isHeld &&
    isFarBy(floats, start, end, {
      isEdge: kind === 'EE',
      separation: floatAbove(minSeparation),
      pointError: MIN_ERROR,
    })
  );
}

export const listOf = (queries: readonly ArrayLike<number>[]): Float64Array =>
  Float64Array.from(queries.flatMap(query => Array.from(query)));

const bytesOf = ({ verdict, toi, bound, moments }: FeatureContacts): string =>
  [verdict, toi, bound, moments].map(({ buffer }) => Buffer.from(buffer).toString('base64')).join();

/** Numbers of queries, of queries without a contact on the CPU, and of queries that the GPU filter drops. */
export interface DropCounts {
  queries: number;
  clear: number;
  dropped: number;
}
export const noDropCounts = (): DropCounts => ({ queries: 0, clear: 0, dropped: 0 });
export const dropCountsText = (name: string, { queries, clear, dropped }: DropCounts): string =>
  `counted: ${name}: ${clear} of ${queries} pairs have no contact; the GPU's float filter drops ${dropped} of these, ${((100 * dropped) / Math.max(1, clear)).toFixed(2)} %`;

/**
 * Checks that sweepFeatures and contactTimes give the same results on the GPU as on the CPU, and that their
 * statistics state how many queries the GPU's filter keeps. @returns the indices of the queries that the GPU's
 * filter keeps
 */
export async function checkSweep(
  sweep: FeatureSweep,
  backend: TestContext,
  kind: FeatureKind,
  queries: Float64Array,
  options: FeatureSweepOptions,
  shares = noDropCounts(),
): Promise<Uint32Array> {
  const expected = sweepFeatures(backend, kind, queries, options);
  const found = await sweep.sweepFeatures(kind, queries, options);
  assert.is(bytesOf(found.answer), bytesOf(expected));
  const times = contactTimes(backend, kind, queries, options);
  const foundTimes = await sweep.contactTimes(kind, queries, options);
  assert.equal(foundTimes.answer, times);
  const kept = await sweep.filter(kind, queries, options.minSeparation);
  const stats = {
    pairs: times.length,
    apart: times.length - kept.length,
    undecided: kept.length,
  };
  assert.equal([found.stats, foundTimes.stats], [stats, stats]);
  shares.queries += times.length;
  shares.clear += times.filter(time => time === Infinity).length;
  shares.dropped += times.length - kept.length;
  return kept;
}

/**
 * Checks that all published queries give the same bytes on the GPU as on the CPU, and that the GPU's filter
 * drops no pair of features that touch.
 */
export async function checkPublishedQueries(
  sweep: FeatureSweep,
  backend: TestContext,
  separations: readonly number[] = [],
): Promise<DropCounts> {
  const shares = noDropCounts();
  for (const { name, kind, queries, touches } of [...readHandcrafted(), ...readSimulated()]) {
    const kept = new Set(await checkSweep(sweep, backend, kind, queries, {}, shares));
    assert.equal(
      [...touches.keys()].filter(i => touches[i] && !kept.has(i)),
      [],
      `touching pairs of ${name} that were dropped`,
    );
    for (const minSeparation of separations)
      await checkSweep(sweep, backend, kind, queries, { minSeparation });
  }
  assert.is(shares.queries, 1929 + 5171);
  return shares;
}
