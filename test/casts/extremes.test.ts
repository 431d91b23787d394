// Tests casts and overlaps where rounding errors are largest: needles, radii near the exact distance, bodies
// that are almost flat, huge or tiny, boxes almost without a volume, and long motions.

import * as assert from 'uvu/assert';
import { type Box, createEngine, type Engine, type EngineOptions, type ShapeHit } from '../../dist/index.js';
import {
  box,
  createRandom,
  lattice,
  type MeshData,
  type Random,
  rotation,
  skewed,
  slivers,
  soup,
  torus,
  translation,
} from '../../dist/samples/index.js';
import { caught, contextOf, withEngine } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { changed, flatPlacements, placements } from '../support/placedScenes.js';
import { test } from '../support/test.js';
import { castWith, checkCast, hardCasts, type Target, targetsOf, WorstErrors } from './castTruth.js';
import { boxOverlaps, boxOverlapsByTetrahedra, overlaps, type SlowBox, stateAt } from './slowShapes.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());

const INDICES = Uint32Array.of(0, 1, 2);
const vectorIn = (random: Random, size = 1): number[] => [0, 1, 2].map(() => random.between(-size, size));

/**
 * Returns the corners of a random triangle, as nine doubles. The height of most triangles is about `aspect` *
 * `size`; the others have no area.
 */
function randomTriangle(random: Random, aspect: number, at: readonly number[], size: number): number[] {
  const [a, b] = [vectorIn(random), vectorIn(random)];
  const side = random.direction();
  const share = random.between(-0.5, 1.5);
  const c = a.map((value, i) => value + share * (b[i] - value) + aspect * side[i]);
  const flat = [a, b, a.map((value, i) => (value + b[i]) / 2)][random.below(3)];
  const order = [a, b, random.below(12) === 0 ? flat : c];
  const first = random.below(3);
  return [0, 1, 2].flatMap(i => order[(first + i) % 3].map((value, k) => (value + at[k]) * size));
}

// powers: the heights of the triangles, as powers of two. tolerance: the tolerance of their hits. Needles need
// a large tolerance, because the normal of a needle is inaccurate. Small radii also need one, because the
// direction between two very near points is inaccurate.
for (const [name, powers, tolerance] of [
  ['round triangles', [0, -4], 2 ** -30],
  ['needles', [-10, -14, -20, -25, -30, -40], 2 ** -18],
] as const)
  test(`no contact is missed, and no hit is late: ${name}`, () => {
    const random = createRandom(41);
    const worst = new WorstErrors();
    for (let i = 0; i < 240; i++) {
      const aspect = 2 ** powers[i % powers.length];
      const at = i % 4 === 0 ? vectorIn(random, 2 ** random.between(0, 24)) : [0, 0, 0];
      const size = i % 5 === 0 ? 2 ** (random.below(121) - 60) : 1;
      const positions = Float64Array.from(randomTriangle(random, aspect, at, size));
      const mesh = engine.createMesh({ positions, indices: INDICES });
      const targets = targetsOf({ positions, indices: INDICES });
      for (const cast of hardCasts(targets, 10, random, size)) {
        const radius = size * [cast.radius / size, 0, 2 ** -random.between(0, 50), 100][random.below(4)];
        const options = i % 2 === 0 ? undefined : { ignoreSeparating: true };
        checkCast(engine, mesh, targets, { ...cast, radius }, worst, options, tolerance);
      }
      mesh.dispose();
    }
    assert.ok(worst.hits > 800 && worst.hits < 2200, `${worst.hits} hits`);
  });

test('overlaps are exact for radii equal to, or an ulp from, the exact distance', () => {
  const random = createRandom(42);
  let differing = 0;
  for (let i = 0; i < 240; i++) {
    const at = i % 4 === 0 ? vectorIn(random, 2 ** random.between(0, 24)) : [0, 0, 0];
    const size = i % 5 === 0 ? 2 ** (random.below(121) - 60) : 1;
    const positions = Float64Array.from(randomTriangle(random, 2 ** -(i % 50), at, size));
    const mesh = engine.createMesh({ positions, indices: INDICES });
    const targets = targetsOf({ positions, indices: INDICES });
    for (const { start, end, motion } of hardCasts(targets, 10, random, size)) {
      const { distance } = stateAt({ start, end, radius: 0 }, motion, positions, 0);
      const results = [1, 1 + 2 ** -52, 1 - 2 ** -53, 1 + 2 ** -40, 1 - 2 ** -40].map(factor => {
        const capsule = { start, end, radius: distance * factor };
        const found = engine.overlapCapsule(mesh, capsule, { want: 'any' });
        assert.is(
          found,
          overlaps(capsule, positions),
          JSON.stringify({ capsule, positions: [...positions] }),
        );
        return found;
      });
      if (new Set(results).size === 2) differing++;
    }
    mesh.dispose();
  }
  assert.ok(differing > 1000, String(differing));
});

test('overlaps are exact above thin triangles, whose normals are inaccurate', () => {
  const random = createRandom(50);
  for (let i = 0; i < 1500; i++) {
    const [a, b] = [vectorIn(random), vectorIn(random)];
    const side = random.direction();
    const c = a.map((value, k) => value + 0.9 * (b[k] - value) + 2 ** -random.between(5, 8) * side[k]);
    const positions = Float64Array.of(...a, ...b, ...c);
    const mesh = engine.createMesh({ positions, indices: INDICES });
    // A point above the triangle, far from its first vertex.
    const [u, v] = [b, c].map(at => at.map((value, k) => value - a[k]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const height = random.between(0.01, 0.1) / Math.hypot(...normal);
    const center = a.map((value, k) => value + 0.5 * u[k] + 0.45 * v[k] + height * normal[k]);
    const { distance } = stateAt({ start: center, end: center, radius: 0 }, center, positions, 0);
    for (const power of [44, 44.5, 45, 45.5, 46, 47]) {
      const radius = distance - 2 ** -power;
      assert.is(engine.overlapSphere(mesh, { center, radius }, { want: 'any' }), false);
    }
    assert.is(engine.overlapSphere(mesh, { center, radius: distance + 2 ** -50 }, { want: 'any' }), true);
    mesh.dispose();
  }
});

test('a capsule overlaps a body if one of its ends is at a distance of exactly the radius from the body', () => {
  const random = createRandom(51);
  const crate = engine.createMesh(box());
  const scene = engine.createScene();
  scene.add(crate);
  const targets = targetsOf(box() as never);
  for (let i = 0; i < 200; i++) {
    const axis = i % 3;
    const start = vectorIn(random, 9);
    const end = vectorIn(random);
    start[axis] = -random.between(2, 9);
    end[axis] = -1.25;
    const found = engine.overlapCapsule(scene, { start, end, radius: 0.25 });
    const expected = targets.filter(({ corners }) => overlaps({ start, end, radius: 0.25 }, corners));
    assert.equal(
      [...found.triangle],
      expected.map(({ triangle }) => triangle),
    );
    assert.ok(found.count > 0);
  }
  scene.dispose();
  crate.dispose();
});

/** Returns the box that the reference tests. Its center and half axes are rounded as in the engine. */
function slowBox(half: readonly number[], center: readonly number[], m: ArrayLike<number>): SlowBox {
  return {
    center: [0, 1, 2].map(
      row => m[row] * center[0] + m[4 + row] * center[1] + m[8 + row] * center[2] + m[12 + row],
    ),
    axes: [0, 1, 2].flatMap(i => [0, 1, 2].map(row => m[4 * i + row] * half[i])),
  };
}

const columns = (x: readonly number[], y: readonly number[], z: readonly number[]): Float64Array =>
  Float64Array.of(...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1);

// Functions that make the transform of a box.
const boxMakers: Record<string, (random: Random) => Float64Array> = {
  sheared: random => columns(vectorIn(random), vectorIn(random), vectorIn(random)),
  aligned: () => columns([1, 0, 0], [0, 1, 0], [0, 0, 1]),
  integers: random => {
    const column = (): number[] => [0, 1, 2].map(() => random.below(5) - 2);
    return columns(column(), column(), column());
  },
  'almost flat': random => {
    const [x, y] = [vectorIn(random), vectorIn(random)];
    const thickness = 2 ** -random.between(10, 50);
    const z = x.map((value, i) => value + y[i] + thickness * random.between(-1, 1));
    return columns(x, y, z);
  },
  plank: random => {
    const shrunk = (): number[] => vectorIn(random).map(value => value * 2 ** -random.between(0, 50));
    return columns(shrunk(), shrunk(), shrunk());
  },
  tiny: random => columns(vectorIn(random, 2 ** -40), vectorIn(random, 2 ** -40), vectorIn(random, 2 ** -40)),
  huge: random => columns(vectorIn(random, 2 ** 110), vectorIn(random, 2 ** 110), vectorIn(random, 2 ** 110)),
};

test('overlaps of boxes are exact, also where corners touch and where boxes are almost flat', () => {
  const random = createRandom(43);
  for (const [name, make] of Object.entries(boxMakers)) {
    const isGrid = name === 'aligned' || name === 'integers';
    let overlapping = 0;
    let tested = 0;
    for (let i = 0; i < 160; i++) {
      const transform = make(random);
      const halfExtents = [1, 0.5, 2];
      const center = isGrid ? [0, 1, 2].map(() => random.below(5) - 2) : [0, 0, 0];
      const slow = slowBox(halfExtents, center, transform);
      // Makes a vertex in or near the box, often on a corner, an edge or a face. The triangle of three such
      // vertices is then moved a little or not at all.
      const vertex = (): number[] => {
        const place = [0, 1, 2].map(() => [1, -1, 0, ...vectorIn(random, 1.5)][random.below(6)]);
        return slow.center.map(
          (value, k) => value + place.reduce((sum, share, axis) => sum + share * slow.axes[3 * axis + k], 0),
        );
      };
      const shift = random.below(3) === 0 ? vectorIn(random, Math.max(...slow.axes) / 4) : [0, 0, 0];
      const corners = [vertex(), vertex(), vertex()].flatMap(at => at.map((value, k) => value + shift[k]));
      const positions = Float64Array.from(corners, value => (isGrid ? Math.round(value * 2) / 2 : value));
      const given: Box = { halfExtents, center, transform };
      const mesh = engine.createMesh({ positions, indices: INDICES });
      try {
        const expected = boxOverlaps(slow, positions);
        if (i % 40 === 0) assert.is(boxOverlapsByTetrahedra(slow, positions), expected);
        assert.is(
          engine.overlapBox(mesh, given).count === 1,
          expected,
          `${name}: ${JSON.stringify({ ...given, transform: [...transform], positions: [...positions] })}`,
        );
        if (expected) overlapping++;
        tested++;
      } catch (error) {
        // A box is refused if it has no volume, or if its volume is below the precision of doubles.
        if ((error as { code?: string }).code !== 'Unsupported') throw error;
      }
      mesh.dispose();
    }
    assert.ok(
      tested > 30 && overlapping > 20 && overlapping < tested,
      `${name}: ${overlapping} of ${tested}`,
    );
  }
});

test('a box without a volume is refused, also if its determinant is not 0 in doubles', () => {
  const mesh = engine.createMesh({
    positions: Float64Array.of(
      ...[0.056111999440834885, -1.1862256242902318, 1.7789593421503143],
      ...[-0.05332251300300562, 1.1272549883453808, -1.690522234083788],
      ...[0.056111999440834885, -1.1862256242902318, 1.7789593421503143],
    ),
    indices: INDICES,
  });
  const transform = columns(
    [-0.021045098546892405, 0.44490011781454086, -0.667207995429635],
    [-0.06313529564067721, 1.3347003534436226, -2.001623986288905],
    [-0.0021045098546892405, 0.04449001178145409, -0.0667207995429635],
  );
  const center = [0.0909671182744205, -0.5634655877947807, 0.33155628107488155];
  const error = caught(() => engine.overlapBox(mesh, { halfExtents: [1, 1, 1], center, transform }));
  assert.is(error.code, 'Unsupported', error.message);
  mesh.dispose();
});

/** Compares casts and overlaps at a scene with the reference, and returns the number of hits. */
function checkScene(bodies: [MeshData, Float64Array][], random: Random, size: number): number {
  const scene = engine.createScene();
  const meshes = bodies.map(([data]) => engine.createMesh(data));
  const targets = bodies.flatMap(([data, transform], i) =>
    targetsOf(data as never, transform, scene.add(meshes[i], { transform })),
  );
  const worst = new WorstErrors();
  for (const cast of hardCasts(targets, 20, random, size)) {
    checkCast(engine, scene, targets, cast, worst, undefined, 2 ** -18);
    const { start, end, radius } = cast;
    const found = engine.overlapCapsule(scene, { start, end, radius });
    const expected = targets.filter(({ corners }) => overlaps(cast, corners));
    assert.equal(
      Array.from(found.triangle, (triangle, i) => [found.body![i], triangle]),
      expected.map(({ body, triangle }) => [body, triangle]),
      JSON.stringify(cast),
    );
  }
  scene.dispose();
  for (const mesh of meshes) mesh.dispose();
  return worst.hits;
}

test('bodies with placements of every kind: near-singular, flat, far, huge and tiny', () => {
  const random = createRandom(44);
  const singular = (): Float64Array => {
    const [x, y] = [random.direction(), random.direction()];
    const lean = 2 ** -random.between(5, 50);
    return columns(
      x,
      y,
      x.map((value, i) => 0.5 * value + 0.3 * y[i] + lean * random.between(-1, 1)),
    );
  };
  const chosen = { ...placements, ...flatPlacements };
  let hits = 0;
  for (const name of [
    'both sheared',
    'needle and disk',
    'B in a plane',
    'slanted lines',
    'both crushed along axes',
    'axes far apart in scale',
    'both far off',
    'B in a point',
  ]) {
    const { transformA, transformB } = chosen[name](random);
    const own = [transformA, transformB].filter(one => one !== undefined);
    const size = Math.max(...own.flatMap(one => [...one.subarray(0, 11)].map(Math.abs))) || 1;
    hits += checkScene(
      own.map(transform => [soup(10, 3), transform]),
      random,
      size,
    );
  }
  for (let i = 0; i < 6; i++) hits += checkScene([[torus(18), singular()]], random, 1);
  for (const power of [100, -100]) {
    const transform = translation([0, 0, 0]).map((value, i) => (i < 15 ? value * 2 ** power : value));
    hits += checkScene([[soup(10, 5), transform]], random, 2 ** power);
  }
  assert.ok(hits > 150, `${hits} hits`);
});

test('bodies beyond the range of float32', () => {
  const size = 2 ** 150;
  const transform = translation([0, 0, 0]).map((value, i) => (i < 15 ? value * size : value));
  checkScene([[soup(10, 5), transform]], createRandom(45), size);
});

/**
 * Returns the first of the hits of single triangles: the hit with the smallest time, then with the smallest
 * separation, then with the lowest triangle number.
 */
function firstOf(hits: readonly (ShapeHit | undefined)[]): { triangle: number; hit: ShapeHit } | undefined {
  let first: { triangle: number; hit: ShapeHit } | undefined;
  hits.forEach((hit, triangle) => {
    if (!hit) return;
    if (!first || hit.t < first.hit.t || (hit.t === first.hit.t && hit.separation < first.hit.separation))
      first = { triangle, hit };
  });
  return first;
}

test('the hit of a mesh is the first of the hits of its single triangles, for large trees and for short and long motions', () => {
  const random = createRandom(46);
  let hits = 0;
  for (const data of [torus(300), soup(300, 3), lattice(300, 5, 6), skewed(300, 1), slivers(200, 3)]) {
    const mesh = engine.createMesh(data);
    const targets = targetsOf(data as never);
    const singles = targets.map(({ corners }) =>
      engine.createMesh({ positions: corners.slice(), indices: INDICES }),
    );
    for (const cast of hardCasts(targets, 80, random, 1)) {
      // Only short motions are made longer, by up to 2^20: the rounding errors of even longer motions can
      // exceed the slack of the tree. Hits are not late in that case, either.
      const length = Math.max(...cast.motion.map(Math.abs));
      const factor = length < 8 ? 2 ** [0, 0, random.between(0, 20)][random.below(3)] : 1;
      const motion = cast.motion.map(value => value * factor);
      const back = random.below(2) * random.between(0, 1) * (1 - 1 / factor);
      const moved = (at: readonly number[]): number[] => at.map((value, i) => value - back * motion[i]);
      const own = { ...cast, motion, start: moved(cast.start), end: moved(cast.end) };
      for (const options of [undefined, { ignoreSeparating: true }]) {
        const hit = castWith(engine, mesh, own, options);
        const first = firstOf(singles.map(single => castWith(engine, single, own, options)));
        assert.equal(
          hit && [hit.t, hit.triangle, hit.separation, ...hit.point, ...hit.normal],
          first && [
            first.hit.t,
            first.triangle,
            first.hit.separation,
            ...first.hit.point,
            ...first.hit.normal,
          ],
          JSON.stringify(own),
        );
        if (hit) hits++;
      }
    }
    for (const single of [mesh, ...singles]) single.dispose();
  }
  assert.ok(hits > 400, `${hits} hits`);
});

test('of equal hits, a cast returns the one with the lowest body id, then with the lowest triangle number', () => {
  const twice: MeshData = {
    positions: Float32Array.of(-4, 0, -4, 4, 0, -4, 0, 0, 4),
    indices: Uint32Array.of(0, 1, 2, 0, 1, 2, 0, 1, 2),
  };
  const mesh = engine.createMesh(twice);
  const sphere = { center: [0, 3, 0], radius: 1 };
  assert.is(engine.castSphere(mesh, sphere, [0, -4, 0])?.triangle, 0);
  assert.is(engine.castSphere(mesh, { ...sphere, radius: 4 }, [0, -4, 0])?.triangle, 0);
  const scene = engine.createScene();
  const ids = [0, 1, 2].map(() => scene.add(mesh));
  const hit = (): [number | undefined, number | undefined] => {
    const { body, triangle } = engine.castSphere(scene, sphere, [0, -4, 0]) ?? {};
    return [body, triangle];
  };
  assert.equal(hit(), [Math.min(...ids), 0]);
  scene.setTransform(ids[0], translation([0, -0.5, 0]));
  assert.equal(hit(), [ids[1], 0]);
  // The slot of a removed body is reused by a body with another id.
  scene.remove(ids[1]);
  const last = scene.add(mesh);
  assert.is(scene.slotOf(last), 1);
  assert.equal(hit(), [Math.min(ids[2], last), 0]);
  // Of several hits at the start, the one with the smallest separation is returned, whatever its numbers are.
  const deep = engine.castSphere(scene, { center: [0, -0.375, 0], radius: 1 }, [0, -4, 0]);
  assert.equal([deep?.t, deep?.body, deep?.separation], [0, ids[0], -0.875]);
  scene.dispose();
  mesh.dispose();
});

test('after vertices or bodies have moved, each call uses their current positions', () => {
  const random = createRandom(47);
  const data = torus(40);
  const mesh = engine.createMesh(data, { deformable: true });
  const scene = engine.createScene();
  const id = scene.add(mesh);
  const worst = new WorstErrors();
  for (let step = 0; step < 8; step++) {
    const bent = {
      positions: data.positions.map((value, i) => value * (1 + 0.3 * Math.sin(step + i)) + step),
      indices: data.indices,
    };
    mesh.update(bent.positions, { tree: step % 2 === 0 ? 'refit' : 'rebuild' });
    const transform = rotation(random.direction(), step, [step, -step, 0.5]);
    scene.setTransform(id, transform);
    const placed: Target[] = targetsOf(bent, transform, id);
    for (const cast of hardCasts(targetsOf(bent), 8, random, 1))
      checkCast(engine, mesh, targetsOf(bent), cast, worst);
    for (const cast of hardCasts(placed, 8, random, 1)) checkCast(engine, scene, placed, cast, worst);
  }
  assert.ok(worst.hits > 50, `${worst.hits} hits`);
  scene.dispose();
  mesh.dispose();
});

/** Returns a hash of the results of all methods for a mesh and a scene. */
const hashFor = (options: EngineOptions): Promise<string> =>
  withEngine({ ...options, warmUp: 'off' }, other => hashBytes(Float64Array.from(resultsOf(other))));

function resultsOf(other: Engine): number[] {
  const data = torus(300);
  const mesh = other.createMesh(data);
  const scene = other.createScene();
  const random = createRandom(48);
  for (let i = 0; i < 20; i++)
    scene.add(mesh, {
      transform: rotation(
        random.direction(),
        random.between(0, 7),
        [0, 1, 2].map(() => random.between(-4, 4)) as [number, number, number],
      ),
    });
  const numbers: number[] = [];
  const addHit = (hit: ShapeHit | undefined): void => {
    if (!hit) numbers.push(-1);
    else numbers.push(hit.t, hit.triangle, hit.body ?? -1, hit.separation, ...hit.point, ...hit.normal);
  };
  for (const at of [mesh, scene])
    for (const { start, end, radius, motion } of hardCasts(targetsOf(data as never), 60, random, 1)) {
      addHit(other.castSphere(at, { center: start, radius }, motion));
      addHit(other.castCapsule(at, { start, end, radius }, motion, { ignoreSeparating: true }));
      const transform = rotation([0.6, 0, 0.8], radius, start as [number, number, number]);
      const all = other.overlapBox(at, { halfExtents: [0.5, 0.25, 0.75], transform });
      numbers.push(all.count, ...all.triangle, ...(all.body ?? []));
      numbers.push(...other.overlapSphere(at, { center: start, radius }).triangle);
    }
  return numbers;
}

test('results of all methods have the same bytes for any number of threads and kind of memory', async () => {
  const expected = await hashFor({ threads: 1 });
  for (const options of [
    { threads: 3 },
    { threads: 1, memory: 'shared' },
    { memory: 'single' },
  ] satisfies EngineOptions[])
    assert.is(await hashFor(options), expected, JSON.stringify(options));
});

test('memory does not grow over 10,000 calls', () => {
  const data = changed(box(), 1, [0.25, 0, 0]);
  const mesh = engine.createMesh(data);
  const scene = engine.createScene();
  for (let i = 0; i < 4; i++) scene.add(mesh, { transform: translation([3 * i, 0, 0]) });
  const casts = hardCasts(targetsOf(data as never), 20, createRandom(49), 1);
  const round = (): void => {
    for (const { start, end, radius, motion } of casts)
      for (const at of [mesh, scene]) {
        engine.castCapsule(at, { start, end, radius }, motion);
        engine.castSphere(at, { center: start, radius }, motion);
        engine.overlapCapsule(at, { start, end, radius });
        engine.overlapBox(at, { center: start, halfExtents: [1, 1, 1] });
        engine.overlapSphere(at, { center: end, radius }, { want: 'any' });
      }
  };
  round();
  const before = contextOf(engine).arena.usedBytes;
  for (let i = 0; i < 50; i++) round();
  assert.is(contextOf(engine).arena.usedBytes, before);
  scene.dispose();
  mesh.dispose();
});

test.run();
