// Tests the ledger that assigns tasks to nodes, with simulated nodes and tasks that need the results of other
// tasks. Results that are lost with their node must be computed again, and no task may begin before all
// results that it needs are available.

import * as assert from 'uvu/assert';
import { Ledger } from '../../dist/cluster/jobs/ledger.js';
import type { TaskPlacement } from '../../dist/cluster/jobs/storedResults.js';
import { createRandom } from '../../dist/samples/random.js';
import { test } from '../support/test.js';

const LEASE = 100;

/**
 * Makes the tasks of an octree job. `lists` tasks each make one list. The next tasks merge the lists two by
 * two, as a tree. The last task, a scan, needs the result of the last merge and all lists.
 */
function tree(lists: number): TaskPlacement[] {
  const works: TaskPlacement[] = Array.from({ length: lists }, () => ({ needs: [] }));
  let level = Array.from(works.keys());
  while (level.length > 1) {
    const above: number[] = [];
    for (let i = 0; i + 1 < level.length; i += 2) {
      above.push(works.length);
      works.push({ needs: [level[i], level[i + 1]], prefer: level[i], isBound: i % 4 === 0 });
    }
    level = level.length % 2 === 1 ? [...above, level.at(-1)!] : above;
  }
  works.push({ needs: [level[0], ...Array.from({ length: lists }, (_, i) => i)], prefer: level[0] });
  return works;
}

test('3,000 runs end although nodes join, leave, fail and lose results', () => {
  let again = 0;
  for (let seed = 0; seed < 3000; seed++) {
    const random = createRandom(seed);
    const ledger = new Ledger({ leaseMilliseconds: LEASE });
    const works = tree(1 + random.below(9));
    const goal = works.length - 1;
    const alive = new Set<number>();
    const doing = new Map<number, number>();
    let nextNode = 1;
    let steps = 0;
    let troubles = 12;
    let now = 0;
    let serial = 0;
    ledger.add(works.length, i => works[i]);
    const report = (node: number, isLeaving = false): void =>
      ledger.receiveReport(
        {
          node,
          serial: serial++,
          slots: 8,
          heldTasks: doing.has(node) ? [doing.get(node)!] : [],
          lastGrant: 0,
          isLeaving,
        },
        now,
      );
    const join = (): void => {
      alive.add(nextNode);
      report(nextNode++);
    };
    join();
    while (ledger.holderOf(goal) === undefined) {
      assert.ok(steps++ < 2000, `seed ${seed}: the run does not end`);
      ledger.requireResults([goal]);
      for (const [{ node }, tasks] of ledger.assignTasks(now)) {
        const [task] = tasks;
        assert.ok(
          alive.has(node) && !doing.has(node) && tasks.length === 1,
          `seed ${seed}: task ${task} went to node ${node}, which is gone or busy, or got several tasks`,
        );
        for (const need of works[task!].needs)
          assert.ok(
            alive.has(ledger.holderOf(need)!),
            `seed ${seed}: task ${task} was assigned, but the result of task ${need} is missing`,
          );
        doing.set(node, task!);
      }
      const what = random.below(10);
      const node = [...alive][random.below(alive.size)];
      if (what < 6) {
        const task = doing.get(node);
        if (task === undefined) continue;
        doing.delete(node);
        // If a result that the task needs was lost meanwhile, the node cannot fetch this result. Then the
        // node reports the first missing result.
        const gone = works[task].needs.find(need => ledger.holderOf(need) === undefined);
        if (gone !== undefined) assert.is(ledger.fail(task, node, [gone]), undefined);
        else assert.is(ledger.finish(task, node, now).isNew, true);
      } else if (troubles > 0 && what === 6 && alive.size > 1) {
        troubles--;
        alive.delete(node);
        doing.delete(node);
        // The node either reports that it leaves, or falls silent.
        if (random.below(2) === 0)
          ledger.receiveReport(
            { node, serial: serial++, slots: 0, heldTasks: [], lastGrant: 0, isLeaving: true },
            now,
          );
        else {
          for (now += LEASE / 2; ledger.members.get(node)?.isPresent; now += LEASE / 2) {
            for (const other of alive) report(other);
            assert.is(ledger.tick(now), undefined);
          }
        }
      } else if (what === 7 && alive.size < 5) join();
      else if (troubles > 0 && what === 8) {
        troubles--;
        ledger.reopen(random.below(works.length));
      } else if (what === 9) ledger.finish(works.length + 1, node, now);
    }
    assert.ok(alive.has(ledger.holderOf(goal)!));
    again += ledger.counters.lostResults;
  }
  assert.ok(again > 1000, `${again} results were lost`);
});

test('a node gets one task at a time, preferably one whose input it has, and no task that failed on it', () => {
  const ledger = new Ledger();
  const sendReport = (node: number): void =>
    ledger.receiveReport({ node, serial: 0, slots: 8, heldTasks: [], lastGrant: 0 }, 0);
  const assigned = (): Record<number, number[]> =>
    Object.fromEntries([...ledger.assignTasks(0)].map(([{ node }, tasks]) => [node, tasks]));
  for (const node of [1, 2]) sendReport(node);
  ledger.add(2, () => ({ needs: [] }));
  const first = assigned();
  assert.equal([first[1].length, first[2].length], [1, 1]);
  for (const node of [1, 2]) ledger.finish(first[node][0], node, 0);
  const own = first[1][0];
  ledger.add(3, () => ({ needs: [own], prefer: own, isBound: true }));
  assert.equal(assigned(), { 1: [2] });
  ledger.fail(2, 1);
  assert.equal(assigned(), { 1: [3], 2: [2] });
  ledger.finish(3, 1, 0);
  assert.equal(assigned(), { 1: [4] });
  assert.equal([ledger.counters.duplicates, ledger.counters.lostResults], [0, 0]);
});

test('forgotten tasks count as done: they are not assigned, their leases end, and their results are no longer kept', () => {
  const ledger = new Ledger({ leaseMilliseconds: LEASE });
  ledger.add(3, i => ({ needs: i === 2 ? [0, 1] : [] }));
  for (const node of [1, 2])
    ledger.receiveReport({ node, serial: 0, slots: 8, heldTasks: [], lastGrant: 0 }, 0);
  const [[{ node }, [task]]] = [...ledger.assignTasks(0)];
  ledger.finish(task!, node, 0);
  ledger.forgetBefore(2);
  assert.equal([ledger.done, ledger.holderOf(task!)], [2, undefined]);
  assert.equal([...ledger.members.get(3 - node)!.leases], []);
  ledger.requireResults([0, 1]);
  assert.is(ledger.finish(1 - task!, 3 - node, 0).isNew, false);
  // Task 2 needs results that are gone, so it waits. Task 3 needs none, and is assigned.
  ledger.add(1, () => ({ needs: [] }));
  assert.equal([...ledger.assignTasks(0).values()], [[3]]);
  ledger.forgetBefore(4);
  assert.is(ledger.isDone, true);
});

test('a task that fails again and again, each time because its input is lost, ends the run', () => {
  const ledger = new Ledger({ leaseMilliseconds: LEASE });
  ledger.add(2, i => ({ needs: i === 0 ? [] : [0] }));
  ledger.receiveReport({ node: 1, serial: 0, slots: 1, heldTasks: [], lastGrant: 0 }, 0);
  let verdict;
  for (let i = 0; i < 100 && !verdict; i++) {
    ledger.assignTasks(0);
    if (ledger.leasesOf(0).length > 0) ledger.finish(0, 1, 0);
    else ledger.fail(1, 1, [0]);
    verdict = ledger.tick(0);
  }
  assert.is(verdict?.why, 'endless');
});

test.run();
