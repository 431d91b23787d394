// Tests the GPU shader testLeafPairs, which finds the intersecting triangles in pairs of tree leaves. Each
// verdict on a triangle pair is either certain or left to exact arithmetic. Certain verdicts must be correct,
// few verdicts may be uncertain, and the number and size of workgroups must not change the result.

import * as assert from 'uvu/assert';
import { createEngine, type Mesh } from '../../dist/index.js';
import { type MeshData, rotation, soup, sphere, torus } from '../../dist/samples/index.js';
import { hasData } from '../support/data.js';
import { gpuDataTest, gpuTest, withGpu } from '../support/gpu.js';
import {
  allLeaves,
  intersectingPairsOf,
  type LeafQuery,
  overlappingLeaves,
  testTriangles,
  touchLeavesOf,
  triplesOf,
} from '../support/gpuLeaves.js';
import { checkTriangles } from '../support/gpuTruth.js';
import { flatPlacements, meshPairs, placements, seeded } from '../support/placedScenes.js';
import { selfMeshes } from '../support/selfMeshes.js';
import { test } from '../support/test.js';
import { readBunny, readTriangleRows } from '../support/truth.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`;
const TURN = rotation([2 / 7, 3 / 7, 6 / 7], 0.7, [0.31, 0.17, 0.05]);

/**
 * Returns the triangle pairs that engine.query or engine.selfQuery finds, as sorted strings `pair a b`.
 * `pair` is an index in `pairs`; `kept` selects the pairs to query.
 */
const answersOf = (pairs: readonly LeafQuery[], kept: (pair: number) => boolean = () => true): string[] =>
  pairs
    .flatMap(({ a, b, transformA, transformB, isSelf }, i) => {
      if (!kept(i)) return [];
      const found = isSelf ? engine.selfQuery(a) : engine.query(a, b, { transformA, transformB });
      return Array.from(found.a, (first, k) => `${i} ${first} ${found.b[k]}`);
    })
    .sort();

/** Returns a description of how `found` differs from `truth`, or an empty string if they are equal. */
function differenceOf(found: readonly string[], truth: readonly string[]): string {
  const [own, right] = [new Set(found), new Set(truth)];
  const missing = truth.filter(pair => !own.has(pair));
  const extra = found.filter(pair => !right.has(pair));
  return missing.length + extra.length === 0 && found.length === truth.length
    ? ''
    : `${found.length} pairs, not ${truth.length}; missing ${missing.slice(0, 3).join(', ')}; in excess ${extra.slice(0, 3).join(', ')}`;
}

gpuDataTest.slow('certain verdicts on 20,000 pairs of triangles are correct', () =>
  withGpu(async gpu => {
    const shares = await checkTriangles(readTriangleRows(), corners => testTriangles(gpu, engine, corners));
    console.log(
      `\nuncertain verdicts: ${[...shares].map(([kind, { all, uncertain }]) => `${kind} ${percent(uncertain, all)}`).join(', ')}`,
    );
    for (const kind of ['generic', 'shen2003'])
      assert.ok(shares.get(kind)!.uncertain <= 0.02 * shares.get(kind)!.all, kind);
  }),
);

gpuTest.slow('few verdicts are uncertain for generic meshes', async () => {
  const scenes: [name: string, a: MeshData, b: MeshData, transformB: Float64Array][] = [
    ['tori', torus(20000), torus(20000), TURN],
    ['spheres', sphere(5000), sphere(5000), TURN],
    ['soup', soup(500, 1), soup(500, 2), TURN],
    ...(hasData
      ? [
          [
            'bunnies',
            readBunny(),
            readBunny(),
            rotation([2 / 7, 3 / 7, 6 / 7], 0.2, [0.01, 0.007, 0.005]),
          ] as [string, MeshData, MeshData, Float64Array],
        ]
      : []),
  ];
  await withGpu(async gpu => {
    for (const [name, first, second, transformB] of scenes) {
      const a = engine.createMesh(first);
      const b = engine.createMesh(second);
      const pairs: LeafQuery[] = [{ a, b, transformB }];
      const verdicts = await touchLeavesOf(gpu, engine, pairs, overlappingLeaves(engine));
      assert.is(verdicts.refused[0], 0);
      assert.is(differenceOf(intersectingPairsOf(engine, verdicts), answersOf(pairs)), '', name);
      const candidates = engine
        .query(a, b, { transformB })
        .stats.threads.reduce((sum, { triangleTests }) => sum + triangleTests, 0);
      console.log(
        `\n${name}: ${verdicts.uncertainCount} of ${candidates} verdicts are uncertain, ${percent(verdicts.uncertainCount, candidates)}`,
      );
      assert.ok(verdicts.certainCount > 300 && verdicts.uncertainCount <= 0.02 * candidates, name);
      a.dispose();
      b.dispose();
    }
  });
});

const placedMeshes = new Map<string, [Mesh, Mesh]>(
  Object.entries(meshPairs).map(([name, data]) => [
    name,
    data.map(one => engine.createMesh(one)) as [Mesh, Mesh],
  ]),
);
// Placements that a GPU may refuse. If a GPU accepts such a placement, its verdicts must be correct.
const mayBeRefused = new Set([
  ...Object.keys(flatPlacements),
  'A huge, B itself',
  'A itself, B tiny',
  'A tiny, B huge',
  'axes far apart in scale',
  'needle and disk',
  'A in a plane',
  'B in a plane',
  'A crushed',
  'A on a line',
  'B on a line',
  'A in a point',
  'B in a point',
  'so far that all is one point',
  'both very far off',
  'both far off',
  'apart',
]);
// Pairs of meshes that a GPU may refuse. Compared to the translations of the placements, these meshes are too
// large, too small or too far away, so most placements separate the two meshes of a pair.
const mayBeApart = new Set(['huge', 'large and small', 'far from the origin', 'float32 denormals', 'tiny']);

gpuTest.slow('placed meshes of every kind give the same pairs as engine.query', async () => {
  const faults: string[] = [];
  let refusedCount = 0;
  let count = 0;
  await withGpu(async gpu => {
    let seed = 1;
    for (const [name, place] of Object.entries({ ...placements, ...flatPlacements })) {
      const names = [...placedMeshes.keys()];
      const pairs = names.map(
        (pair): LeafQuery => ({
          a: placedMeshes.get(pair)![0],
          b: placedMeshes.get(pair)![1],
          ...place(seeded(seed++)),
        }),
      );
      const verdicts = await touchLeavesOf(gpu, engine, pairs);
      const intersecting = intersectingPairsOf(engine, verdicts);
      const truth = answersOf(pairs, i => verdicts.refused[i] === 0);
      const difference = differenceOf(intersecting, truth);
      if (difference !== '') faults.push(`${name}: ${difference}`);
      verdicts.refused.forEach((isRefused, i) => {
        count++;
        refusedCount += isRefused;
        if (isRefused && !mayBeRefused.has(name) && !mayBeApart.has(names[i]))
          faults.push(`${name}: refuses ${names[i]}`);
      });
    }
  });
  console.log(`\nthe GPU refused ${refusedCount} of ${count} placed pairs`);
  assert.equal(faults, []);
});

gpuTest.slow('testing a mesh against itself gives the same pairs as selfQuery', async () => {
  await withGpu(async gpu => {
    const all = selfMeshes();
    const pairs = all.map(([, data]): LeafQuery => {
      const a = engine.createMesh(data);
      return { a, b: a, isSelf: true };
    });
    const verdicts = await touchLeavesOf(gpu, engine, pairs);
    const intersecting = intersectingPairsOf(engine, verdicts);
    all.forEach(([name], i) => {
      const own = (list: readonly string[]): string[] => list.filter(triple => triple.startsWith(`${i} `));
      assert.is(
        differenceOf(
          own(intersecting),
          answersOf(pairs, pair => pair === i && verdicts.refused[i] === 0),
        ),
        '',
        name,
      );
      if (verdicts.refused[i]) console.log(`\nrefused: ${name}`);
    });
    for (const { a } of pairs) a.dispose();
  });
});

/**
 * Makes queries that have both certain and uncertain triangle pairs: three queries of two meshes, and a
 * self-query.
 */
function crowd(): LeafQuery[] {
  const ball = engine.createMesh(sphere(200));
  const ring = engine.createMesh(torus(300));
  const plate = engine.createMesh(meshPairs['lattice'][0]);
  return [
    { a: ball, b: ring, transformB: TURN },
    { a: plate, b: plate, isSelf: true },
    { a: ring, b: ball },
    { a: plate, b: plate },
  ];
}

gpuTest.proof('different numbers and sizes of workgroups give the same lists', async () => {
  const pairs = crowd();
  let reported: string | undefined;
  for (const [workgroups, invocations] of [
    [65535, 64],
    [7, 256],
    [2, 128],
    [1, 64],
  ] as const) {
    await withGpu(
      async gpu => {
        const verdicts = await touchLeavesOf(gpu, engine, pairs);
        const lists = JSON.stringify([
          triplesOf(verdicts.certain, verdicts.swapped).sort(),
          triplesOf(verdicts.uncertain, verdicts.swapped).sort(),
        ]);
        if (reported === undefined)
          assert.is(differenceOf(intersectingPairsOf(engine, verdicts), answersOf(pairs)), '');
        reported ??= lists;
        assert.ok(lists === reported, `${workgroups} workgroups of ${invocations}`);
      },
      { workgroups, invocations },
    );
  }
  for (const { a, b } of pairs) {
    a.dispose();
    b.dispose();
  }
});

gpuTest.slow('if a list is too short, all pairs are counted, and those that fit are kept', async () => {
  const pairs = crowd();
  const choose = allLeaves(pairs);
  await withGpu(async gpu => {
    const whole = await touchLeavesOf(gpu, engine, pairs);
    const { certainCount, uncertainCount } = whole;
    const all = {
      certain: new Set(triplesOf(whole.certain, whole.swapped)),
      uncertain: new Set(triplesOf(whole.uncertain, whole.swapped)),
    };
    assert.is(all.certain.size, certainCount);
    assert.is(all.uncertain.size, uncertainCount);
    for (const list of ['certain', 'uncertain'] as const) {
      const count = list === 'certain' ? certainCount : uncertainCount;
      assert.ok(count > 20, list);
      for (const capacity of [0, 1, count - 1, count, count + 1]) {
        const verdicts = await touchLeavesOf(gpu, engine, pairs, choose, { [list]: capacity });
        const kept = triplesOf(verdicts[list], verdicts.swapped);
        assert.equal(
          [verdicts.certainCount, verdicts.uncertainCount],
          [certainCount, uncertainCount],
          `${list} ${capacity}`,
        );
        assert.is(new Set(kept).size, Math.min(capacity, count), `${list} ${capacity}`);
        assert.ok(
          kept.every(triple => all[list].has(triple)),
          `${list} ${capacity}`,
        );
      }
    }
    const none = await touchLeavesOf(gpu, engine, pairs, choose, { leafPairs: 0 });
    assert.equal([none.certainCount, none.uncertainCount], [0, 0]);
    const first = await touchLeavesOf(gpu, engine, pairs, choose, { leafPairs: 100 });
    const ownLists = await touchLeavesOf(gpu, engine, pairs, (pair, a, b, at) =>
      pair === 0 ? Array.from(choose(pair, a, b, at)).slice(0, 200) : [],
    );
    assert.equal(
      [first.certainCount, first.uncertainCount],
      [ownLists.certainCount, ownLists.uncertainCount],
    );
  }, {});
  for (const { a, b } of pairs) {
    a.dispose();
    b.dispose();
  }
});

gpuTest('an empty input gives empty lists', async () => {
  await withGpu(async gpu => {
    const { certainCount, uncertainCount } = await touchLeavesOf(gpu, engine, []);
    assert.equal([certainCount, uncertainCount], [0, 0]);
  });
});

test.run();
