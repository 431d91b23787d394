// The ledger of tasks that need each other's results, as a model: whatever is lost with nodes is made again, and nothing begins before its time.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Ledger, type Work } from '../../dist/cluster/octree/ledger.js';
import { createRandom } from '../../dist/scenes/random.js';

/** Lists, merges in a tree, a scan that needs the last merge and all lists. */
function tree(lists: number): Work[] {
  const works: Work[] = Array.from({ length: lists }, (_, id) => ({ id, kind: 1, part: id, needs: [], keeps: true }));
  let level = works.map(({ id }) => id);
  while (level.length > 1) {
    const above: number[] = [];
    for (let i = 0; i + 1 < level.length; i += 2) {
      above.push(works.length);
      works.push({ id: works.length, kind: 2, part: 0, needs: [level[i]!, level[i + 1]!], prefer: level[i]!, isBound: i % 4 === 0, keeps: true });
    }
    level = level.length % 2 === 1 ? [...above, level.at(-1)!] : above;
  }
  works.push({ id: works.length, kind: 3, part: 0, needs: [level[0]!, ...Array.from({ length: lists }, (_, i) => i)], prefer: level[0]!, keeps: true });
  return works;
}

test('3,000 runs with nodes that come, go, fail and lose what they had', () => {
  let again = 0;
  for (let seed = 0; seed < 3000; seed++) {
    const random = createRandom(seed), ledger = new Ledger(), works = tree(1 + random.below(9)), goal = works.at(-1)!.id;
    const alive = new Set<number>(), doing = new Map<number, Work>();
    let nextNode = 1, steps = 0, troubles = 12;
    for (const work of works) ledger.add(work);
    const join = (): void => { alive.add(nextNode); ledger.join(nextNode++); };
    join();
    while (!ledger.want([goal])) {
      assert.ok(steps++ < 2000, `seed ${seed} has no end`);
      for (const { work, node } of ledger.give()) {
        assert.ok(alive.has(node) && !doing.has(node), `seed ${seed}: task ${work.id} was given to node ${node}`);
        for (const need of work.needs) assert.ok(alive.has(ledger.holderOf(need)!), `seed ${seed}: task ${work.id} needs ${need}`);
        doing.set(node, work);
      }
      const what = random.below(10), node = [...alive][random.below(alive.size)]!;
      if (what < 6) {
        const work = doing.get(node);
        if (!work) continue;
        doing.delete(node);
        // Some need went away meanwhile: the node could not fetch it.
        const gone = work.needs.filter((need) => !ledger.has(need));
        if (gone.length > 0) {
          assert.is(ledger.failed(work.id, node, false), false);
          for (const need of gone) ledger.missing(need);
        } else assert.is(ledger.done(work.id, node), true);
      } else if (troubles > 0 && what === 6 && alive.size > 1) {
        troubles--;
        alive.delete(node);
        doing.delete(node);
        ledger.lose(node);
      } else if (what === 7 && alive.size < 5) join();
      else if (troubles > 0 && what === 8) {
        troubles--;
        ledger.missing(random.below(works.length));
      } else if (what === 9) ledger.done(works.length + 1, node);
    }
    assert.ok(alive.has(ledger.holderOf(goal)!));
    again += ledger.again;
  }
  assert.ok(again > 1000, `${again} tasks were given out again`);
});

test('a task that all nodes fail at is given up, and one that goes in circles is told of', () => {
  const ledger = new Ledger();
  ledger.add({ id: 0, kind: 0, part: 0, needs: [], keeps: true });
  for (const node of [1, 2]) ledger.join(node);
  const [first] = ledger.give();
  assert.is(ledger.failed(0, first!.node, true), false);
  const [second] = ledger.give();
  assert.is.not(second!.node, first!.node);
  assert.is(ledger.failed(0, second!.node, true), true);

  const circles = new Ledger();
  circles.add({ id: 0, kind: 0, part: 0, needs: [], keeps: true });
  circles.join(1);
  for (let i = 0; i < 40 && circles.endless === undefined; i++) {
    circles.give();
    circles.failed(0, 1, false);
  }
  assert.is(circles.endless, 0);
});

test.run();
