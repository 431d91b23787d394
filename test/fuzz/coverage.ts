// Reads the counters that instrument.mjs adds to the reader's code, after each input.
import type { Coverage } from './fuzzer.js';

/** What Istanbul keeps for each file: how often each statement (s) and each path of a branch (b) has run. */
interface FileCounters {
  s: Record<string, number>;
  b: Record<string, number[]>;
}

/** As in AFL: a loop that runs 40 instead of 41 times is nothing new. */
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

/** Returns the coverage of the files whose paths match. */
export function coverageOf(files: RegExp): Coverage {
  const all = (globalThis as { __coverage__?: Record<string, FileCounters> }).__coverage__ ?? {};
  const chosen = Object.entries(all).flatMap(([path, counters]) => (files.test(path) ? [counters] : []));
  // Branches are lists of counters, and the statements of a file are used as one more list.
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
