// Tests the Ledger, which assigns the tasks of a run to nodes and counts their results. Every task counts
// once, even if nodes die, and if messages are lost, late or duplicated. The nodes that request tasks get them
// in turn, and a run that cannot end gives an error.

import * as assert from 'uvu/assert';
import { Ledger } from '../../dist/cluster/jobs/ledger.js';
import { createRandom } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { playLedger, randomNetworkFaults } from './ledgerModel.js';

const SEEDS = 1500;
const makeReport = (
  ledger: Ledger,
  node: number,
  serial: number,
  slots: number,
  holds: number[],
  now: number,
  heard = 0,
): void => ledger.receiveReport({ node, serial, slots, heldTasks: holds, lastGrant: heard }, now);
const assigned = (ledger: Ledger, now: number): Record<number, number[]> =>
  Object.fromEntries([...ledger.assignTasks(now)].map(([{ node }, tasks]) => [node, tasks]));

test(`${SEEDS} runs over faulty networks count each task once`, () => {
  const sums = { finishedTwice: 0, leases: 0, twice: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed);
    const outcome = playLedger(seed, 1 + random.below(40), randomNetworkFaults(random));
    assert.ok(
      outcome.done.every(times => times === 1),
      `seed ${seed}: ${outcome.done}`,
    );
    for (const name of ['finishedTwice', 'leases', 'twice'] as const) sums[name] += outcome[name];
  }
  // Checks that the faults actually happened.
  assert.ok(sums.finishedTwice > 1000 && sums.leases > 1000 && sums.twice > 100, JSON.stringify(sums));
});

test('a node that was silent for the duration of a lease gets no task until it sends a message', () => {
  const ledger = new Ledger({ leaseMilliseconds: 1000, maxLeases: 2 });
  ledger.add(8);
  for (const node of [1, 2]) makeReport(ledger, node, 0, 9, [], 0);
  assert.equal(assigned(ledger, 0), { 1: [0, 2], 2: [1, 3] });
  makeReport(ledger, 1, 1, 9, [0, 2], 900);
  ledger.tick(1001);
  assert.equal(assigned(ledger, 1001), {});
  ledger.finish(0, 1, 1100);
  assert.equal(assigned(ledger, 1100), { 1: [4] });
  makeReport(ledger, 2, 1, 9, [], 1200);
  assert.equal(Object.keys(assigned(ledger, 1200)), ['2']);
});

test('if only one node may get a task, and the task fails there, this node gets the task again', () => {
  const ledger = new Ledger({ maxFailures: 3 });
  ledger.add(1, undefined, () => 2);
  for (const node of [1, 2]) makeReport(ledger, node, 0, 9, [], 0);
  for (const failure of [undefined, undefined, { task: 0, why: 'failed' }]) {
    assert.equal(assigned(ledger, 0), { 1: [0] });
    assert.equal(ledger.fail(0, 1), failure);
  }
});

test('serial numbers continue with 0 after the largest one, and earlier reports are still ignored', () => {
  const ledger = new Ledger();
  ledger.add(8);
  const slots = (): number => ledger.members.get(1)!.slots;
  for (const [serial, offered, expected] of [
    [2 ** 32 - 2, 1, 1],
    [2 ** 32 - 1, 2, 2],
    [0, 3, 3],
    [2 ** 32 - 1, 4, 3],
    [1, 5, 5],
  ]) {
    makeReport(ledger, 1, serial!, offered!, [], 0);
    assert.is(slots(), expected);
  }
});

test('a message that assigns many tasks gives one sample of the round-trip time', () => {
  const ledger = new Ledger();
  ledger.add(200);
  makeReport(ledger, 1, 0, 100, [], 0);
  const { 1: tasks } = assigned(ledger, 0);
  const { roundTrip } = ledger.members.get(1)!;
  assert.is(tasks!.length, 100);
  makeReport(ledger, 1, 1, 0, tasks!, 100, 1);
  assert.is(roundTrip.timeout, 100 + 4 * 50);
  ledger.finish(tasks![0], 1, 120);
  assert.is(roundTrip.timeout, 300);
});

test('thousands of tasks are assigned, each of them once', () => {
  const ledger = new Ledger();
  const assignedTasks: number[] = [];
  ledger.add(5000);
  for (let now = 0; assignedTasks.length < 5000 && now < 1000; now++) {
    makeReport(ledger, 1, now, 100, [], now);
    for (const task of assigned(ledger, now)[1] ?? []) {
      assignedTasks.push(task);
      ledger.finish(task, 1, now);
    }
  }
  assert.equal(
    assignedTasks,
    Array.from({ length: 5000 }, (_, task) => task),
  );
  assert.ok(ledger.isDone);
});

test('nodes get tasks in turn, but no more than they request, and some tasks are left for later nodes', () => {
  const ledger = new Ledger({ maxLeases: 6 });
  ledger.add(40);
  makeReport(ledger, 1, 0, 100, [], 0);
  assert.equal(assigned(ledger, 0), { 1: [0, 1, 2, 3, 4, 5] });
  makeReport(ledger, 2, 0, 2, [], 1);
  makeReport(ledger, 3, 0, 2, [], 1);
  assert.equal(assigned(ledger, 1), { 2: [7, 9], 3: [6, 8] });
  assert.equal(assigned(ledger, 1), {});
});

test('a task that is missing from a later report of its node is assigned again; an older report is ignored', () => {
  const ledger = new Ledger();
  ledger.add(1);
  makeReport(ledger, 1, 5, 1, [], 0);
  assert.equal(assigned(ledger, 0), { 1: [0] });
  makeReport(ledger, 1, 4, 1, [], 5000);
  assert.equal(assigned(ledger, 5000), {});
  makeReport(ledger, 1, 6, 1, [], 5000);
  assert.equal(assigned(ledger, 5000), { 1: [0] });
});

test('leases expire unless messages of the node renew them, and end when the node leaves', () => {
  const ledger = new Ledger({ leaseMilliseconds: 100 });
  ledger.add(2);
  makeReport(ledger, 1, 0, 2, [], 0);
  assigned(ledger, 0);
  for (let now = 50; now <= 500; now += 50) {
    makeReport(ledger, 1, now, 1, [0], now);
    ledger.tick(now);
  }
  assert.equal([ledger.leasesOf(0).length, ledger.leasesOf(1).length], [1, 0]);
  ledger.tick(601);
  assert.is(ledger.leasesOf(0).length, 0);
  makeReport(ledger, 2, 0, 2, [], 610);
  assert.is(assigned(ledger, 610)[2].length, 1);
  ledger.receiveReport({ node: 2, serial: 1, slots: 0, heldTasks: [], lastGrant: 0, isLeaving: true }, 611);
  assert.equal([ledger.leasesOf(0), ledger.leasesOf(1)], [[], []]);
  assert.is(ledger.members.get(2), undefined);
});

test('the last tasks are also assigned to a second node; one result counts, and the other node is notified', () => {
  const ledger = new Ledger();
  ledger.add(2);
  makeReport(ledger, 1, 0, 2, [], 0);
  assigned(ledger, 0);
  assigned(ledger, 1);
  assert.equal(ledger.finish(0, 1, 10), { isNew: true, others: [] });
  makeReport(ledger, 2, 0, 4, [], 20);
  assert.equal(assigned(ledger, 20), {});
  assert.equal(assigned(ledger, 100), { 2: [1] });
  makeReport(ledger, 3, 0, 4, [], 1000);
  assert.equal(assigned(ledger, 1000), {});
  assert.equal(ledger.finish(1, 2, 1001), { isNew: true, others: [1] });
  assert.equal(ledger.finish(1, 1, 1002), { isNew: false, others: [] });
  assert.ok(ledger.isDone);
});

test('a task that fails runs on another node; three failures, or two nodes that fall silent, end the run', () => {
  const ledger = new Ledger({ maxSilentNodes: 2, leaseMilliseconds: 100 });
  ledger.add(1);
  for (const node of [1, 2]) makeReport(ledger, node, 0, 1, [], 0);
  const [first] = Object.keys(assigned(ledger, 0)).map(Number);
  const second = 3 - first!;
  assert.is(ledger.fail(0, first!), undefined);
  assert.is(ledger.fail(0, first!), undefined, 'the same failure reported twice');
  makeReport(ledger, first!, 1, 1, [], 1);
  assert.equal(assigned(ledger, 1), { [second]: [0] });
  assert.is(ledger.fail(0, second), undefined);
  for (const node of [1, 2]) makeReport(ledger, node, 2, 1, [], 2);
  const [third] = Object.keys(assigned(ledger, 2)).map(Number);
  assert.equal(ledger.fail(0, third!), { task: 0, why: 'failed' });

  const other = new Ledger({ maxSilentNodes: 2, leaseMilliseconds: 100 });
  other.add(1);
  for (const node of [1, 2]) {
    makeReport(other, node, 0, 1, [], node * 1000);
    assigned(other, node * 1000);
    assert.equal(other.tick(node * 1000 + 100), node === 1 ? undefined : { task: 0, why: 'lost' });
  }
});

test.run();
