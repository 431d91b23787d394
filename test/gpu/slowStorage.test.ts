// Tests that queries do not wait for a storage whose promises never settle.

import { mock } from 'node:test';
import * as assert from 'uvu/assert';
import { AsyncRunner, type GpuSupport } from '../../dist/gpu/asyncRunner.js';
import { KeptCrossovers } from '../../dist/gpu/keptCrossovers.js';
import type { EngineOptions, GpuInfo, Note } from '../../dist/index.js';
import { test } from '../support/test.js';

type Storage = NonNullable<EngineOptions['storage']>;

/** Makes a runner whose GPU answers every query and has a measured crossover of 7. */
function makeRunner(storage: Storage): { runner: AsyncRunner; notes: Note[] } {
  const info: { gpu?: GpuInfo; notes: Note[] } = { notes: [] };
  const support = {
    acquire: async () => [{ device: {}, dispose() {} }],
    make: () => ({}),
    dispose() {},
    startBudget() {},
    check: async () => {},
    measure: async () => 7,
    openKept: (from: Storage, gpu: GpuInfo) => new KeptCrossovers(from, gpu, 1),
  } as unknown as GpuSupport;
  return {
    runner: new AsyncRunner({ backend: 'auto', storage }, info, async () => support),
    notes: info.notes,
  };
}

/** Resolves when all pending callbacks of promises have run. */
const callbacks = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve);
  });

/** Runs a query. @returns an object whose `answer` is set as soon as the query is answered */
function runQuery(runner: AsyncRunner, kind: 'boxPairs' | 'query'): { answer?: string } {
  const found: { answer?: string } = {};
  void runner
    .run({ kind, size: 2 ** 30, onCpu: () => 'CPU', onGpu: async () => ({ answer: () => 'GPU' }) })
    .then(({ answer }) => {
      found.answer = answer;
    });
  return found;
}

const never = new Promise<never>(() => {});

test('a storage that does not answer within one second is not used', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const written: string[] = [];
    const { runner, notes } = makeRunner({
      getItem: () => never,
      setItem: (_, text) => void written.push(text),
    });
    const first = runQuery(runner, 'boxPairs');
    await callbacks();
    mock.timers.tick(999);
    await callbacks();
    assert.equal([first.answer, notes], [undefined, []]);
    mock.timers.tick(1);
    await callbacks();
    assert.is(first.answer, 'GPU');
    assert.equal(
      notes.map(({ code }) => code),
      ['storage-failed'],
    );
    assert.match(notes[0].message, 'did not answer within 1000 ms');
    assert.equal(written, []);
  } finally {
    mock.timers.reset();
  }
});

const sizesIn = (text: string): Record<string, number> =>
  Object.fromEntries(
    Object.entries(JSON.parse(text) as Record<string, { size: number }>).map(([kind, { size }]) => [
      kind,
      size,
    ]),
  );

test('queries do not wait for writes, and each write begins after the previous one has ended', async () => {
  const written: string[] = [];
  let endWrite = (): void => {};
  const { runner, notes } = makeRunner({
    getItem: () => null,
    setItem: (_, text) =>
      new Promise<void>(resolve => {
        written.push(text);
        endWrite = resolve;
      }),
  });
  const answers = [runQuery(runner, 'boxPairs'), runQuery(runner, 'query')];
  await callbacks();
  assert.equal(
    answers.map(({ answer }) => answer),
    ['GPU', 'GPU'],
  );
  assert.equal(written.map(sizesIn), [{ boxPairs: 7 }]);
  endWrite();
  await callbacks();
  assert.equal(written.slice(1).map(sizesIn), [{ boxPairs: 7, query: 7 }]);
  assert.equal(notes, []);
});

test('a storage in which several writes fail gives one note', async () => {
  let fail = (_: Error): void => {};
  const { runner, notes } = makeRunner({
    getItem: () => null,
    setItem: () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  });
  const answers = [runQuery(runner, 'boxPairs'), runQuery(runner, 'query')];
  await callbacks();
  assert.is(answers[1].answer, 'GPU');
  fail(new Error('denied'));
  await callbacks();
  assert.equal(
    notes.map(({ code }) => code),
    ['storage-failed'],
  );
});

test.run();
