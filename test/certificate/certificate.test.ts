// Tests that certificates of queries and models are valid, and that omissions and forgeries are refused.

import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../dist/index.js';
import {
  box,
  createRandom,
  rotation,
  sphere,
  torus,
  touchingPlates,
  translation,
} from '../../dist/samples/index.js';
import { type Claim, type ModelClaim, verify, verifyModel } from '../../dist/verify/index.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import type { OracleMesh } from '../oracle/place.js';
import { test } from '../support/test.js';

let engine: Engine;
test.before(async () => {
  engine = await createEngine({ threads: 2 });
});
test.after(() => engine.dispose());

interface Scene {
  name: string;
  a: OracleMesh;
  b: OracleMesh;
  transformA?: Float64Array | Float32Array;
  transformB?: Float64Array | Float32Array;
}

const random = createRandom(28);
/** Triangles on a small lattice: many touch, coincide, or have no area. */
const lattice = (count: number): OracleMesh => ({
  positions: Float32Array.from({ length: 9 * count }, () => random.below(4)),
  indices: Uint32Array.from({ length: 3 * count }, (_, i) => i),
});
const plates = touchingPlates(12).meshes;
const empty = { positions: new Float32Array(0), indices: new Uint32Array(0) };
const scenes: Scene[] = [
  { name: 'tori that cross', a: torus(300), b: torus(300), transformB: rotation([1, 0, 0], 1, [0.4, 0, 0]) },
  { name: 'meshes apart', a: sphere(200), b: torus(200), transformB: translation([9, 0, 0]) },
  {
    name: 'both placed',
    a: sphere(200),
    transformA: rotation([0, 0.6, 0.8], 2),
    b: box(),
    transformB: translation([0.9, 0.3, 0]),
  },
  { name: 'coplanar plates', a: plates[0]!, b: plates[1]! },
  { name: 'lattice triangles', a: lattice(40), b: lattice(40) },
  { name: 'one triangle each', a: lattice(1), b: lattice(1) },
  { name: 'a mesh and itself', a: torus(100), b: torus(100) },
  { name: 'an empty mesh', a: empty, b: box() },
];

function claimOf({ a, b, transformA, transformB }: Scene): Claim {
  const [meshA, meshB] = [engine.createMesh(a), engine.createMesh(b)];
  const {
    a: pairsA,
    b: pairsB,
    certificate,
  } = engine.query(meshA, meshB, { transformA, transformB, certificate: true }).copy();
  meshA.dispose();
  meshB.dispose();
  return { a, b, transformA, transformB, pairs: { a: pairsA, b: pairsB }, certificate };
}

for (const scene of scenes) {
  test(`${scene.name}: the certificate is valid and the pairs equal the oracle's`, () => {
    const claim = claimOf(scene);
    const verdict = verify(claim);
    assert.is(verdict.problem, '');
    assert.ok(verdict.isValid);
    const expected = trianglePairs(scene.a, scene.transformA, scene.b, scene.transformB);
    assert.is(verdict.common, expected.length);
    assert.equal(
      expected.map(([a]) => a),
      Array.from(claim.pairs.a),
    );
    assert.equal(
      expected.map(([, b]) => b),
      Array.from(claim.pairs.b),
    );
  });
}

/**
 * Returns a changed claim that `verify` must refuse, or undefined if the claim cannot be changed in this way.
 */
type Forgery = (claim: Claim) => Claim | undefined;

const without = (list: ArrayLike<number>, i: number): number[] => Array.from(list).filter((_, k) => k !== i);
const withSteps = (claim: Claim, steps: Uint8Array): Claim => ({
  ...claim,
  certificate: { ...claim.certificate, steps },
});

const forgeries: Record<string, Forgery> = {
  'a pair is left out of the result': claim => {
    const { a, b } = claim.pairs;
    if (a.length === 0) return undefined;
    const i = random.below(a.length);
    return { ...claim, pairs: { a: without(a, i), b: without(b, i) } };
  },
  'a pair is left out of the result, and its step says that it is apart': claim => {
    const { steps } = claim.certificate;
    const hits = [...steps.keys()].filter(i => steps[i] === 2);
    if (hits.length === 0) return undefined;
    const i = random.below(hits.length);
    const forged = steps.slice();
    forged[hits[i]!] = 9 + random.below(38);
    // Any pair may be left out. If the forged step is about this pair, the step is wrong; otherwise the
    // pair's own step contradicts the result.
    const omitted = random.below(hits.length);
    return withSteps(
      { ...claim, pairs: { a: without(claim.pairs.a, omitted), b: without(claim.pairs.b, omitted) } },
      forged,
    );
  },
  'a pair is added to the result': claim => {
    const countA = claim.certificate.orderA.length;
    const countB = claim.certificate.orderB.length;
    if (countA * countB === 0) return undefined;
    const [a, b] = [random.below(countA), random.below(countB)];
    const { pairs } = claim;
    return { ...claim, pairs: { a: [...Array.from(pairs.a), a], b: [...Array.from(pairs.b), b] } };
  },
  'a step is left out': claim => {
    const { steps } = claim.certificate;
    return steps.length === 0
      ? undefined
      : withSteps(claim, Uint8Array.from(without(steps, random.below(steps.length))));
  },
  'a step is added': claim => {
    const steps = Array.from(claim.certificate.steps);
    steps.push(random.below(48));
    return withSteps(claim, Uint8Array.from(steps));
  },
  'the steps end early': claim => {
    const { steps } = claim.certificate;
    return steps.length === 0 ? undefined : withSteps(claim, steps.slice(0, random.below(steps.length)));
  },
  'the boxes of nodes with a pair are said to be apart, and their steps and pairs are left out': claim =>
    withoutSubtree(claim, 3 + random.below(6)),
  'two triangles that share a point are said to be apart, and the pair is left out': claim => {
    const hits = [...claim.certificate.steps.keys()].filter(i => claim.certificate.steps[i] === 2);
    return hits.length === 0
      ? undefined
      : withoutSubtree(claim, 9 + random.below(38), hits[random.below(hits.length)]);
  },
  'triangles that are apart are added to the result as a pair': claim => {
    const { steps } = claim.certificate;
    const apart = [...steps.keys()].filter(i => steps[i]! >= 9);
    if (apart.length === 0) return undefined;
    const i = apart[random.below(apart.length)]!;
    const [a, b] = subtreesOf(claim)[i]!.first;
    const forged = steps.slice();
    forged[i] = 2;
    const pairs = { a: [...Array.from(claim.pairs.a), a], b: [...Array.from(claim.pairs.b), b] };
    return withSteps({ ...claim, pairs }, forged);
  },
  'a triangle occurs twice in an order': claim => {
    const { orderA } = claim.certificate;
    if (orderA.length < 2) return undefined;
    const forged = orderA.slice();
    const i = random.below(forged.length);
    forged[i] = forged[(i + 1) % forged.length]!;
    return { ...claim, certificate: { ...claim.certificate, orderA: forged } };
  },
  'a triangle is missing in an order': claim => {
    const { orderB } = claim.certificate;
    if (orderB.length === 0) return undefined;
    return { ...claim, certificate: { ...claim.certificate, orderB: orderB.slice(1) } };
  },
};

/**
 * A step and the steps that follow from it. end: index of the first step after them. first: the first
 * triangles of the step's two nodes. pairs: the pairs with a common point in the subtree. Triangles of A come
 * first.
 */
interface Subtree {
  end: number;
  first: [number, number];
  pairs: [number, number][];
}

/** Returns the subtree of each step. */
function subtreesOf({ certificate: { orderA, orderB, steps } }: Claim): Subtree[] {
  const subtrees: Subtree[] = [];
  const read = (lowA: number, highA: number, lowB: number, highB: number): Subtree => {
    const i = subtrees.length;
    const first: [number, number] = [orderA[lowA]!, orderB[lowB]!];
    const subtree: Subtree = { end: i + 1, first, pairs: [] };
    subtrees.push(subtree);
    if (steps[i] === 2) subtree.pairs.push(first);
    if (steps[i]! > 1) return subtree;
    const middle = steps[i] === 0 ? (lowA + highA) >>> 1 : (lowB + highB) >>> 1;
    const children =
      steps[i] === 0
        ? [() => read(lowA, middle, lowB, highB), () => read(middle, highA, lowB, highB)]
        : [() => read(lowA, highA, lowB, middle), () => read(lowA, highA, middle, highB)];
    for (const child of children) {
      const { end, pairs } = child();
      subtree.end = end;
      subtree.pairs.push(...pairs);
    }
    return subtree;
  };
  if (steps.length > 0) read(0, orderA.length, 0, orderB.length);
  return subtrees;
}

/**
 * Replaces a subtree that has pairs by one step, and leaves these pairs out of the result.
 * @param at The first step of the subtree. Default: chosen at random.
 */
function withoutSubtree(claim: Claim, step: number, at?: number): Claim | undefined {
  const subtrees = subtreesOf(claim);
  const candidates = [...subtrees.keys()].filter(i => subtrees[i]!.pairs.length > 0);
  if (candidates.length === 0) return undefined;
  const from = at ?? candidates[random.below(candidates.length)]!;
  const { end, pairs } = subtrees[from]!;
  const omitted = new Set(pairs.map(pair => pair.join()));
  const { a, b } = claim.pairs;
  const kept = Array.from(a, (triangle, i) => [triangle, b[i]!]).filter(pair => !omitted.has(pair.join()));
  const { steps } = claim.certificate;
  return withSteps(
    { ...claim, pairs: { a: kept.map(([x]) => x!), b: kept.map(([, y]) => y!) } },
    Uint8Array.of(...steps.subarray(0, from), step, ...steps.subarray(end)),
  );
}

function forge(iterations: number): number {
  const claims = scenes.map(scene => claimOf(scene));
  const names = Object.keys(forgeries);
  let forged = 0;
  while (forged < iterations) {
    const name = names[forged % names.length]!;
    const claim = forgeries[name]!(claims[random.below(claims.length)]!);
    if (!claim) continue;
    const { isValid, problem } = verify(claim);
    assert.not(isValid, `accepted although ${name}`);
    assert.is.not(problem, '');
    forged++;
  }
  return forged;
}

test('200 seeded omissions and forgeries are all refused', () => {
  assert.is(forge(200), 200);
});

test.slow('400 seeded omissions and forgeries are all refused', () => {
  assert.is(forge(400), 400);
});
test.proof('10,000 seeded omissions and forgeries are all refused', () => {
  assert.is(forge(10_000), 10_000);
});

test.slow('verify needs at most a quarter of the tests of brute force, and certificates are short', () => {
  let perTriangle = 4.5;
  for (const count of [1000, 10_000, 100_000]) {
    const data = torus(count);
    const verdict = verify(
      claimOf({ name: '', a: data, b: data, transformB: rotation([1, 0, 0], 1, [0.4, 0, 0]) }),
    );
    assert.ok(verdict.isValid);
    const { steps, boxes, triangles, common } = verdict;
    // Only triangles that share a point are tested along all directions.
    const tests = boxes + triangles + 38 * common;
    assert.ok(tests <= count ** 2 / 4, `${count} triangles: ${tests} tests`);
    // Each step that is not a test divides a pair of nodes into two.
    assert.is(steps, 2 * (boxes + triangles + common) - 1);
    assert.ok(steps / (2 * count) < perTriangle, `${count} triangles: ${steps} steps`);
    // The number of steps grows with the length of the curve in which the tori cross, not with their area.
    perTriangle = (0.6 * steps) / (2 * count);
  }
});

test.proof('a certificate may have more than 2^24 pairs', () => {
  // Two fans of triangles with a common tip: every triangle of one shares the tip with every triangle of the
  // other.
  const fan = (z: number): { positions: Float32Array } => ({
    positions: Float32Array.from({ length: 9 * 4100 }, (_, i) => {
      const angle = (Math.PI * (2 * Math.floor(i / 9) + (i % 9 < 6 ? 0 : 1))) / 4100;
      return i % 9 < 3 ? 0 : [Math.cos(angle), Math.sin(angle), z][i % 3]!;
    }),
  });
  const [a, b] = [fan(1), fan(-1)];
  const [meshA, meshB] = [engine.createMesh(a), engine.createMesh(b)];
  const { certificate, ...pairs } = engine.query(meshA, meshB, { certificate: true }).copy();
  meshA.dispose();
  meshB.dispose();
  assert.is(pairs.a.length, 4100 ** 2);
  const { steps } = certificate;
  assert.is(
    steps.reduce((count, step) => count + (step === 2 ? 1 : 0), 0),
    4100 ** 2,
  );
  // To test that all pairs share a point would take many minutes, so only the first steps are checked.
  const first = { ...certificate, steps: steps.subarray(0, 200) };
  const { common, problem } = verify({ a, b, pairs, certificate: first });
  assert.ok(common > 50);
  assert.is(problem, 'the steps end after 200, before all pairs are covered');
  pairs.b[0]!++;
  assert.is(verify({ a, b, pairs, certificate: first }).problem, 'a pair of the result occurs twice');
});

test('the certificate of two triangles with the largest coordinates is valid', () => {
  // The triangles are coplanar and apart, but their boxes overlap. In doubles, the projections of such large
  // triangles overflow.
  const triangle = (...xy: number[]): OracleMesh => ({
    positions: Float32Array.from({ length: 9 }, (_, i) =>
      i % 3 === 2 ? 0 : xy[2 * Math.floor(i / 3) + (i % 3)]! * 2 ** 55,
    ),
    indices: Uint32Array.of(0, 1, 2),
  });
  const scale = 2 ** 200;
  const transform = Float64Array.of(scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1);
  const claim = claimOf({
    name: '',
    a: triangle(0, 0, -0.8, -1.8, 0.9, 1.6),
    b: triangle(1.7, 0.2588, 0.97, 1.8, -0.2, -1.95),
    transformA: transform,
    transformB: transform,
  });
  assert.is(claim.pairs.a.length, 0);
  assert.is(verify(claim).problem, '');
});

test('a query that does not return all intersecting pairs refuses certificate: true', () => {
  const mesh = engine.createMesh(box());
  for (const options of [{ want: 'any' }, { want: 'segments' }, { clearance: 1 }])
    assert.throws(
      () => engine.query(mesh, mesh, { ...options, certificate: true } as never),
      /certificate is true, but/,
    );
});

test('for invalid input, verify returns isValid: false and a problem', () => {
  const claim = claimOf(scenes[0]!);
  const wrong: Partial<Claim>[] = [
    { a: { positions: new Float32Array(8) } },
    { a: { positions: Float32Array.of(NaN, 0, 0, 0, 0, 0, 0, 0, 0) } },
    { a: { positions: new Float32Array(9), indices: [0, 1, 3] } },
    { transformB: [1, 2, 3] },
    { pairs: { a: [1e9], b: [0] } },
    { certificate: { ...claim.certificate, version: 2 } },
    { certificate: null as never },
  ];
  for (const part of wrong) {
    const { isValid, problem } = verify({ ...claim, ...part });
    assert.not(isValid);
    assert.is.not(problem, '');
  }
});

/** Two triangles in parallel planes, and a third that crosses the first. */
const modelClaim = (): ModelClaim => {
  const at = (z: number) => ({ positions: Float32Array.of(0, 0, z, 1, 0, z, 0, 1, z) });
  const parts = [at(0), at(4), { positions: Float32Array.of(0.2, 0.2, -1, 0.2, 0.2, 1, 0.4, 0.2, 1) }];
  const partOrder = Uint32Array.of(0, 2, 1);
  // The first half of partOrder is part 0. The second half is parts 2 and 1; their common box overlaps the
  // box of part 0, so step 0 divides the second half.
  const steps = Uint8Array.of(1, 2, 2, 5, 5);
  const orders = parts.map(() => Uint32Array.of(0));
  const clashes = [{ a: 0, b: 2, pairs: { a: [0], b: [0] } }];
  return { parts, clashes, certificate: { version: 1, partOrder, orders, steps } };
};

test('verifyModel accepts a certificate that was written by hand, and refuses wrong claims with the reason', () => {
  const claim = modelClaim();
  const { isValid, problem, ...counts } = verifyModel(claim);
  assert.is(problem, '');
  assert.ok(isValid);
  assert.equal(counts, { steps: 5, boxes: 2, triangles: 0, common: 1 });
  const { certificate, parts, clashes } = claim;
  const steps = (...values: number[]) => ({
    certificate: { ...certificate, steps: Uint8Array.from(values) },
  });
  const orders = (...lists: number[][]) => ({
    certificate: { ...certificate, orders: lists.map(list => Uint32Array.from(list)) },
  });
  const clash = clashes[0]!;
  const wrong: [Partial<ModelClaim>, RegExp][] = [
    [orders([0], [0], [0], [0]), /^3 parts, but 4 triangle orders$/],
    [orders([0], [0]), /^3 parts, but 2 triangle orders$/],
    [
      { parts: [...parts.slice(0, 2), { positions: new Float32Array(0) }], ...orders([0], [0], []) },
      /^a part has no triangles$/,
    ],
    [{ clashes: [clash, clash] }, /^two clashes are of the same pair of parts$/],
    [{ clashes: [] }, /triangle 0 of A and triangle 0 of B are not in the result$/],
    [
      { clashes: [{ ...clash, pairs: { a: [], b: [] } }] },
      /^the clash of parts 0 and 2 has no triangle pairs$/,
    ],
    [{ clashes: [clash, { ...clash, a: 1 }] }, /^1 clashes are not in the certificate$/],
    [{ clashes: [{ ...clash, a: 2, b: 0 }] }, /are not in the result$/],
    [{ clashes: [{ ...clash, pairs: { a: [0, 0], b: [0, 0] } }] }, /^a pair of the result occurs twice$/],
    [
      { clashes: [{ ...clash, pairs: { a: [0], b: [0, 0] } }] },
      /^the lists a and b of the result differ in length$/,
    ],
    [
      { clashes: [{ ...clash, pairs: { a: [1], b: [0] } }] },
      /^pair 0 of the result is 1, 0, but such triangles do not exist$/,
    ],
    [steps(1, 9, 5, 5), /^step 1 \(value 9\) is about triangles, but the nodes are parts$/],
    [steps(1, 2, 2, 5), /^the steps end after 4, before all pairs are covered$/],
    [steps(1, 2, 2, 5, 5, 0), /^1 steps are left over at the end$/],
    [steps(0, 2, 2, 5, 5), /^step 0 \(value 0\) divides a single leaf$/],
    [
      steps(2, 2, 2, 5, 5),
      /^step 0 \(value 2\) requires two single leaves, but a node of the pair has more than one leaf$/,
    ],
    [steps(47, 2, 2, 5, 5), /^step 0 \(value 47\) is not a valid step$/],
    [steps(1, 2, 2, 8, 5), /^step 3 \(value 8\) is wrong: the boxes of nodes 1 and 4 are not apart$/],
    [
      { certificate: { ...certificate, partOrder: Uint32Array.of(0, 1) } },
      /^the order of the parts has 2 entries, not 3$/,
    ],
    [
      { certificate: { ...certificate, partOrder: Uint32Array.of(0, 1, 1) } },
      /^1 is invalid or repeated in the order of the parts$/,
    ],
    [
      { certificate: { ...certificate, partOrder: [0, 1, 2] as never } },
      /^the order of the parts is not a Uint32Array$/,
    ],
    [{ certificate: { ...certificate, version: 2 } }, /^version 2 is not supported, only version 1$/],
    [{ certificate: { ...certificate, steps: [1] as never } }, /^the steps are not a Uint8Array$/],
    [{ parts: undefined as never }, /^invalid input: TypeError/],
  ];
  for (const [part, expected] of wrong) {
    const verdict = verifyModel({ ...claim, ...part });
    assert.not(verdict.isValid, String(expected));
    assert.match(verdict.problem, expected);
  }
});

test('engine.async gives the same certificate', async () => {
  const { a, b, transformB } = scenes[0]!;
  const [meshA, meshB] = [engine.createMesh(a), engine.createMesh(b)];
  const expected = engine.query(meshA, meshB, { transformB, certificate: true }).certificate;
  const found = await engine.async.query(meshA, meshB, { transformB, certificate: true });
  assert.equal(found.certificate, expected);
});

test.run();
