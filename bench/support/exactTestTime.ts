// Collects triangle pairs that the float filter leaves undecided, and measures how long the exact test takes
// per pair.

import type { Engine, PlacedPair } from '../../dist/index.js';
import { placedPoints } from '../../dist/mesh/placedPoints.js';
import { DecideJob, ListRecord, limits } from '../../dist/records/layout.js';
import { callTimes } from './callTimes.js';
import { internalsOf } from './internals.js';

/** Number of work lists of each query. At most one pair is sampled from each list. */
const LISTS = 256;
const MAX_PAIRS = 8192;

export interface ExactTestTime {
  nanoseconds: number;
  pairCount: number;
  intersectingCount: number;
}

/**
 * Runs the queries of `cases`. Returns the triangle corners of a sample of the pairs that the float filter left
 * undecided. Each query adds one pair from each work list that had undecided pairs. The remaining queries of a
 * case are skipped as soon as the sample has the share of MAX_PAIRS of this case and all earlier cases. A list
 * tests its pairs in chunks; the sampled pair is the first undecided pair of the last chunk that had any.
 * @returns 18 doubles per pair, the input of the exact test
 */
export function uncertainPoints(engine: Engine, cases: readonly (readonly PlacedPair[])[]): Float64Array {
  const {
    context: { arena },
    front,
  } = internalsOf(engine);
  const points: Float64Array[] = [];
  for (const [i, pairs] of cases.entries()) {
    const maximum = (MAX_PAIRS * (i + 1)) / cases.length;
    for (const { a, b, transformA, transformB } of pairs) {
      if (points.length >= maximum) break;
      engine.query(a, b, {
        transformA,
        transformB,
        order: 'any',
        coherence: 'off',
        parts: LISTS,
        stealing: 'off',
      });
      for (let list = 0; list < LISTS; list++) {
        if (front.lists.counter(list, 'uncertain') === 0) continue;
        const at = arena.u32[(front.lists.recordAt(list) + ListRecord.at.uncertainAt) / 4] / 4;
        points.push(
          placedPoints(arena, front.pairs.at, arena.u32[at], arena.u32[at + limits.CANDIDATE_STRIDE / 4]),
        );
      }
    }
  }
  const joined = new Float64Array(18 * points.length);
  points.forEach((point, i) => joined.set(point, 18 * i));
  return joined;
}

/**
 * Measures the exact test alone, after a warm-up: median nanoseconds per pair over repeated runs, and the
 * number of intersecting pairs.
 */
export function measureExactTest(engine: Engine, points: Float64Array): ExactTestTime {
  const { arena, pool } = internalsOf(engine).context;
  const pairCount = points.length / 18;
  if (pairCount === 0) return { nanoseconds: 0, intersectingCount: 0, pairCount };
  const blocks = [DecideJob.size, points.byteLength, 4 * pairCount, limits.EXACT_SCRATCH_BYTES].map(bytes =>
    arena.allocate(bytes),
  );
  const [jobAt, pointsAt, verdictsAt, scratchAt] = blocks;
  arena.f64.set(points, pointsAt / 8);
  for (const [name, value] of Object.entries({ pointsAt, pairCount, verdictsAt, scratchAt, sliceCount: 1 })) {
    arena.u32[(jobAt + DecideJob.at[name as keyof typeof DecideJob.at]) / 4] = value;
  }
  const { p50: milliseconds } = callTimes(() => pool.kernels.decideTriangles(jobAt, 0, 1)).latency;
  const intersectingCount = arena.u32
    .slice(verdictsAt / 4, verdictsAt / 4 + pairCount)
    .filter(verdict => verdict === limits.INTERSECT).length;
  for (const at of blocks) arena.release(at);
  return { nanoseconds: (milliseconds * 1e6) / pairCount, intersectingCount, pairCount };
}
