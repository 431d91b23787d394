// Tests that the crossovers of a GPU (the query sizes from which it is faster than the CPU) are kept in the
// caller's storage, and that no result changes if the storage fails or contains other texts.

import * as assert from 'uvu/assert';
import type { Engine, EngineOptions } from '../../dist/index.js';
import { createEngine } from '../../dist/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { caughtLater, hashInOrder } from '../support/engines.js';
import { gpuTest } from '../support/gpu.js';
import { test } from '../support/test.js';
import { known, withAsync } from './gpuLoss.js';

test.after(() => known.dispose());

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

const boxes = boxCrowd('uniform', 5000, 1);
const truth = hashInOrder(known.boxPairs(boxes).copy());
const codesOf = (engine: Engine): string[] =>
  engine.info.notes.map(({ code }) => code).filter(code => /gpu|storage/.test(code));

/** Finds box pairs with an engine, and checks them. @returns the crossover that the engine uses, and its notes */
async function run(storage: EngineOptions['storage']): Promise<{ crossover?: number; codes: string[] }> {
  let found: { crossover?: number; codes: string[] } = { codes: [] };
  await withAsync({ storage }, async engine => {
    assert.is(hashInOrder(await engine.async.boxPairs(boxes)), truth);
    found = { crossover: engine.info.gpu?.crossovers?.boxPairs, codes: codesOf(engine) };
  });
  return found;
}

gpuTest.slow('a crossover is stored, and a later engine uses it instead of measuring', async () => {
  const storage = new TestStorage();
  const first = await run(storage);
  const [[key, text]] = [...storage.texts];
  assert.match(key, /^pfront crossovers\|1\|.*\|1$/);
  const stored = (JSON.parse(text) as { boxPairs: unknown }).boxPairs;
  assert.is(stored === 'never' ? Infinity : stored, first.crossover);
  // A measurement would not give exactly this number, so the engine must have read it from the storage.
  storage.texts.set(key, '{"boxPairs":4321.5,"query":"never"}');
  assert.equal(await run(storage), { crossover: 4321.5, codes: [] });
  assert.is(storage.texts.get(key), '{"boxPairs":4321.5,"query":"never"}');
});

gpuTest.slow('other texts in the storage are replaced, and other crossovers are kept', async () => {
  for (const text of ['{', 'null', '{"boxPairs":-1,"query":77}']) {
    const storage = new TestStorage();
    storage.getItem = () => text;
    const { crossover, codes } = await run(storage);
    assert.ok(crossover !== undefined && crossover >= 0 && crossover !== 1, text);
    assert.equal(codes, []);
    const stored = JSON.parse([...storage.texts.values()][0]) as Record<string, unknown>;
    assert.is(stored.boxPairs === 'never' ? Infinity : stored.boxPairs, crossover);
    assert.is(stored.query, text.includes('query') ? 77 : undefined);
  }
});

gpuTest.slow('a storage may be asynchronous, and one that fails gives one note', async () => {
  const storage = new TestStorage();
  await run(storage);
  const [[key]] = [...storage.texts];
  const later = {
    getItem: async (asked: string) => (asked === key ? '{"boxPairs":4321.5}' : null),
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

test('an object that is no storage is refused', async () => {
  for (const storage of [{}, new Map(), { getItem: () => null }, 5]) {
    const error = await caughtLater(() => createEngine({ storage: storage as never, threads: 1 }));
    assert.is(error.code, 'Unsupported');
    assert.match(error.message, /storage/);
  }
});

test.run();
