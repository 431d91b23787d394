// Tests an engine for studies of papers (createLaboratory). The front of a query is the set of
// box pairs from which the lists of work start. The settings of such an engine change this front: `grain`
// sets how fine it is, and `overlap` (the overlap weight) sets how the cost of a pair of boxes is estimated. If there are more lists than threads, the lists run in virtual time,
// as if each had its own thread. The settings must change the front, but never a result. Ordinary engines
// must not contain the kernels for such studies.

import * as assert from 'uvu/assert';
import { createEngine, type Engine, type Mesh } from '../../dist/index.js';
import { createLaboratory, type OverlapWeight, type Study } from '../../dist/papers/laboratory.js';
import { paperKernelNames } from '../../dist/records/kernels.js';
import { createRandom, skewed, sphere, torus, translation, wormGear } from '../../dist/samples/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { hashInOrder, pairsOf, poolOf, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

const WEIGHTS: readonly OverlapWeight[] = ['volume', 'root', 'depth'];
const transformB = translation([0.7, 0.1, 0]);

async function withLaboratory(threads: number, use: (engine: Engine, study: Study) => void): Promise<void> {
  const { engine, study } = await createLaboratory({ threads, warmUp: 'off' });
  try {
    use(engine, study);
  } finally {
    engine.dispose();
  }
}

test('any grain, weight and number of lists gives the same results, frame after frame', () =>
  withLaboratory(3, (engine, study) => {
    const gear = wormGear();
    const frameOf = (a: Mesh, b: Mesh, frame: number, parts?: number): string => {
      const placed = gear.frame(frame);
      const found = engine.query(a, b, {
        transformA: placed.subarray(0, 16),
        transformB: placed.subarray(16, 32),
        parts,
      });
      return `${found.count} ${hashInOrder(found)}`;
    };
    const [a, b] = [0, 1].map(part => engine.createMesh(gear.meshes[gear.parts[part].mesh]));
    const expected = [0, 1, 2].map(frame => frameOf(a, b, frame, 1));
    for (const overlap of WEIGHTS) {
      for (const grain of [undefined, 0.5, 1, 4, 100]) {
        Object.assign(study, { overlap, grain });
        for (const parts of [2, 7, 64])
          assert.equal(
            [0, 1, 2].map(frame => frameOf(a, b, frame, parts)),
            expected,
            `${overlap}, grain ${grain}, ${parts} lists`,
          );
      }
    }
  }));

test('self-queries, and queries with sphere trees or a clearance, have the same results with many lists as with one', () =>
  withLaboratory(2, engine => {
    const folded = skewed(3000, 1);
    const mesh = engine.createMesh(folded);
    const [balls, rings] = [sphere(2000), torus(2000)].map(data =>
      engine.createMesh(data, { volume: 's-aabb' }),
    );
    const [ball, ring] = [engine.createMesh(sphere(2000)), engine.createMesh(torus(2000))];
    const queries: ((parts: number) => { a: Uint32Array; b: Uint32Array })[] = [
      parts => engine.selfQuery(mesh, { parts }),
      parts => engine.query(balls, rings, { transformB, parts }),
      parts => engine.query(ball, ring, { transformB, parts }),
      parts => engine.query(ball, ring, { transformB, parts, clearance: 0.1 }),
    ];
    const { pool } = (engine as unknown as { context: { pool: { kernels: object } } }).context;
    const run = new Set<string>();
    pool.kernels = new Proxy(pool.kernels, {
      get(kernels, name) {
        run.add(String(name));
        return Reflect.get(kernels, name);
      },
    });
    for (const [i, runQuery] of queries.entries())
      for (const parts of [3, 16, 256])
        assert.is(hashInOrder(runQuery(parts)), hashInOrder(runQuery(1)), `query ${i}, ${parts} lists`);
    assert.equal(
      paperKernelNames.filter(name => !run.has(name)),
      ['runFrontRound'],
    );
  }));

test('a query whose estimated cost is almost 0 finds the correct pairs with every weight', () =>
  withLaboratory(2, (engine, study) => {
    const other = engine.createMesh(torus(500));
    for (const size of [1e-10, 1e-13, 1e-15, 1e-30]) {
      const ball = sphere(300);
      const positions = Float32Array.from([...Array.from(ball.positions, value => value * size), 1, 1, 1]);
      const last = positions.length / 3 - 1;
      const data = { positions, indices: Uint32Array.from([...ball.indices, last, last, last]) };
      const expected = trianglePairs(data, undefined, data, undefined);
      for (const overlap of WEIGHTS) {
        study.overlap = overlap;
        const mesh = engine.createMesh(data);
        for (let frame = 0; frame < 3; frame++) {
          assert.equal(
            pairsOf(engine.query(mesh, mesh, { parts: 2 })),
            expected,
            `${size}, ${overlap}, frame ${frame}`,
          );
          engine.query(other, other, { parts: 2 });
        }
        mesh.dispose();
      }
    }
  }));

test('a self-query with 16 lists has the results of one list, with every weight and a fine grain', () =>
  withLaboratory(2, (engine, study) => {
    const random = createRandom(3);
    const { positions, indices } = torus(3000);
    const mesh = engine.createMesh({
      positions: positions.map(value => value * (1 + 0.2 * random.between(0, 1))),
      indices,
    });
    const expected = hashInOrder(engine.selfQuery(mesh, { parts: 1 }));
    for (const overlap of WEIGHTS) {
      Object.assign(study, { overlap, grain: 64 });
      assert.is(hashInOrder(engine.selfQuery(mesh, { parts: 16 })), expected, overlap);
    }
  }));

test('a finer grain makes more nodes, and another weight makes another front', () =>
  withLaboratory(1, (engine, study) => {
    const [a, b] = [engine.createMesh(torus(6000)), engine.createMesh(sphere(6000))];
    const nodesOf = (): number =>
      engine.query(a, b, { transformB, parts: 8, coherence: 'off' }).stats.frontNodes;
    const byGrain = [1, 4, 32].map(grain => {
      study.grain = grain;
      return nodesOf();
    });
    assert.ok(byGrain[0] < byGrain[1] && byGrain[1] < byGrain[2], byGrain.join());
    const byWeight = WEIGHTS.map(overlap => {
      study.overlap = overlap;
      return nodesOf();
    });
    assert.is(new Set(byWeight).size, WEIGHTS.length, byWeight.join());
  }));

test('a static partition by overlap has the results of a default query, also if few triangles or none intersect', () =>
  withLaboratory(3, engine => {
    const gear = wormGear();
    const [a, b] = [0, 1].map(part => engine.createMesh(gear.meshes[gear.parts[part].mesh]));
    const [ball, ring] = [engine.createMesh(sphere(3000)), engine.createMesh(torus(3000))];
    const one = engine.createMesh({
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      indices: Uint32Array.of(0, 1, 2),
    });
    const placed = gear.frame(3);
    const gears = { transformA: placed.subarray(0, 16), transformB: placed.subarray(16, 32) };
    const placements: [Mesh, Mesh, { transformA?: Float64Array; transformB?: Float64Array }][] = [
      [a, b, gears],
      [ball, ring, { transformB }],
      [ball, ring, { transformB: translation([50, 0, 0]) }],
      [ball, one, {}],
      [one, one, {}],
    ];
    const counts = placements.map(([first, second, options]) => {
      const expected = engine.query(first, second, options);
      const [count, hash] = [expected.count, hashInOrder(expected)];
      // With 8 or more lists, all threads expand the front together, in slices.
      for (const parts of [2, 8, 16, 64]) {
        const found = engine.query(first, second, { ...options, parts, stealing: 'off', coherence: 'off' });
        assert.is(hashInOrder(found), hash, `${count} pairs, ${parts} lists`);
      }
      return count;
    });
    assert.ok(counts[0] > 100 && counts[1] > 100, counts.join());
    assert.equal([counts[2], counts[4]], [0, 1]);
  }));

test('without stealing, work that is divided into lists only by overlap is divided evenly', () =>
  withLaboratory(1, engine => {
    const [a, b] = [engine.createMesh(torus(20_000)), engine.createMesh(sphere(20_000))];
    const { imbalance } = engine.query(a, b, {
      transformB,
      parts: 8,
      coherence: 'off',
      stealing: 'off',
    }).stats;
    assert.ok(imbalance < 1.15, String(imbalance));
  }));

test('with stealing, lists that run in virtual time on one thread share the work evenly', () =>
  withLaboratory(1, engine => {
    const [a, b] = [engine.createMesh(torus(6000)), engine.createMesh(sphere(6000))];
    const imbalances = Array.from(
      { length: 4 },
      () => engine.query(a, b, { transformB, parts: 16 }).stats.imbalance,
    );
    assert.ok(imbalances.at(-1)! < 1.1, imbalances.join());
  }));

test('an ordinary engine has no kernels for studies of papers', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const { kernels } = poolOf(engine) as unknown as { kernels: Record<string, unknown> };
    assert.equal(
      paperKernelNames.filter(name => name in kernels),
      [],
    );
  }));

test('options of a study engine are validated like those of an ordinary engine', async () => {
  const messages: string[] = [];
  for (const create of [createEngine, createLaboratory] as ((options: object) => Promise<unknown>)[])
    await create({ thread: 1 }).catch((error: Error) => messages.push(error.message));
  assert.is(messages.length, 2);
  assert.is(messages[0], messages[1]);
});

test.run();
