// Tests how a cluster node bounds the number of runs in which it takes part. Only four runs may keep results
// on the node at a time. A new run may replace a run that has neither tasks nor results on the node.

import * as assert from 'uvu/assert';
import { NodeRuns } from '../../dist/cluster/jobs/nodeRuns.js';
import { test } from '../support/test.js';

test('four runs may keep results, and a fifth run is refused until one of the four has no results left', () => {
  const runs = new NodeRuns();
  const keeping = [1, 2, 3, 4].map(number => runs.noteRun([number, 0], number, true));
  for (const run of keeping) run.keep(0, { bytes: () => undefined });
  assert.throws(() => runs.noteRun([5, 0], 5, true), /which is the maximum/);
  assert.is(runs.get([5, 0]), undefined);
  // A run that keeps no results is still accepted.
  assert.is(runs.noteRun([6, 0], 6).keeps, false);
  keeping[2].dropBefore(1);
  assert.is(runs.noteRun([5, 0], 5, true).keeps, true);
  assert.is(runs.get([3, 0]), undefined);
  assert.is(runs.all().length, 5);
});

test('once its Open message has arrived, a run may keep results, even if other messages arrived before', () => {
  const runs = new NodeRuns();
  const run = runs.noteRun([1, 2], 7);
  assert.is(run.keeps, false);
  assert.is(runs.noteRun([1, 2], 8, true), run);
  assert.equal([run.keeps, run.coordinator], [true, 8]);
  assert.is(runs.noteRun([1, 2], 8).keeps, true);
});

test('at most 256 runs without results are remembered', () => {
  const runs = new NodeRuns();
  for (let number = 0; number < 1000; number++) runs.noteRun([number, 0], 1);
  assert.is(runs.all().length, 256);
  // Runs that keep results also count toward the limit of 256.
  assert.is(runs.noteRun([1000, 0], 1, true).keeps, true);
  assert.is(runs.all().length, 256);
});

test('serial numbers of a run still rise if the node forgets the run and takes part in it again', () => {
  const runs = new NodeRuns();
  const serials = Array.from({ length: 3 }, () => {
    runs.noteRun([1, 0], 1);
    const serial = runs.nextSerial();
    runs.delete([1, 0]);
    return serial;
  });
  assert.equal(serials, [0, 1, 2]);
});

test.run();
