// Tests meshes with coordinates in doubles: queries find exactly the pairs that exact arithmetic finds for the
// doubles, in either order of the meshes, for any number of threads, and also if only one mesh has doubles.

import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../dist/index.js';
import { MeshRecord } from '../../dist/records/layout.js';
import { type Pair, trianglePairs } from '../oracle/bruteForce.js';
import { changes, doublePairs, fromFar, product, rounded } from '../support/doubleScenes.js';
import { caught, contextOf, pairsOf, swappedPairs, withEngine } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { flatPlacements, meshPairs, type Placed, placements, seeded } from '../support/placedScenes.js';
import { selfMeshes, selfPairs } from '../support/selfMeshes.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

type AnyData = Parameters<Engine['createMesh']>[0];

const stringOf = (pairs: readonly Pair[]): string => JSON.stringify(pairs);

// Queries two meshes as given, swapped, and with want: 'any'. Returns the names of the results that differ
// from the truth.
function faultsOf(
  [a, b]: readonly AnyData[],
  truth: readonly Pair[],
  { transformA, transformB }: Placed,
): string[] {
  using meshA = engine.createMesh(a);
  using meshB = engine.createMesh(b);
  const given = pairsOf(engine.query(meshA, meshB, { transformA, transformB }));
  const exchanged = { transformA: transformB, transformB: transformA };
  const swapped = pairsOf(engine.query(meshB, meshA, exchanged));
  const any = engine.query(meshA, meshB, { transformA, transformB, want: 'any' });
  return [
    stringOf(given) === stringOf(truth) ? [] : `as given: ${given.length} pairs, not ${truth.length}`,
    stringOf(swapped) === stringOf(swappedPairs(truth)) ? [] : `swapped: ${swapped.length} pairs`,
    any === truth.length > 0 ? [] : `any: ${any}`,
  ].flat();
}

// For the change 'far', adds to the transforms a translation that moves the meshes back to the origin, except
// for the placement 'none' and if an entry would become too large. Sets tiny entries to 0, because the engine
// refuses transforms with tiny entries.
function placedAt(change: string, placement: string, given: Placed): Placed {
  if (change !== 'far' || placement === 'none') return given;
  const entries = Object.entries({ transformA: undefined, transformB: undefined, ...given }).map(
    ([name, transform]) => [
      name,
      product(transform, fromFar).map(value => (Math.abs(value) < 2 ** -200 ? 0 : value)),
    ],
  ) as [keyof Placed, Float64Array][];
  const isTooLarge = entries.some(([, matrix]) => matrix.some(value => Math.abs(value) > 2 ** 200));
  return isTooLarge ? given : Object.fromEntries(entries);
}

for (const [change, map] of Object.entries(changes)) {
  test(`queries have the pairs of the oracle: ${change}`, () => {
    const faults: string[] = [];
    let changedByRounding = 0;
    let seed = 1;
    for (const [placement, place] of Object.entries({ ...placements, ...flatPlacements })) {
      for (const [name, a, b] of doublePairs(map)) {
        // Tests of the meshes 'tiny copies' take long, so they run for only three placements. Tests of other
        // placements would be similar.
        if (
          name.startsWith('tiny copies') &&
          !['none', 'both rigid', 'the same for both'].includes(placement)
        )
          continue;
        const placed = placedAt(change, placement, place(seeded(seed++)));
        const { transformA, transformB } = placed;
        const truth = trianglePairs(a, transformA, b, transformB);
        if (stringOf(trianglePairs(rounded(a), transformA, rounded(b), transformB)) !== stringOf(truth))
          changedByRounding++;
        const mixed = trianglePairs(a, transformA, rounded(b), transformB);
        const where = `${placement}, ${name}`;
        faults.push(
          ...faultsOf([a, b], truth, placed).map(fault => `${where}, ${fault}`),
          ...faultsOf([a, rounded(b)], mixed, placed).map(fault => `${where}, mixed, ${fault}`),
        );
      }
    }
    assert.equal(faults, []);
    assert.ok(changedByRounding > 10, `rounding changed ${changedByRounding} results`);
  });
}

const selfScenes = selfMeshes().flatMap(([name, { positions, indices }]) =>
  (['close', 'far'] as const).map(change => {
    const map = changes[change];
    const random = seeded(positions.length);
    // Vertices with equal coordinates are changed in the same way, because otherwise no vertices would be
    // welded.
    const known = new Map<string, number>();
    const changed = Float64Array.from(positions, (value, i) => {
      const vertex = positions.subarray(i - (i % 3), i - (i % 3) + 3).map(x => x + 0);
      const key = `${i % 3} ${vertex}`;
      if (!known.has(key)) known.set(key, map(value, i % 3, random));
      return known.get(key)!;
    });
    return { name: `${name}, ${change}`, data: { positions: changed, indices } };
  }),
);

test('self-queries find the pairs of the oracle, for neighbors by index and by position', () => {
  let changedByRounding = 0;
  for (const { name, data } of selfScenes) {
    using mesh = engine.createMesh(data);
    for (const neighbors of ['index', 'position'] as const) {
      const truth = selfPairs(data, neighbors);
      if (neighbors === 'index' && stringOf(selfPairs(rounded(data), 'index')) !== stringOf(truth))
        changedByRounding++;
      assert.equal(pairsOf(engine.selfQuery(mesh, { neighbors })), truth, `${name}, ${neighbors}`);
      assert.is(engine.selfQuery(mesh, { neighbors, want: 'any' }), truth.length > 0, name);
    }
  }
  for (const [name, a] of doublePairs(changes.thirds)) {
    using mesh = engine.createMesh(a);
    assert.equal(pairsOf(engine.selfQuery(mesh)), selfPairs(a, 'index'), name);
  }
  assert.ok(changedByRounding > 5, `rounding changed ${changedByRounding} results`);
});

// Returns one hash of the results of several calls for a pair of meshes.
function answersOf(own: Engine, a: AnyData, b: AnyData, { transformA, transformB }: Placed): string {
  using meshA = own.createMesh(a);
  using meshB = own.createMesh(b);
  const placed = { transformA, transformB };
  const pairs = own.query(meshA, meshB, placed).copy();
  const segments = own.query(meshA, meshB, { ...placed, want: 'segments' }).copy();
  const self = own.selfQuery(meshA).copy();
  return hashBytes(
    pairs.a,
    pairs.b,
    segments.a,
    segments.b,
    segments.kind,
    segments.pointsAt,
    segments.points,
    self.a,
    self.b,
    meshA.bounds,
    Float64Array.of(own.distance(meshA, meshB, placed)?.distance ?? -1),
  );
}

test('results are the same bytes for any number of threads', async () => {
  const hashes: string[][] = [];
  for (const threads of [1, 2, 3])
    await withEngine({ threads, warmUp: 'off' }, own => {
      hashes.push(
        Object.values(changes).flatMap(map =>
          doublePairs(map).map(([, a, b]) => answersOf(own, a, b, placements['both rigid'](seeded(7)))),
        ),
      );
    });
  assert.equal(hashes[1], hashes[0]);
  assert.equal(hashes[2], hashes[0]);
});

test('doubles that all equal float32 numbers give the same mesh as these float32 numbers', async () => {
  const meshOf = (own: Engine, data: AnyData): unknown => {
    const mesh = own.createMesh(data);
    const { arena } = contextOf(own);
    const record = arena.u32.slice(mesh.recordAt / 4, (mesh.recordAt + MeshRecord.size) / 4);
    return { record, bytes: mesh.bytes, bounds: mesh.bounds, stored: hashBytes(mesh.serialize()) };
  };
  for (const [name, [{ positions, indices }]] of Object.entries(meshPairs)) {
    const [floats, doubles] = [positions, Float64Array.from(positions)].map(list =>
      // The records contain addresses. A warm-up would change them, because the amount of memory that a warm-up
      // uses depends on timing.
      withEngine({ threads: 1, warmUp: 'off' }, own => meshOf(own, { positions: list, indices } as AnyData)),
    );
    assert.equal(await doubles, await floats, name);
  }
});

test('results are correct for meshes with unused vertices and for huge, tiny and flat meshes', () => {
  const [, a, b] = doublePairs(changes.close)[1];
  const truth = trianglePairs(a, undefined, b, undefined);
  const withUnused = {
    positions: Float64Array.of(...a.positions, 1e30 / 3, -1 / 3, 1e20 / 3, 3.4e38, 0.1, 0),
    indices: a.indices,
  };
  assert.equal(faultsOf([withUnused, b], truth, {}), []);
  for (const factor of [2 ** 120, 2 ** -80]) {
    const scaled = [a, b].map(({ positions, indices }) => ({
      positions: positions.map(value => (Math.abs(value * factor) < 2 ** -96 ? 0 : value * factor)),
      indices,
    }));
    const own = trianglePairs(scaled[0], undefined, scaled[1], undefined);
    assert.ok(own.length > 0);
    assert.equal(faultsOf(scaled, own, {}), [], `${factor}`);
  }
  const flat = [a, b].map(({ positions, indices }) => ({
    positions: positions.map((value, i) => (i % 3 === 2 ? 0.1 : value)),
    indices,
  }));
  for (const [name, place] of Object.entries(placements)) {
    const placed = place(seeded(5));
    const own = trianglePairs(flat[0], placed.transformA, flat[1], placed.transformB);
    assert.equal(faultsOf(flat, own, placed), [], name);
  }
});

test('invalid doubles are rejected, and the error names the value, the rule and a fix', () => {
  const messageOf = (value: number): string => {
    const { code, message, fix } = caught(() =>
      engine.createMesh({ positions: Float64Array.of(0.1, 0, 0, 1, value, 0, 0, 1, 0) }),
    );
    return `${code}: ${message}; ${fix}`;
  };
  assert.is(messageOf(Number.NaN), 'InvalidMesh: positions[4] is NaN, not a finite number; correct vertex 1');
  assert.is(
    messageOf(Infinity),
    'InvalidMesh: positions[4] is Infinity, not a finite number; correct vertex 1',
  );
  assert.match(messageOf(-1e39), 'positions[4] is -1e+39, but the magnitude of a coordinate must be at most');
  assert.match(
    messageOf(1e-30),
    'positions[4] is 1e-30, but a coordinate that is not a float32 number must have',
  );
  const positions = Float64Array.of(0.1, 0, 0, 1, 0, 0, 0, 1, 0);
  const codeOf = (run: () => unknown): string | undefined => caught(run).code;
  assert.is(
    codeOf(() => engine.createMesh({ positions: positions.subarray(1) })),
    'InvalidMesh',
  );
  assert.is(
    codeOf(() => engine.createMesh({ positions, indices: [0, 1, 3] })),
    'InvalidMesh',
  );
  assert.is(
    codeOf(() => engine.createMesh({ positions }, { deformable: true })),
    'Unsupported',
  );
});

test('calls that do not support doubles say so', () => {
  using mesh = engine.createMesh({ positions: Float64Array.of(0.1, 0, 0, 1, 0, 0, 0, 1, 0) });
  using scene = engine.createScene();
  scene.add(mesh);
  const calls = {
    serialize: () => mesh.serialize(),
    sweep: () => engine.sweep(mesh, mesh),
    'continuous collision detection': () => scene.detect({ continuous: true }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const { code, message, fix } = caught(call);
    assert.is(code, 'Unsupported', name);
    assert.is(
      message,
      `mesh ${mesh.id} has coordinates that are not float32 numbers, which ${name} does not support`,
    );
    assert.ok(fix);
  }
});

test.run();
