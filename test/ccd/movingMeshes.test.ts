// Tests contacts of moving meshes. Two meshes must have the same contacts as if they were joined to one mesh,
// and the first contact must be the earliest of all contacts. A scene must have the contacts of its pairs of
// meshes, on 1, 2, 3 and 5 threads. For frames of published simulations, exactly the published contacts must
// be found.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { createEngine, type SweptContact } from '../../dist/index.js';
import { createRandom } from '../../dist/samples/random.js';
import { dataPath, dataTest } from '../support/data.js';
import { type Frames, readFrames } from '../support/frames.js';
import {
  crowd,
  edgesOf,
  firstOf,
  type Indexed,
  pairsOf,
  placement,
  rowsOf,
  soup,
} from '../support/movingCrowd.js';
import { test } from '../support/test.js';

const engines = await Promise.all([1, 2, 3, 5].map(threads => createEngine({ threads, warmUp: 'off' })));
const [engine] = engines;
test.after(() => engines.forEach(made => made.dispose()));

const placed = (positions: Float32Array, m: Float64Array): number[] =>
  Array.from(positions, (_, i) => {
    const at = i - (i % 3);
    const [x, y, z] = positions.subarray(at, at + 3);
    return m[i % 3] * x! + m[4 + (i % 3)] * y! + m[8 + (i % 3)] * z! + m[12 + (i % 3)];
  });

interface Moving {
  a: Indexed;
  b: Indexed;
  from: [Float64Array, Float64Array];
  to: [Float64Array, Float64Array];
  minSeparation: number;
}

function moving(seed: number): Moving {
  const random = createRandom(seed);
  return {
    a: soup(random, 1 + random.below(20)),
    b: soup(random, 1 + random.below(20)),
    from: [placement(random), placement(random)],
    to: [placement(random), placement(random)],
    minSeparation: random.below(3) === 0 ? 0.01 : 0,
  };
}

/**
 * Joins meshes A and B into one mesh, finds the contacts of this mesh with itself, and returns the contacts
 * between A and B, sorted. Each contact is a text: its kind, the feature of A, and the feature of B.
 */
function ofOneMesh({ a, b, from, to, minSeparation }: Moving): string[] {
  const shift = a.positions.length / 3;
  const indices = Uint32Array.from([...a.indices, ...b.indices.map(vertex => vertex + shift)]);
  const faces = a.indices.length / 3;
  const mesh = engine.createMesh({ positions: Float32Array.from([...a.positions, ...b.positions]), indices });
  const both = ([m, n]: [Float64Array, Float64Array]): Float64Array =>
    Float64Array.from([...placed(a.positions, m), ...placed(b.positions, n)]);
  const all = engine.sweepVertices(mesh, both(from), both(to), { want: 'all', minSeparation });
  const edges = edgesOf(indices);
  assert.equal([...engine.edgesOf(mesh)], edges.flat());
  const numbersA = edgesOf(a.indices).map(String);
  const numbersB = edgesOf(b.indices).map(String);
  mesh.dispose();
  return Array.from({ length: all.count }, (_, i) => {
    const [x, y] = [all.featureA[i], all.featureB[i]];
    if (all.kind[i] === 3) return x < faces && y >= faces ? `3 ${x} ${y - faces}` : '';
    if (all.kind[i] === 0)
      return x < shift === y < faces ? '' : x < shift ? `0 ${x} ${y - faces}` : `1 ${y} ${x - shift}`;
    const [first, second] = [edges[x], edges[y]].sort(
      (p, q) => Number(p[0] >= shift) - Number(q[0] >= shift),
    );
    return first[0] < shift && second[0] >= shift
      ? `2 ${numbersA.indexOf(String(first))} ${numbersB.indexOf(String(second.map(vertex => vertex - shift)))}`
      : '';
  })
    .filter(row => row !== '')
    .sort();
}

const SCENES = 120;

test(`each of ${SCENES} pairs of meshes has the same contacts as one mesh made of both`, () => {
  let total = 0;
  for (let seed = 1; seed <= SCENES; seed++) {
    const scene = moving(seed);
    const {
      from: [fromA, fromB],
      to: [toA, toB],
      minSeparation,
    } = scene;
    const [a, b] = [engine.createMesh(scene.a), engine.createMesh(scene.b)];
    const contacts = engine.sweep(a, b, { fromA, toA, fromB, toB, minSeparation, want: 'all' });
    assert.equal(
      rowsOf(contacts)
        .map(row => row.split(' ').slice(0, 3).join(' '))
        .sort(),
      ofOneMesh(scene),
      `seed ${seed}`,
    );
    const first = engine.sweep(a, b, { fromA, toA, fromB, toB, minSeparation });
    assert.equal(first, firstOf(contacts), `seed ${seed}`);
    total += contacts.count;
    for (const mesh of [a, b]) mesh.dispose();
  }
  assert.ok(total > 1000, `${total} contacts`);
});

test('scenes have all contacts of their mesh pairs, or the first contact of each pair, for any thread count', () => {
  let total = 0;
  for (let seed = 1; seed <= 12; seed++) {
    let expected: string[] | undefined;
    for (const made of engines) {
      const { scene, bodies, froms, tos, all, start, meshes } = crowd(made, seed, 9);
      if (!expected) {
        expected = pairsOf(bodies).flatMap(([i, k]) => {
          const [p, q] = [bodies[i], bodies[k]];
          return rowsOf(
            made.sweep(p.mesh, q.mesh, {
              fromA: froms[i],
              toA: tos[i],
              fromB: froms[k],
              toB: tos[k],
              want: 'all',
            }),
          ).map(row => `${p.id} ${q.id} ${row}`);
        });
      }
      scene.setTransforms(all);
      const swept = scene.detect({ continuous: true, want: 'all' });
      assert.equal(
        rowsOf(swept).map((row, i) => `${swept.a[i]} ${swept.b[i]} ${row}`),
        expected,
      );
      total += swept.count;
      // After the first query, the bodies are at the ends of their motion. The second query repeats the
      // motion, so it needs the placements at which the bodies start.
      scene.setTransforms(all, { from: start });
      const first = scene.detect({ continuous: true });
      const firsts = new Map<string, SweptContact['toi']>();
      for (let i = 0; i < swept.count; i++) {
        const pair = `${swept.a[i]} ${swept.b[i]}`;
        firsts.set(pair, Math.min(firsts.get(pair) ?? 1, swept.toi[i]));
      }
      assert.equal([...first.toi], [...firsts.values()]);
      assert.equal(
        Array.from(first.a, (id, i) => `${id} ${first.b[i]}`),
        [...firsts.keys()],
      );
      scene.dispose();
      for (const mesh of meshes) mesh.dispose();
    }
  }
  assert.ok(total > 1000, `${total} contacts`);
});

test('in a scene at rest, a continuous query finds the same pairs as a discrete query, at time 0', () => {
  const { scene, all, meshes } = crowd(engine, 3, 9);
  scene.setTransforms(all);
  const touching = scene.detect({ narrow: 'any' });
  const pairs = Array.from(touching.a, (id, i) => `${id} ${touching.b[i]}`);
  const swept = scene.detect({ continuous: true });
  assert.equal(
    Array.from(swept.a, (id, i) => `${id} ${swept.b[i]}`),
    pairs,
  );
  assert.ok(swept.toi.every(toi => toi === 0));
  // After a continuous query, a discrete one still reports which contacts have begun and ended.
  assert.is(scene.detect({ narrow: 'any' }).began.count, 0);
  scene.dispose();
  for (const mesh of meshes) mesh.dispose();
});

test('a contact at a place that no float represents exactly is found', () => {
  const random = createRandom(11);
  const plate = Float32Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0);
  const wedge = Float32Array.of(1, 1, 0, 1, 2, 2, 1, 3, 2, 2, 1, 0);
  for (let iteration = 0; iteration < 60; iteration++) {
    // The wedge approaches the plate from above or from below, and just touches it at the end. The height of
    // the plate is a double that float32 cannot represent.
    const axis = iteration % 3;
    const side = iteration % 2 === 0 ? 1 : -1;
    const place = [random.between(-4, 4), random.between(-4, 4), random.between(-4, 4)];
    const rotated = (positions: Float32Array): Float32Array =>
      positions.map((_, i) => {
        const k = ((i % 3) + axis) % 3;
        return positions[i - (i % 3) + k] * (k === 2 ? side : 1);
      });
    const a = engine.createMesh({ positions: rotated(plate) });
    const b = engine.createMesh({ positions: rotated(wedge), indices: Uint32Array.of(0, 1, 2, 0, 1, 3) });
    const at = (move: number): Float64Array =>
      Float64Array.of(
        1,
        0,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        1,
        0,
        ...place.map((value, i) => value + ((i + axis) % 3 === 2 ? side * move : 0)),
        1,
      );
    const scene = engine.createScene();
    scene.add(a, { transform: at(0) });
    const wedgeId = scene.add(b, { transform: at(3) });
    scene.setTransform(wedgeId, at(0));
    const swept = scene.detect({ continuous: true });
    const pair = engine.sweep(a, b, { fromA: at(0), fromB: at(3), toB: at(0) });
    assert.is(swept.count, 1, `round ${iteration}`);
    assert.is(swept.toi[0], pair?.toi);
    scene.dispose();
    a.dispose();
    b.dispose();
  }
});

test('a sweep finds the wall that a bullet passes through within a step', () => {
  const wall = engine.createMesh({
    positions: Float32Array.of(-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0),
    indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
  });
  const bullet = engine.createMesh({
    positions: Float32Array.of(0, 0, 0, 0.1, 0, -0.1, 0, 0.1, -0.1),
    indices: Uint32Array.of(0, 1, 2),
  });
  const at = (z: number): Float32Array =>
    Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.25, 0.125, z, 1);
  assert.not(
    engine.query(wall, bullet, { transformB: at(-3), want: 'any' }) ||
      engine.query(wall, bullet, { transformB: at(5), want: 'any' }),
  );
  const hit = engine.sweep(wall, bullet, { fromB: at(-3), toB: at(5) })!;
  assert.ok(Math.abs(hit.toi - 3 / 8) <= 1e-6 && hit.toi <= 3 / 8, `toi is ${hit.toi}`);
  assert.is(engine.sweep(wall, bullet, { fromB: at(-3), toB: at(-1) }), undefined);
  assert.ok(engine.sweep(wall, bullet, { fromB: at(-3), toB: at(-1), minSeparation: 1 })!.toi <= 1);
  assert.is(engine.sweep(wall, bullet, { fromB: at(-3), toB: at(-1), minSeparation: 0.9 }), undefined);
  for (const mesh of [wall, bullet]) mesh.dispose();
});

test('invalid queries throw errors with the expected codes and messages', () => {
  const mesh = engine.createMesh({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0) });
  const at = new Float32Array(9);
  const codeOf = (runQuery: () => unknown): string => {
    try {
      runQuery();
      return 'none';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  assert.is(
    codeOf(() => engine.sweepVertices(mesh, at, new Float32Array(6))),
    'InvalidMesh',
  );
  assert.is(
    codeOf(() => engine.sweepVertices(mesh, at, Float64Array.of(0, 0, 0, 0, NaN, 0, 0, 0, 0))),
    'InvalidMesh',
  );
  assert.is(
    codeOf(() => engine.sweepVertices(mesh, at, [] as unknown as Float32Array)),
    'InvalidMesh',
  );
  assert.is(
    codeOf(() => engine.sweepVertices(mesh, at, at, { minSeparation: -1 })),
    'Unsupported',
  );
  assert.is(
    codeOf(() => engine.sweepVertices(mesh, at, at, { motion: 'rigid' } as object)),
    'Unsupported',
  );
  assert.is(
    codeOf(() => engine.contactTimes('EE', new Float64Array(24), { motion: 'rigid' } as object)),
    'Unsupported',
  );
  assert.is(
    codeOf(() => engine.sweepVertices(mesh, at, at, { exact: true, minSeparation: 1 })),
    'Unsupported',
  );
  assert.is(
    codeOf(() => engine.sweep(mesh, mesh, { toB: new Float32Array(16) })),
    'InvalidTransform',
  );
  assert.is(
    codeOf(() => engine.sweep(mesh, undefined as never)),
    'Unsupported',
  );
  const messageOf = (runQuery: () => unknown): string => {
    try {
      runQuery();
      return 'none';
    } catch (error) {
      return (error as { message: string }).message;
    }
  };
  for (const runQuery of [
    (kind: string, points: unknown) => engine.sweepFeatures(kind as 'VF', points as Float64Array),
    (kind: string, points: unknown) => engine.contactTimes(kind as 'VF', points as Float64Array),
  ]) {
    assert.match(
      messageOf(() => runQuery('FV', new Float64Array(24))),
      /^kind is 'FV', not 'VF' or 'EE'/,
    );
    assert.match(
      messageOf(() => runQuery('VF', new Float32Array(24))),
      /^(queries|points) is a Float32Array, not a Float64Array/,
    );
    assert.match(
      messageOf(() => runQuery('VF', new Float64Array(25))),
      /^(queries|points) has length 25/,
    );
    assert.match(
      messageOf(() => runQuery('VF', new Float64Array(48).fill(NaN, 30))),
      /^(queries|points)\[30\] is NaN/,
    );
    assert.match(
      messageOf(() => runQuery('VF', undefined)),
      /^(queries|points) is undefined/,
    );
  }
  for (const runQuery of [
    () => engine.sweepFeatures(undefined as never, new Float64Array(24)),
    () => engine.contactTimes(undefined as never, new Float64Array(24)),
  ])
    assert.match(messageOf(runQuery), /^kind is undefined/);
  mesh.dispose();
  assert.is(
    codeOf(() => engine.sweepVertices(mesh, at, at)),
    'Disposed',
  );
});

const frames = { 'cloth-ball': ['92', '93', '92'], 'rod-twist': ['3036', '3037', '3036'] } as const;
const files = { 'cloth-ball': ['cloth_ball92', 'cloth_ball93'], 'rod-twist': ['3036', '3037'] } as const;

/** Returns the published colliding pairs, as feature numbers. */
function truthOf(
  name: keyof typeof frames,
  { from, faces, edges }: Frames,
): { edgePairs: string[]; facePairs: string[] } {
  const vertexCount = from.length / 3;
  const edgeAt = new Map<number, number>();
  const faceAt = new Map<string, number>();
  for (let edge = 0; edge < edges.length; edge += 2)
    edgeAt.set(edges[edge] * vertexCount + edges[edge + 1], edge / 2);
  for (let face = 0; face < faces.length; face += 3)
    faceAt.set([...faces.subarray(face, face + 3)].sort().join(), face / 3);
  const numberOf = (a: number, b: number): number =>
    edgeAt.get(Math.min(a, b) * vertexCount + Math.max(a, b))!;
  const rows = (kind: string): number[][] =>
    gunzipSync(readFileSync(dataPath(`sccd/${name}/pairs-${frames[name][2]}${kind}.csv.gz`)))
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.split(',').map(Number))
      .filter(row => row[4] === 1);
  return {
    edgePairs: rows('ee')
      .map(([a, b, c, d]) => [numberOf(a!, b!), numberOf(c!, d!)].sort((x, y) => x - y).join(' '))
      .sort(),
    facePairs: rows('vf')
      .map(([v, ...corners]) => `${v} ${faceAt.get(corners.slice(0, 3).sort().join())}`)
      .sort(),
  };
}

for (const name of ['cloth-ball', 'rod-twist'] as const) {
  dataTest.slow(
    `${name}: exactly the published contacts are found, with and without the option exact`,
    () => {
      const [fromFile, toFile] = files[name];
      const step = readFrames(
        `sccd/${name}/frames/${fromFile}.ply.gz`,
        `sccd/${name}/frames/${toFile}.ply.gz`,
      );
      const { edgePairs, facePairs } = truthOf(name, step);
      let expected: string | undefined;
      for (const [made, exact] of [
        [engines[1], false],
        [engines[2], true],
      ] as const) {
        const mesh = made.createMesh({ positions: Float32Array.from(step.from), indices: step.faces });
        const contacts = made.sweepVertices(mesh, step.from, step.to, { want: 'all', exact });
        const ofKind = (kind: number): string[] =>
          Array.from(contacts.kind, (own, i) =>
            own === kind ? `${contacts.featureA[i]} ${contacts.featureB[i]}` : '',
          )
            .filter(row => row !== '')
            .sort();
        assert.ok(ofKind(2).join() === edgePairs.join(), 'edges');
        assert.ok(ofKind(0).join() === facePairs.join(), 'vertices and faces');
        if (!exact)
          expected = rowsOf(contacts)
            .map(row => row.split(' ').slice(0, 3).join(' '))
            .join();
        else
          assert.ok(
            rowsOf(contacts)
              .map(row => row.split(' ').slice(0, 3).join(' '))
              .join() === expected,
            '3 threads with exact find the same contacts as 2 threads without exact',
          );
        mesh.dispose();
      }
    },
  );
}

test.run();
