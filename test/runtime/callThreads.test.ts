// Tests which calls use only the calling thread, for simulated times of calls.
import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { CallThreads } from '../../dist/runtime/callThreads.js';
import { createRandom, torus } from '../../dist/samples/index.js';
import { test } from '../support/test.js';

/** The time of a call, given its number and whether it uses only the calling thread. */
type Times = (call: number, usesOneThread: boolean) => number;

/** Runs calls of one kind. Returns for each call whether it used only the calling thread. */
function run(count: number, times: Times): boolean[] {
  let time = 0;
  const threads = new CallThreads(() => time);
  const onOneThread: boolean[] = [];
  for (let call = 0; call < count; call++) {
    onOneThread.push(threads.begin('boxes', 1000));
    time += times(call, onOneThread[call]!);
    threads.end();
  }
  return onOneThread;
}

const countOf = (onOneThread: boolean[]): number => onOneThread.filter(Boolean).length;
const totalOf = (onOneThread: boolean[], times: Times): number =>
  onOneThread.reduce((sum, is, call) => sum + times(call, is), 0);

test('if threads help, nearly all calls use them', () => {
  const times: Times = (_, usesOneThread) => (usesOneThread ? 1.8 : 1);
  const onOneThread = run(1000, times);
  assert.ok(countOf(onOneThread) > 0 && countOf(onOneThread) < 25, `${countOf(onOneThread)}`);
  assert.ok(totalOf(onOneThread, times) < 1.025 * 1000);
});

test('if more threads are slower, the calls after the first 100 take at most 3 % longer than on one thread', () => {
  const random = createRandom(1);
  // Often a little slower, and sometimes much slower, because a worker waits for its core.
  const slow = Array.from({ length: 2000 }, () => (random.between(0, 1) < 0.1 ? 4 : 1.2));
  const times: Times = (call, usesOneThread) => (usesOneThread ? 1 : slow[call]!);
  const onOneThread = run(2000, times).slice(100);
  assert.ok(totalOf(onOneThread, (call, is) => times(call + 100, is)) < 1.03 * onOneThread.length);
});

test('the choice follows the machine: busy, then idle, then busy again', () => {
  const times: Times = (call, usesOneThread) => (usesOneThread ? 1 : call % 2000 < 1000 ? 1.6 : 0.6);
  const onOneThread = run(4000, times);
  for (const [from, isBusy] of [
    [0, true],
    [1000, false],
    [2000, true],
    [3000, false],
  ] as const) {
    const settled = countOf(onOneThread.slice(from + 200, from + 1000));
    assert.ok(isBusy ? settled > 760 : settled < 40, `${from}: ${settled} of 800`);
  }
});

test('an occasional slow call affects the choice for only a few calls', () => {
  const times: Times = (call, usesOneThread) => (usesOneThread ? 1 : call % 100 === 50 ? 5 : 0.6);
  const onOneThread = run(2000, times);
  assert.ok(countOf(onOneThread) < 200, `${countOf(onOneThread)}`);
});

test('each kind has its own choice, and calls without a kind use all threads', () => {
  let time = 0;
  const threads = new CallThreads(() => time);
  const next = (size: number | undefined, one: number, all: number): boolean => {
    const usesOneThread = threads.begin(size === undefined ? undefined : 'boxes', size);
    time += usesOneThread ? one : all;
    threads.end();
    return usesOneThread;
  };
  const counts = { small: 0, large: 0, none: 0 };
  for (let i = 0; i < 500; i++) {
    counts.small += Number(next(100, 0.1, 0.2));
    counts.large += Number(next(10_000, 10, 6));
    counts.none += Number(next(undefined, 1, 2));
  }
  assert.ok(counts.small > 450, `${counts.small}`);
  assert.ok(counts.large > 0 && counts.large < 20, `${counts.large}`);
  assert.is(counts.none, 0);
});

test('an asynchronous detect never leaves a call begun', async () => {
  const calls = { begun: 0, ended: 0 };
  let last: string | undefined;
  const { begin, end } = CallThreads.prototype;
  CallThreads.prototype.begin = function (kind, size) {
    calls.begun += Number(kind !== undefined);
    last = kind;
    return begin.call(this, kind, size);
  };
  CallThreads.prototype.end = function () {
    calls.ended++;
    end.call(this);
  };
  const engine = await createEngine({ warmUp: 'off' });
  try {
    const scene = engine.createScene();
    const mesh = engine.createMesh(torus(200));
    for (let i = 0; i < 3; i++) scene.add(mesh);
    scene.detect();
    assert.equal(calls, { begun: 1, ended: 1 });
    // No other call began in between, so the time of this call was recorded.
    assert.is(last, 'detect pairs');
    await engine.async.detect(scene);
    await engine.async.detect(scene, { narrow: 'contacts' });
    assert.is(calls.begun, calls.ended);
  } finally {
    Object.assign(CallThreads.prototype, { begin, end });
    engine.dispose();
  }
});

test.run();
