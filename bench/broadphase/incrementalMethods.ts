// Measures the time per frame of each method of createBroadPhase except 'cells', on one thread, while some or
// all of the boxes move by small or large steps. Also compares the method 'auto', which chooses one of the
// other methods, with the fastest method.

import { type BroadPhaseOptions, createEngine } from '../../dist/index.js';
import { boxCrowd, type CrowdKind } from '../../dist/samples/index.js';
import { type MovedBoxes, type Movement, moveAwayAndBack } from '../support/movingBoxes.js';
import { isQuick, Report } from '../support/report.js';
import { interleave } from '../support/timing.js';

const METHODS = ['auto', 'sap', 'tree', 'octree', 'sap-persistent'] as const;
const SEED = 1;
const COUNT = isQuick ? 10_000 : 100_000;
const FRAMES = 4;
const ITERATIONS = isQuick ? 1 : 3;
/** Max milliseconds of a method's first frame. Slower methods are not measured, except 'auto'. */
const MAX_FIRST_FRAME = isQuick ? 200 : 2000;
const report = new Report('incrementalMethods', SEED, []);
const engine = await createEngine({ threads: 1 });

interface Frame extends MovedBoxes {
  found: Map<string, number>;
}

function makeContender(method: BroadPhaseOptions['method'] & string, boxes: Float32Array) {
  const broad = engine.createBroadPhase({ method, events: 'off' });
  broad.set(boxes);
  broad.pairs();
  return {
    name: method,
    run({ ids, movedBoxes, found }: Frame) {
      broad.move(ids, movedBoxes);
      found.set(method, broad.pairs({ order: 'any' }).count);
    },
    dispose: () => broad.dispose(),
  };
}

function measure(kind: CrowdKind, movement: Movement): void {
  const boxes = boxCrowd(kind, COUNT, SEED);
  const scene = `${kind} ${COUNT / 1000}K`;
  const frames = moveAwayAndBack(boxes, movement, FRAMES, SEED).map(
    (frame): Frame => ({ ...frame, found: new Map() }),
  );
  const contenders = METHODS.map(method => makeContender(method, boxes));
  const measured = contenders.filter(({ name, run }) => {
    const startedAt = performance.now();
    run(frames[0]);
    return name === 'auto' || performance.now() - startedAt <= MAX_FIRST_FRAME;
  });
  const timings = interleave(frames, measured, ITERATIONS);
  for (const { found } of frames)
    for (const [method, count] of found)
      if (count !== found.get('auto'))
        throw new Error(`${scene}: ${method} finds ${count} pairs, but auto finds ${found.get('auto')}`);
  const best = Math.min(...timings.filter(({ name }) => name !== 'auto').map(({ median }) => median));
  for (const { name, ...times } of timings)
    report.add({
      scene,
      measure: `frame, ${100 * movement.share} % move by ${100 * movement.step} % of their size`,
      variant: name,
      unit: 'ms',
      ...times,
      rival: 'the best',
      ratio: best / times.median,
      note: `${frames[0].ids.length} boxes move; ${frames[0].found.get(name)} pairs`,
    });
  for (const contender of contenders) contender.dispose();
}

for (const kind of ['uniform', 'clustered', 'mixed', 'scaleFree', 'nested'] as const)
  for (const share of [0.001, 0.01, 1]) for (const step of [0.01, 0.5]) measure(kind, { share, step });
engine.dispose();
report.save();
