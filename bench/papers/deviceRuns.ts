// Measures sweep and prune of boxes on 1, 2 and 4 GPU devices, in the scenes of Avril, Gouranton and Arnaldi
// 2014: four scenes without motion (section 5.3, Fig. 12), and all frames of falling balls (Fig. 13).
//
// The devices are separate WebGPU devices of one adapter, each with its own queue. They share the adapter
// (if it is a software adapter, they share the machine's cores). So measured times show that the queues work
// side by side, but not what separate GPUs would gain. The modeled rows estimate this gain: space is divided
// into one region per device, the regions are searched one after the other on one device, and the modeled time
// is the time of the slowest region plus the time of the host's work.

import { mergePairs } from '../../dist/broadphase/incremental/mergePairs.js';
import { GpuBoxPairs } from '../../dist/gpu/broadphase/gpuBoxPairs.js';
import {
  distributeBoxes,
  type SampledAxis,
  type SpaceSplit,
  sampleAxes,
  splitSpace,
} from '../../dist/gpu/broadphase/spaceRegions.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { MultiGpuBoxPairs } from '../../dist/gpu/multiGpuBoxPairs.js';
import { createEngine } from '../../dist/index.js';
import { sweepBodies, sweepWorld } from '../../dist/papers/scenes/sweepBodies.js';
import { splitEvenPairs } from '../../dist/papers/spaceSplits.js';
import { sceneBoxes, sceneKinds } from '../support/fourScenes.js';
import { adapterName, openGpu } from '../support/gpuCases.js';
import { internalsOf } from '../support/internals.js';
import { isQuick, Report, type Row, saveFigure } from '../support/report.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
const ITERATIONS = isQuick ? 1 : 3;
const FRAMES = isQuick ? 2 : 20;
const DEVICES = [1, 2, 4] as const;
const MODEL = 'modeled: host + longest part, each part measured alone on one device';
const PAPER = 'Avril, Gouranton and Arnaldi';
/**
 * Boxes per scene of Fig. 12. The paper gives only the number of cubes, and says that the scene `alphabet` has
 * few letters.
 */
const COUNTS = { cubes: 20_000, torus: 10_000, spheres: 10_000, alphabet: 500 } as const;
/**
 * The speed-up over the CPU that the paper reports for the cubes, by number of devices. For 2 and 4 devices,
 * the paper gives the speed-up over one device, so it is multiplied by 4.2 here.
 */
const CUBES = { 1: 4.2, 2: 4.2 * 1.79, 4: 4.2 * 3.5 } as const;

const report = new Report('deviceRuns', SEED, ['webgpu']);
const engine = await createEngine({ threads: 1 });

/**
 * A way of finding the overlapping pairs of boxes. `run` finds them once, and returns the milliseconds and
 * the number of pairs.
 */
interface Contender {
  variant: string;
  devices: number;
  how: Row['how'];
  run(boxes: Float32Array): Promise<{ milliseconds: number; count: number }>;
}

const splitMethods: readonly [string, (axes: readonly SampledAxis[], regions: number) => SpaceSplit][] = [
  ['split by box starts', splitSpace],
  ['split by pair count', splitEvenPairs],
];

async function timed<Result>(run: () => Promise<Result> | Result): Promise<[Result, number]> {
  const startedAt = performance.now();
  const result = await run();
  return [result, performance.now() - startedAt];
}

// Makes a contender that divides space into regions and searches them one after the other on one device. Its
// modeled time, for one device per region, is the time of the slowest region plus the host's time for dividing
// the boxes and merging the pairs.
function modeled(
  finder: GpuBoxPairs,
  devices: number,
  variant: string,
  split: (typeof splitMethods)[number][1],
): Contender {
  return {
    variant: `${devices} devices, ${variant}`,
    devices,
    how: MODEL,
    run: async boxes => {
      const [{ regions, cuts }, before] = await timed(() => {
        const made = split(sampleAxes([boxes]), devices);
        return { regions: distributeBoxes(boxes, made), cuts: made };
      });
      const found: { a: Uint32Array; b: Uint32Array }[] = [];
      let longest = 0;
      for (const [i, region] of regions.entries()) {
        const start = i === 0 ? -Infinity : cuts.starts[i - 1];
        const [pairs, milliseconds] = await timed(() =>
          finder.find(region.boxes, {}, { axis: cuts.axis, start }),
        );
        found.push(pairs);
        longest = Math.max(longest, milliseconds);
      }
      const [{ a }, after] = await timed(() =>
        mergePairs(
          found.map((pairs, i) => ({
            a: pairs.a.map(id => regions[i].ids[id]),
            b: pairs.b.map(id => regions[i].ids[id]),
          })),
        ),
      );
      return { milliseconds: before + longest + after, count: a.length };
    },
  };
}

const cpuContender: Contender = {
  variant: 'CPU, 1 thread',
  devices: 0,
  how: 'measured',
  run: async boxes => {
    const [{ count }, milliseconds] = await timed(() => engine.boxPairs(boxes));
    return { milliseconds, count };
  },
};

function contendersOf(many: MultiGpuBoxPairs, finder: GpuBoxPairs): Contender[] {
  const queues = DEVICES.map(
    (devices): Contender => ({
      variant: `${devices} queue${devices > 1 ? 's' : ''} of one adapter`,
      devices,
      how: 'measured',
      run: async boxes => {
        const [{ count }, milliseconds] = await timed(() => many.find(boxes, { devices }));
        return { milliseconds, count };
      },
    }),
  );
  const models = DEVICES.filter(devices => devices > 1).flatMap(devices =>
    splitMethods.map(([variant, split]) => modeled(finder, devices, variant, split)),
  );
  return [cpuContender, ...queues, ...models];
}

// Returns the median milliseconds of each contender in each case. The first iteration is a warm-up and does not
// count.
async function measure(
  contenders: readonly Contender[],
  cases: readonly Float32Array[],
): Promise<number[][]> {
  const times = contenders.map(() => cases.map((): number[] => []));
  for (let iteration = -1; iteration < ITERATIONS; iteration++) {
    for (const [i, boxes] of cases.entries()) {
      const known = engine.boxPairs(boxes, { countOnly: true }).count;
      for (const [contenderIndex, contender] of contenders.entries()) {
        const { milliseconds, count } = await contender.run(boxes);
        if (count !== known) throw new Error(`${contender.variant} found ${count} pairs of ${known}`);
        if (iteration >= 0) times[contenderIndex][i].push(milliseconds);
      }
    }
  }
  return times.map(byCase => byCase.map(samples => summarize(samples).median));
}

function addRows(
  gpu: Gpu,
  scene: string,
  figure: string,
  contenders: readonly Contender[],
  times: readonly number[][],
  published?: Readonly<Record<number, number>>,
): void {
  const cpu = summarize(times[0]).mean;
  const single = summarize(times[1]).mean;
  for (const [i, { variant, devices, how }] of contenders.entries()) {
    const all = summarize(times[i]);
    const paper = published?.[devices];
    report.add({
      scene,
      measure: 'all pairs',
      variant,
      unit: 'ms',
      ...all,
      rival: cpuContender.variant,
      ratio: cpu / all.mean,
      figure: `${PAPER}, ${figure}`,
      how,
      note: `${((100 * all.mean) / cpu).toFixed(0)} % of the CPU's time, ${(single / all.mean).toFixed(2)} x one device${devices > 0 ? `; ${adapterName(gpu)}` : ''}${paper ? `; the paper: ${(100 / paper).toFixed(0)} %` : ''}`,
    });
  }
}

// Returns, for each frame, the boxes of the falling balls and of their environment. The box of a ball
// contains the bounding sphere of its mesh, so it does not depend on the ball's rotation.
function ballsRun(): Float32Array[] {
  const { mesh, environment, frames, count } = sweepWorld(
    sweepBodies.balls,
    isQuick ? 'quick' : 'full',
    FRAMES,
    SEED,
  );
  let radius = 0;
  for (let at = 0; at < mesh.positions.length; at += 3)
    radius = Math.max(radius, Math.hypot(...mesh.positions.subarray(at, at + 3)));
  const ground = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  environment.positions.forEach((value, i) => {
    ground[i % 3] = Math.min(ground[i % 3], value);
    ground[3 + (i % 3)] = Math.max(ground[3 + (i % 3)], value);
  });
  return frames.map(matrices => {
    const boxes = new Float32Array(6 * (count + 1));
    for (let i = 0; i < 6 * count; i++)
      boxes[i] = matrices[16 * Math.floor(i / 6) + 12 + (i % 3)] + (i % 6 < 3 ? -radius : radius);
    boxes.set(ground, 6 * count);
    return boxes;
  });
}

async function main(): Promise<void> {
  const gpus: Gpu[] = [];
  while (gpus.length < Math.max(...DEVICES)) {
    const gpu = await openGpu();
    if (!gpu) return;
    gpus.push(gpu);
  }
  const { context } = internalsOf(engine);
  const many = new MultiGpuBoxPairs(gpus, context);
  const finder = new GpuBoxPairs(gpus[0], context);
  const contenders = contendersOf(many, finder);
  for (const kind of sceneKinds) {
    const count = isQuick ? 200 : COUNTS[kind];
    const times = await measure(contenders, [sceneBoxes(kind, count, SEED)]);
    addRows(
      gpus[0],
      `${kind} ${count}`,
      'Fig. 12',
      contenders,
      times,
      kind === 'cubes' && !isQuick ? CUBES : undefined,
    );
  }
  const frames = ballsRun();
  const times = await measure(contenders, frames);
  addRows(gpus[0], `balls, ${FRAMES} frames`, 'Fig. 13', contenders, times);
  saveFigure(
    'figure13-balls',
    ['frame', ...contenders.map(({ variant }) => `${variant}, ms`)],
    frames.map((_, frame) => [frame, ...times.map(byFrame => byFrame[frame])]),
  );
  many.dispose();
  finder.dispose();
  for (const gpu of gpus) gpu.dispose();
  report.save();
}

await main();
engine.dispose();
