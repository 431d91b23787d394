// Measures queries for the contacts of deforming meshes, with the GPU and without it. The meshes are a
// computed cloth and published frames. Measures the time of the whole query, and the number of feature pairs
// that are left after the CPU's filter. If the device can measure time, also measures the GPU's filter alone:
// its time, and the number of feature pairs that are left after it.

import { existsSync } from 'node:fs';
import { MeshTables } from '../../dist/ccd/meshTables.js';
import { readSweepOptions } from '../../dist/ccd/sweepOptions.js';
import { GpuMeshSweep } from '../../dist/gpu/ccd/gpuMeshSweep.js';
import { createEngine, type Mesh } from '../../dist/index.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';
import { foldingCloth } from '../../dist/samples/index.js';
import { dataPath } from '../../test/support/data.js';
import { readFrames } from '../../test/support/frames.js';
import { adapterName, openGpu } from '../support/gpuCases.js';
import { kernelTimes } from '../support/gpuTimes.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const ROUNDS = isQuick ? 1 : 5;
const report = new Report('gpuSweep', undefined, ['webgpu']);
const engine = await createEngine({ threads: 2 });
const context = (engine as unknown as { context: EngineContext }).context;
const gpu = await openGpu();

async function measure(
  scene: string,
  mesh: Mesh,
  from: Float32Array | Float64Array,
  to: Float32Array | Float64Array,
): Promise<void> {
  if (!gpu) return;
  const sweep = new GpuMeshSweep(gpu, context, new MeshTables(context));
  const extent = Math.max(
    ...[from, to].map(values =>
      Float64Array.from(values).reduce((maximum, value) => Math.max(maximum, Math.abs(value)), 0),
    ),
  );
  const onGpu: number[] = [];
  const onCpu: number[] = [];
  const who = adapterName(gpu);
  const runQuery = () => sweep.deform(mesh, from, to, readSweepOptions({ want: 'all' }, extent));
  let pairs = 0;
  let left = 0;
  for (let round = -1; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await runQuery();
    const cpuFrom = performance.now();
    const { stats } = engine.sweepVertices(mesh, from, to, { want: 'all' });
    if (round < 0) continue;
    onGpu.push(cpuFrom - startedAt);
    onCpu.push(performance.now() - cpuFrom);
    [pairs, left] = [stats.featurePairs, sweep.remaining];
    report.add({
      scene,
      measure: 'CPU: pairs tested',
      who: '2 threads',
      unit: 'ms',
      n: 1,
      median: stats.stages.features ?? 0,
      note: `${stats.searchedPairs} of ${pairs} pairs left`,
    });
  }
  const filter = (await kernelTimes(gpu, ROUNDS, runQuery))?.each.get('filterFeaturePairs');
  if (filter)
    report.add({
      scene,
      measure: 'GPU: filter alone',
      who,
      unit: 'ms',
      ...filter,
      note: `${left} of ${pairs} pairs left; ${(pairs / filter.median / 1e3).toFixed(1)} million per second`,
    });
  report.add(
    { scene, measure: 'all contacts, GPU and CPU', who, unit: 'ms', ...summarize(onGpu) },
    { scene, measure: 'all contacts, CPU', who: '2 threads', unit: 'ms', ...summarize(onCpu) },
  );
  sweep.dispose();
}

const cloth = foldingCloth(isQuick ? 2000 : 20_000, 20);
const sheet = engine.createMesh(cloth.mesh);
await measure('folding cloth', sheet, cloth.frame(19), cloth.frame(20));
for (const [name, from, to] of isQuick
  ? []
  : ([
      ['cloth-ball', 'cloth_ball92', 'cloth_ball93'],
      ['rod-twist', '3036', '3037'],
    ] as const)) {
  const files = [from, to].map(frame => `sccd/${name}/frames/${frame}.ply.gz`) as [string, string];
  if (!existsSync(dataPath(files[0]))) {
    console.log(`  ${name}: skipped, the data set is missing`);
    continue;
  }
  const frames = readFrames(...files);
  const mesh = engine.createMesh({ positions: Float32Array.from(frames.from), indices: frames.faces });
  await measure(name, mesh, frames.from, frames.to);
}
gpu?.dispose();
engine.dispose();
report.save();
