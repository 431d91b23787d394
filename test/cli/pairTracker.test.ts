// Tests that the search for contacts of a pair ends if its resolution is finer than the rounding of its times.
import * as assert from 'uvu/assert';
import { PairTracker } from '../../dist/cli/motion/pairTracker.js';
import { test } from '../support/test.js';

// Near 1e17, numbers are 16 apart. The parts touch from CONTACT on.
const [START, CONTACT, END] = [1e17, 1e17 + 320, 1e17 + 640];

// Makes a tracker of two parts. Their distance at a time is `distanceAt`, and no sweep can rule out a contact
// between them.
function trackerOf(distanceAt: (time: number) => number) {
  let calls = 0;
  const count = () => {
    if (++calls > 10_000) throw new Error('The search does not end.');
  };
  const motion = {
    times: [START, END],
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
      return { toi: 0, bound: 0 };
    },
  };
  return new PairTracker(motion as any, probe as any, { margin: 1e-5, resolution: 1e-4 });
}

test('the begin of a contact is found to the rounding of the times', () => {
  const [interval, ...others] = trackerOf(time => Math.max(0, CONTACT - time)).track([START, END]);
  assert.is(others.length, 0);
  assert.ok(interval!.from >= CONTACT - 32 && interval!.from <= CONTACT, String(interval!.from - CONTACT));
  assert.equal([interval!.to, interval!.touch], [END, CONTACT]);
});

test('an approach that no sweep rules out is reported once', () => {
  const intervals = trackerOf(() => 5).track([START, END]);
  assert.equal(
    intervals.map(({ from, to }) => [from, to]),
    [[START, END]],
  );
});

test('the search for the least clearance ends', () => {
  const least = trackerOf(time => 1 + (END - time) / 16).minClearance([START, END], 50);
  assert.equal([least!.distance, least!.at], [1, END]);
  assert.ok(least!.lower <= 1);
});

test.run();
