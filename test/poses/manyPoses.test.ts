// Tests queryMany with want: 'bitset', which returns one bit per pair: whether the two meshes intersect. A
// call gets a list of pairs, or many placements of one mesh. The bits must equal the results of single
// queries, of the oracle, and of queryMany with want: 'any'.

import * as assert from 'uvu/assert';
import type { Engine, PlacedPair, QueryManyOptions } from '../../dist/index.js';
import { createRandom, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { caught, contextOf, withEngine } from '../support/engines.js';
import { flatPlacements, meshPairs, placements, seeded, unshared } from '../support/placedScenes.js';
import { test } from '../support/test.js';

const packed = (answers: ArrayLike<number>): number[] => {
  const words = new Uint32Array(Math.ceil(answers.length / 32));
  Array.from(answers).forEach((answer, i) => {
    words[i >>> 5] |= answer << (i & 31);
  });
  return [...words];
};
const bits = (engine: Engine, options: Omit<QueryManyOptions, 'want'>): number[] => [
  ...engine.queryMany({ ...options, want: 'bitset' }),
];

const bitCount = (word: number): number => word.toString(2).replaceAll('0', '').length;

const random = createRandom(12);
const rotated = Float32Array.from(
  Array.from({ length: 1000 }, () => {
    const [x, y, z] = random.direction();
    const reach = random.between(0, 3.2);
    return [...rotation(random.direction(), random.between(0, 7), [x * reach, y * reach, z * reach])];
  }).flat(),
);

test("bits equal single queries and want: 'any', for any number of placements and threads", async () => {
  const expected = await withEngine({ threads: 1 }, engine => {
    const [a, b] = [engine.createMesh(torus(300)), engine.createMesh(sphere(300))];
    return Array.from({ length: rotated.length / 16 }, (_, i) =>
      Number(engine.query(a, b, { transformB: rotated.subarray(16 * i, 16 * i + 16) }).count > 0),
    );
  });
  assert.ok(expected.includes(0) && expected.includes(1));
  for (const threads of [1, 2, 5])
    await withEngine({ threads, warmUp: 'off' }, engine => {
      const [a, b] = [engine.createMesh(torus(300)), engine.createMesh(sphere(300))];
      for (const count of [0, 1, 31, 32, 33, 63, 64, 65, 1000]) {
        const transforms = rotated.subarray(0, 16 * count);
        const expectedBits = expected.slice(0, count);
        for (const query of [
          { a, b, transforms },
          { a, b, transforms: Float64Array.from(transforms) },
          {
            pairs: expectedBits.map(
              (_, i): PlacedPair => ({ a, b, transformB: transforms.subarray(16 * i, 16 * i + 16) }),
            ),
          },
        ]) {
          assert.equal(bits(engine, query), packed(expectedBits), `${count} placements, ${threads} threads`);
          for (const parts of [undefined, 1, 3])
            assert.equal([...engine.queryMany({ ...query, parts, want: 'any' })], expectedBits);
        }
      }
    });
});

test('placements of every kind agree with exact arithmetic over all triangles', () =>
  withEngine({ threads: 2 }, engine => {
    const kinds = Object.values({ ...placements, ...flatPlacements });
    for (const name of ['lattice', 'degenerate', 'touching boxes', 'far from the origin', 'slivers']) {
      const [first, second] = meshPairs[name];
      const [a, b] = [engine.createMesh(first), engine.createMesh(second)];
      const transforms = kinds.flatMap((placed, i) => [
        placed(seeded(i)).transformB ?? translation([0, 0, 0]),
        placed(seeded(i)).transformA ?? translation([0.5, 0, 0]),
      ]);
      const expectedBits = transforms.map(transformB =>
        Number(trianglePairs(first, undefined, second, transformB).length > 0),
      );
      const query = { a, b, transforms: Float64Array.from(transforms.flatMap(matrix => [...matrix])) };
      assert.equal(bits(engine, query), packed(expectedBits), name);
      assert.equal([...engine.queryMany({ ...query, want: 'any' })], expectedBits);
    }
  }));

test('more pairs than one batch holds give the correct bits, and a list of pairs also accepts options', () =>
  withEngine({ threads: 2 }, engine => {
    const mesh = engine.createMesh(unshared([0, 0, 0, 1, 0, 0, 0, 1, 0]));
    const pairs: PlacedPair[] = Array.from({ length: 9001 }, (_, i) => ({
      a: mesh,
      b: mesh,
      transformB: translation([i % 3 === 1 ? 5 : 0.25, 0, 0]),
    }));
    const expectedBits = pairs.map((_, i) => Number(i % 3 !== 1));
    for (const options of [{}, { parts: 5 }, { order: 'any' } as const])
      assert.equal(bits(engine, { pairs, ...options }), packed(expectedBits));
  }));

test('100,000 placements use a bounded amount of memory', () =>
  withEngine({ threads: 2 }, engine => {
    const mesh = engine.createMesh(unshared([0, 0, 0, 1, 0, 0, 0, 1, 0]));
    const count = 100_000;
    const transforms = new Float32Array(16 * count);
    for (let i = 0; i < count; i++) transforms.set(translation([i % 9 === 4 ? 0 : 7, 0, 0]), 16 * i);
    const { arena } = contextOf(engine);
    const used = arena.usedBytes;
    assert.equal(
      bits(engine, { a: mesh, b: mesh, transforms }),
      packed(Array.from({ length: count }, (_, i) => Number(i % 9 === 4))),
    );
    assert.is(
      engine.queryMany({ a: mesh, b: mesh, transforms, want: 'any' }).reduce((sum, hit) => sum + hit),
      11_111,
    );
    assert.is(arena.usedBytes, used);
    assert.ok(arena.memory.buffer.byteLength < 2 ** 23);
  }));

test('an invalid query is refused, and the error names the mistake', () =>
  withEngine({ threads: 2 }, async engine => {
    const mesh = engine.createMesh(sphere(60));
    const transforms = rotated.slice(0, 16 * 100);
    const refused = (message: RegExp, options: unknown, code = 'Unsupported'): void => {
      const error = caught(() => engine.queryMany(options as never));
      assert.is(error.code, code, error.message);
      assert.match(error.message, message);
    };
    for (const want of ['bitset', 'any']) {
      refused(/queryMany needs pairs/, { a: mesh, b: mesh, transforms: rotated.subarray(0, 17), want });
      refused(/queryMany needs pairs/, { a: mesh, transforms, want });
      refused(/pairs is 3/, { pairs: 3, want });
      refused(/stealing is 'maybe'/, { a: mesh, b: mesh, transforms, want, stealing: 'maybe' });
      refused(/mesh does not belong to this engine/, { a: mesh, b: {}, transforms, want });
      for (const at of [16 * 70 + 3, 16 * 99 + 12])
        refused(
          new RegExp(`pose ${at >> 4}: matrix\\[${at & 15}\\] is NaN`),
          { a: mesh, b: mesh, transforms: transforms.with(at, NaN), want },
          'InvalidTransform',
        );
    }
    refused(/want is 'bits', not 'pairs' or 'any'/, { a: mesh, b: mesh, transforms, want: 'bits' });
    refused(/options is null/, null);
    await withEngine({ threads: 1, modules: [] }, plain => {
      const error = caught(() => plain.queryMany({ a: mesh, b: mesh, transforms, want: 'bitset' }));
      assert.is(error.code, 'Unsupported');
    });
  }));

test('queryMany reads transforms from engine memory correctly, even if the memory grows during the query', async () => {
  const count = 4000;
  const point = { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0) };
  const filler = { positions: Float32Array.from({ length: 2700 }, (_, i) => i) };
  for (const want of ['bitset', 'any', 'pairs'] as const) {
    // The first engine counts how many meshes fit before the memory grows, which detaches the view.
    let fitting = Infinity;
    for (let iteration = 0; iteration < 2; iteration++) {
      await withEngine({ memory: 'single', threads: 1, warmUp: 'off' }, engine => {
        const mesh = engine.createMesh(point);
        const scene = engine.createScene();
        for (let i = 0; i < count; i++) scene.add(mesh);
        const view = scene.transformView();
        let made = 0;
        for (; made < fitting - 1 && view.length > 0; made++) engine.createMesh(filler);
        if (fitting === Infinity) {
          fitting = made;
          return;
        }
        assert.is(view.length, 16 * count);
        for (let i = 0; i < count; i++) view.set(translation([0, 0, i % 2 === 0 ? 100 : 0]), 16 * i);
        const many = { a: mesh, b: mesh, transforms: view };
        const found =
          want === 'pairs'
            ? engine.queryMany(many).count
            : want === 'any'
              ? engine.queryMany({ ...many, want }).reduce((sum, hit) => sum + hit, 0)
              : bits(engine, many).reduce((sum, word) => sum + bitCount(word), 0);
        assert.is(found, count / 2, want);
        assert.is(view.length, 0, 'the memory has grown');
      });
    }
  }
});

test.run();
