// Tests queries with little capacity for pairs or little memory. Each query must either return the complete
// result, or throw a typed error and leave the engine usable.

import * as assert from 'uvu/assert';
import { Capacity, createEngine, type Engine, type PlacedPair } from '../../dist/index.js';
import { Arena } from '../../dist/runtime/memory.js';
import { box, soup, sphere, torus, translation } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { caught, hashInOrder, pairsOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const PAGE = 65536;
const [dataA, dataB] = [soup(600, 1), soup(600, 2)];
const truth = trianglePairs(dataA, undefined, dataB, undefined);

for (const [name, capacity] of [
  ['0', 0],
  ['1', 1],
  ['N - 1', truth.length - 1],
  ['N', truth.length],
  ['N + 1', truth.length + 1],
] as const) {
  test(`an initial capacity of ${name} pairs loses no pair`, async () => {
    for (const threads of [1, 3]) {
      await withEngine({ threads, initialPairCapacity: capacity }, engine => {
        const [a, b] = [engine.createMesh(dataA), engine.createMesh(dataB)];
        for (const parts of [undefined, 1, 2, 9]) {
          // The second frame reuses the capacity that the first frame has allocated.
          for (let frame = 0; frame < 2; frame++) assert.equal(pairsOf(engine.query(a, b, { parts })), truth);
          const many = engine.queryMany({
            pairs: [
              { a, b },
              { a: b, b: a },
              { a, b, transformB: translation([9, 0, 0]) },
              { a, b },
            ],
            parts,
          });
          assert.equal(
            [...many.pairsAt],
            [0, truth.length, 2 * truth.length, 2 * truth.length, 3 * truth.length],
          );
          assert.equal(
            pairsOf({ a: many.a.slice(2 * truth.length), b: many.b.slice(2 * truth.length) }),
            truth,
          );
        }
        assert.is(engine.query(a, b, { want: 'any' }), true);
      });
    }
  });
}

// Calls `run`, which may need more memory than there is. Returns its value, or undefined if it throws a
// Capacity error.
function fits<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    assert.instance(error, Capacity, String(error));
    assert.is((error as Capacity).code, 'Capacity');
    assert.ok((error as Capacity).neededBytes > 0);
    assert.ok((error as Capacity).fix.length > 10);
    return undefined;
  }
}

async function engineOf(pages: number, threads: number): Promise<Engine | undefined> {
  try {
    return await createEngine({ threads, maximumMemoryBytes: pages * PAGE });
  } catch (error) {
    assert.instance(error, Capacity, String(error));
    return undefined;
  }
}

const usedBytes = (engine: Engine): number =>
  (engine as unknown as { context: { arena: { usedBytes: number } } }).context.arena.usedBytes;

const large = [sphere(8000), torus(8000)] as const;
const expected = await withEngine({ threads: 1 }, engine =>
  hashInOrder(engine.query(engine.createMesh(large[0]), engine.createMesh(large[1]))),
);
const boxPairs = trianglePairs(box(), undefined, box(0.5, 2, 0.5), undefined);
let solvedCount = 0;
let refusedCount = 0;

for (const pages of [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 64, 96, 128, 192, 256]) {
  test(`a memory of ${pages} pages gives the complete result or Capacity`, async () => {
    for (const threads of [1, 2, 4]) {
      const engine = await engineOf(pages, threads);
      if (!engine) continue;
      const atFirst = usedBytes(engine);
      for (const parts of [undefined, 16, 64]) {
        const a = fits(() => engine.createMesh(large[0]));
        const b = fits(() => engine.createMesh(large[1]));
        const hits = a && b && fits(() => engine.query(a, b, { parts }));
        if (hits) assert.is(hashInOrder(hits), expected);
        if (hits) solvedCount++;
        else refusedCount++;
        const any = a && b && fits(() => engine.query(a, b, { parts, want: 'any' }));
        if (any !== undefined) assert.is(any, true);
        const pair: PlacedPair | undefined = a && b && { a, b };
        const many = pair && fits(() => engine.queryMany({ pairs: Array(20).fill(pair), parts }));
        if (many) assert.is(many.count % 20, 0);
        a?.dispose();
        b?.dispose();
        // After a refused query, a smaller query still gives the correct result.
        const small = fits(() => engine.createMesh(box()));
        const smaller = fits(() => engine.createMesh(box(0.5, 2, 0.5)));
        const answer = small && smaller && fits(() => engine.query(small, smaller));
        if (answer) assert.equal(pairsOf(answer), boxPairs);
        if (pages >= 16 && threads < 4 && parts === undefined) assert.ok(answer, 'two boxes do not fit');
        small?.dispose();
        smaller?.dispose();
      }
      // Buffers that queries keep for later queries may still be allocated, but not beyond the memory limit.
      assert.ok(usedBytes(engine) >= atFirst && usedBytes(engine) <= pages * PAGE);
      engine.dispose();
    }
  });
}

test('with the memory sizes above, some queries succeed and some fail', () => {
  assert.ok(solvedCount > 10, `${solvedCount} results`);
  assert.ok(refusedCount > 10, `${refusedCount} refusals`);
});

test('a mesh that does not fit leaves no memory allocated', async () => {
  await withEngine({ threads: 2, maximumMemoryBytes: 24 * PAGE }, engine => {
    const before = usedBytes(engine);
    for (let iteration = 0; iteration < 5; iteration++) {
      assert.instance(
        caught(() => engine.createMesh(sphere(100_000))),
        Capacity,
      );
      assert.is(usedBytes(engine), before);
    }
    for (const builder of ['sah', 'morton'] as const) {
      const mesh = engine.createMesh(sphere(1000), { builder });
      mesh.dispose();
      assert.is(usedBytes(engine), before, builder);
    }
  });
});

test('a block that would reach into the last 64 bytes of 4 GiB is refused, and one that ends before them is not', () => {
  const pages = 65536;
  const arena = new Arena(new WebAssembly.Memory({ initial: 1, maximum: pages }), pages);
  const first = arena.allocate(64);
  // Address 0 and the last 64 bytes are never allocated.
  const maxBytes = pages * PAGE - 3 * 64;
  const error = caught(() => arena.allocate(maxBytes + 64));
  assert.instance(error, Capacity, String(error));
  assert.is(arena.usedBytes, 64);
  const at = arena.allocate(maxBytes);
  assert.equal([at, at + maxBytes], [first + 64, pages * PAGE - 64]);
  for (const bytes of [1, 64, PAGE])
    assert.instance(
      caught(() => arena.allocate(bytes)),
      Capacity,
    );
  arena.release(at);
  assert.is(arena.allocate(PAGE), at);
});

test('after each of twenty refused queries, a query with fewer parts succeeds', async () => {
  await withEngine({ threads: 2, maximumMemoryBytes: 100 * PAGE }, engine => {
    const [a, b] = [engine.createMesh(dataA), engine.createMesh(dataB)];
    for (let iteration = 0; iteration < 20; iteration++) {
      assert.instance(
        caught(() => engine.query(a, b, { parts: 256 })),
        Capacity,
      );
      assert.equal(pairsOf(engine.query(a, b, { parts: 2 })), truth);
    }
  });
});

test('a query whose result nearly fills the memory gives the complete result or Capacity', async () => {
  // All triangles are equal, so every triangle of one mesh intersects every triangle of the other, and there
  // are far more pairs than triangles.
  const count = 400;
  const stack = {
    positions: Float32Array.from({ length: count * 9 }, (_, at) => [0, 0, 0, 1, 0, 0, 0, 1, 0][at % 9]),
  };
  let solved = 0;
  let refused = 0;
  for (const pages of [8, 24, 40, 48, 64, 80, 128]) {
    await withEngine({ threads: 2, maximumMemoryBytes: pages * PAGE }, engine => {
      const [a, b] = [engine.createMesh(stack), engine.createMesh(stack)];
      const hits = fits(() => engine.query(a, b));
      if (hits) solved++;
      else refused++;
      if (!hits) return;
      assert.is(hits.count, count * count);
      const { a: firsts, b: seconds } = hits;
      for (let i = 0; i < count * count; i++)
        if (firsts[i] !== Math.floor(i / count) || seconds[i] !== i % count)
          throw new Error(`pair ${i} is ${firsts[i]} ${seconds[i]}`);
    });
  }
  assert.ok(solved > 0 && refused > 0, `${solved} results, ${refused} refusals`);
});

test.run();
