// Fronts on a GPU, level by level -> bytes of their lists by how many levels a pass goes down, beside those of all pairs of boxes that meet (Zhang and Kim 2014, 4 and 5.3).
//
// A pass of `d` levels lists what is left after every d-th level only: of the same counts, those are the lists that it would have. Pairs of
// leaves are put by until the last pass, however deep the others go, so they are counted by themselves. Nothing here depends on the adapter.

import { createEngine } from '../dist/index.js';
import type { Gpu } from '../dist/webgpu/gpu.js';
import { adapterName, GpuAsker, gpuQuestions, openGpu, SEED, type GpuQuestions } from './support/gpuQuestions.js';
import { Report, type Row } from './support/report.js';
import { summarise, sum } from './support/statistics.js';

const ITEM_BYTES = 16, LEAF_PAIR_BYTES = 12, CHILDREN = 16;
const BOUNDS = [1, 2, 3];

const report = new Report('gpuMemory', SEED, ['webgpu']);

/** One query's front: its nodes, entries listed before each pass, and leaf pairs. */
interface Seen { frontNodes: number; listed: readonly number[]; leafPairs: number }

async function look(asker: GpuAsker, questions: GpuQuestions): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let at = 0; at < questions.cases; at++) {
    questions.prepare(at);
    const { stats: { frontNodes, leafPairs } } = await questions.onGpu(asker.queries, at);
    seen.push({ frontNodes, leafPairs, listed: asker.listed });
  }
  return seen;
}

// The list that a pass reads and the one that it writes are there at once.
function mostAtOnce(listed: readonly number[], bound: number): number {
  const lists = listed.filter((_, level) => level % bound === 0);
  return Math.max(0, ...lists.map((count, i) => count + (lists[i + 1] ?? 0)));
}

function tell({ name: scene }: GpuQuestions, gpu: Gpu, seen: readonly Seen[]): void {
  const row = (measure: string, entries: readonly number[], bytesEach: number, note?: string): void => {
    const { median, ...rest } = summarise(entries), counted: Row = { scene, measure, who: adapterName(gpu), unit: 'count', median, ...rest };
    report.add({ ...counted, note: [`${Math.round(median * bytesEach)} bytes`, note].filter(Boolean).join('; ') });
  };
  const whole = seen.map(({ listed }) => sum(listed)), maximal = seen.map(({ frontNodes, listed }) => frontNodes + (CHILDREN - 1) * sum(listed));
  for (const bound of BOUNDS) {
    const longest = seen.map(({ listed }) => mostAtOnce(listed, bound)), passes = seen.map(({ listed }) => Math.ceil(listed.length / bound));
    row(`lists, ${bound} level${bound > 1 ? 's' : ''} a pass`, longest, ITEM_BYTES, `${Math.max(...passes)} passes; 1 / ${(sum(whole) / sum(longest)).toFixed(1)} of those of all levels`);
  }
  row('front', seen.map(({ frontNodes }) => frontNodes), ITEM_BYTES);
  row('leaf pairs, put by', seen.map(({ leafPairs }) => leafPairs), LEAF_PAIR_BYTES);
  row('pairs gone on with, all levels', whole, ITEM_BYTES, `by level ${seen.at(-1)!.listed.join(' ')}`);
  row('maximal front', maximal, ITEM_BYTES, 'what ends below the starting front, met or not: lanes without a child counted');
}

const gpu = await openGpu();
if (gpu) {
  const engine = await createEngine({ threads: 1 }), asker = new GpuAsker(engine, gpu);
  for (const questions of await gpuQuestions(engine)) {
    tell(questions, gpu, await look(asker, questions));
    questions.dispose();
  }
  asker.dispose();
  engine.dispose();
  gpu.dispose();
  report.save();
}
