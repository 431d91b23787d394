// Measures parallel ways to find all triangle pairs of 31 bodies in motion: the work front (a list of node
// pairs that is expanded in rounds) on threads that share memory, ranks (threads that share no memory and
// pass messages), and a pipeline of two stages. Repeats experiments 2 to 4 of the S-AABB paper (Tables 2 and
// 3, Fig. 4 and 5).
//
// Times are measured with one thread and with one thread per core. Speed-ups of 2 to 4 processors are modeled
// from counters on any machine: the work of a step is divided among the processors, and the largest share
// limits the speed-up. Arguments select parts of the bench: front, ranks, pipeline. Default: all parts.

import type { MovingBodies } from '../../dist/papers/bodyMessages.js';
import { Pipeline, Ranks } from '../../dist/papers/bodyThreads.js';
import { createLaboratory, type Laboratory } from '../../dist/papers/laboratory.js';
import { limits } from '../../dist/records/layout.js';
import { coreCount, plural, threadsText } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { sum, summarize } from '../support/statistics.js';
import { interleaveBlocks } from '../support/timing.js';
import {
  BODIES,
  type Frame,
  framesOf,
  optionsOf,
  pairsOf,
  SEED,
  SIZES,
  STEPS,
  sceneName,
  shapesOf,
  withTraversal,
} from '../support/tumblingBodies.js';

const SIZE = SIZES.at(-1)!;
const SCENE = sceneName(SIZE);
/** The numbers of processors in Fig. 4 and 5, without the baseline of a single processor. */
const PROCESSORS = [2, 3, 4];
/** Counters are read only in steps whose number is a multiple of this. */
const STEP_STRIDE = 25;
const BLOCK = 100;
/**
 * Results that the paper reports: the seconds for 1,000 steps (that is, the milliseconds per step), and the
 * speed-up and efficiency of the work front on 4 processors.
 */
const PAPER = { scda: 185, openMp: 74, mpi: 106, pipelining: 49, speedUp: 2.697, efficiency: 0.674 };
const words = process.argv.slice(2).filter(word => !word.startsWith('-'));
const isSelected = (part: string): boolean => words.length === 0 || words.includes(part);

const bodies: MovingBodies = {
  shapes: shapesOf(SIZE).map(data => ({ data, options: optionsOf.hybrid })),
  meshOf: Array.from({ length: BODIES }, (_, body) => body % 2),
};
const joinPlacements = (frame: Frame): Float32Array => {
  const placements = new Float32Array(16 * BODIES);
  frame.forEach((matrix, body) => placements.set(matrix, 16 * body));
  return placements;
};
const secondsText = (mean: number): string => `${((mean * STEPS) / 1000).toFixed(2)} s for ${STEPS} steps`;
const efficiencyText = (speedUp: number, processors: number): string =>
  `efficiency ${(speedUp / processors).toFixed(2)}`;

// Models the time of the work front on several processors. Each round is divided into at most one slice per
// processor, and takes as long as its most expensive slice.
function countWorkFront(report: Report, laboratory: Laboratory, frames: readonly Frame[]): void {
  const { engine, study } = laboratory;
  const meshes = bodies.shapes.map(({ data, options }) => engine.createMesh(data, options));
  for (const processors of PROCESSORS) {
    const speedUps = frames.map(frame => {
      withTraversal(laboratory, 'work-front', () =>
        engine.queryMany({ pairs: pairsOf(meshes, frame), parts: processors }),
      );
      return sum(study.rounds.map(({ cost }) => cost)) / sum(study.rounds.map(({ maxCost }) => maxCost));
    });
    const values = summarize(speedUps);
    report.add({
      scene: SCENE,
      measure: `speed-up, ${processors} processors`,
      variant: 'work front',
      unit: 'x',
      ...values,
      ...(processors === 4 ? { rival: 'paper' } : {}),
      figure: 'S-AABB, Fig. 4',
      how: 'modeled: cost of all slices / sum over rounds of the most expensive slice, in box tests; a leaf pair costs 12; waiting and memory cost nothing',
      note: `${efficiencyText(values.mean, processors)}${processors === 4 ? ` (paper: ${PAPER.speedUp}, ${PAPER.efficiency})` : ''}; ${study.rounds.length} rounds in the last step`,
    });
  }
}

function timeWorkFront(report: Report, laboratories: readonly Laboratory[], frames: readonly Frame[]): void {
  const contenders = laboratories.map(laboratory => {
    const { engine } = laboratory;
    const meshes = bodies.shapes.map(({ data, options }) => engine.createMesh(data, options));
    return {
      name: `work front, ${threadsText(engine.info.threads)}`,
      threads: engine.info.threads,
      run: (frame: Frame) =>
        withTraversal(
          laboratory,
          'work-front',
          () => engine.queryMany({ pairs: pairsOf(meshes, frame) }).count,
        ),
    };
  });
  const timings = interleaveBlocks(frames, contenders, BLOCK);
  timings.forEach(({ name: variant, ...times }, i) => {
    const { threads } = contenders[i];
    const speedUp = timings[0].median / times.median;
    const seconds = threads === 1 ? PAPER.scda : PAPER.openMp;
    report.add({
      scene: SCENE,
      measure: 'all triangle pairs',
      variant,
      unit: 'ms',
      ...times,
      rival: 'paper',
      ratio: seconds / times.mean,
      figure: 'S-AABB, Table 2, Table 3, Fig. 4 and 5',
      note: `${secondsText(times.mean)} (paper: ${threads === 1 ? 'SCDA' : 'OpenMP'} ${seconds} s); speed-up ${speedUp.toFixed(2)}, ${efficiencyText(speedUp, threads)}`,
    });
  });
}

// Models the pipeline. One processor runs the first stage: it finds the pairs of bodies whose boxes overlap.
// The other n processors run the second stage, the triangle tests: step t goes to processor t mod n.
function countPipeline(report: Report, { engine }: Laboratory, frames: readonly Frame[]): void {
  const meshes = bodies.shapes.map(({ data, options }) => engine.createMesh(data, options));
  const costs = frames.map(frame => {
    const { threads } = engine.queryMany({ pairs: pairsOf(meshes, frame), parts: 1 }).stats;
    return threads[0].boxTests + limits.LEAF_PAIR_COST * threads[0].leafPairs;
  });
  for (const processors of PROCESSORS) {
    const loads = new Array<number>(processors - 1).fill(0);
    costs.forEach((cost, step) => {
      loads[step % loads.length] += cost;
    });
    const speedUp = sum(costs) / Math.max(...loads);
    report.add({
      scene: SCENE,
      measure: `speed-up, ${processors} processors`,
      variant: 'pipeline',
      unit: 'x',
      n: frames.length,
      mean: speedUp,
      figure: 'S-AABB, Fig. 5 (b)',
      how: 'modeled: cost of all steps / cost of the steps of the busiest triangle thread, in box tests; a leaf pair costs 12; the boxes of bodies and messages cost nothing',
      note: `${efficiencyText(speedUp, processors)}; one processor only finds pairs of bodies whose boxes overlap; each result is ${processors - 1} steps late`,
    });
  }
}

function checkCount(variant: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${variant} found ${found} triangle pairs, not ${expected}`);
}

async function timeRanks(report: Report, frames: readonly Float32Array[], expected: number): Promise<void> {
  let oneThread = 0;
  for (const count of new Set([1, coreCount])) {
    const ranks = await Ranks.start(bodies, count);
    for (const frame of frames.slice(0, BLOCK)) await ranks.step(frame);
    ranks.bytes = 0;
    let found = 0;
    const samples: number[] = [];
    for (const frame of frames) {
      const startedAt = performance.now();
      const { a } = await ranks.step(frame);
      samples.push(performance.now() - startedAt);
      found += a.length;
    }
    checkCount('the ranks', found, expected);
    const bytes = ranks.bytes / frames.length;
    await ranks.end();
    const times = summarize(samples);
    oneThread ||= times.median;
    const speedUp = oneThread / times.median;
    report.add({
      scene: SCENE,
      measure: 'all triangle pairs',
      variant: `messages, ${plural(count, 'rank')}`,
      unit: 'ms',
      ...times,
      ...(count > 1 ? { rival: 'paper', ratio: PAPER.mpi / times.mean } : {}),
      figure: 'S-AABB, Table 3 and Fig. 5',
      note: `${secondsText(times.mean)}${count > 1 ? ` (paper: MPI ${PAPER.mpi} s)` : ''}; speed-up ${speedUp.toFixed(2)}, ${efficiencyText(speedUp, count)}; ${Math.round(bytes)} bytes of messages per step`,
    });
  }
}

async function countRanks(report: Report, frames: readonly Float32Array[]): Promise<void> {
  for (const count of PROCESSORS) {
    const ranks = await Ranks.start(bodies, count);
    const speedUps: number[] = [];
    for (const frame of frames) {
      await ranks.step(frame);
      speedUps.push(sum(ranks.costs) / Math.max(...ranks.costs));
    }
    const bytes = ranks.bytes / frames.length;
    await ranks.end();
    const values = summarize(speedUps);
    report.add(
      {
        scene: SCENE,
        measure: `speed-up, ${count} processors`,
        variant: 'messages',
        unit: 'x',
        ...values,
        figure: 'S-AABB, Fig. 5 (b)',
        how: 'modeled: cost of all ranks / cost of the most expensive rank, in box tests; a leaf pair costs 12; messages cost nothing',
        note: efficiencyText(values.mean, count),
      },
      {
        scene: SCENE,
        measure: `bytes of messages, ${count} processors`,
        variant: 'messages',
        unit: 'bytes',
        n: frames.length,
        mean: bytes,
        figure: 'S-AABB, Fig. 5',
        note: 'per step: placements to each rank, triangle pairs back',
      },
    );
  }
}

async function timePipeline(
  report: Report,
  frames: readonly Float32Array[],
  expected: number,
): Promise<void> {
  for (const threads of new Set([1, coreCount])) {
    const pipeline = await Pipeline.start(bodies, threads);
    const drain = async (steps: readonly Float32Array[]): Promise<number> => {
      let count = 0;
      for await (const { a } of pipeline.run(steps)) count += a.length;
      return count;
    };
    await drain(frames.slice(0, BLOCK));
    const startedAt = performance.now();
    const count = await drain(frames);
    const mean = (performance.now() - startedAt) / frames.length;
    checkCount('the pipeline', count, expected);
    const { depth } = pipeline;
    await pipeline.end();
    report.add({
      scene: SCENE,
      measure: 'all triangle pairs',
      variant: `pipeline, 1 + ${threadsText(threads)}`,
      unit: 'ms',
      n: frames.length,
      mean,
      rival: 'paper',
      ratio: PAPER.pipelining / mean,
      figure: 'S-AABB, Table 3 and Fig. 5',
      note: `${secondsText(mean)} (paper: pipelining ${PAPER.pipelining} s); the time is the mean interval between two results; each result is ${depth - 1} steps late; ${count} triangle pairs found; one thread tests boxes of bodies, the others test triangles`,
    });
  }
}

const report = new Report('spheresParallel', SEED);
const laboratories: Laboratory[] = [];
for (const threads of new Set([1, coreCount])) laboratories.push(await createLaboratory({ threads }));
const frames = framesOf();
const some = framesOf(isQuick ? 1 : STEP_STRIDE);
if (isSelected('front')) {
  countWorkFront(report, laboratories[0], some);
  timeWorkFront(report, laboratories, frames);
}
if (isSelected('pipeline')) countPipeline(report, laboratories[0], some);
const { engine } = laboratories[0];
const meshes = bodies.shapes.map(({ data }) => engine.createMesh(data));
const expected = sum(frames.map(frame => engine.queryMany({ pairs: pairsOf(meshes, frame) }).count));
for (const laboratory of laboratories) laboratory.engine.dispose();
if (isSelected('ranks')) {
  await countRanks(report, some.map(joinPlacements));
  await timeRanks(report, frames.map(joinPlacements), expected);
}
if (isSelected('pipeline')) await timePipeline(report, frames.map(joinPlacements), expected);
report.saveFinished();
