// Measures a whole step of continuous collision detection between nanorobots, which are spread evenly in a
// cube or crowd in its corners: the time of each stage on one thread and on all cores, the tested pairs, and
// the memory.
//
// Source: Du, Liu and Suzumura, sections 5.1 to 5.3. The paper prints one time, 300 ms for 100,000 robots on
// 4 nodes with 3 Tesla K20X each. It gives neither the density nor the speed of the robots, and does not say
// which of its worlds was used. A step consists of setTransforms, then detect({ continuous: true }). After
// the step, each robot that has met another robot and still approaches it reverses its direction; this is not
// timed.

import type { Engine, Scene, SweepStats } from '../../dist/index.js';
import { box, type Movement, type Nanorobots, nanorobots } from '../../dist/samples/index.js';
import { createEngines, disposeEngines } from '../support/engines.js';
import { coreCount } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { median, summarize } from '../support/statistics.js';

const SEED = 1;
const PAPER_COUNT = 100_000;
const PAPER_MILLISECONDS = 300;
/**
 * Numbers of robots and of measured steps. One more step runs first and is not recorded. In it, the engine's
 * lists grow to the size that they need.
 */
const SIZES: readonly (readonly [count: number, steps: number])[] = isQuick
  ? [[500, 2]]
  : [
      [10_000, 7],
      [40_000, 3],
      [PAPER_COUNT, 3],
    ];
/**
 * Number of steps until the robots have settled. In these steps, detection is discrete: intersecting surfaces
 * are queried at the end of each step.
 */
const SETTLING_STEPS = isQuick ? 3 : 25;
/** Bytes per pair of features: four points of three doubles, at two times. */
const PAIR_BYTES = 192;

const report = new Report('nanorobots', SEED, []);
const engines = await createEngines(1, coreCount);

interface Samples {
  milliseconds: number[];
  stages: Record<string, number[]>;
  stats: SweepStats[];
  contacts: number[];
}

const noSamples = (): Samples => ({ milliseconds: [], stages: {}, stats: [], contacts: [] });

function fill(engine: Engine, world: Nanorobots): Scene {
  const mesh = engine.createMesh(world.mesh);
  const scene = engine.createScene();
  const matrices = world.placements();
  for (let at = 0; at < matrices.length; at += 16)
    scene.add(mesh, { transform: matrices.subarray(at, at + 16) });
  return scene;
}

// No robot is ever removed from the scene, so the slot of a robot is its index.
const slotsOf = (scene: Scene, ids: Uint32Array): Uint32Array => ids.map(id => scene.slotOf(id));

function settle(world: Nanorobots, engine: Engine): void {
  const scene = fill(engine, world);
  for (let step = 0; step < SETTLING_STEPS; step++) {
    scene.setTransforms(world.step());
    const { a, b } = scene.detect({ narrow: 'any' });
    world.turnBack(slotsOf(scene, a), slotsOf(scene, b));
  }
  scene.dispose();
}

function oneStep(scene: Scene, matrices: Float32Array, { milliseconds, stages, stats, contacts }: Samples) {
  const startedAt = performance.now();
  scene.setTransforms(matrices);
  const placedAt = performance.now();
  const found = scene.detect({ continuous: true });
  const endedAt = performance.now();
  milliseconds.push(endedAt - startedAt);
  for (const [stage, time] of Object.entries({ setTransforms: placedAt - startedAt, ...found.stats.stages }))
    (stages[stage] ??= []).push(time);
  stats.push(found.stats);
  contacts.push(found.count);
  return { a: slotsOf(scene, found.a), b: slotsOf(scene, found.b) };
}

/** Returns the total bytes of engine memory in use. */
function bytesOf(engine: Engine): number {
  const mesh = engine.createMesh(box());
  const { bytes } = engine.query(mesh, mesh).stats;
  mesh.dispose();
  return bytes;
}

function measure(movement: Movement, count: number, steps: number): void {
  const world = nanorobots(count, movement, SEED);
  const scene = `${count} robots, ${movement}`;
  settle(world, engines.at(-1)!.engine);
  const runs = engines.map(({ name, engine }) => ({
    name,
    engine,
    scene: fill(engine, world),
    samples: noSamples(),
  }));
  for (let step = -1; step < steps; step++) {
    const matrices = world.step();
    const order = step % 2 === 0 ? runs : runs.toReversed();
    const found = order.map(run => oneStep(run.scene, matrices, step < 0 ? noSamples() : run.samples));
    if (new Set(found.map(({ a }) => a.length)).size > 1)
      throw new Error(`step ${step}: engines find different numbers of contacts`);
    world.turnBack(found[0].a, found[0].b);
  }
  for (const { name, samples } of runs) addTime(scene, name, count, samples);
  const boxPairs = runs[0].scene.detect({ narrow: 'boxes' }).stats.boxPairs;
  for (const { name, engine } of runs) {
    report.add({
      scene,
      measure: 'engine memory',
      variant: name,
      unit: 'bytes',
      n: 1,
      mean: bytesOf(engine),
      note: `${(bytesOf(engine) / count).toFixed(0)} per robot, including the mesh and the step's lists; ${boxPairs} pairs of boxes at the end`,
    });
  }
  for (const run of runs) run.scene.dispose();
}

function addTime(
  scene: string,
  variant: string,
  count: number,
  { milliseconds, stages, stats, contacts }: Samples,
): void {
  const of = (key: 'facePairs' | 'featurePairs' | 'searchedPairs' | 'directions'): number =>
    median(stats.map(one => one[key]));
  const summary = summarize(milliseconds);
  const seconds = summary.median / 1000;
  const features = of('featurePairs');
  report.add({
    scene,
    measure: 'a continuous step',
    variant,
    unit: 'ms',
    ...summary,
    ...(count === PAPER_COUNT
      ? { rival: 'the paper, 12 GPUs on 4 nodes', ratio: PAPER_MILLISECONDS / summary.median }
      : {}),
    note: [
      `${Math.round(count / seconds)} robots/s; ${median(contacts)} contacts; ${of('facePairs')} pairs of faces, ${features} of features, ${of('searchedPairs')} searched, ${(of('directions') / of('searchedPairs')).toFixed(1)} directions each`,
      `${((1e9 * seconds) / features).toFixed(0)} ns per pair of features, ${((PAIR_BYTES * features) / seconds / 1e9).toFixed(2)} GB/s of their points`,
      Object.entries(stages)
        .map(([stage, times]) => `${stage} ${median(times).toFixed(1)}`)
        .join(', '),
    ].join('; '),
  });
}

for (const [count, steps] of SIZES) {
  for (const movement of ['random', 'skewed'] as const) measure(movement, count, steps);
}
disposeEngines(engines);
report.save();
