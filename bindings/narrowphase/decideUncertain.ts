// Decides exactly, on all threads, the triangle pairs that a float filter left uncertain.

import type { writePlacedPoints } from '../mesh/placedPoints.js';
import type { trianglesIntersectExact } from '../mesh/trianglesIntersectExact.js';
import { DecideJob, limits, PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { retry } from '../runtime/retry.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';

/**
 * The functions of the core that exact tests need. Callers pass them in, so that modules with a bundle of
 * their own do not contain a second copy.
 */
export interface ExactTests {
  writePlacedPoints: typeof writePlacedPoints;
  trianglesIntersectExact: typeof trianglesIntersectExact;
}

const POINT_DOUBLES = 18;
/** Max number of pairs that are decided at once. The placed vertices of this many pairs take 9 MiB. */
const CHUNK_PAIRS = 65536;
/** Min pairs per thread. For fewer pairs, passing work to another thread takes longer than it saves. */
const MIN_PAIRS_PER_SLICE = 256;

/**
 * Decides triangle pairs exactly. recordsAt: byte address of an array of PairRecords. list: triples (pair, a,
 * b), where `pair` is the index of a PairRecord, `a` is a triangle of that record's mesh A, and `b` is a
 * triangle of its mesh B.
 * @returns one byte per triple: 1 if the two triangles intersect.
 * @throws Capacity
 */
export function decideUncertain(
  context: EngineContext,
  recordsAt: number,
  list: Uint32Array,
  exactTests: ExactTests,
): Uint8Array<ArrayBuffer> {
  const verdicts = new Uint8Array(list.length / 3);
  for (let from = 0; from < verdicts.length; from += CHUNK_PAIRS) {
    const chunk = list.subarray(3 * from, 3 * Math.min(from + CHUNK_PAIRS, verdicts.length));
    verdicts.set(
      retry(() => decideChunk(context, recordsAt, chunk, exactTests)),
      from,
    );
  }
  return verdicts;
}

function decideChunk(
  context: EngineContext,
  recordsAt: number,
  list: Uint32Array,
  exactTests: ExactTests,
): Uint8Array {
  const { arena, pool } = context;
  const pairCount = list.length / 3;
  const blocks = new BlockGroup(arena);
  const sliceCount = sliceCountOf(pool.threadCount, pairCount, MIN_PAIRS_PER_SLICE);
  try {
    const pointsAt = blocks.take(8 * POINT_DOUBLES * pairCount);
    const verdictsAt = blocks.take(4 * pairCount);
    const scratchAt = blocks.take(limits.EXACT_SCRATCH_BYTES * sliceCount);
    const jobAt = blocks.take(DecideJob.size);
    for (let i = 0; i < pairCount; i++) {
      exactTests.writePlacedPoints(
        arena,
        recordsAt + list[3 * i] * PairRecord.size,
        list[3 * i + 1],
        list[3 * i + 2],
        arena.f64,
        pointsAt / 8 + POINT_DOUBLES * i,
      );
    }
    setWords(arena.u32, jobAt, DecideJob, { pointsAt, pairCount, verdictsAt, scratchAt, sliceCount });
    runStep(context, 'decideTriangles', jobAt, sliceCount);
    const points = arena.f64.subarray(pointsAt / 8, pointsAt / 8 + POINT_DOUBLES * pairCount);
    return Uint8Array.from(arena.u32.subarray(verdictsAt / 4, verdictsAt / 4 + pairCount), (verdict, i) => {
      if (verdict !== limits.TOO_WIDE) return verdict;
      return exactTests.trianglesIntersectExact(
        Float64Array.from(points.subarray(POINT_DOUBLES * i, POINT_DOUBLES * (i + 1))),
      )
        ? limits.INTERSECT
        : limits.APART;
    });
  } finally {
    blocks.releaseAll();
  }
}
