// Tests that the search for the contacts of two moving parts also ends if the required resolution is finer
// than the rounding error of the times.
import * as assert from 'uvu/assert';
import { PairTracker } from '../../dist/cli/motion/pairTracker.js';
import { test } from '../support/test.js';

// Near 1e17, adjacent floating-point numbers differ by 16. The parts touch from the time CONTACT on.
const [START, CONTACT, END] = [1e17, 1e17 + 320, 1e17 + 640];

// Makes a tracker of two parts. Their distance at a time is `distanceAt`, and no sweep can rule out a contact
// between them.
function trackerOf(
  distanceAt: (time: number) => number,
  times = [START, END],
  sweep: () => { toi: number; bound: number } | undefined = () => ({ toi: 0, bound: 0 }),
) {
  let calls = 0;
  const count = () => {
    if (++calls > 10_000) throw new Error('The search does not end.');
  };
  const motion = {
    times,
    jumps: new Set<number>(),
    boundsOver: () => ({ speed: 1, acceleration: 0 }),
  };
  const probe = {
    distance(time: number) {
      count();
      return distanceAt(time);
    },
    sweep() {
      count();
      return sweep();
    },
  };
  return new PairTracker(motion as any, probe as any, { margin: 1e-5, resolution: 1e-4 });
}

test('the beginning of a contact is found up to the rounding of the times', () => {
  const [interval, ...others] = trackerOf(time => Math.max(0, CONTACT - time)).track([START, END]);
  assert.is(others.length, 0);
  assert.ok(interval!.from >= CONTACT - 32 && interval!.from <= CONTACT, String(interval!.from - CONTACT));
  assert.equal([interval!.to, interval!.touch], [END, CONTACT]);
});

test('an approach during which no sweep rules out a contact is reported once', () => {
  const intervals = trackerOf(() => 5).track([START, END]);
  assert.equal(
    intervals.map(({ from, to }) => [from, to]),
    [[START, END]],
  );
});

test('contacts at both ends of a long piece of the motion do not cover the time in between', () => {
  const intervalsOf = (distanceAt: (time: number) => number) =>
    trackerOf(distanceAt, [0, 10], () => undefined)
      .track([0, 10])
      .map(({ from, to }) => [from, to].map(time => Math.round(1000 * time) / 1000));
  // The parts touch until 2 s and from 7.05 s on.
  assert.equal(
    intervalsOf(time => Math.max(0, Math.min(time - 2, 7.05 - time))),
    [
      [0, 2],
      [7.05, 10],
    ],
  );
  // They touch at three moments.
  assert.equal(
    intervalsOf(time => Math.min(time, Math.abs(time - 5), 10 - time)),
    [
      [0, 0],
      [5, 5],
      [10, 10],
    ],
  );
});

test('the search for the min clearance ends', () => {
  const min = trackerOf(time => 1 + (END - time) / 16).minClearance([START, END], 50);
  assert.equal([min!.distance, min!.at], [1, END]);
  assert.ok(min!.lower <= 1);
});

test('a clearance slightly below the limit is found between two keys', () => {
  // The least distance, 99 % of the limit, is reached at a time that no halving of the motion hits soon.
  const min = trackerOf(
    time => 0.99 + Math.abs(time - 10 / 3) / 2,
    [0, 10],
    () => undefined,
  ).minClearance([0, 10], 1);
  assert.ok(min && min.distance <= 1 && min.distance >= 0.99, JSON.stringify(min));
});

test('a distance that always exceeds the limit by less than the tolerance ends the search soon', () => {
  const min = trackerOf(() => 1 + 1e-9, [0, 10]).minClearance([0, 10], 1);
  assert.is(min?.distance, 1 + 1e-9);
});

test.run();
