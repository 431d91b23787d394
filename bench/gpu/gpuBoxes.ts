// Measures queries for the overlapping pairs of boxes on a GPU: the number of dispatches, the bytes moved
// relative to the minimum, the work of the kernels, the time of each kernel, and the time of the whole query.
// Compares this time with the CPU's time. Also computes how many of four equal GPUs pfront would use. On a
// software adapter, nothing is timed. The bench `gpuModel` models times on named GPUs.

import { GpuBoxPairs, type GpuBoxPairsResult } from '../../dist/gpu/broadphase/gpuBoxPairs.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { type DeviceCost, measureDevice, measureHost } from '../../dist/gpu/device/gpuCost.js';
import { MultiGpuBoxPairs } from '../../dist/gpu/multiGpuBoxPairs.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { sceneBoxes, sceneKinds } from '../support/fourScenes.js';
import { adapterName, openGpu } from '../support/gpuCases.js';
import { countWork, workRows } from '../support/gpuRows.js';
import { isTimed, kernelTimes, stagesText } from '../support/gpuTimes.js';
import { internalsOf } from '../support/internals.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const ITERATIONS = isQuick ? 2 : 5;
const COUNTS = isQuick ? [2000] : [2000, 10_000, 50_000];
/**
 * Number of GPUs among which pfront chooses in `chooseFor`. All of them are assumed to equal this GPU.
 */
const DEVICES = 4;
/** Boxes in each of the four scenes of Avril, Gouranton and Arnaldi, Fig. 12, as in the bench `deviceRuns`. */
const PAPER_COUNTS = { cubes: 20_000, torus: 10_000, spheres: 10_000, alphabet: 500 } as const;
/** Bytes of a box and of a pair: each box must be uploaded, and each pair read back, at least once. */
const BOX_BYTES = 24;
const PAIR_BYTES = 8;

const report = new Report('gpuBoxes', SEED, ['webgpu']);
const engines = await createEngines(coreCount);
const { engine, name: engineName } = engines[0];

async function main(): Promise<void> {
  const gpu = await openGpu();
  if (!gpu) return;
  const finder = new GpuBoxPairs(gpu, internalsOf(engine).context);
  for (const kind of ['uniform', 'clustered', 'scaleFree'] as const)
    for (const count of COUNTS)
      await measure(gpu, finder, `${kind} ${count / 1000}K`, boxCrowd(kind, count, SEED));
  for (const kind of sceneKinds) {
    const count = isQuick ? 200 : PAPER_COUNTS[kind];
    await measure(gpu, finder, `${kind} ${count}`, sceneBoxes(kind, count, SEED));
  }
  if (isTimed(gpu)) await chooseFor(gpu, await measureDevice(gpu, finder));
  finder.dispose();
  gpu.dispose();
  report.save();
}

async function measure(gpu: Gpu, finder: GpuBoxPairs, scene: string, boxes: Float32Array): Promise<void> {
  // The first call is not counted, because it allocates buffers.
  await finder.find(boxes);
  let found!: GpuBoxPairsResult;
  const counted = await countWork(gpu, async () => {
    found = await finder.find(boxes);
  });
  const { stages } = counted;
  const { count: pairs, stats } = found;
  const count = boxes.length / 6;
  const { submits, dispatches, uploadedBytes, readBytes } = stages.counters;
  report.add(
    {
      scene,
      measure: 'dispatches',
      variant: adapterName(gpu),
      unit: 'count',
      n: 1,
      median: dispatches,
      limit: '<= 32',
      note: `${submits} submits, ${stats.cells} cells, ${(stats.entries / count).toFixed(2)} entries per box, ${pairs} pairs; ${stagesText(stages.dispatches)}`,
    },
    {
      scene,
      measure: 'bytes uploaded',
      variant: adapterName(gpu),
      unit: 'bytes',
      n: 1,
      median: uploadedBytes,
      rival: 'the minimum',
      ratio: uploadedBytes / (BOX_BYTES * count),
      limit: '<= 4 x',
      note: stagesText(stages.up),
    },
    {
      scene,
      measure: 'bytes read back',
      variant: adapterName(gpu),
      unit: 'bytes',
      n: 1,
      median: readBytes,
      rival: 'the minimum',
      ratio: readBytes / (PAIR_BYTES * Math.max(1, pairs)),
      limit: '<= 4 x',
      note: stagesText(stages.down),
    },
    ...workRows({ scene, variant: adapterName(gpu) }, [counted]),
  );
  if (!isTimed(gpu)) return;
  const times: Record<'GPU' | 'CPU', number[]> = { GPU: [], CPU: [] };
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    times.GPU.push((await finder.find(boxes)).stats.milliseconds);
    const startedAt = performance.now();
    const known = engine.boxPairs(boxes);
    times.CPU.push(performance.now() - startedAt);
    if (known.count !== pairs)
      throw new Error(`${scene}: ${pairs} pairs on the GPU, ${known.count} on the CPU`);
  }
  const [onGpu, onCpu] = [summarize(times.GPU), summarize(times.CPU)];
  report.add(
    { scene, measure: 'all pairs, end to end', variant: `CPU, ${engineName}`, unit: 'ms', ...onCpu },
    {
      scene,
      measure: 'all pairs, end to end',
      variant: adapterName(gpu),
      unit: 'ms',
      ...onGpu,
      rival: 'CPU',
      ratio: onCpu.median / onGpu.median,
    },
  );
  await timeKernels(gpu, finder, scene, boxes);
}

async function timeKernels(gpu: Gpu, finder: GpuBoxPairs, scene: string, boxes: Float32Array): Promise<void> {
  const kernels = await kernelTimes(gpu, ITERATIONS, () => finder.find(boxes));
  if (!kernels) return;
  const { each, ...all } = kernels;
  const sorted = [...each].sort(([, p], [, q]) => q.median - p.median);
  report.add({ scene, measure: 'all kernels', variant: adapterName(gpu), unit: 'ms', ...all });
  for (const [kernel, times] of sorted)
    report.add({ scene, measure: `kernel ${kernel}`, variant: adapterName(gpu), unit: 'ms', ...times });
}

// Computes how many GPUs pfront would use if the machine had four GPUs like this one. This one GPU stands for
// all four.
async function chooseFor(gpu: Gpu, cost: DeviceCost): Promise<void> {
  console.log(
    `${cost.fixed.toFixed(2)} ms per call, ${(1e6 * cost.box).toFixed(0)} ns per box, ${(1e6 * cost.pair).toFixed(0)} ns per pair, ${(1e6 * cost.byte).toFixed(2)} ns per byte`,
  );
  const many = new MultiGpuBoxPairs(
    Array.from({ length: DEVICES }, () => gpu),
    internalsOf(engine).context,
    { devices: Array.from({ length: DEVICES }, () => cost), host: measureHost() },
  );
  for (const kind of sceneKinds) {
    for (const count of isQuick ? [500] : [500, 20_000]) {
      const { stats } = await many.find(sceneBoxes(kind, count, SEED));
      report.add({
        scene: `${kind} ${count / 1000}K`,
        measure: 'devices used',
        variant: `of ${DEVICES} devices`,
        unit: 'count',
        n: 1,
        median: stats.devices,
        note: `predicted ms: ${stats.predicted.map(value => value.toPrecision(3)).join(', ')}`,
      });
    }
  }
  many.dispose();
}

await main();
disposeEngines(engines);
