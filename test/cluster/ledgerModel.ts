// Simulates nodes that get tasks from a Ledger over a faulty network. Messages are lost, duplicated and
// delayed, and nodes die, hang, fail, join and leave. A seed determines everything that happens.
import { Ledger } from '../../dist/cluster/jobs/ledger.js';
import { createRandom, type Random } from '../../dist/samples/index.js';

interface ModelNode {
  id: number;
  serial: number;
  heard: number;
  holds: Map<number, 'waiting' | 'finished'>;
  isUp: boolean;
  hangsUntil: number;
}
type Message = { at: number; give: (now: number) => void };
export interface NetworkFaults {
  loss: number;
  doubling: number;
  delay: number;
  death: number;
  failing: number;
}
export interface Outcome {
  done: number[];
  times: number;
  finishedTwice: number;
  leases: number;
  twice: number;
}

const BEAT = 40;
const ROOM = 5;

/**
 * Runs the simulation. @returns counters, such as how often each task's result was accepted. @throws if the
 * run does not end
 */
export function playLedger(seed: number, taskCount: number, networkFaults: NetworkFaults): Outcome {
  const random = createRandom(seed);
  const ledger = new Ledger({
    leaseMilliseconds: 400,
    maxSilentNodes: 1000,
    maxFailures: 1000,
    maxLeases: 1 + random.below(12),
  });
  const road: Message[] = [];
  const nodes = new Map<number, ModelNode>();
  const done: number[] = Array<number>(taskCount).fill(0);
  let now = 0;
  let nextId = 1;
  let finishedTwice = 0;
  let added = 0;

  const by = (part: number): boolean => random.between(0, 1) < part;
  function send(give: (now: number) => void): void {
    for (let copies = by(networkFaults.loss) ? 0 : by(networkFaults.doubling) ? 2 : 1; copies > 0; copies--)
      road.push({ at: now + random.between(0, networkFaults.delay), give });
  }
  const join = (): void => {
    nodes.set(nextId, { id: nextId++, serial: 0, heard: 0, holds: new Map(), isUp: true, hangsUntil: 0 });
  };
  const report = (node: ModelNode, isLeaving = false) => {
    const unfinished = [...node.holds.values()].filter(state => state === 'waiting').length;
    return {
      node: node.id,
      serial: node.serial++,
      slots: isLeaving ? 0 : Math.max(0, ROOM - unfinished),
      heldTasks: [...node.holds.keys()],
      lastGrant: node.heard,
      isLeaving,
    };
  };
  const settle = (node: ModelNode, task: number): void =>
    send(() => {
      if (node.isUp) node.holds.delete(task);
    });
  function assign(): void {
    for (const [{ node: id, grants }, tasks] of ledger.assignTasks(now)) {
      const node = nodes.get(id)!;
      send(() => {
        node.heard = Math.max(node.heard, grants);
        if (node.isUp) for (const task of tasks) if (!node.holds.has(task)) node.holds.set(task, 'waiting');
      });
    }
  }
  function sendReport(node: ModelNode, isLeaving = false): void {
    const reported = report(node, isLeaving);
    const finished = [...node.holds].filter(([, state]) => state === 'finished').map(([task]) => task);
    send(() => {
      ledger.receiveReport(reported, now);
      for (const task of finished) {
        const { isNew, others } = ledger.finish(task, node.id, now);
        if (isNew) done[task]++;
        else finishedTwice++;
        for (const id of [node.id, ...others]) settle(nodes.get(id)!, task);
      }
      assign();
    });
  }
  function work(node: ModelNode): void {
    if (!node.isUp || now < node.hangsUntil) return;
    const [next] = [...node.holds].find(([, state]) => state === 'waiting') ?? [];
    if (next !== undefined && by(networkFaults.failing)) {
      send(() => {
        ledger.fail(next, node.id);
        settle(node, next);
        assign();
      });
    } else if (next !== undefined && by(0.7)) node.holds.set(next, 'finished');
    if (by(0.5)) sendReport(node);
    if (by(networkFaults.death)) {
      node.isUp = false;
      join();
    } else if (by(networkFaults.death)) {
      sendReport(node, true);
      node.holds.clear();
      node.isUp = false;
      join();
    } else if (by(networkFaults.death)) node.hangsUntil = now + random.between(0, 1000);
  }

  for (let i = 0; i < 1 + random.below(5); i++) join();
  for (let step = 0; !(ledger.isDone && added === taskCount); step++) {
    if (step > 200_000)
      throw new Error(`seed ${seed}: ${ledger.done} of ${taskCount} tasks after ${step} steps`);
    now += random.between(0, BEAT / 4);
    if (added < taskCount && by(0.2)) {
      const more = Math.min(taskCount - added, 1 + random.below(taskCount));
      ledger.add(more);
      added += more;
    }
    for (const message of road.filter(({ at }) => at <= now)) message.give(now);
    keep(road, ({ at }) => at > now);
    ledger.tick(now);
    assign();
    for (const node of nodes.values()) work(node);
  }
  const { lostLeases, duplicates } = ledger.counters;
  return {
    done,
    times: done.reduce((sum, times) => sum + times, 0),
    finishedTwice,
    leases: lostLeases,
    twice: duplicates,
  };
}

function keep<T>(list: T[], test: (item: T) => boolean): void {
  const kept = list.filter(test);
  list.length = 0;
  list.push(...kept);
}

export const randomNetworkFaults = (random: Random): NetworkFaults => ({
  loss: random.between(0, 0.4),
  doubling: random.between(0, 0.4),
  delay: random.between(0, 300),
  death: random.below(2) * random.between(0, 0.02),
  failing: random.below(2) * random.between(0, 0.1),
});
