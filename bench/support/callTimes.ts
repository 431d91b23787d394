// Measures short calls with tinybench, and records tinybench's own statistics. To compare contenders, or to
// summarize the times of several cases, use timing.ts.

import { Bench, type Statistics } from 'tinybench';
import { isQuick, type Report, type Row } from './report.js';

const MILLISECONDS = isQuick ? 50 : 500;
const PER_MILLISECOND = { ms: 1, us: 1e3, ns: 1e6 };

export interface Call {
  /** `scene`: the input. `measure`: the measured operation. */
  scene: string;
  measure: string;
  unit: keyof typeof PER_MILLISECOND;
  run: () => unknown;
  /** Runs before each call. Its time is not counted. */
  prepare?: () => void;
  /** Number of operations of one call. The recorded values are per operation. Default: 1. */
  operations?: number;
  note?: string;
}

/** Measures a call after a warm-up. `latency`: milliseconds per call. `throughput`: calls per second. */
export function callTimes(
  run: () => unknown,
  prepare?: () => void,
): { latency: Statistics; throughput: Statistics } {
  const bench = new Bench({
    time: MILLISECONDS,
    warmupTime: MILLISECONDS / 5,
    subtractTimerOverhead: true,
    throws: true,
  });
  bench.add('call', () => void run(), { async: false, beforeEach: prepare });
  bench.runSync();
  const { result } = bench.tasks[0];
  if (!('latency' in result)) throw new Error(`not measured: ${result.state}`);
  return result;
}

/** Measures calls one after another and adds a row for each. */
export function measureCalls(report: Report, variant: string, calls: readonly Call[]): void {
  for (const { scene, measure, unit, run, prepare, operations = 1, note } of calls) {
    const { latency, throughput } = callTimes(run, prepare);
    const scale = PER_MILLISECOND[unit] / operations;
    const row: Row = {
      scene,
      measure,
      variant,
      unit,
      n: latency.samplesCount,
      median: scale * latency.p50,
      mean: scale * latency.mean,
      max: scale * latency.max,
      p99: scale * latency.p99,
      margin: latency.rme / 100,
      rate: operations * throughput.mean,
      note,
    };
    report.add(row);
  }
}
