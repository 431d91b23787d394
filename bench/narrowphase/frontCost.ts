// Measures the overhead of the front, the list of box pairs from which the traversal of a query starts: the
// share of the query's time that is spent on making, sorting and distributing the front, and on storing its
// costs. Also measures what share of the query is serial.
//
// A single thread runs the work lists of p threads one after another, so the measured time of a stage is the
// time of all its work. The time on p threads is computed from these measured times. The traversal counts as
// 1/p of its measured time. Expanding the front, summing its costs and copying the results each count as 1/k
// of their measured time, where k is the number of slices into which the stage is divided on p threads. All
// other stages count in full. Amdahl's law gives the speed-up that the serial part allows. If p is the number
// of cores, the front's share is also measured on p threads.
// Paper: Zhang & Kim, section 5.2.1 (a speed-up of 7.5 on eight cores and of 11 on twelve) and section 5.3
// (the front takes less than 1 %).

import { setTimeout } from 'node:timers/promises';
import { createEngine, type Engine } from '../../dist/index.js';
import { measureHandOff } from '../../dist/narrowphase/threadCountModel.js';
import { createLaboratory } from '../../dist/papers/laboratory.js';
import { slivers } from '../../dist/samples/index.js';
import {
  frontTime,
  frontTimeOnThreads,
  type TimedQuery,
  timeOnThreads,
  timeQuery,
} from '../support/frontModel.js';
import { internalsOf } from '../support/internals.js';
import { coreCount } from '../support/machine.js';
import { loadMesh, loadMeshes } from '../support/meshes.js';
import { crowd, type Motion, Placed, path, runQuery, train } from '../support/motion.js';
import { isQuick, Report, type Row } from '../support/report.js';
import { type StageTimes, timeStages } from '../support/stageTimes.js';
import { summarize } from '../support/statistics.js';

const SEED = 1;
// JavaScript reaches its full speed only after a few dozen runs.
const WARM_UP = isQuick ? 2 : 30;
const FRAMES = isQuick ? 2 : 9;
const LONG_MILLISECONDS = 20;
const PARTS = [2, 4, 8, 12, 16];
/**
 * Number of stages of the front: estimating costs, expanding nodes, distributing them to lists, and summing
 * the measured costs.
 */
const FRONT_STAGES = 4;
/** Grains that are compared for single pairs of meshes. The default is 8. */
const GRAINS = [1, 2, 4, 8, 24];
const MODEL = 'modeled: the front / all; a stage that is divided into k slices takes 1 / k of its time';
const report = new Report('frontCost', SEED);
const medianOf = (values: number[]): number => summarize(values).median;

/** imbalance: the max cost of the lists of a frame, divided by their mean cost. */
interface Frame extends TimedQuery {
  imbalance: number;
}

const single = await createEngine({ threads: 1 });
const singleStageTimes = timeStages(single);
const parallel = await createEngine({ threads: coreCount });
const handOffMilliseconds = await medianHandOff();
const parallelStageTimes = timeStages(parallel);

// Another program may run on a core for a moment, so hand-offs are measured at several times.
async function medianHandOff(): Promise<number> {
  const microseconds: number[] = [];
  for (let time = 0; time < 9; time++) {
    microseconds.push(measureHandOff(internalsOf(parallel).context));
    await setTimeout(50);
  }
  return medianOf(microseconds) / 1000;
}

function timeFrames(
  engine: Engine,
  stageTimes: StageTimes,
  placed: Placed,
  parts: number,
  coherence: 'on' | 'off',
): Frame[] {
  return Array.from({ length: WARM_UP + FRAMES }, (_, frame) => {
    const pairs = placed.pairsAt(frame);
    const { result, times } = timeQuery(engine, stageTimes, parts, () =>
      runQuery(engine, pairs, { order: 'any', parts, coherence }),
    );
    return { ...times, imbalance: result.stats.imbalance };
  }).slice(WARM_UP);
}

/**
 * Returns the time that the front would take on p threads if each of its stages were divided evenly. Each
 * stage needs the results of the one before it, so each needs a hand-off to the threads.
 */
const evenFrontTime = (frame: Frame, parts: number): number =>
  frontTime(frame) / parts + FRONT_STAGES * handOffMilliseconds;
/** Returns the fraction of the work that one thread does alone. */
const serialShare = ({ all, traverse, expand, sumCosts, slices, copy, copySlices }: Frame): number =>
  1 - (traverse + (slices > 1 ? expand + sumCosts : 0) + (copySlices > 1 ? copy : 0)) / all;
const speedUp = (serial: number, parts: number): number => 1 / (serial + (1 - serial) / parts);
const paperSpeedUps = new Map([
  [8, 7.5],
  [12, 11],
]);

function measure(motion: Motion): void {
  const [placedSingle, placedParallel] = [new Placed(single, motion), new Placed(parallel, motion)];
  for (const coherence of ['on', 'off'] as const) {
    for (const parts of PARTS) {
      const frames = timeFrames(single, singleStageTimes, placedSingle, parts, coherence);
      const row = { scene: motion.name, variant: `coherence ${coherence}, p = ${parts}` };
      report.add(...rowsOf(row, frames, parts));
      if (parts !== coreCount) continue;
      const measured = timeFrames(parallel, parallelStageTimes, placedParallel, parts, coherence);
      report.add(
        shareRow({ ...row, measure: 'front on p threads', how: 'measured' }, measured, frontTime, f => f.all),
      );
    }
  }
  placedSingle.dispose();
  placedParallel.dispose();
}

// Compares fronts of several grains, from coarse to fine: the share of the query's time that each front takes
// and, by counters in virtual time, how well work stealing balances its lists.
async function measureGrains(motion: Motion): Promise<void> {
  const { engine, study } = await createLaboratory({ threads: 1 });
  const stageTimes = timeStages(engine);
  const placed = new Placed(engine, motion);
  for (const parts of [8, 16]) {
    for (const grain of GRAINS) {
      study.grain = grain;
      const frames = timeFrames(engine, stageTimes, placed, parts, 'on');
      const { median, max } = summarize(frames.map(({ imbalance }) => imbalance));
      report.add(
        shareRow(
          {
            scene: motion.name,
            variant: `coherence on, p = ${parts}, g = ${grain}`,
            measure: 'front on p threads',
            how: MODEL,
            note: `max/mean with stealing: median ${median.toFixed(3)}, max ${max.toFixed(3)}`,
          },
          frames,
          frontTimeOnThreads,
          frame => timeOnThreads(frame, 1 / parts),
        ),
      );
    }
  }
  placed.dispose();
  engine.dispose();
}

type Named = Pick<Row, 'scene' | 'variant'>;

// Returns a row with the share of `part` in the time `whole`. The row has a limit only if `whole` takes
// longer than LONG_MILLISECONDS.
function shareRow(
  row: Named & Pick<Row, 'measure' | 'how' | 'note'>,
  frames: Frame[],
  part: (frame: Frame) => number,
  whole: (frame: Frame) => number,
): Row {
  const time = medianOf(frames.map(whole));
  return {
    ...row,
    unit: 'share',
    ...summarize(frames.map(frame => part(frame) / whole(frame))),
    limit: time > LONG_MILLISECONDS ? '<= 0.01' : undefined,
    note: `of ${time.toFixed(2)} ms${row.note ? `; ${row.note}` : ''}`,
    figure: 'Zhang and Kim, s5.3',
  };
}

function rowsOf(row: Named, frames: Frame[], parts: number): Row[] {
  const microseconds = (of: (frame: Frame) => number): string => (1000 * medianOf(frames.map(of))).toFixed(0);
  const serial = summarize(frames.map(serialShare));
  const time = medianOf(frames.map(frame => timeOnThreads(frame, 1 / parts)));
  const paper = paperSpeedUps.get(parts);
  return [
    shareRow(
      {
        ...row,
        measure: 'front: all work',
        how: 'measured',
        note: `us: weigh ${microseconds(f => f.make - f.expand)}, expand ${microseconds(f => f.expand)}, distribute ${microseconds(f => f.prepare - f.make)}, store costs ${microseconds(f => f.storeCosts)}`,
      },
      frames,
      frontTime,
      frame => frame.all,
    ),
    shareRow(
      {
        ...row,
        measure: 'front on p threads',
        how: MODEL,
        // The note also states the share of the query's time that one hand-off of the lists to the threads
        // takes. Every query on several threads needs this hand-off, however its front is made.
        note: `${medianOf(frames.map(({ slices }) => slices))} slices; one hand-off of ${(1000 * handOffMilliseconds).toFixed(1)} us is ${(handOffMilliseconds / time).toPrecision(2)}`,
      },
      frames,
      frontTimeOnThreads,
      frame => timeOnThreads(frame, 1 / parts),
    ),
    shareRow(
      {
        ...row,
        measure: 'front on p threads, if divided evenly',
        how: `modeled: e / (the rest + e), e = front / p + ${FRONT_STAGES} hand-offs to threads`,
        note: 'a lower bound for a front that is made on p threads',
      },
      frames,
      frame => evenFrontTime(frame, parts),
      frame => timeOnThreads(frame, 1 / parts) - frontTimeOnThreads(frame) + evenFrontTime(frame, parts),
    ),
    {
      ...row,
      measure: 'serial share',
      unit: 'share',
      ...serial,
      how: 'measured',
      figure: 'Zhang and Kim, s5.3',
      note: `share of the call ${medianOf(frames.map(f => (f.all - f.traverse - frontTime(f) - f.copy) / f.all)).toPrecision(2)}; share of copying results ${medianOf(frames.map(f => f.copy / f.all)).toPrecision(2)}, in ${medianOf(frames.map(({ copySlices }) => copySlices))} slices`,
    },
    {
      ...row,
      measure: 'speed-up allowed',
      unit: 'x',
      n: serial.n,
      mean: speedUp(serial.median, parts),
      how: "modeled: Amdahl's law, 1 / (s + (1 - s) / p), s: the median serial share",
      figure: 'Zhang and Kim, s5.2.1',
      ...(paper === undefined ? {} : { rival: 'paper', note: `the paper: ${paper} times on ${parts} cores` }),
    },
  ];
}

const bunny = (await loadMesh('bunny'))!;
const dragons = isQuick ? [] : await loadMeshes('dragon 810K', 'dragon 3.2M');
const needles = { name: 'slivers', data: slivers(isQuick ? 2_000 : 10_000, SEED) };
for (const motion of [
  train(),
  crowd(bunny, isQuick ? 6 : 16),
  crowd(needles, 2),
  ...dragons.map(mesh => crowd(mesh, 8)),
  ...dragons.map(path),
])
  measure(motion);
for (const motion of dragons.map(path)) await measureGrains(motion);
single.dispose();
parallel.dispose();
report.save();
