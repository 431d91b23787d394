// Triangle pairs -> what one costs in the exact test, alone and warm.

import { Bench } from 'tinybench';
import { DecideJob, limits, PairRecord } from '../../dist/layout.js';
import { placedPoints } from '../../dist/systems/placedPoints.js';
import type { Engine, TrianglePairs } from '../../dist/index.js';
import { internalsOf } from './internals.js';
import { isQuick } from './report.js';

const MOST_PAIRS = 20_000;

/** The pairs that the engine's last query found, evenly thinned out -> 18 doubles a pair, as the exact test gets them. */
export function foundPoints(engine: Engine, result: TrianglePairs & { pairsAt?: Uint32Array }): Float64Array {
  const { backend, front, writer } = internalsOf(engine);
  const { a, b } = result;
  const pairsAt = result.pairsAt ?? Uint32Array.of(0, result.count);
  const step = Math.max(1, Math.ceil(result.count / MOST_PAIRS));
  const points = new Float64Array(18 * Math.ceil(result.count / step));
  for (let i = 0, pair = 0, to = 0; i < result.count; i += step, to += 18) {
    while (pairsAt[pair + 1]! <= i) pair++;
    const [first, second] = writer.swapped[pair] ? [b[i]!, a[i]!] : [a[i]!, b[i]!];
    points.set(placedPoints(backend.arena, front.pairs.at + pair * PairRecord.size, first, second), to);
  }
  return points;
}

/** @returns median nanoseconds a pair, and how many of the pairs meet. */
export function priceOf(engine: Engine, points: Float64Array): { nanoseconds: number; meetCount: number; pairCount: number } {
  const { arena, pool } = internalsOf(engine).backend;
  const pairCount = points.length / 18;
  if (pairCount === 0) return { nanoseconds: 0, meetCount: 0, pairCount };
  const blocks = [DecideJob.size, points.byteLength, 4 * pairCount, limits.EXACT_SCRATCH_BYTES].map((bytes) => arena.allocate(bytes));
  const [jobAt, pointsAt, verdictsAt, scratchAt] = blocks as [number, number, number, number];
  arena.f64.set(points, pointsAt / 8);
  for (const [name, value] of Object.entries({ pointsAt, pairCount, verdictsAt, scratchAt, sliceCount: 1 })) {
    arena.u32[(jobAt + DecideJob.at[name as keyof typeof DecideJob.at]) / 4] = value;
  }
  const bench = new Bench({ time: isQuick ? 50 : 300, warmupTime: 50 });
  bench.add('decide', () => { pool.kernels.decideTriangles(jobAt, 0, 1); }, { async: false });
  bench.runSync();
  const { result } = bench.tasks[0]!;
  const milliseconds = 'latency' in result ? result.latency.p50 : NaN;
  const meetCount = arena.u32.slice(verdictsAt / 4, verdictsAt / 4 + pairCount).filter((verdict) => verdict === limits.MEET).length;
  for (const at of blocks) arena.release(at);
  return { nanoseconds: (milliseconds * 1e6) / pairCount, meetCount, pairCount };
}
