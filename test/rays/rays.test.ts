// Tests castRays on meshes: every result equals exact arithmetic over all triangles, for rays through vertices
// and edges, in planes and from far origins, and for meshes with degenerate triangles.

import * as assert from 'uvu/assert';
import type { Engine, Mesh, RayOptions } from '../../dist/index.js';
import { createRandom, lattice, type MeshData, slivers, soup, sphere } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { changed, degenerate } from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { hardRays, split, type TruthBody, trueHits } from './rayTruth.js';

type Rays = Float32Array | Float64Array;

// Casts the rays once for each value of `want`, and compares the results with exact arithmetic.
function checkRays(
  engine: Engine,
  mesh: Mesh,
  body: TruthBody,
  rays: Rays,
  options: Pick<RayOptions, 'max' | 'side'> = {},
): number {
  const { origins, directions } = split(rays);
  const { max = Infinity, side } = options;
  const closest = engine.castRays(mesh, origins, directions, options);
  const any = engine.castRays(mesh, origins, directions, { ...options, want: 'any' });
  const count = engine.castRays(mesh, origins, directions, { ...options, want: 'count' });
  const all = engine.castRays(mesh, origins, directions, { ...options, want: 'all' });
  let found = 0;
  for (let i = 0; i < rays.length / 6; i++) {
    const ray = rays.subarray(6 * i, 6 * i + 6);
    const hits = trueHits([body], ray, typeof max === 'number' ? max : max[i], side);
    const what = `ray ${i}: ${ray.join()}`;
    found += hits.length;
    assert.is(closest.triangle[i], hits[0]?.triangle ?? -1, what);
    assert.is(closest.t[i], hits[0]?.t ?? Infinity, what);
    assert.is(any[i], Math.min(1, hits.length), what);
    assert.is(count[i], hits.length, what);
    const [from, to] = [all.offsets[i], all.offsets[i + 1]];
    assert.equal(
      [...all.triangle.subarray(from, to)],
      hits.map(({ triangle }) => triangle),
      what,
    );
    assert.equal(
      [...all.t.subarray(from, to)],
      hits.map(({ t }) => t),
      what,
    );
  }
  assert.is(
    closest.count,
    any.reduce((sum, hit) => sum + hit, 0),
  );
  assert.is(all.count, found);
  assert.is(closest.body, undefined);
  return found;
}

const meshes: Record<string, MeshData> = {
  sphere: sphere(40),
  lattice: lattice(24, 5, 3),
  degenerate: degenerate(3),
  slivers: slivers(12, 9),
  soup: soup(24, 2),
};

test('all results equal exact arithmetic, for rays through vertices and edges and in planes', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    for (const [name, data] of Object.entries(meshes)) {
      const mesh = engine.createMesh(data);
      const found = checkRays(engine, mesh, { mesh: data, id: 0 }, hardRays(data, 16, 7));
      assert.ok(found > 4, `${name}: ${found} hits`);
    }
  }));

test('hits are exact for each side and each limit `max`, even if the limit equals the parameter of a hit', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    for (const data of [meshes.lattice, meshes.degenerate]) {
      const mesh = engine.createMesh(data);
      const rays = hardRays(data, 12, 11);
      const body = { mesh: data, id: 0 };
      for (const side of ['front', 'back'] as const) checkRays(engine, mesh, body, rays, { side });
      const { origins, directions } = split(rays);
      const { t } = engine.castRays(mesh, origins, directions);
      const limits = t.map((value, i) => (i % 4 === 0 ? 0 : i % 4 === 3 ? value / 2 : value));
      checkRays(engine, mesh, body, rays, { max: limits });
      checkRays(engine, mesh, body, rays, { max: 1 });
    }
  }));

test('hits are exact for far, tiny and huge meshes, far origins, and directions of any length', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const random = createRandom(4);
    for (const data of [
      changed(sphere(40), 1, [1e6, -3e6, 2e6]),
      changed(lattice(12, 5, 3), 2 ** -140),
      changed(lattice(12, 5, 3), 2 ** 120),
      changed(sphere(40), 1e-3),
    ]) {
      const mesh = engine.createMesh(data);
      const rays = Float64Array.from(hardRays(data, 8, 3));
      rays.forEach((value, at) => {
        const [ray, part] = [Math.floor(at / 6), at % 6];
        // Every other ray starts much farther away.
        if (ray % 2 === 0 && part < 3) rays[at] = value - 2 ** 20 * rays[at + 3];
        if (part > 2) rays[at] = value * 2 ** (20 * (ray % 3) - 20);
      });
      assert.ok(checkRays(engine, mesh, { mesh: data, id: 0 }, rays) > 0);
      const wild = Float64Array.from(
        { length: 24 },
        () => random.between(-1, 1) * 2 ** random.between(-190, 190),
      );
      checkRays(engine, mesh, { mesh: data, id: 0 }, wild);
    }
  }));

test('hits are exact for meshes and rays in doubles', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const { positions, indices } = sphere(40);
    const data = { positions: Float64Array.from(positions, value => 1e5 + value / 3), indices };
    const mesh = engine.createMesh(data);
    assert.ok(mesh.hasDoubles);
    const random = createRandom(8);
    const list = Array.from({ length: 20 }, (_, ray) => {
      const target = 3 * indices[random.below(indices.length)];
      const from = [0, 1, 2].map(() => 1e5 + random.between(-2, 2));
      const to = [0, 1, 2].map(axis => data.positions[target + axis]);
      return [...from, ...from.map((value, axis) => (ray % 2 ? to[axis] - value : random.between(-1, 1)))];
    });
    assert.ok(checkRays(engine, mesh, { mesh: data, id: 0 }, Float64Array.from(list.flat())) > 5);
  }));

test('an empty list of rays and an empty mesh give no hits, and a ray may have many hits', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const empty = engine.createMesh({ positions: new Float32Array(0), indices: new Uint32Array(0) });
    const one = Float32Array.of(0, 0, 0);
    const down = Float32Array.of(0, 0, -1);
    assert.is(engine.castRays(empty, one, down).triangle[0], -1);
    assert.is(engine.castRays(empty, one, down, { want: 'all' }).count, 0);
    assert.is(engine.castRays(empty, new Float32Array(0), new Float32Array(0)).rayCount, 0);
    // 1,500 copies of one triangle, so that the lists of hits overflow and the triangle's number decides ties.
    const layers = 1500;
    const stack = engine.createMesh({
      positions: Float32Array.of(-1, -1, -1, 1, -1, -1, 0, 1, -1),
      indices: Uint32Array.from({ length: 3 * layers }, (_, i) => i % 3),
    });
    const origins = new Float32Array(3 * 4);
    const directions = Float32Array.from({ length: 12 }, (_, i) => (i % 3 === 2 ? -3 : 0));
    const all = engine.castRays(stack, origins, directions, { want: 'all' });
    assert.equal(
      [...all.offsets],
      [0, 1, 2, 3, 4].map(i => i * layers),
    );
    assert.ok(all.triangle.every((triangle, i) => triangle === i % layers));
    assert.ok(all.t.every(t => t === 1 / 3));
    assert.equal([...engine.castRays(stack, origins, directions).triangle], [0, 0, 0, 0]);
  }));

test.run();
