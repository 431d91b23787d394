// Tests that rounds over a list of task pairs give the same bytes as depth-first lists, with and without
// spheres, for any number of threads and any capacity.

import * as assert from 'uvu/assert';
import type { Engine, Mesh, MeshData, PlacedPair } from '../../dist/index.js';
import { PairWriter } from '../../dist/mesh/pairWriter.js';
import { ResultGatherer } from '../../dist/narrowphase/resultGatherer.js';
import { createLaboratory } from '../../dist/papers/laboratory.js';
import { type TraversalStart, WorkFront } from '../../dist/papers/workFront.js';
import { box, soup, sphere, torus } from '../../dist/samples/index.js';
import { contextOf, hashInOrder } from '../support/engines.js';
import { emptyMesh, flatPlacements, meshPairs, placements, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';

const engines: Engine[] = [];
for (const threads of [1, 2, 5, 16]) {
  const { engine } = await createLaboratory({ threads, warmUp: 'off' });
  engines.push(engine);
}
test.after(() => {
  for (const engine of engines) engine.dispose();
});

/** Runs traversals one after the other in one front. */
class Walker {
  private readonly front: WorkFront;
  private readonly writer: PairWriter;
  private readonly joiner: ResultGatherer;
  private readonly threads: number;

  constructor(engine: Engine, pairCapacity = 4096) {
    const context = contextOf(engine);
    this.threads = engine.info.threads;
    [this.front, this.writer, this.joiner] = [
      new WorkFront(context, pairCapacity),
      new PairWriter(context, { has: () => true }),
      new ResultGatherer(context),
    ];
  }

  get rounds(): number {
    return this.front.rounds;
  }

  ask(pairs: readonly PlacedPair[], start?: TraversalStart): string {
    try {
      this.front.run(this.writer.write(this.front, pairs), this.threads, start);
      const { arena, aAt, bAt, count, pairsAt } = this.joiner.gather(
        this.front,
        pairs.length,
        this.writer.swapped,
        'sorted',
      );
      return `${count} ${hashInOrder({ a: arena.u32.subarray(aAt / 4, aAt / 4 + count), b: arena.u32.subarray(bAt / 4, bAt / 4 + count) })} ${pairsAt.join()}`;
    } finally {
      this.writer.release();
    }
  }

  any(pairs: readonly PlacedPair[]): number[] {
    try {
      return [...this.front.runAny(this.writer.write(this.front, pairs), this.threads)];
    } finally {
      this.writer.release();
    }
  }
}

const truthOf = (engine: Engine, pairs: readonly PlacedPair[]): string => {
  const found = engine.queryMany({ pairs });
  return `${found.count} ${hashInOrder(found)} ${found.pairsAt.join()}`;
};

const makers: ((engine: Engine, data: MeshData) => Mesh)[] = [
  (engine, data) => engine.createMesh(data),
  (engine, data) => engine.createMesh(data, { volume: 's-aabb' }),
  (engine, data) => engine.createMesh(data, { volume: 's-aabb', thresholds: [0.9, 3, Infinity] }),
];

test('large pairs give the same bytes on 1 to 16 threads, with more tasks and pairs than the initial capacity', () => {
  for (const engine of engines)
    for (const make of makers) {
      const [a, b] = [make(engine, torus(6000)), make(engine, sphere(5000))];
      for (const capacity of [4096, 1]) {
        const walker = new Walker(engine, capacity);
        for (const name of ['both rigid', 'none', 'apart']) {
          const pairs = [{ a, b, ...placements[name](seeded(3)) }];
          const truth = truthOf(engine, pairs);
          assert.is(walker.ask(pairs), truth, `${name}, ${engine.info.threads} threads`);
          assert.equal(walker.any(pairs), [Number(!truth.startsWith('0 '))]);
          if (name === 'none')
            assert.ok(walker.rounds <= a.depth + b.depth + 1 && walker.rounds > 3, String(walker.rounds));
        }
      }
      a.dispose();
      b.dispose();
    }
});

test.slow('many pairs under many placements give the correct pairs in one call', () => {
  for (const engine of engines)
    for (const make of makers) {
      const walker = new Walker(engine, 8);
      const data = Object.entries(meshPairs);
      const meshes = data.map(([, pair]) => pair.map(one => make(engine, one)) as [Mesh, Mesh]);
      for (const names of [Object.keys(placements), Object.keys(flatPlacements)]) {
        const pairs = meshes.flatMap(([a, b], i) =>
          names
            .filter((_, k) => (i + k) % 3 === 0)
            .map((name): PlacedPair => ({ a, b, ...{ ...placements, ...flatPlacements }[name](seeded(i)) })),
        );
        const truth = truthOf(engine, pairs);
        assert.is(walker.ask(pairs), truth);
        assert.equal(walker.any(pairs), [...engine.queryMany({ pairs, want: 'any' })]);
      }
      for (const mesh of meshes.flat()) mesh.dispose();
    }
});

test('without a hierarchy all pairs of leaves are tested', () => {
  for (const engine of engines) {
    const [a, b] = [engine.createMesh(torus(700)), engine.createMesh(sphere(500))];
    const walker = new Walker(engine, 8);
    const pairs = ['both rigid', 'apart', 'both in planes'].map(name => ({
      a,
      b,
      ...{ ...placements, ...flatPlacements }[name](seeded(5)),
    }));
    assert.is(walker.ask(pairs, 'leaves'), truthOf(engine, pairs));
    assert.is(walker.rounds, 1);
  }
});

test('an empty list of pairs gives an empty result', () => {
  const [engine] = engines;
  const walker = new Walker(engine);
  const none = engine.createMesh(emptyMesh);
  const some = engine.createMesh(soup(20, 1), { volume: 's-aabb' });
  assert.is(walker.ask([]), truthOf(engine, []));
  assert.equal(walker.any([]), []);
  const pairs = [
    { a: none, b: some },
    { a: some, b: engine.createMesh(box()) },
    { a: none, b: none },
  ];
  assert.is(walker.ask(pairs), truthOf(engine, pairs));
  assert.equal(walker.any(pairs), [...engine.queryMany({ pairs, want: 'any' })]);
});

test.run();
