// Compares persistent sweep and prune, which keeps its sorted endpoints from frame to frame, with sweep and
// prune from scratch. All boxes move, or only a few, by small or large steps. Measures the time and the
// number of swaps per frame. Also estimates the min number of threads with which the method from scratch is at
// least as fast as the persistent method on one thread. The estimate uses virtual time
// (bench/support/virtualThreads.ts). According to Avril, Gouranton and Arnaldi (section 4.3), this number is
// more than 4 and at most 8.

import { BoxPairFinder } from '../../dist/broadphase/boxPairs.js';
import type { IncrementalHost } from '../../dist/broadphase/incremental/incrementalBroadPhase.js';
import { PairHistory } from '../../dist/broadphase/incremental/pairHistory.js';
import { PersistentSweep } from '../../dist/broadphase/incremental/persistentSweep.js';
import { TrackedBoxes } from '../../dist/broadphase/incremental/trackedBoxes.js';
import { type BroadPhase, createEngine, type Engine } from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { internalsOf } from '../support/internals.js';
import { coreCount, threadsText } from '../support/machine.js';
import { isQuick, Report } from '../support/report.js';
import { median as medianOf } from '../support/statistics.js';
import { type Contender, interleave, type Timing } from '../support/timing.js';
import { VIRTUAL_MODEL, virtualMilliseconds } from '../support/virtualThreads.js';

const SEED = 1;
const FRAMES = 4;
/** Distances that a box moves per frame; boxes are 1 wide on average. */
const STEPS = [0.0001, 0.001, 0.01, 0.1, 1];
const SHARES = [0.001, 0.01, 0.1];
const STEP_OF_SHARES = 0.1;
/** Numbers of threads for which the virtual time of sweep and prune from scratch is measured. */
const VIRTUAL = [2, 4, 8, 16];
const report = new Report('persistent', SEED, []);
const [singleThreaded, multiThreaded] = [
  await createEngine({ threads: 1 }),
  await createEngine({ threads: coreCount }),
];

/**
 * One frame: the moved boxes, with their ids, and all boxes. Frames come in pairs: the first moves boxes
 * away, and the second moves them back. So the boxes end every iteration where they began, and all frames cost
 * the same.
 */
interface Frame {
  ids: Uint32Array;
  movedBoxes: Float32Array;
  boxes: Float32Array;
}

/**
 * Makes frames in which a random `share` of the boxes moves by `step`, each box in its own direction. The
 * boxes that move are chosen anew for every pair of frames.
 */
function framesOf(start: Float32Array, step: number, share: number): Frame[] {
  const random = createRandom(SEED);
  const count = start.length / 6;
  const movedCount = Math.round(share * count);
  return Array.from({ length: FRAMES / 2 }, () => {
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    for (let i = 0; i < movedCount; i++) {
      const other = i + random.below(count - i);
      const swapped = order[i];
      order[i] = order[other];
      order[other] = swapped;
    }
    const ids = order.subarray(0, movedCount);
    const displaced = start.slice();
    for (const id of ids) {
      const direction = random.direction();
      for (let k = 0; k < 6; k++) displaced[6 * id + k] += step * direction[k % 3];
    }
    return [displaced, start].map(
      (boxes): Frame => ({
        ids,
        boxes,
        movedBoxes: Float32Array.from(
          { length: 6 * movedCount },
          (_, i) => boxes[6 * ids[Math.floor(i / 6)] + (i % 6)],
        ),
      }),
    );
  }).flat();
}

interface CoherentContender extends Contender<Frame> {
  swaps(): number;
  dispose(): void;
}

/**
 * Makes a contender that runs persistent sweep and prune. In every frame, it sorts the endpoints again. It
 * aborts the sort after more than `swapsPerEndpoint` swaps per endpoint. If `swapsPerEndpoint` is Infinity,
 * the sort is never aborted; if it is undefined, the default limit applies.
 */
function makePersistentContender(
  name: string,
  engine: Engine,
  start: Float32Array,
  swapsPerEndpoint?: number,
): CoherentContender {
  const { context } = internalsOf(engine);
  const host: IncrementalHost = {
    context,
    inverted: 'refused',
    pairCapacity: 4096,
    finder: new BoxPairFinder(context),
  };
  const boxes = new TrackedBoxes(host);
  const history = new PairHistory(context);
  const sweep = new PersistentSweep({ host, boxes, history }, swapsPerEndpoint);
  boxes.set(start);
  sweep.update();
  let swaps = 0;
  return {
    name,
    swaps: () => swaps,
    dispose: () => {
      for (const part of [sweep, boxes, history]) part.dispose();
    },
    run: ({ ids, movedBoxes }) => {
      boxes.move(ids, movedBoxes);
      swaps = sweep.update().swaps!;
    },
  };
}

function makeIncrementalContender(name: string, broad: BroadPhase, start: Float32Array): CoherentContender {
  broad.set(start);
  broad.pairs();
  return {
    name,
    swaps: () => 0,
    dispose: () => broad.dispose(),
    run: ({ ids, movedBoxes }) => {
      broad.move(ids, movedBoxes);
      broad.pairs();
    },
  };
}

function measure(count: number, step: number, share: number): void {
  const start = boxCrowd('uniform', count, SEED);
  const frames = framesOf(start, step, share);
  const sorts = [
    makePersistentContender('persistent', singleThreaded, start, Infinity),
    makePersistentContender(`persistent, ${threadsText(coreCount)}`, multiThreaded, start, Infinity),
    makePersistentContender('persistent, with fallback to a rebuild', singleThreaded, start),
    makeIncrementalContender(
      'moved boxes only',
      singleThreaded.createBroadPhase({ method: 'sap', events: 'off' }),
      start,
    ),
  ].slice(0, share < 1 ? 4 : 3);
  const scratch: Contender<Frame>[] = [
    { name: 'from scratch', run: ({ boxes }) => singleThreaded.boxPairs(boxes, { method: 'sap' }) },
    {
      name: `from scratch, ${threadsText(coreCount)}`,
      run: ({ boxes }) => multiThreaded.boxPairs(boxes, { method: 'sap' }),
    },
  ];
  const samples = VIRTUAL.map((): number[] => []);
  const virtual = VIRTUAL.map(
    (threads, i): Contender<Frame> => ({
      name: `${threads} virtual threads`,
      run: ({ boxes }) =>
        samples[i].push(
          virtualMilliseconds(singleThreaded, threads, () =>
            singleThreaded.boxPairs(boxes, { method: 'sap' }),
          ),
        ),
    }),
  );
  const timings = interleave(
    frames,
    [...sorts, ...scratch, ...virtual],
    isQuick ? 1 : count * step > 5000 ? 3 : 9,
  );
  const timeOf = (name: string): Timing => timings.find(timing => timing.name === name)!;
  const scene = `uniform ${count / 1000}K`;
  const what = `${share < 1 ? `${100 * share} % of the` : 'all'} boxes move by ${step} x their size`;
  const [base, sorted] = [timeOf('from scratch').median, timeOf('persistent').median];
  // The first iteration warms up.
  const virtualTimes = samples.map(times => medianOf(times.slice(FRAMES)));
  for (const { name, n, median } of timings.slice(0, -VIRTUAL.length)) {
    const swaps = sorts.find(contender => contender.name === name)?.swaps() ?? 0;
    report.add({
      scene,
      measure: what,
      variant: name,
      unit: 'ms',
      n,
      median,
      rival: 'from scratch',
      ratio: base / median,
      note:
        swaps > 0 ? `${swaps} swaps per frame, ${(swaps / (6 * count)).toFixed(2)} per endpoint` : undefined,
    });
  }
  VIRTUAL.forEach((threads, i) =>
    report.add({
      scene,
      measure: what,
      variant: `from scratch, ${threadsText(threads)}, virtual time`,
      unit: 'ms',
      n: frames.length,
      median: virtualTimes[i],
      rival: 'from scratch',
      ratio: base / virtualTimes[i],
      how: VIRTUAL_MODEL,
    }),
  );
  const winner = [1, ...VIRTUAL][[base, ...virtualTimes].findIndex(time => time <= sorted)];
  report.add({
    scene,
    measure: what,
    variant: 'break-even number of threads',
    unit: 'count',
    n: frames.length,
    ...(winner && { median: winner }),
    figure: 'Avril, Gouranton and Arnaldi, s4.3',
    how: 'modeled: min number of threads whose virtual time is at most that of the persistent method on one',
    note: `${winner ? '' : `not reached with up to ${VIRTUAL.at(-1)} threads; `}speed-ups in virtual time ${virtualTimes.map((time, i) => `${(base / time).toFixed(2)} on ${VIRTUAL[i]}`).join(', ')}, measured ${(base / timeOf(scratch[1].name).median).toFixed(2)} on ${threadsText(coreCount)}; the paper: more than 4, at most 8`,
  });
  for (const contender of sorts) contender.dispose();
}

for (const count of isQuick ? [1000, 10_000] : [1000, 10_000, 100_000]) {
  for (const step of STEPS) measure(count, step, 1);
  for (const share of SHARES) measure(count, STEP_OF_SHARES, share);
}
singleThreaded.dispose();
multiThreaded.dispose();
report.save();
