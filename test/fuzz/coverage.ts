// Tells whether an input of the fuzzer reached new code. instrument.mjs adds counters to the code under test,
// and this file reads them after each input.
import type { Coverage } from './fuzzer.js';

/**
 * The counters that Istanbul, a coverage tool, keeps for each file: how often each statement (s) and each
 * path of a branch (b) has run.
 */
interface FileCounters {
  s: Record<string, number>;
  b: Record<string, number[]>;
}

/**
 * Returns the bucket (a range of counts) of a counter, as one bit. As in the fuzzer AFL, only a new bucket
 * counts as new coverage: a loop that ran 40 times before and now runs 41 times reaches nothing new.
 */
function bucketOf(count: number): number {
  return count < 4
    ? 1 << (count - 1)
    : count < 8
      ? 8
      : count < 16
        ? 16
        : count < 32
          ? 32
          : count < 128
            ? 64
            : 128;
}

/** Returns the coverage of the instrumented files whose paths match `files`. */
export function coverageOf(files: RegExp): Coverage {
  const all = (globalThis as { __coverage__?: Record<string, FileCounters> }).__coverage__ ?? {};
  const chosen = Object.entries(all).flatMap(([path, counters]) => (files.test(path) ? [counters] : []));
  // Each branch has a list of counters. The statement counters of a file have the keys 0, 1, 2, ..., so they
  // are used as one more list.
  const lists = chosen.flatMap(({ s, b }) => [s as unknown as number[], ...Object.values(b)]);
  const lengths = lists.map(list => Object.keys(list).length);
  const seen = lengths.map(length => new Uint8Array(length));
  const takeNew = (): boolean => {
    let isNew = false;
    for (let i = 0; i < lists.length; i++) {
      const list = lists[i];
      const known = seen[i];
      for (let k = 0; k < known.length; k++) {
        if (list[k] === 0) continue;
        const bucket = bucketOf(list[k]);
        list[k] = 0;
        if (known[k] & bucket) continue;
        known[k] |= bucket;
        isNew = true;
      }
    }
    return isNew;
  };
  return {
    takeNew,
    reset() {
      for (let i = 0; i < lists.length; i++) for (let k = 0; k < lengths[i]; k++) lists[i][k] = 0;
    },
    counts: () => ({
      reached: seen.reduce(
        (sum, known) => sum + known.reduce((count, bits) => count + (bits === 0 ? 0 : 1), 0),
        0,
      ),
      all: lengths.reduce((sum, length) => sum + length, 0),
    }),
  };
}
