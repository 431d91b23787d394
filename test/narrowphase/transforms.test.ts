// Tests that queries of small meshes under every kind of placement find exactly the pairs of the oracle, with
// the two meshes in either order, and with transforms in float32 and float64.

import * as assert from 'uvu/assert';
import { createEngine, type Mesh } from '../../dist/index.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import { caught, pairsOf, swappedPairs } from '../support/engines.js';
import {
  degenerateKinds,
  degenerateMeshes,
  flatPlacements,
  meshPairs,
  type Placed,
  placements,
  seeded,
} from '../support/placedScenes.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

const pairNames = Object.keys(meshPairs);
const meshes = new Map<string, [Mesh, Mesh]>();
const meshesOf = (name: string): [Mesh, Mesh] => {
  if (!meshes.has(name))
    meshes.set(name, meshPairs[name].map(data => engine.createMesh(data)) as [Mesh, Mesh]);
  return meshes.get(name)!;
};

// Rounds a transform to float32. Entries below the smallest normal float32 become zero. A transform with an
// entry above 2^127 is returned unchanged.
const toFloats = (transform: Float64Array | undefined): Float32Array | Float64Array | undefined =>
  transform?.some(value => Math.abs(value) > 2 ** 127)
    ? transform
    : transform && Float32Array.from(transform, value => (Math.abs(value) < 2 ** -126 ? 0 : value));

type Transforms = { transformA?: Float32Array | Float64Array; transformB?: Float32Array | Float64Array };

// Queries two meshes as given, swapped, and with want: 'any'. Returns a description of each result that
// differs from the truth.
function faultsOf(
  a: Mesh,
  b: Mesh,
  truth: readonly Pair[],
  { transformA, transformB }: Transforms,
): string[] {
  const faults: string[] = [];
  const note = (what: string, run: () => string) => {
    let fault: string;
    try {
      fault = run();
    } catch (error) {
      fault = String(error);
    }
    if (fault !== '') faults.push(`${what}: ${fault}`);
  };
  note('as given', () => difference(pairsOf(engine.query(a, b, { transformA, transformB })), truth));
  note('swapped', () =>
    difference(
      pairsOf(engine.query(b, a, { transformA: transformB, transformB: transformA })),
      swappedPairs(truth),
    ),
  );
  note('any', () =>
    engine.query(a, b, { transformA, transformB, want: 'any' }) === truth.length > 0
      ? ''
      : `is not ${truth.length > 0}`,
  );
  return faults;
}

function difference(pairs: readonly Pair[], truth: readonly Pair[]): string {
  if (JSON.stringify(pairs) === JSON.stringify(truth)) return '';
  const [found, right] = [new Set(pairs.map(String)), new Set(truth.map(String))];
  const missing = [...right].filter(pair => !found.has(pair));
  const extra = [...found].filter(pair => !right.has(pair));
  return `${pairs.length} pairs, not ${truth.length}; missing ${missing.slice(0, 3).join(' ')}; too many ${extra.slice(0, 3).join(' ')}`;
}

let kind = 1;
for (const [name, place] of Object.entries({ ...placements, ...flatPlacements })) {
  const first = 1000 * kind++;
  test(`queries of small meshes find the pairs of the oracle, for the placement: ${name}`, () => {
    const faults: string[] = [];
    let found = 0;
    pairNames.forEach((pairName, at) => {
      for (let iteration = 0; iteration < 3; iteration++) {
        const doubles = place(seeded(first + 100 * iteration + at));
        // The last round rounds the transforms to float32, which changes the placements.
        const { transformA, transformB } =
          iteration < 2
            ? doubles
            : { transformA: toFloats(doubles.transformA), transformB: toFloats(doubles.transformB) };
        const [dataA, dataB] = meshPairs[pairName];
        const truth = trianglePairs(dataA, transformA, dataB, transformB);
        found += truth.length;
        faults.push(
          ...faultsOf(...meshesOf(pairName), truth, { transformA, transformB }).map(
            fault => `${pairName}, round ${iteration}, ${fault}`,
          ),
        );
      }
    });
    assert.equal(faults, []);
    // Checks that some triangles intersect under this placement.
    if (name !== 'apart') assert.ok(found > 0);
  });
}

for (const kindName of degenerateKinds) {
  test(`queries of degenerate meshes agree with the oracle: ${kindName}`, () => {
    for (let seed = 1; seed <= 4; seed++) {
      const [dataA, dataB] = degenerateMeshes(kindName, seed, 30);
      const [a, b] = [engine.createMesh(dataA), engine.createMesh(dataB)];
      const placed: Placed[] = [
        {},
        placements['grid rotations'](seeded(seed)),
        placements['both rigid'](seeded(seed)),
      ];
      for (const { transformA, transformB } of placed) {
        const truth = trianglePairs(dataA, transformA, dataB, transformB);
        assert.equal(faultsOf(a, b, truth, { transformA, transformB }), [], `seed ${seed}`);
      }
      a.dispose();
      b.dispose();
    }
  });
}

// The scales along x and z differ by a factor of 2^398. Products of such coordinates can overflow or
// underflow, which floating-point expansions do not allow, so BigInt has to decide.
const stretched = Float64Array.of(2 ** 199, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2 ** -199, 0, 0, 0, 0, 1);

test.slow(
  'query and queryMany find triangle pairs that only BigInt can decide, also beyond the initial capacity',
  () => {
    const placed = { transformA: stretched, transformB: stretched };
    const wide = (['mixedCorners', 'lattice', 'scaleMix', 'denormal'] as const).map(kindName => {
      const data = degenerateMeshes(kindName, 1, 80);
      const truth = trianglePairs(data[0], stretched, data[1], stretched);
      const [a, b] = data.map(one => engine.createMesh(one));
      assert.equal(faultsOf(a, b, truth, placed), [], kindName);
      return { a, b, truth };
    });
    const [first, second] = meshesOf('lattice');
    const plain = pairsOf(engine.query(first, second));
    const pairs = wide.flatMap(({ a, b }) => [
      { a: first, b: second },
      { a, b, ...placed },
    ]);
    for (const parts of [1, 2, 6]) {
      const many = engine.queryMany({ pairs, parts });
      pairs.forEach((_, i) => {
        const [from, to] = [many.pairsAt[i], many.pairsAt[i + 1]];
        assert.equal(
          pairsOf({ a: many.a.subarray(from, to), b: many.b.subarray(from, to) }),
          i % 2 === 0 ? plain : wide[(i - 1) / 2].truth,
          `pair ${i}, ${parts} parts`,
        );
      });
      assert.equal(
        [...engine.queryMany({ pairs, parts, want: 'any' })],
        pairs.map((_, i) => Number((i % 2 === 0 ? plain : wide[(i - 1) / 2].truth).length > 0)),
      );
    }
  },
);

test('a view into a longer array is a valid transform', () => {
  const [a, b] = meshesOf('soup');
  const transform = placements['B rigid'](seeded(1)).transformB!;
  const long = new Float64Array(40);
  long.set(transform, 17);
  const truth = pairsOf(engine.query(a, b, { transformB: transform }));
  assert.equal(pairsOf(engine.query(a, b, { transformB: long.subarray(17, 33) })), truth);
});

test('a value that is not a transform is refused, and the error names the entry and the rule', () => {
  const [a, b] = meshesOf('soup');
  const identity = placements['identities'](seeded(1)).transformA!;
  const wrong: [unknown, RegExp][] = [
    [new Float32Array(15), /transformB has length 15/],
    [new Float64Array(17), /transformB has length 17/],
    [[...identity].map(String), /transformB\[3\] is '0'|transformB\[0\] is '1'/],
    ['1'.repeat(16), /transformB is '1111111111111111'/],
    [identity.with(0, NaN), /transformB\[0\] is NaN/],
    [identity.with(13, Infinity), /transformB\[13\] is Infinity/],
    [identity.with(6, 2 ** 201), /transformB\[6\] is 3\.2/],
    [identity.with(6, 2 ** -201), /transformB\[6\] is 3\.1/],
    [identity.with(3, 0.5), /transformB\[3\] is 0\.5/],
    [identity.with(15, 2), /transformB\[15\] is 2/],
    [new Float32Array(16), /transformB\[15\] is 0/],
  ];
  for (const [transformB, message] of wrong) {
    const error = caught(() => engine.query(a, b, { transformB: transformB as Float32Array }));
    assert.is(error.code, 'InvalidTransform', String(message));
    assert.match(error.message, message);
    assert.match(error.message, /16 finite numbers/);
    assert.ok(error.fix!.length > 10);
    assert.match(
      caught(() => engine.query(a, b, { transformA: transformB as Float32Array })).message,
      /transformA/,
    );
  }
  for (const transformB of [identity.with(6, 2 ** 200), identity.with(6, 2 ** -200), identity.with(6, -0)])
    engine.query(a, b, { transformB });
});

test.run();
