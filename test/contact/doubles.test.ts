// Tests contacts, distances, scenes and poses of meshes with coordinates in doubles. Each of these meshes is
// compared with a placed mesh with floats, whose placed vertices are the doubles. All exact stages work on
// placed vertices, so both meshes must give equal results.

import * as assert from 'uvu/assert';
import { createEngine, type Mesh } from '../../dist/index.js';
import { box, type MeshData, sphere, torus } from '../../dist/samples/index.js';
import { place } from '../oracle/place.js';
import { pairsOf } from '../support/engines.js';
import { meshPairs, placements, seeded } from '../support/placedScenes.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

interface Side {
  floats: Mesh;
  transform: Float64Array;
  doubles: Mesh;
}

function sideOf({ positions, indices }: MeshData, transform: Float64Array): Side {
  return {
    floats: engine.createMesh({ positions, indices }),
    transform,
    doubles: engine.createMesh({ positions: place(positions, transform), indices }),
  };
}

const closed: [string, MeshData, MeshData][] = [
  ['spheres', sphere(120), meshPairs.spheres[1]],
  ['sphere and torus', sphere(200), torus(150)],
  ['torus and box', torus(150), box(0.7, 0.6, 0.5)],
  ['a box in a sphere', sphere(400), box(0.2, 0.2, 0.2)],
];
const scenes: [string, MeshData, MeshData][] = [
  ...closed,
  ...Object.entries(meshPairs)
    .filter(([name]) => ['touching plates', 'touching boxes', 'lattice', 'degenerate'].includes(name))
    .map(([name, [a, b]]): [string, MeshData, MeshData] => [name, a, b]),
];

// Calls `compare` for several placements of each scene. With the placement 'the same for both', faces that
// touch each other still touch after the placement, except for rounding.
function forEachScene(
  list: readonly [string, MeshData, MeshData][],
  compare: (name: string, a: Side, b: Side) => void,
): void {
  let seed = 1;
  for (const placement of ['both rigid', 'the same for both', 'far and small'] as const) {
    for (const [name, a, b] of list) {
      const { transformA, transformB } =
        placement === 'far and small' ? farAndSmall : placements[placement](seeded(seed++));
      const sides = [sideOf(a, transformA!), sideOf(b, transformB!)] as const;
      try {
        compare(`${placement}, ${name}`, ...sides);
      } finally {
        for (const { floats, doubles } of sides) {
          floats.dispose();
          doubles.dispose();
        }
      }
    }
  }
}

const moved = (x: number): Float64Array =>
  Float64Array.of(0.3, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0.3, 0, x, 7e5, -3e4, 1);
const farAndSmall = { transformA: moved(5e6), transformB: moved(5e6 + 0.1) };

/** Keys whose values are not compared, because a depth may be reached in several directions. */
const OPTIONAL = ['direction', 'pointA', 'pointB'];

// Asserts that two values are equal, with three exceptions: rounded numbers may differ in their last digits,
// the values of the keys in OPTIONAL may differ, and the bounds of a value need only overlap.
function assertClose(actual: unknown, expected: unknown, name: string): void {
  if (typeof expected === 'number' && !Number.isInteger(expected)) {
    const slack = 1e-8 * Math.max(1, Math.abs(expected));
    assert.ok(Math.abs((actual as number) - expected) <= slack, `${name}: ${actual}, not ${expected}`);
  } else if (typeof expected === 'object' && expected !== null && 'lower' in expected) {
    const [a, b] = [actual, expected] as { lower: number; upper: number }[];
    assert.ok(a.lower <= b.upper && b.lower <= a.upper, name);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.equal(Object.keys(actual as object), Object.keys(expected), name);
    for (const [key, value] of Object.entries(expected).filter(([key]) => !OPTIONAL.includes(key)))
      assertClose((actual as Record<string, unknown>)[key], value, `${name}, ${key}`);
  } else assert.is(actual, expected, name);
}

test('contacts are equal to those of the placed floats', () => {
  let withDoubles = 0;
  forEachScene(scenes, (name, a, b) => {
    const placed = { transformA: a.transform, transformB: b.transform };
    if (a.doubles.hasDoubles && b.doubles.hasDoubles) withDoubles++;
    assert.equal(
      engine.query(a.doubles, b.doubles, { want: 'segments' }).copy(),
      engine.query(a.floats, b.floats, { ...placed, want: 'segments' }).copy(),
      name,
    );
    assertClose(engine.classify(a.doubles, b.doubles), engine.classify(a.floats, b.floats, placed), name);
    // One mesh with floats, which is placed, and one with doubles.
    assertClose(
      engine.classify(a.floats, b.doubles, { transformA: a.transform }),
      engine.classify(a.floats, b.floats, placed),
      name,
    );
  });
  assert.ok(withDoubles > 15, `${withDoubles} scenes have doubles`);
});

test('penetration, volumes and containment are equal to those of the placed floats', () => {
  forEachScene(closed, (name, a, b) => {
    const placed = { transformA: a.transform, transformB: b.transform };
    const figures = { volume: true, overlapDepth: true } as const;
    assertClose(
      engine.classify(a.doubles, b.doubles, figures),
      engine.classify(a.floats, b.floats, { ...placed, ...figures }),
      name,
    );
    assertClose(
      engine.penetration(a.doubles, b.doubles, figures),
      engine.penetration(a.floats, b.floats, { ...placed, ...figures }),
      name,
    );
  });
});

test('distances and clearances are equal to those of the placed floats', () => {
  forEachScene(scenes, (name, a, b) => {
    const placed = { transformA: a.transform, transformB: b.transform };
    const [distance, expected] = [
      engine.distance(a.doubles, b.doubles),
      engine.distance(a.floats, b.floats, placed),
    ];
    assert.is(distance?.distance, expected?.distance, name);
    for (const clearance of [0.05, 0.2]) {
      const near = engine.query(a.doubles, b.doubles, { clearance }).copy();
      const same = engine.query(a.floats, b.floats, { ...placed, clearance }).copy();
      assert.equal(pairsOf(near), pairsOf(same), `${name}, ${clearance}`);
      assert.equal(near.distances, same.distances, `${name}, ${clearance}`);
    }
  });
});

test('scenes, poses and queries with certificates agree with a query of the placed floats', () => {
  forEachScene(scenes, (name, a, b) => {
    const placed = { transformA: a.transform, transformB: b.transform };
    const truth = pairsOf(engine.query(a.floats, b.floats, placed));
    using scene = engine.createScene();
    scene.add(a.doubles);
    scene.add(b.doubles);
    const { counts } = scene.detect({ narrow: 'counts' });
    assert.is(counts[0] ?? 0, truth.length, name);
    const [hits] = engine.queryMany({ pairs: [{ a: a.doubles, b: b.doubles }], want: 'any' });
    assert.is(hits, truth.length > 0 ? 1 : 0, name);
    const identities = Float64Array.of(...IDENTITY, ...IDENTITY);
    const { hits: posed } = engine.queryPoses({ meshes: [a.doubles, b.doubles], poses: identities });
    assert.is(posed[0], truth.length > 0 ? 1 : 0, name);
    const { a: pairsA, certificate } = engine.query(a.doubles, b.doubles, { certificate: true });
    assert.is(pairsA.length, truth.length, name);
    assert.ok(certificate);
  });
});

test.run();
