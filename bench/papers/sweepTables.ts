// Measures the stages of sweep and prune in scenes of falling cubes, balls and skittles (Avril, Gouranton and
// Arnaldi 2014, section 4.2): updating the boxes (Table 1, Fig. 5), finding the overlapping pairs (Table 2,
// Fig. 6), and both together (Fig. 7). Runs on 1, 2 and 3 real threads, and on up to 8 virtual threads, whose
// work is measured on one thread.

import { createEngine } from '../../dist/index.js';
import {
  type SweepFrame,
  type SweepWorld,
  startSweepWorld,
  sweepBodies,
  sweepWorld,
  type Times,
} from '../../dist/papers/scenes/sweepBodies.js';
import { triangleCount } from '../../dist/samples/index.js';
import { threadsText } from '../support/machine.js';
import { isQuick, Report, type Row } from '../support/report.js';
import { summarize } from '../support/statistics.js';
import { interleave } from '../support/timing.js';
import { VIRTUAL_MODEL, withVirtualThreads } from '../support/virtualThreads.js';

const SEED = 1;
const FRAMES = isQuick ? 3 : 24;
const ITERATIONS = isQuick ? 1 : 7;
/** 3 threads are included because the paper also reports 3 threads on 2 cores. */
const MEASURED = [1, 2, 3];
/** 2 virtual threads show how far the model is from the measurement. */
const VIRTUAL = [2, 4, 8];
const PAPER = 'Avril, Gouranton and Arnaldi';

const report = new Report('sweepTables', SEED, []);
const engines = await Promise.all(MEASURED.map(threads => createEngine({ threads })));

interface Contender {
  variant: string;
  threads: number;
  how: Row['how'];
  run(matrices: Float32Array): void;
  /** Times of the frames in the order in which they ran: iteration by iteration, beginning with the warm-up. */
  frames: SweepFrame[];
}

function contendersFor(world: SweepWorld): Contender[] {
  const worlds = engines.map(engine => startSweepWorld(engine, world));
  const measured = MEASURED.map((threads, i): Contender => {
    const frames: SweepFrame[] = [];
    return {
      variant: threadsText(threads),
      threads,
      how: 'measured',
      frames,
      run: matrices => frames.push(worlds[i](matrices)),
    };
  });
  const virtual = VIRTUAL.map((threads): Contender => {
    const frames: SweepFrame[] = [];
    return {
      variant: `${threadsText(threads)}, virtual time`,
      threads,
      how: VIRTUAL_MODEL,
      frames,
      run: matrices => frames.push(withVirtualThreads(engines[0], threads, () => worlds[0](matrices))),
    };
  });
  return [...measured, ...virtual];
}

/**
 * A stage of a frame. `timeOf` returns the milliseconds of the stage. `paper` has the published times, by
 * number of cores.
 */
interface Stage {
  measure: string;
  figure: string;
  timeOf(frame: SweepFrame): number;
  paper?: Times;
}

// Returns the median milliseconds of each frame over the iterations. The first iteration is a warm-up and does
// not count.
function medianTimes({ frames }: Contender, timeOf: Stage['timeOf']): number[] {
  return Array.from(
    { length: FRAMES },
    (_, i) =>
      summarize(
        Array.from({ length: ITERATIONS }, (__, iteration) => timeOf(frames[(iteration + 1) * FRAMES + i])),
      ).median,
  );
}

function addRows(scene: string, contenders: readonly Contender[], stage: Stage, note: string): void {
  const { measure, figure, timeOf, paper } = stage;
  const oneThread = summarize(medianTimes(contenders[0], timeOf)).mean;
  for (const contender of contenders) {
    const { variant, threads, how } = contender;
    const times = summarize(medianTimes(contender, timeOf));
    const published = paper?.[threads as keyof Times];
    const paperText = published && `, the paper ${(paper![1] / published).toFixed(2)}`;
    report.add({
      scene,
      measure,
      variant,
      unit: 'ms',
      ...times,
      ...(published && { rival: 'paper', ratio: published / times.mean }),
      figure,
      how,
      note: `speed-up ${(oneThread / times.mean).toFixed(2)}${paperText ?? ''}; ${((100 * times.mean) / oneThread).toFixed(1)} % of 1 thread${published ? `, the paper ${((100 * published) / paper[1]).toFixed(1)} %` : ''}; ${note}`,
    });
  }
}

for (const [name, bodies] of Object.entries(sweepBodies)) {
  const world = sweepWorld(bodies, isQuick ? 'quick' : 'full', FRAMES, SEED);
  const contenders = contendersFor(world);
  interleave(
    world.frames,
    contenders.map(({ variant, run }) => ({ name: variant, run })),
    ITERATIONS,
  );
  const counts = contenders.map(({ frames }) => frames.slice(-FRAMES).map(({ boxPairs }) => boxPairs));
  for (const [i, pairs] of counts.entries()) {
    if (pairs.join() !== counts[0].join())
      throw new Error(
        `${name}: ${contenders[i].variant} found ${pairs.join()}, but 1 thread found ${counts[0].join()}`,
      );
  }
  const scene = `${name} ${world.count}`;
  const note = `environment of ${triangleCount(world.environment)} triangles, ${Math.min(...counts[0])} to ${Math.max(...counts[0])} box pairs`;
  const both: Times | undefined = {
    1: bodies.update[1] + bodies.overlap[1],
    2: bodies.update[2] + bodies.overlap[2],
    4: bodies.update[4] + bodies.overlap[4],
    8: bodies.update[8] + bodies.overlap[8],
  };
  const steps = Object.keys(contenders[0].frames[0].broadPhase.stages) as 'search'[];
  const stages: Stage[] = [
    {
      measure: 'update of boxes',
      figure: `${PAPER}, Table 1 and Fig. 5`,
      timeOf: ({ update }) => update,
      paper: bodies.update,
    },
    {
      measure: 'overlapping pairs',
      figure: `${PAPER}, Table 2 and Fig. 6`,
      timeOf: ({ broadPhase }) => broadPhase.milliseconds,
      paper: bodies.overlap,
    },
    ...steps.map(
      (step): Stage => ({
        measure: `overlapping pairs: ${step}`,
        figure: `${PAPER}, Table 2`,
        timeOf: ({ broadPhase }) => broadPhase.stages[step] ?? 0,
      }),
    ),
    {
      measure: 'both',
      figure: `${PAPER}, Fig. 7`,
      timeOf: ({ update, broadPhase }) => update + broadPhase.milliseconds,
      paper: both,
    },
  ];
  for (const stage of stages) addRows(scene, contenders, stage, note);
}
for (const engine of engines) engine.dispose();
report.save();
