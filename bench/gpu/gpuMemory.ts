// Measures the memory that a traversal of tree pairs needs on a GPU: the bytes of its lists of box pairs, by
// the number of levels that one pass descends. For comparison, also measures a list of all overlapping box
// pairs (Zhang and Kim 2014, sections 4 and 5.3).
//
// pfront's passes descend one level. A pass of `d` levels would list only the overlapping pairs of every
// d-th level, so the lengths of its lists are computed from the counts of pfront's passes. Leaf pairs stay
// in a list of their own until the last pass, whatever level they are found at, so they are counted
// separately. Within a pass of several levels, each running invocation would keep up to 15 pairs per level
// on a stack (the paper's p * d_b). These stacks are not counted. The counts do not depend on the GPU
// adapter.

import type { Gpu } from '../../dist/gpu/device/gpu.js';
import type { GpuQueryAnswer } from '../../dist/gpu/gpuQueries.js';
import { createEngine } from '../../dist/index.js';
import {
  adapterName,
  type GpuCases,
  GpuQueryRunner,
  makeGpuCases,
  openGpu,
  SEED,
} from '../support/gpuCases.js';
import { type CountedWork, countWork, fillRows } from '../support/gpuRows.js';
import { Report, type Row } from '../support/report.js';
import { sum, summarize } from '../support/statistics.js';

const ITEM_BYTES = 16;
const LEAF_PAIR_BYTES = 12;
const CHILDREN = 16;
const LEVELS_PER_PASS = [1, 2, 3];

const report = new Report('gpuMemory', SEED, ['webgpu']);

/** Counts of one query: nodes of its front, entries of the list that each pass reads, and leaf pairs. */
interface FrontCounts {
  frontNodes: number;
  pairsPerPass: readonly number[];
  leafPairs: number;
}

async function countLists(
  gpu: Gpu,
  runner: GpuQueryRunner,
  gpuCases: GpuCases,
): Promise<{ fronts: FrontCounts[]; works: CountedWork[] }> {
  const fronts: FrontCounts[] = [];
  const works: CountedWork[] = [];
  for (let at = 0; at < gpuCases.caseCount; at++) {
    gpuCases.prepare(at);
    let answer!: GpuQueryAnswer;
    works.push(
      await countWork(gpu, async () => {
        answer = await gpuCases.onGpu(runner.queries, at);
      }),
    );
    const { frontNodes, leafPairs } = answer.stats;
    fronts.push({ frontNodes, leafPairs, pairsPerPass: runner.pairsPerPass });
  }
  return { fronts, works };
}

const listsOf = ({ pairsPerPass }: FrontCounts, levelsPerPass: number): number[] =>
  pairsPerPass.filter((_, level) => level % levelsPerPass === 0);
// The list that a pass reads and the one that it writes exist at the same time.
const maxAtOnce = (lists: readonly number[]): number =>
  Math.max(0, ...lists.map((count, i) => count + (lists[i + 1] ?? 0)));

function addRows(
  { name: scene }: GpuCases,
  gpu: Gpu,
  runner: GpuQueryRunner,
  { fronts, works }: Awaited<ReturnType<typeof countLists>>,
): void {
  const row = (measure: string, entries: readonly number[], bytesEach: number, note?: string): void => {
    const { median, ...rest } = summarize(entries);
    const counted: Row = { scene, measure, variant: adapterName(gpu), unit: 'count', median, ...rest };
    report.add({
      ...counted,
      note: [`${Math.round(median * bytesEach)} bytes`, note].filter(Boolean).join('; '),
    });
  };
  const whole = fronts.map(({ pairsPerPass }) => sum(pairsPerPass));
  const maximal = fronts.map(
    ({ frontNodes, pairsPerPass }) => frontNodes + (CHILDREN - 1) * sum(pairsPerPass),
  );
  for (const levelsPerPass of LEVELS_PER_PASS) {
    const lists = fronts.map(one => listsOf(one, levelsPerPass));
    const held = lists.map(maxAtOnce);
    row(
      `lists, ${levelsPerPass} level${levelsPerPass > 1 ? 's' : ''} per pass`,
      held,
      ITEM_BYTES,
      `input and output list of a pass; longest list ${Math.max(...lists.flat())}; up to ${Math.max(...lists.map(({ length }) => length))} passes; a list of all levels is ${(sum(whole) / sum(held)).toFixed(1)} x as long`,
    );
  }
  row(
    'front',
    fronts.map(({ frontNodes }) => frontNodes),
    ITEM_BYTES,
  );
  row(
    'deferred leaf pairs',
    fronts.map(({ leafPairs }) => leafPairs),
    LEAF_PAIR_BYTES,
  );
  row('pairs expanded, all levels', whole, ITEM_BYTES, `by level ${fronts.at(-1)!.pairsPerPass.join(' ')}`);
  row(
    'maximal front',
    maximal,
    ITEM_BYTES,
    'all nodes at which the traversal below the starting front ends, overlapping or not, including lanes without a child',
  );
  const capacities = Object.entries(runner.listBytes);
  report.add({
    scene,
    measure: 'capacity of all lists',
    variant: adapterName(gpu),
    unit: 'bytes',
    n: 1,
    median: sum(capacities.map(([, bytes]) => bytes)),
    note: capacities.map(([name, bytes]) => `${name} ${bytes}`).join(', '),
  });
  report.add(...fillRows({ scene, variant: adapterName(gpu) }, works));
}

const gpu = await openGpu();
if (gpu) {
  const engine = await createEngine({ threads: 1 });
  for (const gpuCases of await makeGpuCases(engine)) {
    const runner = new GpuQueryRunner(engine, gpu);
    addRows(gpuCases, gpu, runner, await countLists(gpu, runner, gpuCases));
    runner.dispose();
    gpuCases.dispose();
  }
  engine.dispose();
  gpu.dispose();
  report.save();
}
