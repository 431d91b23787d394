// Measures the float filter of continuous collision detection alone, on one thread: its time, and how many
// feature pairs it drops. The input is pairs of edges that move from one published frame to the next: all
// pairs that share no vertex and whose boxes overlap. For each pair, the filter must read at least 192 bytes:
// the positions of the edges' four vertices in both frames. The two positions of a vertex are stored together,
// so these bytes are at four places.

import { existsSync } from 'node:fs';
import { createEngine } from '../../dist/index.js';
import { FeaturePair, sweptLimits } from '../../dist/records/sweptLayout.js';
import { dataPath } from '../../test/support/data.js';
import { type Frames, readFrames, roundedOutward, sweptBoxes } from '../../test/support/frames.js';
import { compileLoops } from '../support/compileLoops.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const POINT = 48;
const SCRATCH_AT = 1024;
const POINTS_AT = 4096;
const PAIR_WORDS = FeaturePair.size / 4;
const report = new Report('filter', undefined, []);
const engine = await createEngine({ threads: 1 });
const module = await compileLoops('filterKernel', 'shared');

/** Finds pairs of edges that share no vertex and whose boxes overlap. */
function pairsOf(frames: Frames): { words: Uint32Array; count: number } {
  const { edges } = frames;
  const found = engine.boxPairs(roundedOutward(sweptBoxes(frames, edges, 2)), { order: 'any' });
  const words = new Uint32Array(PAIR_WORDS * found.count);
  let count = 0;
  for (let i = 0; i < found.count; i++) {
    const ends = [2 * found.a[i], 2 * found.a[i] + 1, 2 * found.b[i], 2 * found.b[i] + 1].map(
      end => edges[end],
    );
    if (new Set(ends).size < 4) continue;
    words.set(
      ends.map(vertex => POINTS_AT + POINT * vertex),
      PAIR_WORDS * count,
    );
    words[PAIR_WORDS * count++ + FeaturePair.at.kind / 4] = sweptLimits.EDGE_EDGE;
  }
  return { words: words.subarray(0, PAIR_WORDS * count), count };
}

function measure(scene: string, frames: Frames): void {
  const vertexCount = frames.from.length / 3;
  const { words, count } = pairsOf(frames);
  const pairsAt = POINTS_AT + POINT * vertexCount;
  const memory = new WebAssembly.Memory({
    initial: Math.ceil((pairsAt + words.byteLength) / 65536) + 1,
    maximum: 65536,
    shared: true,
  });
  const { filterAllPairs } = new WebAssembly.Instance(module, { env: { memory } }).exports as {
    filterAllPairs: (pairs: number, count: number, scratch: number) => number;
  };
  const points = new Float64Array(memory.buffer, POINTS_AT, (POINT / 8) * vertexCount);
  const pairs = new Uint32Array(memory.buffer, pairsAt, words.length);
  for (let i = 0; i < 3 * vertexCount; i++) {
    const at = (POINT / 8) * Math.floor(i / 3) + (i % 3);
    points[at] = frames.from[i];
    points[at + 3] = frames.to[i];
  }
  const samples: number[] = [];
  let remaining = 0;
  for (let iteration = -2; iteration < (isQuick ? 3 : 15); iteration++) {
    pairs.set(words);
    const startedAt = performance.now();
    remaining = filterAllPairs(pairsAt, count, SCRATCH_AT);
    if (iteration >= 0) samples.push(performance.now() - startedAt);
  }
  const times = summarize(samples);
  report.add({
    scene,
    measure: 'pairs of edges filtered',
    variant: '1 thread',
    unit: 'ms',
    ...times,
    note: `${count} pairs, ${remaining} left; ${(count / times.median / 1e3).toFixed(1)} million per second, ${((1e6 * times.median) / count).toFixed(1)} ns each`,
  });
}

for (const [name, from, to] of [
  ['cloth-ball', 'cloth_ball92', 'cloth_ball93'],
  ['rod-twist', '3036', '3037'],
] as const) {
  const files = [from, to].map(frame => `sccd/${name}/frames/${frame}.ply.gz`) as [string, string];
  if (existsSync(dataPath(files[0]))) measure(name, readFrames(...files));
  else console.log(`  ${name}: skipped, the data set is missing`);
}
engine.dispose();
report.save();
