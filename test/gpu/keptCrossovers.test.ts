// Tests that the crossovers of a GPU (the query sizes from which it is faster than the CPU) are kept in the
// caller's storage until they are too old, and that no result changes if the storage fails or contains texts
// that are not crossovers.

import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { VERSION } from '../../dist/core/version.js';
import { KeptCrossovers } from '../../dist/gpu/keptCrossovers.js';
import { TimeBudget } from '../../dist/gpu/timeBudget.js';
import type { Engine, EngineOptions } from '../../dist/index.js';
import { createEngine } from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { caughtLater, hashInOrder } from '../support/engines.js';
import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';
import { known, withAsync } from './gpuLoss.js';

test.after(() => known.dispose());
// The engine limits the time in which it tests and times the GPU. On a slow or busy machine, a software GPU may
// exceed this limit. This file needs the measured crossovers, so it removes the limit.
TimeBudget.prototype.check = () => {};

/** A storage that works as localStorage does. */
class TestStorage {
  texts = new Map<string, string>();
  getItem(key: string): string | null {
    return this.texts.get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    this.texts.set(key, text);
  }
}

const DAY = 24 * 3600 * 1000;
const GPU = { vendor: 'v', architecture: 'a', description: 'd', devices: 1, crossovers: {} };
/** The text of crossovers that were measured now. */
const textOf = (sizes: Record<string, number | 'never'>): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(sizes).map(([kind, size]) => [kind, { size, measuredAt: Date.now() }])),
  );

test('the key of stored crossovers has the version of package.json, the GPU and the number of threads', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.is(VERSION, version);
  const storage = new TestStorage();
  await new KeptCrossovers(storage, GPU, 3).add('query', 5);
  assert.equal([...storage.texts.keys()], [`pfront crossovers|2|${version}|v|a|d|3`]);
});

test('a stored crossover is used for 30 days, but only for 7 days if it says that the CPU is always faster', async () => {
  const storage = new TestStorage();
  let now = 1e12;
  const open = async (): Promise<KeptCrossovers> => {
    const kept = new KeptCrossovers(storage, GPU, 1, () => now);
    await kept.read();
    return kept;
  };
  const sizesAt = async (days: number) => {
    now = 1e12 + days * DAY;
    const kept = await open();
    return [kept.of('query'), kept.of('boxPairs')];
  };
  await (await open()).add('query', 100);
  await (await open()).add('boxPairs', Infinity);
  assert.equal(await sizesAt(0), [100, Infinity]);
  assert.equal(await sizesAt(6.99), [100, Infinity]);
  assert.equal(await sizesAt(7), [100, undefined]);
  // If a new measurement gives this result again, it is used for 7 more days.
  await (await open()).add('boxPairs', Infinity);
  assert.equal(await sizesAt(13.99), [100, Infinity]);
  assert.equal(await sizesAt(29.99), [100, undefined]);
  assert.equal(await sizesAt(30), [undefined, undefined]);
  // If the clock was wrong, the stored time of a measurement may be in the future.
  assert.equal(await sizesAt(-1), [undefined, undefined]);
});

test('stored texts that are not crossovers are ignored', async () => {
  for (const text of ['{', 'null', '7', '{"query":5}', '{"query":null}', '{"query":{"size":5}}']) {
    const kept = new KeptCrossovers({ getItem: () => text, setItem: () => {} }, GPU, 1, () => 1);
    await kept.read();
    assert.is(kept.of('query'), undefined, text);
  }
});

const boxes = boxCrowd('uniform', 5000, 1);
const truth = hashInOrder(known.boxPairs(boxes).copy());
const codesOf = (engine: Engine): string[] =>
  engine.info.notes.map(({ code }) => code).filter(code => /gpu|storage/.test(code));

/**
 * Finds box pairs with an engine, and checks them. @returns the crossover that the engine uses, and the codes
 * of the engine's notes about the GPU and the storage
 */
async function run(storage: EngineOptions['storage']): Promise<{ crossover?: number; codes: string[] }> {
  let found: { crossover?: number; codes: string[] } = { codes: [] };
  await withAsync({ storage }, async engine => {
    assert.is(hashInOrder(await engine.async.boxPairs(boxes)), truth);
    found = { crossover: engine.info.gpu?.crossovers?.boxPairs, codes: codesOf(engine) };
  });
  return found;
}

let firstRun: Promise<{ storage: TestStorage; crossover?: number }> | undefined;

/** Runs the first engine, which measures a crossover and stores it. Later calls return the same storage. */
function runFirst(): NonNullable<typeof firstRun> {
  if (!firstRun) {
    const storage = new TestStorage();
    firstRun = run(storage).then(({ crossover }) => ({ storage, crossover }));
  }
  return firstRun;
}

gpuTest.slow('a crossover is stored, and a later engine uses it instead of measuring', async () => {
  const { storage, crossover } = await runFirst();
  const [[key, text]] = [...storage.texts];
  assert.match(key, /^pfront crossovers\|2\|.*\|1$/);
  const stored = (JSON.parse(text) as { boxPairs: { size: unknown } }).boxPairs.size;
  assert.is(stored === 'never' ? Infinity : stored, crossover);
  // A measurement would not give exactly this number, so the engine must have read it from the storage.
  const kept = textOf({ boxPairs: 4321.5, query: 'never' });
  storage.texts.set(key, kept);
  assert.equal(await run(storage), { crossover: 4321.5, codes: [] });
  assert.is(storage.texts.get(key), kept);
});

gpuTest.proof('invalid texts are replaced, and crossovers of other kinds of queries are kept', async () => {
  for (const text of ['{', 'null', textOf({ boxPairs: -1, query: 77 })]) {
    const storage = new TestStorage();
    storage.getItem = () => text;
    const { crossover, codes } = await run(storage);
    assert.ok(crossover !== undefined && crossover >= 0 && crossover !== 1, text);
    assert.equal(codes, []);
    const stored = JSON.parse([...storage.texts.values()][0]) as Record<string, { size: unknown }>;
    assert.is(stored.boxPairs.size === 'never' ? Infinity : stored.boxPairs.size, crossover);
    assert.is(stored.query?.size, text.includes('query') ? 77 : undefined);
  }
});

gpuTest.proof('a storage may be asynchronous, and one that fails gives one note', async () => {
  const [[key]] = [...(await runFirst()).storage.texts];
  const later = {
    getItem: async (item: string) => (item === key ? textOf({ boxPairs: 4321.5 }) : null),
    setItem: async () => {},
  };
  assert.is((await run(later)).crossover, 4321.5);
  const fail = (): never => {
    throw new Error('denied');
  };
  const rejecting = { getItem: () => null, setItem: async () => fail() };
  for (const failing of [{ getItem: fail, setItem: fail }, rejecting]) {
    const { crossover, codes } = await run(failing);
    assert.ok(crossover !== undefined);
    assert.equal(codes, ['storage-failed']);
  }
});

test('an object that is not a storage is refused', async () => {
  for (const storage of [{}, new Map(), { getItem: () => null }, 5]) {
    const error = await caughtLater(() => createEngine({ storage: storage as never, threads: 1 }));
    assert.is(error.code, 'Unsupported');
    assert.match(error.message, /storage/);
  }
});

test.run();
