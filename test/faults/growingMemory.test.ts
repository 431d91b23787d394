// Tests that no method uses a view of engine memory after an allocation: an allocation may grow unshared memory, which
// detaches all views of it. Writes to a detached view are lost without an error. In these tests, every allocation
// replaces the views.

import * as assert from 'uvu/assert';
import type { Engine } from '../../dist/index.js';
import { contextOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { methods } from './methods.js';

const options = { threads: 1, warmUp: 'off' } as const;

// Replaces the views of an engine's memory after every allocation. Returns a function that counts allocations.
function replaceViews(engine: Engine): () => number {
  const { arena } = contextOf(engine);
  let count = 0;
  Object.assign(arena, {
    allocate(bytes: number): number {
      const at = Object.getPrototypeOf(arena).allocate.call(arena, bytes);
      count++;
      // Growing by no pages detaches the old buffer, too.
      arena.memory.grow(0);
      const { buffer } = arena.memory;
      Object.assign(arena, {
        u8: new Uint8Array(buffer),
        u32: new Uint32Array(buffer),
        f32: new Float32Array(buffer),
        f64: new Float64Array(buffer),
      });
      arena.onGrow();
      return at;
    },
  });
  return () => count;
}

for (const [name, method] of Object.entries(methods)) {
  test(`${name}: the result is the same if every allocation detaches the views of memory`, async () => {
    const truth = await withEngine(options, engine => method(engine)());
    await withEngine(options, engine => {
      const old = contextOf(engine).arena.u8;
      const count = replaceViews(engine);
      const call = method(engine);
      assert.is(call(), truth);
      assert.is(call(), truth, 'the second call');
      assert.ok(count() > 0 && old.length === 0, 'memory is unshared, and its views were detached');
    });
  });
}

test.run();
