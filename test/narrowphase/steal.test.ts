// Tests work stealing: a worker whose list of nodes is empty takes nodes from the lists of other workers.
// Each node must be taken exactly once, and all workers must finish. The tests run `takeNode` from the source
// file that the kernels also use, assembly/narrowphase/steal.ts, and interleave the memory accesses of the
// workers. Two workers, and three workers with few nodes, run in all orders of single accesses. Three and
// four workers run in a million random orders.

import * as assert from 'uvu/assert';
import { ListRecord, TraverseJob } from '../../dist/records/layout.js';
import { createRandom, type Random } from '../../dist/samples/index.js';
import { test } from '../support/test.js';
import { type Memory, type Point, perform, SteppedCall } from './stepping.js';

// AssemblyScript files belong to no TypeScript project, so this statement gives the type of the imported
// function. `job` and `list` are addresses, and the result is an address.
const { takeNode }: { takeNode(job: number, list: number): number } = await import(
  new URL('../../assembly/narrowphase/steal.ts', import.meta.url).href
);

const JOB = 64;
const LISTS = 256;
const ORDERS = 4096;
const MAX_STEPS = 10_000;

interface Options {
  stealing?: boolean;
  /**
   * If true, an addition to a cursor (the position of the next node in a list) is a load followed by a separate
   * store. The tests must detect the faults that this causes.
   */
  isTorn?: boolean;
}

/** Lists of nodes in memory, and the lists that each worker runs. */
class Workload {
  readonly nodeCount: number;
  readonly calls: SteppedCall[];

  /**
   * sizes: the number of nodes in each list. owned: for each worker, the numbers of its lists, in the order
   * in which the worker runs them.
   */
  constructor(
    readonly sizes: readonly number[],
    readonly owned: readonly (readonly number[])[],
    { stealing = true, isTorn = false }: Options = {},
  ) {
    const view = new DataView(new ArrayBuffer(8192));
    const word = (at: number, value: number): void => view.setUint32(at, value, true);
    word(JOB + TraverseJob.at.listsAt, LISTS);
    word(JOB + TraverseJob.at.stealCount, stealing ? sizes.length : 0);
    let first = 0;
    sizes.forEach((size, list) => {
      word(LISTS + list * ListRecord.size + ListRecord.at.orderCount, size);
      word(LISTS + list * ListRecord.size + ListRecord.at.orderAt, ORDERS + 4 * first);
      first += size;
    });
    this.nodeCount = first;
    const cursors = new Map(
      sizes.map((_, list) => [LISTS + list * ListRecord.size + ListRecord.at.cursor, list]),
    );
    const memory: Memory = { view, wordAt: at => cursors.get(at) };
    this.calls = sizes.map(
      (_, list) => new SteppedCall(memory, () => takeNode(JOB, LISTS + list * ListRecord.size), isTorn),
    );
  }
}

/** The guarantee that a run violates, or undefined if it violates none. */
type Fault = 'node taken twice' | 'not a node' | 'node not taken' | 'does not end' | undefined;

/** The state of all workers between two accesses. */
class Run {
  readonly cursors: Int32Array;
  readonly taken: Int32Array;
  readonly at: (Point | undefined)[];
  readonly listIndex: number[];
  fault: Fault;

  constructor(readonly workload: Workload) {
    this.cursors = new Int32Array(workload.sizes.length);
    this.taken = new Int32Array(workload.nodeCount);
    this.listIndex = workload.owned.map(() => 0);
    this.at = workload.owned.map(lists => (lists.length > 0 ? workload.calls[lists[0]].start : undefined));
  }

  copy(): Run {
    const other = new Run(this.workload);
    other.cursors.set(this.cursors);
    other.taken.set(this.taken);
    for (let i = 0; i < this.at.length; i++)
      [other.at[i], other.listIndex[i]] = [this.at[i], this.listIndex[i]];
    return other;
  }

  /** Performs one access of a worker, and everything that follows up to the next access. */
  step(worker: number): void {
    const { workload, listIndex } = this;
    const lists = workload.owned[worker];
    const call = workload.calls[lists[listIndex[worker]]];
    const before = this.at[worker]!;
    let point: Point | undefined = call.next(before, perform(before.access!, this.cursors));
    if (!point.access) {
      if (point.result === 0) listIndex[worker]++;
      else this.take(point.result);
      const next = lists[listIndex[worker]];
      point = next === undefined ? undefined : workload.calls[next].start;
    }
    this.at[worker] = point;
  }

  finish(): void {
    if (!this.fault && this.taken.includes(0)) this.fault = 'node not taken';
  }

  private take(address: number): void {
    const node = (address - ORDERS) / 4;
    if (!(node in this.taken)) this.fault = 'not a node';
    else if (++this.taken[node] > 1) this.fault = 'node taken twice';
  }
}

/**
 * Runs a workload in all orders of single accesses. Each state of all workers is visited only once. @returns
 * the faults, the number of orders, and the number of accesses in the longest order
 */
function explore(workload: Workload): { faults: Set<Fault>; orders: number; longest: number } {
  const faults = new Set<Fault>();
  const known = new Map<string, { orders: number; longest: number }>();
  const ids = new Map<Point, number>();
  const idOf = (point: Point | undefined): number => {
    if (!point) return -1;
    if (!ids.has(point)) ids.set(point, ids.size);
    return ids.get(point)!;
  };
  const visit = (run: Run, depth: number): { orders: number; longest: number } => {
    const workers = run.at.flatMap((point, worker) => (point ? [worker] : []));
    if (workers.length === 0) run.finish();
    if (depth > MAX_STEPS) run.fault = 'does not end';
    if (run.fault) faults.add(run.fault);
    if (workers.length === 0 || run.fault) return { orders: 1, longest: 0 };
    const key = `${run.at.map(idOf)} ${run.listIndex} ${run.cursors} ${run.taken}`;
    const before = known.get(key);
    if (before) return before;
    const here = { orders: 0, longest: 0 };
    for (const worker of workers) {
      const next = run.copy();
      next.step(worker);
      const below = visit(next, depth + 1);
      here.orders += below.orders;
      here.longest = Math.max(here.longest, below.longest + 1);
    }
    known.set(key, here);
    return here;
  };
  return { ...visit(new Run(workload), 0), faults };
}

const sizesOf = (lists: number, maximum: number): number[][] =>
  lists === 0
    ? [[]]
    : sizesOf(lists - 1, maximum).flatMap(sizes =>
        Array.from({ length: maximum + 1 }, (_, size) => [...sizes, size]),
      );

test('two workers with up to three nodes each take every node once, in all orders', () => {
  let orders = 0;
  for (const sizes of sizesOf(2, 3)) {
    const found = explore(new Workload(sizes, [[0], [1]]));
    assert.equal([...found.faults], [], String(sizes));
    // If a list has nodes left, but a worker then fails to take one of them, another worker has taken it. So
    // the number of steps is bounded.
    assert.ok(found.longest <= 4 * (sizes[0] + sizes[1] + 2) * 2, `${sizes}: ${found.longest} steps`);
    orders += found.orders;
  }
  assert.ok(orders > 600_000, `${orders} orders`);
});

test('two workers take every node once in all orders, even if one also runs the list of a worker that has not begun', () => {
  for (const sizes of sizesOf(3, 2))
    assert.equal([...explore(new Workload(sizes, [[0, 2], [1]])).faults], [], String(sizes));
});

test('in five small workloads, three workers take every node once, in all orders', () => {
  for (const sizes of [
    [0, 0, 1],
    [1, 1, 1],
    [2, 0, 0],
    [2, 1, 0],
    [0, 1, 2],
  ])
    assert.equal([...explore(new Workload(sizes, [[0], [1], [2]])).faults], [], String(sizes));
});

test('without stealing, each worker runs only its own list', () => {
  for (const sizes of sizesOf(2, 3))
    assert.equal(
      [...explore(new Workload(sizes, [[0], [1]], { stealing: false })).faults],
      [],
      String(sizes),
    );
  assert.equal([...explore(new Workload([3, 1], [[1]], { stealing: false })).faults], ['node not taken']);
});

test('a cursor that is not atomic is detected: a node is taken twice', () => {
  assert.ok(explore(new Workload([2, 0], [[0], [1]], { isTorn: true })).faults.has('node taken twice'));
  assert.ok(explore(new Workload([3, 3], [[0], [1]], { isTorn: true })).faults.has('node taken twice'));
});

/**
 * Runs a workload in one random order. A worker may be delayed for a long time, or take up to eight steps
 * while the others wait.
 */
function runRandomly(workload: Workload, random: Random): Fault {
  const run = new Run(workload);
  const alive = workload.owned.map((_, worker) => worker).filter(worker => run.at[worker]);
  for (let steps = 0; alive.length > 0; steps++) {
    if (steps > MAX_STEPS) return 'does not end';
    const bits = random.bits();
    const place = bits % alive.length;
    const worker = alive[place];
    for (let accesses = 1 + (bits >>> 29); accesses > 0 && run.at[worker]; accesses--) run.step(worker);
    if (!run.at[worker]) alive.splice(place, 1);
  }
  run.finish();
  return run.fault;
}

function randomWorkload(random: Random, options?: Options): Workload {
  const workers = 3 + random.below(2);
  const sizes = Array.from({ length: workers + random.below(2) }, () => random.below(5));
  return new Workload(
    sizes,
    Array.from({ length: workers }, (_, worker) =>
      sizes.flatMap((__, list) => (list % workers === worker ? [list] : [])),
    ),
    options,
  );
}

test.proof('three and four workers take every node once in a million random orders', () => {
  const random = createRandom(2014);
  const startedAt = performance.now();
  for (let iteration = 0; iteration < 50; iteration++) {
    const workload = randomWorkload(random);
    for (let order = 0; order < 20_000; order++) {
      const fault = runRandomly(workload, random);
      if (fault)
        assert.unreachable(`${fault}: lists of ${workload.sizes}, workers ${JSON.stringify(workload.owned)}`);
    }
  }
  console.log(`\na million orders: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
});

test('random orders also detect a cursor that is not atomic', () => {
  const random = createRandom(7);
  let faults = 0;
  for (let iteration = 0; iteration < 20; iteration++) {
    const workload = randomWorkload(random, { isTorn: true });
    for (let order = 0; order < 500; order++) faults += runRandomly(workload, random) ? 1 : 0;
  }
  assert.ok(faults > 100, `${faults} faults`);
});

test.run();
