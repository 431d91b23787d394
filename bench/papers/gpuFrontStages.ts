// Counts the work of GPU queries of a deforming cloth against itself, frame by frame and stage by stage. The
// stages are testing the front (the node pairs from which the traversal starts), each pass of the traversal,
// and the triangle tests. Reproduces Zhang and Kim, section 4, Fig. 5, with the paper's depth-bounded front (a
// pass descends only a bounded number of levels), and with the paper's cloth if its data set is present
// (otherwise with a generated cloth).
//
// The paper shows times. This bench counts invocations of kernels instead: `testFront` has one invocation per
// node of the front, `traverse` has one per pair of child boxes, and `testLeafPairs` has four per pair of
// leaves. Making and growing the front (`growFront`) is not counted. Counters are the same on every adapter;
// the bench `gpuQueries` measures the times of the stages on adapters that support timestamp queries.

import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { createEngine } from '../../dist/index.js';
import { clothBall, crumplingCloth, interpolateFrames } from '../support/cloths.js';
import {
  adapterName,
  type GpuCases,
  GpuQueryRunner,
  makeSelfCases,
  openGpu,
  SEED,
} from '../support/gpuCases.js';
import { isQuick, Report } from '../support/report.js';
import { sum, summarize } from '../support/statistics.js';

const FRAMES = isQuick ? 2 : 8;
/**
 * Invocations of `traverse` per pair of nodes (4 x 4 pairs of children), and of `testLeafPairs` per pair of
 * leaves.
 */
const CHILD_PAIRS = 16;
const INVOCATIONS_PER_LEAF_PAIR = 4;
const FIGURE = 'Zhang and Kim, Fig. 5';
const report = new Report('gpuFrontStages', SEED, ['webgpu']);

/**
 * Number of kernel invocations in one query, by stage. `passes` has one entry for each pass of the traversal.
 */
interface Stages {
  front: number;
  passes: readonly number[];
  triangles: number;
}

const all = ({ front, passes, triangles }: Stages): number => front + sum(passes) + triangles;

async function countStages(runner: GpuQueryRunner, cases: GpuCases): Promise<Stages[]> {
  const frames: Stages[] = [];
  for (let at = 0; at < cases.caseCount; at++) {
    cases.prepare(at);
    const { count, stats } = await cases.onGpu(runner.queries, at);
    const known = cases.onCpu(at).count;
    if (count !== known) throw new Error(`${cases.name}: ${count} pairs on the GPU, ${known} on the CPU`);
    const passes = runner.pairsPerPass.map(pairs => CHILD_PAIRS * pairs);
    if (sum(passes) !== stats.boxTests)
      throw new Error(`${cases.name}: ${sum(passes)} box tests by pass, ${stats.boxTests} in all`);
    frames.push({
      front: stats.frontNodes,
      passes,
      triangles: INVOCATIONS_PER_LEAF_PAIR * stats.leafPairs,
    });
  }
  return frames;
}

function addRows(gpu: Gpu, scene: string, frames: readonly Stages[]): void {
  const row = (measure: string, countOf: (frame: Stages) => number): void => {
    const counts = frames.map(countOf);
    report.add({
      scene,
      measure,
      variant: adapterName(gpu),
      unit: 'count',
      ...summarize(counts),
      figure: FIGURE,
      note: `invocations; ${((100 * sum(counts)) / sum(frames.map(all))).toFixed(1)} % of all stages`,
    });
  };
  row('front', ({ front }) => front);
  const passCount = Math.max(...frames.map(({ passes }) => passes.length));
  for (let pass = 0; pass < passCount; pass++)
    row(`traversal, pass ${pass + 1}`, ({ passes }) => passes[pass] ?? 0);
  row('triangle tests', ({ triangles }) => triangles);
}

const gpu = await openGpu();
if (gpu) {
  const engine = await createEngine({ threads: 1 });
  const ball = isQuick ? undefined : await clothBall();
  const cloth = ball ? interpolateFrames(ball, FRAMES) : crumplingCloth(isQuick ? 40 : 215, FRAMES, SEED);
  const cases = makeSelfCases(engine, cloth.name, cloth.indices, cloth.frames);
  const runner = new GpuQueryRunner(engine, gpu);
  addRows(gpu, cloth.name, await countStages(runner, cases));
  runner.dispose();
  cases.dispose();
  engine.dispose();
  gpu.dispose();
  report.save();
}
