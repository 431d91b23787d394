// Tests `decideUncertain`, which uses exact arithmetic to decide the triangle pairs that a faster test leaves
// uncertain. Its verdicts must equal those of the integer oracle, for any number of pairs and even if a
// worker fails.

import * as assert from 'uvu/assert';
import type { Engine, EngineOptions } from '../../dist/index.js';
import type { PairWriter, PlacedMeshes } from '../../dist/mesh/pairWriter.js';
import { writePlacedPoints } from '../../dist/mesh/placedPoints.js';
import { trianglesIntersectExact } from '../../dist/mesh/trianglesIntersectExact.js';
import { decideUncertain } from '../../dist/narrowphase/decideUncertain.js';
import type { FrontSystem } from '../../dist/narrowphase/front.js';
import type { EngineContext } from '../../dist/runtime/engineContext.js';
import { lattice, soup } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { poolOf, withEngine } from '../support/engines.js';
import { faulty } from '../support/faultyWorkers.js';
import { placements, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { until } from '../support/within.js';

/**
 * Tests all triangle pairs of each pair of placed meshes exactly. Returns the intersecting triangle pairs as
 * sorted strings `pair a b`.
 */
function decideAll(engine: Engine, pairs: readonly PlacedMeshes[]): string[] {
  const { context, front, writer } = engine as unknown as {
    context: EngineContext;
    front: FrontSystem;
    writer: PairWriter;
  };
  writer.write(front, pairs);
  const list = Uint32Array.from(
    pairs.flatMap(({ a, b }, i) =>
      Array.from({ length: 3 * a.triangleCount * b.triangleCount }, (_, k) => {
        const number = Math.floor(k / 3);
        const inA = number % a.triangleCount;
        const inB = Math.floor(number / a.triangleCount);
        const isSwapped = writer.swapped[i] === 1;
        return k % 3 === 0 ? i : (k % 3 === 1) === isSwapped ? inB : inA;
      }),
    ),
  );
  const verdicts = decideUncertain(context, front.pairs.at, list, {
    writePlacedPoints,
    trianglesIntersectExact,
  });
  writer.release();
  assert.is(verdicts.length, list.length / 3);
  return Array.from(verdicts.keys())
    .filter(i => verdicts[i] === 1)
    .map(i => {
      const [pair, a, b] = list.subarray(3 * i, 3 * i + 3);
      return writer.swapped[pair] ? `${pair} ${b} ${a}` : `${pair} ${a} ${b}`;
    })
    .sort();
}

const meshA = lattice(40, 3, 4);
const meshB = lattice(30, 4, 4);
const placed = Object.values(placements).map((place, i) => place(seeded(40 + i)));
const truth = placed
  .flatMap(({ transformA, transformB }, i) =>
    trianglePairs(meshA, transformA, meshB, transformB).map(([a, b]) => `${i} ${a} ${b}`),
  )
  .sort();

async function check(options: EngineOptions, use: (engine: Engine) => void = () => {}): Promise<void> {
  await withEngine(options, async engine => {
    use(engine);
    const a = engine.createMesh(meshA);
    const b = engine.createMesh(meshB);
    const usedBytes = (engine as unknown as { context: EngineContext }).context.arena.usedBytes;
    const found = decideAll(
      engine,
      placed.map(transforms => ({ a, b, ...transforms })),
    );
    assert.ok(found.length > 100);
    assert.ok(JSON.stringify(found) === JSON.stringify(truth), `${found.length} pairs, not ${truth.length}`);
    // A lost worker may still write to some memory. This memory is freed once the worker's thread has ended.
    await until(
      'the release of memory',
      () => (engine as unknown as { context: EngineContext }).context.arena.usedBytes < usedBytes + 2 ** 20,
    );
  });
}

test('for placements of every kind, the verdicts equal those of the oracle', async () => {
  for (const threads of [1, 2, 5]) await check({ threads });
});

test('a list with more pairs than one batch holds and an empty list are decided correctly', async () => {
  await withEngine({ threads: 2 }, engine => {
    const a = engine.createMesh(soup(300, 1));
    const b = engine.createMesh(soup(300, 2));
    const hits = engine.query(a, b);
    const expected = Array.from(hits.a, (first, i) => `0 ${first} ${hits.b[i]}`).sort();
    assert.ok(JSON.stringify(decideAll(engine, [{ a, b }])) === JSON.stringify(expected));
    assert.equal(decideAll(engine, []), []);
  });
});

test('a worker that hangs changes no verdict', async () => {
  const { createWorker, hitCount, slowCaller } = faulty(index =>
    index === 1 ? { kind: 'spin', order: 1, when: 'after' } : undefined,
  );
  await check({ threads: 3, createWorker }, engine => {
    poolOf(engine).deadlineMilliseconds = 60;
    slowCaller(poolOf(engine));
  });
  assert.ok(hitCount() > 0);
});

test.run();
