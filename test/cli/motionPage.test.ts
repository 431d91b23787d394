// Tests the data that `pfront clash --report` stores for a motion: the page must compute exactly the same
// placements as the search.
import * as assert from 'uvu/assert';
import { PairMotion } from '../../dist/cli/motion/pairMotion.js';
import { placeChain, placeFrames } from '../../dist/motion/frames.js';
import { makeKeys } from '../../dist/motion/makeKeys.js';
import { DoubleLists, readFrame, storeFrame } from '../../dist/motion/storedMotion.js';
import { translation } from '../../dist/samples/index.js';
import { rotationAbout } from '../support/animatedGltf.js';
import { test } from '../support/test.js';

const IDENTITY = Float64Array.from(translation([0, 0, 0]));
const times = Float64Array.of(0.1, 0.4, 1.7);
const keys = (interpolation: any, values: number[], axis?: number[]) =>
  makeKeys({ interpolation, times, values: Float64Array.from(values), axis });
const NONE = [0, 0, 0];
const FLAT = [0, 0, 0, 0];
const [P, Q, R] = [rotationAbout(0, 0.3), rotationAbout(1, 1.1), rotationAbout(2, 2.9)];
const motion = (shift: any, rotation: any, scale = [1, 1, 1]) => ({ translation: shift, rotation, scale });

// A chain of coordinate frames that move with all kinds of interpolation.
const frames = [
  { parent: undefined, placement: Float64Array.from(translation([1e-3, 2 / 3, -7])) },
  {
    parent: 0,
    placement: motion(
      keys('linear', [0, 1 / 3, 2, 5, 4, 3, 0.1, 0.2, 0.3]),
      keys('slerp', [...P, ...Q, ...R]),
      [1, 2, 3],
    ),
  },
  { parent: 1, placement: motion(keys('step', [0, 1, 2, 5, 4, 3, 9, 9, 9]), [0, 0, 0, 1]) },
  {
    parent: 2,
    placement: motion(
      keys('cubic', [
        ...NONE,
        1,
        2,
        3,
        ...[1, 0, 0],
        ...NONE,
        4,
        5,
        6,
        ...[0, 2, 0],
        ...NONE,
        7,
        8,
        9,
        ...NONE,
      ]),
      keys('cubicRotation', [...FLAT, ...P, ...FLAT, ...FLAT, ...Q, ...FLAT, ...FLAT, ...R, ...FLAT]),
    ),
  },
  { parent: 3, placement: motion([0, 0, 1], keys('axisRotation', [0, 20, -3], [0.6, 0, 0.8])) },
];

test('frames that are stored and read again have the same placements, in every bit', () => {
  const doubles = new DoubleLists();
  const stored = frames.map(frame => storeFrame(frame, doubles));
  const read = JSON.parse(JSON.stringify(stored)).map((frame: any) => readFrame(frame, doubles.lists));
  // All keys have the same list of times, which is stored once.
  assert.is(doubles.lists.length, 1 + 6);
  for (const time of [0, 0.1, 0.25, 0.4, 1, 1.7, 2])
    for (const inside of [time, time - 0.05]) {
      const placed = placeFrames(read, time, inside);
      frames.forEach((_, last) =>
        assert.equal([...placed[last]!], [...placeChain(IDENTITY, frames.slice(0, last + 1), time, inside)]),
      );
    }
});

test('pieces of a motion begin and end at the keys of all parts, because the page shows all parts', () => {
  const still = [0, 0, 0, 1];
  const moving = (keyTimes: number[]) => ({
    parent: undefined,
    placement: motion(
      makeKeys({
        interpolation: 'linear',
        times: Float64Array.from(keyTimes),
        values: Float64Array.from(keyTimes.flatMap(time => [time, 0, 0])),
      } as any),
      still,
    ),
  });
  const part = (frame: number | undefined) => ({ frame, local: IDENTITY, radius: 1 });
  const mechanism: any = {
    frames: [moving([0, 10, 20]), moving(Array.from({ length: 21 }, (_, second) => second))],
    attached: [part(0), part(undefined), part(1)],
    start: 0,
    end: 20,
  };
  const pair = new PairMotion(mechanism, 0, 1);
  assert.equal(pair.insidesOf(10), [10.5, 9.5]);
  assert.equal(pair.insidesOf(9), [9.5, 8.5]);
  assert.equal(pair.insidesOf(9.25), [9.25]);
  assert.equal(pair.insidesOf(0), [0.5]);
  assert.equal(pair.insidesOf(20), [19.5]);
  // In both pieces, the part that is not in the pair is drawn where it is at the time 10: at x = 10.
  for (const inside of pair.insidesOf(10)) assert.is(placeFrames(mechanism.frames, 10, inside)[1]![12], 10);
});

test.run();
