// Tests the bounds of the length and the area of contacts. The bounds must enclose known values, and the exact
// values that the oracle computes in fractions, even if a mesh intersects itself or repeats triangles.

import * as assert from 'uvu/assert';
import type { ClassifyOptions, Engine, Penetration, ProvenBounds } from '../../dist/index.js';
import { upperText } from '../../dist/report/clashClasses.js';
import { createRandom, type Random, rotation, sphere, torus } from '../../dist/samples/index.js';
import { contactSizeComparers } from '../oracle/contactSize.js';
import { placeTriangles } from '../oracle/place.js';
import { disposeAll, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { shifted } from './randomSolids.js';
import { block, insideOut, randomPlacement, randomSolid, type Solid, shuffled, together } from './solids.js';

interface Measured {
  length: ProvenBounds;
  area: ProvenBounds;
  regions: Penetration[];
}

/**
 * Returns the bounds of the contact length and area of a pair, and its regions. The bounds must be the same for
 * all methods and in both orders.
 */
function measure(engine: Engine, a: Solid, b: Solid, options: ClassifyOptions = {}): Measured {
  const [first, second] = [engine.createMesh(a), engine.createMesh(b)];
  const { contactLength, contactArea } = engine.classify(first, second, { ...options, contactSize: true });
  const figures = { contactLength, contactArea };
  const placed = { ...options, contactSize: true } as const;
  const { regions, ...ofRegions } = engine.penetration(first, second, placed);
  const segments = engine.query(first, second, { ...placed, want: 'segments' }).copy();
  assert.equal(ofRegions, figures);
  assert.equal({ contactLength: segments.contactLength, contactArea: segments.contactArea }, figures);
  const exchanged = { transformA: options.transformB, transformB: options.transformA, contactSize: true };
  const { regions: others, ...ofOthers } = engine.penetration(second, first, {
    ...exchanged,
    contactSize: true,
  });
  assert.equal(ofOthers, figures);
  assert.equal(sizesOf(others), sizesOf(regions));
  disposeAll(first, second);
  return { length: contactLength!, area: contactArea!, regions };
}

const sizesOf = (regions: readonly Penetration[]) =>
  regions
    .map(({ contactLength, contactArea }) => [
      contactLength!.lower,
      contactLength!.upper,
      contactArea!.lower,
      contactArea!.upper,
    ])
    .sort((x, y) => x.map((value, i) => value - y[i]).find(order => order !== 0) ?? 0);

function assertIs({ lower, upper }: ProvenBounds, value: number, text: string): void {
  assert.ok(lower <= value && value <= upper, `${text}: ${lower} to ${upper}, not ${value}`);
  assert.ok(upper - lower <= 1e-11, `${text}: ${lower} to ${upper}`);
}

const cube = (x: number, y: number, z: number): Solid => block([x, y, z], [x + 2, y + 2, z + 2]);
const big = block([-9, -9, -9], [9, 9, 0]);
const bar = (y: number, size: number): Solid => block([-9, y, 0.5], [9, y + size, 1.5]);
const empty: Solid = { positions: new Float32Array(0), indices: new Uint32Array(0) };
const mesh = (...triangles: readonly (readonly number[])[]): Solid => ({
  positions: Float32Array.from(triangles.flat()),
  indices: Uint32Array.from({ length: 3 * triangles.length }, (_, i) => i),
});

/** A prism whose lowest edge, of length 2, lies in the plane z = 0. */
const wedge: Solid = {
  positions: Float32Array.of(0, 0, 0, -1, 0, 1, 1, 0, 1, 0, 2, 0, -1, 2, 1, 1, 2, 1),
  indices: Uint32Array.of(0, 1, 2, 3, 5, 4, 0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5, 2, 5, 0, 0, 5, 3),
};

const floor = mesh([0, 0, 0, 4, 0, 0, 0, 4, 0], [4, 0, 0, 4, 4, 0, 0, 4, 0]);
/** Makes a triangle in the plane z = 0 with the corners (1, 0), (x, 0) and (1, 2). */
const flat = (x: number): Solid => mesh([1, 0, 0, x, 0, 0, 1, 2, 0]);
/**
 * Makes a triangle in the plane x = 1. It crosses the plane z = 0 in the segment from y = `from` to
 * y = `from` + `size`.
 */
const upright = (from: number, size: number): Solid =>
  mesh([1, from - size / 2, 1, 1, from + size / 2, -1, 1, from + 1.5 * size, 1]);

/** One pair of solids per line, with the length and the area of their contact. */
const known: readonly [name: string, length: number, area: number, a: Solid, b: Solid][] = [
  ['overlap of corners', 6, 0, cube(0, 0, 0), cube(1, 1, 1)],
  ['a shared face', 0, 4, cube(0, 0, 0), cube(2, 0, 0)],
  ['a shared part of a face', 0, 1, cube(0, 0, 0), cube(2, 1, 1)],
  ['a small face on a large one', 0, 4, big, cube(1, 2, 0)],
  ['a shared edge', 2, 0, cube(0, 0, 0), cube(2, 2, 0)],
  ['a shared part of an edge', 1, 0, cube(0, 0, 0), cube(2, 2, 1)],
  ['a shared corner', 0, 0, cube(0, 0, 0), cube(2, 2, 2)],
  ['an edge on a face', 2, 0, big, wedge],
  ['an edge and a face', 2, 4, big, together(wedge, cube(3, 3, 0))],
  ['apart', 0, 0, cube(0, 0, 0), cube(5, 0, 0)],
  ['inside', 0, 0, big, block([-1, -1, -2], [1, 1, -1])],
  ['faces in common planes', 0, 8, cube(0, 0, 0), cube(1, 0, 0)],
  ['a bar through a cube', 8, 0, cube(0, 0, 0), bar(0.5, 1)],
  ['duplicates', 0, 24, cube(0, 0, 0), cube(0, 0, 0)],
  ['a mesh with two equal cubes', 6, 0, together(cube(0, 0, 0), cube(0, 0, 0)), cube(1, 1, 1)],
  ['two equal cubes on a face', 0, 4, big, together(cube(1, 2, 0), cube(1, 2, 0))],
  ['two overlapping cubes on a face', 0, 7, big, together(cube(1, 2, 0), cube(2, 3, 0))],
  ['two cubes on a face, one inside out', 0, 7, big, together(cube(1, 2, 0), insideOut(cube(2, 3, 0)))],
  ['a bar inside a bar, through a cube', 12, 0, cube(0, 0, 0), together(bar(0.5, 1), bar(1, 0.25))],
  ['crossing bars through a cube', 13, 0, cube(0, 0, 0), together(bar(0.5, 1), bar(1, 0.75))],
  ['an empty mesh', 0, 0, cube(0, 0, 0), empty],
  ['one triangle', 1, 0, floor, upright(1, 1)],
  ['equal triangles', 1, 0, floor, together(upright(1, 1), upright(1, 1))],
  ['overlapping segments', 1.5, 0, floor, together(upright(1, 1), upright(1.5, 1))],
  ['segments with a common end', 2, 0, floor, together(upright(1, 1), upright(2, 1))],
  ['a segment in a segment', 2, 0, floor, together(upright(1, 2), upright(1.5, 1))],
  ['a segment partly on an area', 2, 1, floor, together(flat(2), upright(1, 3))],
  ['overlapping triangles', 0, 2, floor, together(flat(2), flat(3))],
  ['a triangle without area', 1, 0, floor, mesh([1, 1, 0, 1, 2, 0, 1, 1.5, 0])],
  ['a triangle that is a point', 0, 0, floor, mesh([1, 1, 0, 1, 1, 0, 1, 1, 0])],
  ['a segment beside an area', 1, 1, floor, together(flat(2), mesh([0.5, 1, 0, 0.5, 2, 0, 0.5, 1, 0]))],
];

test('known lengths and areas lie between close bounds', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    for (const [name, length, area, a, b] of known) {
      for (const seed of [0, 1, 2]) {
        const random = createRandom(seed);
        const [first, second] = seed === 0 ? [a, b] : [shuffled(a, random), shuffled(b, random)];
        const found = measure(engine, first, second);
        assertIs(found.length, length, `length of ${name}`);
        assertIs(found.area, area, `area of ${name}`);
      }
    }
  }));

/** Compares the bounds with the oracle. @returns for the length and for the area, whether it is more than 0 */
function check(
  engine: Engine,
  a: Solid,
  b: Solid,
  options: { transformA?: Float64Array; transformB?: Float64Array },
  text: string,
): [hasLength: boolean, hasArea: boolean] {
  const { length, area } = measure(engine, a, b, options);
  const corners = [placeTriangles(a, options.transformA), placeTriangles(b, options.transformB)] as const;
  const { compareLength, compareArea } = contactSizeComparers(...corners);
  const size = corners.flatMap(list => [...list]).reduce((max, value) => Math.max(max, Math.abs(value)), 1);
  for (const [{ lower, upper }, compare, name] of [
    [length, compareLength, 'length'],
    [area, compareArea, 'area'],
  ] as const) {
    assert.ok(compare(lower) >= 0 && compare(upper) <= 0, `${name} of ${text}: ${lower} to ${upper}`);
    const scale = name === 'length' ? size : size * (1 + length.upper + Math.sqrt(area.upper));
    assert.ok(upper - lower <= 1e-11 * scale, `${name} of ${text}: ${lower} to ${upper}`);
  }
  return [compareLength(0) > 0, compareArea(0) > 0];
}

/** Makes triangles with small integer coordinates. Some are repeated, and some have no area. */
function triangles(random: Random, count: number, span: number, height: number): Solid {
  const corner = (): number[] => [random.below(span + 1), random.below(span + 1), random.below(height + 1)];
  const list = Array.from({ length: count }, () => [corner(), corner(), corner()].flat());
  return mesh(...list, ...list.filter(() => random.below(6) === 0));
}

test('bounds enclose the exact length and area of random solids', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const counts = [0, 0];
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(seed);
      const options = { transformA: randomPlacement(random, 2), transformB: randomPlacement(random, 2) };
      const solid = (): Solid => {
        const one = randomSolid(random, 2);
        const more = random.below(3) === 0 ? together(one, randomSolid(random, 2)) : one;
        return random.below(2) === 0 ? shuffled(more, random) : more;
      };
      const found = check(engine, solid(), solid(), options, `seed ${seed}`);
      found.forEach((isMore, i) => {
        counts[i] += Number(isMore);
      });
    }
    assert.ok(counts[0] > 6 && counts[1] > 3, `${counts}`);
  }));

test('bounds enclose the exact length and area of random triangles', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const counts = [0, 0];
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(1000 + seed);
      const height = [0, 1, 1, 3][seed % 4];
      const soup = (): Solid => triangles(random, 1 + random.below(7), 3, height);
      const transformA = seed % 5 === 0 ? rotation([1, 2, 3], 1) : undefined;
      const options = { transformA, transformB: seed % 10 === 0 ? transformA : undefined };
      const found = check(engine, soup(), soup(), options, `seed ${seed}`);
      found.forEach((isMore, i) => {
        counts[i] += Number(isMore);
      });
    }
    assert.ok(counts[0] > 20 && counts[1] > 6, `${counts}`);
  }));

const randomCurves = (firstSeed: number, lastSeed: number, minCrossed: number) =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    let crossed = 0;
    for (let seed = firstSeed; seed <= lastSeed; seed++) {
      const random = createRandom(seed);
      const far = seed % 4 === 0 ? 1000 : 0;
      const at = () =>
        shifted(far + random.between(-0.7, 0.7), far + random.between(-0.7, 0.7), random.between(-0.7, 0.7));
      const [a, b] = [sphere(60), torus(80)];
      if (check(engine, a, b, { transformA: at(), transformB: at() }, `seed ${seed}`)[0]) crossed++;
    }
    assert.ok(crossed >= minCrossed);
  });
test('bounds enclose the exact length of random curves', () => randomCurves(2, 4, 2));
test.proof('bounds enclose the exact length of more random curves', () => randomCurves(1, 6, 4));

test('each region has its own length and area', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const { length, regions } = measure(engine, together(cube(0, 0, 0), cube(9, 0, 0)), bar(0.5, 1));
    assertIs(length, 8, 'the whole contact');
    assert.equal(regions.length, 3);
    const [flat, ...others] = regions.toSorted((x, y) => y.contactArea!.upper - x.contactArea!.upper);
    assertIs(flat.contactLength!, 0, 'length of the flat region');
    assertIs(flat.contactArea!, 1, 'area of the flat region');
    for (const { contactLength, contactArea } of others) {
      assertIs(contactLength!, 4, 'length of a region');
      assertIs(contactArea!, 0, 'area of a region');
    }
    const zero = { lower: 0, upper: 0 };
    const [inner] = measure(engine, block([-9, -9, -9], [9, 9, 9]), cube(0, 0, 0)).regions;
    assert.equal([inner.contactLength, inner.contactArea], [zero, zero]);
    // The two equal cubes use different vertices, but these have the same positions, so there is one region.
    assert.is(measure(engine, together(cube(0, 0, 0), cube(0, 0, 0)), cube(1, 1, 1)).regions.length, 1);
  }));

test('the figures do not depend on the number of threads', async () => {
  const answers = new Set<string>();
  for (const threads of [1, 2, 3]) {
    await withEngine({ threads, warmUp: 'off' }, engine => {
      const solid = together(torus(2000, 0.4), torus(500, 0.4));
      answers.add(
        JSON.stringify(measure(engine, solid, sphere(3000), { transformB: shifted(0.8, 0.3, 0.1) })),
      );
    });
  }
  assert.is(answers.size, 1);
});

test('scaling both meshes by a huge or tiny power of two scales the bounds exactly', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const scaled = (exponent: number): Float64Array => {
      const matrix = shifted(0, 0, 0);
      for (const i of [0, 5, 10]) matrix[i] = 2 ** exponent;
      return matrix;
    };
    for (const [a, b] of [
      [cube(0, 0, 0), together(cube(1, 1, 1), cube(2, 0, 0), cube(1, 1, 1), wedge)],
      [floor, together(flat(2), upright(1, 3), flat(3))],
    ]) {
      const expected = measure(engine, a, b);
      for (const exponent of [190, 60, -60, -190]) {
        const unit = scaled(exponent);
        const { length, area } = measure(engine, a, b, { transformA: unit, transformB: unit });
        const [one, square] = [2 ** exponent, 2 ** (2 * exponent)];
        assert.equal({ lower: length.lower / one, upper: length.upper / one }, expected.length);
        assert.equal({ lower: area.lower / square, upper: area.upper / square }, expected.area);
      }
    }
  }));

test('bounds hold even if so many pieces overlap that they cannot all be compared', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const many = (count: number, make: (i: number) => Solid): Solid =>
      together(...Array.from({ length: count }, (_, i) => make(i)));
    // Segment i reaches from y = 1 + i / 1024 to y = 1.5 + i / 1024. Triangle i has a corner at
    // x = 2 + i / 1024.
    const segments = measure(
      engine,
      floor,
      many(200, i => upright(1 + i / 1024, 0.5)),
    );
    assert.ok(segments.length.lower === 0 && segments.length.upper >= 0.5 + 199 / 1024);
    const areas = measure(
      engine,
      floor,
      many(80, i => flat(2 + i / 1024)),
    );
    assert.ok(areas.area.lower === 0 && areas.area.upper >= 1 + 79 / 1024);
    const fewer = measure(
      engine,
      floor,
      many(40, i => together(flat(2 + i / 1024), upright(1 + i / 1024, 0.5))),
    );
    assertIs(fewer.area, 1 + 39 / 1024, 'area');
    assertIs(fewer.length, 0, 'length');
  }));

test('figures that are not asked for are omitted', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const [a, b] = [engine.createMesh(cube(0, 0, 0)), engine.createMesh(cube(1, 1, 1))];
    const off = { contactSize: false } as const;
    assert.equal(Object.keys(engine.classify(a, b, off)).includes('contactLength'), false);
    assert.equal(Object.keys(engine.penetration(a, b, off)[0]).includes('contactLength'), false);
    const { regions } = engine.penetration(a, b, { volume: true });
    assert.equal(Object.keys(regions[0]).includes('contactArea'), false);
    assert.is(engine.query(a, b, { want: 'segments', ...off }).contactLength, undefined);
  }));

test('for a fan whose pieces all have overlapping boxes, the bounds hold without a comparison of all pieces', async () => {
  // A triangle of area 1, divided into a fan, lies on a larger one.
  const count = 1000;
  const fan = mesh(
    ...Array.from({ length: count }, (_, i) => [0, 0, 0, 2, i / count, 0, 2, (i + 1) / count, 0]),
  );
  const floor = mesh([-9, -9, 0, 30, -9, 0, -9, 30, 0]);
  await withEngine({ threads: 1 }, engine => {
    const { length, area } = measure(engine, fan, floor);
    assert.equal([length.lower, length.upper, area.lower], [0, 0, 0]);
    assert.ok(area.upper >= 1 && area.upper <= 1 + 1e-9, String(area.upper));
    const few = mesh(...Array.from({ length: 100 }, (_, i) => [0, 0, 0, 2, i / 100, 0, 2, (i + 1) / 100, 0]));
    assert.ok(measure(engine, few, floor).area.lower > 1 - 1e-6);
  });
});

test("the text of a figure says 'at most' only if its bounds are far apart", () => {
  const text = (value: number): string => String(value);
  assert.is(upperText({ lower: 0, upper: 2 }, text, undefined), 'at most 2');
  assert.is(upperText({ lower: 2, upper: 2 }, text, undefined), '2');
});

test.run();
