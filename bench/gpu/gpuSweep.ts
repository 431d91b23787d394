// Measures queries for the contacts of deforming meshes, with the GPU and without it. The meshes are a cloth
// that a formula folds, and meshes of published simulations. Measures the time of the whole query, and the
// number of feature pairs that are left after the CPU's filter. If the device can measure time, also measures
// the GPU's filter alone: its time, and the number of feature pairs that are left after it. Also counts the
// GPU's work in a step of many moving robots. On a software adapter, nothing is timed. The bench `gpuModel`
// models times on named GPUs.

import { existsSync } from 'node:fs';
import type { ContinuousOptions } from '../../dist/ccd/bodySweeper.js';
import type { BodySweepRun } from '../../dist/ccd/bodySweepRun.js';
import { MeshTables } from '../../dist/ccd/meshTables.js';
import { readSweepOptions } from '../../dist/ccd/sweepOptions.js';
import { GpuBoxPairs } from '../../dist/gpu/broadphase/gpuBoxPairs.js';
import { GpuBodyPairFilter } from '../../dist/gpu/ccd/gpuBodyPairFilter.js';
import { GpuMeshSweep } from '../../dist/gpu/ccd/gpuMeshSweep.js';
import { createEngine, type Mesh } from '../../dist/index.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';
import { foldingCloth, type Movement, nanorobots } from '../../dist/samples/index.js';
import { dataPath } from '../../test/support/data.js';
import { readFrames } from '../../test/support/frames.js';
import { adapterName, openGpu } from '../support/gpuCases.js';
import { countWork, stepRows, workRows } from '../support/gpuRows.js';
import { isTimed, kernelTimes, stagesText } from '../support/gpuTimes.js';
import { isQuick, Report } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const ITERATIONS = isQuick ? 1 : 5;
/**
 * Seed of the robots, and the number of steps before the counted step. In these steps, robots that touch each
 * other turn back.
 */
const ROBOTS_SEED = 1;
const SETTLING_STEPS = isQuick ? 3 : 25;
const report = new Report('gpuSweep', undefined, ['webgpu']);
const engine = await createEngine({ threads: 2 });
const context = (engine as unknown as { context: EngineContext }).context;
const gpu = await openGpu();

/** The methods of a scene with which `engine.async` begins and ends a continuous query. */
interface MovingScene {
  beginMotion(options: ContinuousOptions): BodySweepRun<unknown>;
  finishDetect(): void;
}

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
  const variant = adapterName(gpu);
  const runQuery = () => sweep.deform(mesh, from, to, readSweepOptions({ want: 'all' }, extent));
  // The first run is not counted, because it allocates buffers.
  const {
    stats: { undecided: left },
  } = await runQuery();
  const counted = await countWork(gpu, runQuery);
  const tested = engine.sweepVertices(mesh, from, to, { want: 'all' }).stats.featurePairs;
  report.add(
    {
      scene,
      measure: 'dispatches',
      variant,
      unit: 'count',
      n: 1,
      median: counted.stages.counters.dispatches,
      note: stagesText(counted.stages.dispatches),
    },
    {
      scene,
      measure: 'undecided share',
      variant,
      unit: 'share',
      n: 1,
      median: left / tested,
      note: `${left} of ${tested} feature pairs left to the CPU`,
    },
    ...workRows({ scene, variant }, [counted]),
    ...stepRows({ scene, variant }, [counted], [['GPU: filter alone', ['filterFeaturePairs']]]),
  );
  if (!isTimed(gpu)) {
    sweep.dispose();
    return;
  }
  for (let iteration = -1; iteration < ITERATIONS; iteration++) {
    const startedAt = performance.now();
    await runQuery();
    const cpuFrom = performance.now();
    const { stats } = engine.sweepVertices(mesh, from, to, { want: 'all' });
    if (iteration < 0) continue;
    onGpu.push(cpuFrom - startedAt);
    onCpu.push(performance.now() - cpuFrom);
    report.add({
      scene,
      measure: 'CPU: pairs tested',
      variant: '2 threads',
      unit: 'ms',
      n: 1,
      median: stats.stages.features ?? 0,
      note: `${stats.searchedPairs} of ${stats.featurePairs} pairs left`,
    });
  }
  const filter = (await kernelTimes(gpu, ITERATIONS, runQuery))?.each.get('filterFeaturePairs');
  if (filter)
    report.add({
      scene,
      measure: 'GPU: filter alone',
      variant,
      unit: 'ms',
      ...filter,
      note: `${left} of ${tested} pairs left; ${(tested / filter.median / 1e3).toFixed(1)} million per second`,
    });
  report.add(
    { scene, measure: 'all contacts, GPU and CPU', variant, unit: 'ms', ...summarize(onGpu) },
    { scene, measure: 'all contacts, CPU', variant: '2 threads', unit: 'ms', ...summarize(onCpu) },
  );
  sweep.dispose();
}

// Counts the work of the GPU in a step of moving robots. The GPU finds the pairs of bodies whose boxes overlap,
// and drops each pair whose features certainly stay apart (Du, Liu and Suzumura, section 5.3).
async function countRobots(count: number, movement: Movement): Promise<void> {
  if (!gpu) return;
  const world = nanorobots(count, movement, ROBOTS_SEED);
  const mesh = engine.createMesh(world.mesh);
  const scene = engine.createScene();
  const matrices = world.placements();
  for (let at = 0; at < matrices.length; at += 16)
    scene.add(mesh, { transform: matrices.subarray(at, at + 16) });
  for (let step = 0; step < SETTLING_STEPS; step++) {
    const { a, b } = scene.detect({ narrow: 'any' });
    world.turnBack(
      a.map(id => scene.slotOf(id)),
      b.map(id => scene.slotOf(id)),
    );
    scene.setTransforms(world.step());
  }
  const boxPairs = new GpuBoxPairs(gpu, context);
  const filter = new GpuBodyPairFilter(gpu, context, new MeshTables(context));
  const motion = (scene as unknown as MovingScene).beginMotion({ continuous: true });
  const boxes = motion.copyBoxes();
  let left = 0;
  const runStep = async (): Promise<void> => {
    motion.findPairs(await boxPairs.find(boxes));
    left = (await filter.filter(motion)).remaining.length;
  };
  // The first run is not counted, because it allocates buffers and uploads the mesh.
  await runStep();
  const counted = await countWork(gpu, runStep);
  (scene as unknown as MovingScene).finishDetect();
  const base = { scene: `${count} robots, ${movement}`, variant: adapterName(gpu) };
  const pairs = motion.pairs.count;
  report.add(
    {
      ...base,
      measure: 'dispatches',
      unit: 'count',
      n: 1,
      median: counted.stages.counters.dispatches,
      note: stagesText(counted.stages.dispatches),
    },
    {
      ...base,
      measure: 'undecided share',
      unit: 'share',
      n: 1,
      median: left / pairs,
      note: `${left} of ${pairs} pairs of bodies left to the CPU`,
    },
    ...workRows(base, [counted]),
  );
  for (const part of [boxPairs, filter, scene, mesh]) part.dispose();
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
// Uses few robots on a software adapter, because it tests their features slowly.
await countRobots(isQuick || !gpu || !isTimed(gpu) ? 200 : 100_000, 'random');
gpu?.dispose();
engine.dispose();
report.save();
