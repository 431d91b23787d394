// Tests that `classify` and `penetration` do not depend on the order of the two meshes: exchanged meshes give
// the same bits, with opposite directions and exchanged points. Also tests that `penetration` and `query` with
// segments return the same figures of the overlap as `classify`.

import * as assert from 'uvu/assert';
import type {
  Classification,
  ClassifyOptions,
  Engine,
  Mesh,
  OverlapFigures,
  Penetration,
} from '../../dist/index.js';
import { building, createRandom, rotation, sphere, torus } from '../../dist/samples/index.js';
import { caught, disposeAll, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { readEngine } from '../support/truth.js';
import { plainRegion } from './plainRegion.js';
import { shifted } from './randomSolids.js';
import { block, randomPlacement, randomSolid, type Solid, shuffled } from './solids.js';

type Placements = Pick<ClassifyOptions, 'transformA' | 'transformB'>;
type Vector = [number, number, number];

/**
 * Options that request all figures of an overlap. The budget is small, because the tests compare the bounds of
 * both orders, and need no tight bounds.
 */
const FIGURES = { overlapDepth: true, volume: true, depthBudget: 60 } as const;

const opposite = (vector: Vector): Vector => vector.map(part => 0 - part) as Vector;

const mirroredWhich = (which: 'a' | 'b' | undefined) => (which ? { which: which === 'a' ? 'b' : 'a' } : {});

const mirroredClass = ({ direction, which, pointA, pointB, ...rest }: Classification) => ({
  ...rest,
  ...(pointA && pointB && { pointA: pointB, pointB: pointA }),
  ...(direction ? { direction: opposite(direction) } : {}),
  ...mirroredWhich(which),
});

const mirroredRegion = ({
  pointA,
  pointB,
  trianglesA,
  trianglesB,
  direction,
  which,
  ...rest
}: Penetration) => ({
  ...rest,
  ...mirroredWhich(which),
  direction: opposite(direction),
  pointA: pointB,
  pointB: pointA,
  trianglesA: trianglesB,
  trianglesB: trianglesA,
});

/** Converts a value to a text. Two texts are equal only if all numbers are equal in every bit. */
const bitsOf = (value: unknown): string =>
  JSON.stringify(value, (_, entry) => {
    if (typeof entry === 'number') return Object.is(entry, -0) ? '-0' : String(entry);
    return entry && typeof entry === 'object' && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([one], [other]) => (one < other ? -1 : 1)))
      : entry;
  });

/** Returns the next larger or smaller double of a positive double. */
function next(value: number, step: 1n | -1n): number {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] += step;
  return new Float64Array(bits.buffer)[0]!;
}

/**
 * Compares the results for both orders of a pair. The tolerances are the most critical ones: the depth and its
 * bounds, and the neighboring doubles of each.
 */
function check(engine: Engine, a: Mesh, b: Mesh, placements: Placements, text: string): Classification {
  const back: Placements = {
    ...(placements.transformB ? { transformA: placements.transformB } : {}),
    ...(placements.transformA ? { transformB: placements.transformA } : {}),
  };
  const classes = (options: ClassifyOptions): Classification => {
    const there = engine.classify(a, b, { ...placements, ...options });
    const exchanged = engine.classify(b, a, { ...back, ...options });
    assert.is(bitsOf(mirroredClass(exchanged)), bitsOf(there), `${text}, ${JSON.stringify(options)}`);
    return there;
  };
  const found = classes({ ...FIGURES, contactSize: true });
  const distance = engine.distance(a, b, placements)?.distance ?? Infinity;
  assert.is(found.distance, distance, `${text}, distance`);
  const bounds = [found.depth, found.overlapDepth?.lower ?? 0, found.overlapDepth?.upper ?? 0];
  for (const bound of bounds.filter(length => length > 0))
    for (const tolerance of [bound, next(bound, 1n), next(bound, -1n)]) classes({ tolerance });
  const regions = engine.penetration(a, b, placements);
  assert.is(
    bitsOf(engine.penetration(b, a, back).map(mirroredRegion)),
    bitsOf(regions),
    `${text}, penetration`,
  );
  assert.is(
    bitsOf(engine.penetration(b, a, { ...back, ...FIGURES }).regions.map(mirroredRegion)),
    bitsOf(engine.penetration(a, b, { ...placements, ...FIGURES }).regions),
    `${text}, figures of regions`,
  );
  checkFigures(engine, a, b, placements, found, regions, text);
  checkFigures(engine, b, a, back, found, regions.map(mirroredRegion), `${text}, exchanged`);
  return found;
}

/**
 * Checks that `penetration` and `query` with segments return the same figures as `classify`, and that the
 * options for figures change nothing else in their results.
 */
function checkFigures(
  engine: Engine,
  a: Mesh,
  b: Mesh,
  placements: Placements,
  { overlapDepth, separation, volume }: OverlapFigures,
  regions: readonly object[],
  text: string,
): void {
  const options = { ...placements, ...FIGURES };
  const figures = {
    ...(overlapDepth && { overlapDepth, separation }),
    ...(volume && { volume }),
  };
  const { regions: measuredRegions, ...ofRegions } = engine.penetration(a, b, options);
  assert.is(bitsOf(measuredRegions.map(plainRegion)), bitsOf(regions), text);
  assert.is(bitsOf(ofRegions), bitsOf(figures), text);
  const plain = engine.query(a, b, { ...placements, want: 'segments' }).copy();
  const measured = engine.query(a, b, { ...options, want: 'segments' }).copy();
  assert.is(bitsOf({ ...measured }), bitsOf({ ...plain, ...figures }), text);
}

const randomSolidsIn = (seeds: number) =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const counts = new Map<string, number>();
    for (let seed = 1; seed <= seeds; seed++) {
      const random = createRandom(seed);
      const span = 2 + random.below(3);
      const [a, b] = [0, 1].map(() => engine.createMesh(randomSolid(random, span))) as [Mesh, Mesh];
      const [transformA, transformB] = [randomPlacement(random, span), randomPlacement(random, span)];
      const placements = { ...(transformA ? { transformA } : {}), ...(transformB ? { transformB } : {}) };
      const { class: name } = check(engine, a, b, placements, `seed ${seed}`);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      disposeAll(a, b);
    }
    for (const name of ['apart', 'touch', 'coplanar', 'hard', 'contained']) assert.ok(counts.has(name), name);
  });
test('random solids have the same classes, depths, directions and regions in both orders', () =>
  randomSolidsIn(100));
test.proof(
  '200 pairs of random solids have the same classes, depths, directions and regions in both orders',
  () => randomSolidsIn(200),
);

const rotatedBodies = (seeds: number) =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const meshes = [sphere(300), torus(400, 0.4), block([0, 0, 0], [1, 2, 3])].map(solid =>
      engine.createMesh(solid),
    );
    for (let seed = 1; seed <= seeds; seed++) {
      const random = createRandom(seed);
      const [a, b] = [meshes[random.below(3)]!, meshes[random.below(3)]!];
      const vector = (): Vector => [0, 1, 2].map(() => random.between(-1, 1)) as Vector;
      const place = (): Float64Array => {
        const axis = vector();
        const unit = axis.map(part => part / Math.hypot(...axis)) as Vector;
        return rotation(unit, random.between(0, 6), vector());
      };
      check(engine, a, b, { transformA: place(), transformB: place() }, `seed ${seed}`);
    }
  });
test('rotated bodies with curved surfaces have the same depths in both orders', () => rotatedBodies(15));
test.proof('30 rotated pairs of bodies with curved surfaces have the same depths in both orders', () =>
  rotatedBodies(30),
);

test('one mesh in two places has the same depths in both orders', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const mesh = engine.createMesh(torus(200, 0.4));
    const twin = engine.createMesh(torus(200, 0.4));
    for (const [x, y, z] of [
      [0.3, 0.2, 0.1],
      [1.1, -0.2, 0.05],
      [0, 0, 2 ** -20],
    ] as const) {
      check(engine, mesh, twin, { transformB: shifted(x, y, z) }, `twins, ${x}`);
      check(engine, mesh, mesh, { transformA: shifted(x, y, z) }, `one mesh, ${x}`);
    }
  }));

test('a mesh and a copy with reordered triangles have the same answers in both orders of the two meshes', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createRandom(seed);
      const solid = randomSolid(random, 3);
      // The same vertices, and the triangles in the opposite order.
      const triangles = Array.from({ length: solid.indices.length / 3 }, (_, i) =>
        solid.indices.subarray(3 * i, 3 * i + 3),
      );
      const reversed: Solid = {
        ...solid,
        indices: Uint32Array.from(triangles.reverse().flatMap(corners => [...corners])),
      };
      const meshes = [solid, shuffled(solid, random), reversed].map(copy => engine.createMesh(copy));
      for (const copy of meshes.slice(1)) check(engine, meshes[0]!, copy, {}, `copy ${seed}`);
      disposeAll(...meshes);
    }
  }));

test('meshes of the same content in the same place have the same answer in both orders', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const [a, b] = [0, 1].map(() => engine.createMesh(torus(200, 0.4))) as [Mesh, Mesh];
    assert.is(bitsOf(engine.classify(b, a)), bitsOf(engine.classify(a, b)));
    assert.is(bitsOf(engine.penetration(b, a)), bitsOf(engine.penetration(a, b)));
  }));

test('errors name the mesh and the transform of the call, in both orders', () =>
  withEngine({ threads: 1, warmUp: 'off' }, async engine => {
    const [a, b] = [block([0, 0, 0], [1, 1, 1]), sphere(100)].map(solid => engine.createMesh(solid)) as [
      Mesh,
      Mesh,
    ];
    const wrong = shifted(0, NaN, 0);
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const method of ['classify', 'penetration', 'contains'] as const) {
        assert.match(caught(() => engine[method](x, y, { transformA: wrong })).message, /^transformA\[13\]/);
        assert.match(caught(() => engine[method](x, y, { transformB: wrong })).message, /^transformB\[13\]/);
      }
    }
    await withEngine({ threads: 1, warmUp: 'off' }, other => {
      const stranger = other.createMesh(sphere(100));
      for (const [x, y] of [
        [a, stranger],
        [stranger, a],
      ] as const)
        assert.match(caught(() => engine.classify(x, y)).message, /does not belong to this engine/);
    });
    b.dispose();
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const)
      assert.is(caught(() => engine.classify(x, y)).code, 'Disposed');
  }));

test('clashing parts of the sample building have the same depths in both orders', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const { parts, meshes, frame } = building();
    const made = meshes.map(mesh => engine.createMesh(mesh));
    const transforms = frame(0);
    const transformOf = (part: number): Float64Array => transforms.subarray(16 * part, 16 * part + 16);
    let clashing = 0;
    for (let a = 0; a < parts.length; a++) {
      for (let b = 0; b < a; b++) {
        const [x, y] = [made[parts[a]!.mesh]!, made[parts[b]!.mesh]!];
        const placements = { transformA: transformOf(a), transformB: transformOf(b) };
        if (!engine.query(x, y, { ...placements, want: 'any' })) continue;
        clashing++;
        check(engine, x, y, placements, `${parts[a]!.name}, ${parts[b]!.name}`);
      }
    }
    assert.ok(clashing > 10, `${clashing} pairs`);
  }));

test.proof('intersecting parts of an assembly have the same depths in both orders', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const { parts, partPairs } = readEngine();
    const meshes = parts.map(({ mesh }) => engine.createMesh(mesh));
    for (const [a, b] of partPairs) check(engine, meshes[a]!, meshes[b]!, {}, `parts ${a}, ${b}`);
  }),
);

test.run();
