// Tests that every method of an engine throws Capacity if any of the method's memory allocations fails.
// Afterwards, the engine must still answer smaller calls, and the same call once memory is available again.

import * as assert from 'uvu/assert';
import { checkMemory } from '../../dist/debug/index.js';
import { moduleTable } from '../../dist/engine/moduleTable.js';
import { Capacity, type Engine } from '../../dist/index.js';
import { box, translation } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { contextOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { type Method, methods } from './methods.js';

const options = { threads: 1, warmUp: 'off' } as const;
const boxPairCount = trianglePairs(box(), undefined, box(), translation([1, 0.3, 0])).length;

// Counts the allocations of an engine. From the failAt-th one on, all of them fail until `end` is called. By
// default, none fails.
function failAllocation(engine: Engine, failAt = Infinity): { count: () => number; end: () => void } {
  const { arena } = contextOf(engine);
  let count = 0;
  Object.assign(arena, {
    allocate(bytes: number): number {
      if (++count >= failAt) throw new Capacity('no memory is left', 'a test', bytes);
      return Object.getPrototypeOf(arena).allocate.call(arena, bytes);
    },
  });
  return {
    count: () => count,
    end: () => void delete (arena as { allocate?: unknown }).allocate,
  };
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

const hashOf = (method: Method) => withEngine(options, engine => method(engine)());

// Checks that an engine still gives the right results for queries of two boxes.
function checkSmallQueries(engine: Engine, where: string): void {
  const [a, b] = [engine.createMesh(box()), engine.createMesh(box())];
  assert.is(engine.query(a, b, { transformB: translation([9, 0, 0]) }).count, 0, where);
  assert.is(engine.query(a, b, { transformB: translation([1, 0.3, 0]) }).count, boxPairCount, where);
  a.dispose();
  b.dispose();
}

// Makes a call whose failAt-th allocation fails. Returns false if the call has fewer than failAt allocations.
function callFails(engine: Engine, call: () => string, truth: string, failAt: number): boolean {
  const failing = failAllocation(engine, failAt);
  let answer: string | undefined;
  const error = errorOf(() => {
    answer = call();
  });
  failing.end();
  if (failing.count() < failAt) {
    assert.is(answer, truth);
    return false;
  }
  assert.instance(error, Capacity, `allocation ${failAt}: ${error}`);
  assert.equal(checkMemory(engine), [], `allocation ${failAt}`);
  return true;
}

test('methods.ts has a call of every method that a module adds to an engine', () => {
  const called = new Set(Object.keys(methods).flatMap(name => name.split(', ')));
  const added = Object.values(moduleTable).flatMap(module => [...module.methods] as string[]);
  // `async` has tests of its own in test/gpu.
  assert.equal(
    added.filter(name => !called.has(name)),
    ['async'],
  );
});

for (const [name, method] of Object.entries(methods)) {
  test(`${name}: if any allocation fails, it throws Capacity, and then works again`, async () => {
    const truth = await hashOf(method);
    await withEngine(options, engine => {
      const call = method(engine);
      // A failed call keeps no working memory, so the next call makes the same allocations again.
      let failAt = 1;
      while (callFails(engine, call, truth, failAt)) if (failAt++ % 8 === 0) checkSmallQueries(engine, name);
      assert.ok(failAt > 1, 'the call allocates memory');
      checkSmallQueries(engine, name);
      assert.is(call(), truth);
      console.log(`\ncounted: ${name}: each of ${failAt - 1} allocations was made to fail`);
    });
  });

  test.proof(`${name}: if any allocation of a new engine fails, it throws Capacity`, async () => {
    const truth = await hashOf(method);
    let fails = true;
    for (let failAt = 1; fails; failAt++)
      await withEngine(options, engine => {
        const call = method(engine);
        fails = callFails(engine, call, truth, failAt);
        checkSmallQueries(engine, `allocation ${failAt}`);
        assert.is(call(), truth, `allocation ${failAt}: the same call again`);
      });
  });

  test.slow(`${name}: if memory stops growing, it throws Capacity or gives the result`, async () => {
    const truth = await hashOf(method);
    await withEngine({ threads: 2, warmUp: 'off' }, engine => {
      const call = method(engine);
      const { arena } = contextOf(engine);
      // For each freeBytes: prevents the memory from growing, and fills it until no free block of freeBytes
      // bytes is left. A call that needs a larger block then fails.
      const { memory } = arena;
      let refused = 0;
      // Begins with the smallest size, so that the first call fails: after a successful call, the next one may
      // not have to allocate any memory.
      for (let freeBytes = 64; freeBytes <= 1 << 21; freeBytes *= 2) {
        const fill: number[] = [];
        const grow = memory.grow;
        memory.grow = () => {
          throw new RangeError('no memory is left');
        };
        for (let bytes = 1 << 26; bytes >= freeBytes; bytes /= 2)
          while (errorOf(() => fill.push(arena.allocate(bytes))) === undefined);
        const error = errorOf(() => assert.is(call(), truth));
        if (error) {
          refused++;
          assert.instance(error, Capacity, `${freeBytes} bytes: ${error}`);
        }
        for (const at of fill) arena.release(at);
        memory.grow = grow;
        assert.is(call(), truth, `${freeBytes} bytes`);
        assert.equal(checkMemory(engine), []);
      }
      assert.ok(refused > 0, 'some calls were refused');
    });
  });
}

for (const [name, method] of Object.entries(methods).filter(([name]) => /^(cast|overlap)/.test(name)))
  test(`${name}: a call that fails releases its memory`, async () => {
    const truth = await hashOf(method);
    await withEngine(options, engine => {
      const call = method(engine);
      const { arena } = contextOf(engine);
      const used = arena.usedBytes;
      for (let failAt = 1; callFails(engine, call, truth, failAt); failAt++)
        assert.is(arena.usedBytes, used, `allocation ${failAt}`);
    });
  });

test.run();
