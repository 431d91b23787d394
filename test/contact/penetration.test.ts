// Tests engine.penetration, which returns the contact regions of two solids, each with a penetration depth
// and a direction. Known depths are found, and a motion of one solid by depth and direction separates the
// solids. The motion is also tested for random pairs of solids that have only one region.

import * as assert from 'uvu/assert';
import type { Engine, Mesh, Penetration } from '../../dist/index.js';
import { createRandom, sphere } from '../../dist/samples/index.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { shifted } from './randomSolids.js';
import { block, insideOut, matrix, randomPlacement, randomSolid, type Solid, together } from './solids.js';

type Vector = readonly [number, number, number];

const unit = (vector: readonly number[]): Vector =>
  vector.map(part => part / Math.hypot(...vector)) as unknown as Vector;

/** Returns the columns of a rotation about an axis. */
function rotated(axis: Vector, angle: number): number[] {
  const [x, y, z] = unit(axis);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const t = 1 - c;
  return [
    t * x * x + c,
    t * x * y + s * z,
    t * x * z - s * y,
    t * x * y - s * z,
    t * y * y + c,
    t * y * z + s * x,
    t * x * z + s * y,
    t * y * z - s * x,
    t * z * z + c,
  ];
}

const moved = (transform: Float64Array, { direction, depth, bound }: Penetration, part = 1): Float64Array =>
  transform.map((value, i) =>
    i >= 12 && i < 15 ? value + direction[i - 12] * (depth * part + (part === 1 ? bound : 0)) : value,
  );

const isHard = (
  engine: Engine,
  a: Mesh,
  b: Mesh,
  transformA: Float64Array,
  transformB: Float64Array,
): boolean => engine.classify(a, b, { transformA, transformB }).class === 'hard';

/** Makes a cylinder along z with this many sides, from height 0 to `height`. */
function cylinder(sides: number, radius: number, height: number): Solid {
  const ring = Array.from({ length: sides }, (_, i) => [
    radius * Math.cos((2 * Math.PI * i) / sides),
    radius * Math.sin((2 * Math.PI * i) / sides),
  ]);
  const positions = Float32Array.from([
    ...ring.flatMap(([x, y]) => [x!, y!, 0]),
    ...ring.flatMap(([x, y]) => [x!, y!, height]),
    0,
    0,
    0,
    0,
    0,
    height,
  ]);
  const indices = ring.flatMap((_, i) => {
    const j = (i + 1) % sides;
    return [i, j, sides + j, i, sides + j, sides + i, j, i, 2 * sides, sides + i, sides + j, 2 * sides + 1];
  });
  return { positions, indices: Uint32Array.from(indices) };
}

/**
 * Checks the regions of two solids and returns the deepest region. The direction of this region must have
 * unit length, and the solids must no longer penetrate each other after A has moved along it by depth +
 * bound. If `isMinDepth`, they must still penetrate each other after a motion by 99.9 % of the depth. If A
 * and B are exchanged, the depths must stay the same except for rounding.
 */
function deepest(
  engine: Engine,
  a: Solid,
  b: Solid,
  transformA: Float64Array,
  transformB: Float64Array,
  isMinDepth = true,
): Penetration {
  const first = engine.createMesh(a);
  const second = engine.createMesh(b);
  const regions = engine.penetration(first, second, { transformA, transformB });
  const found = regions[0];
  assert.ok(Math.abs(Math.hypot(...found.direction) - 1) < 1e-12);
  assert.not(isHard(engine, first, second, moved(transformA, found), transformB), 'separated by depth');
  if (isMinDepth)
    assert.ok(
      isHard(engine, first, second, moved(transformA, found, 0.999), transformB),
      'not separated by 99.9 % of the depth',
    );
  const other = engine.penetration(second, first, { transformA: transformB, transformB: transformA });
  assert.is(other.length, regions.length);
  for (const [i, { depth, pairs, trianglesA, trianglesB, direction }] of other.entries()) {
    assert.ok(
      Math.abs(depth - regions[i].depth) <= 1e-9 * (1 + depth),
      `depth ${depth} with exchanged meshes, not ${regions[i].depth}`,
    );
    if (regions.length === 1) {
      assert.equal([pairs, trianglesB, trianglesA], [found.pairs, found.trianglesA, found.trianglesB]);
      assert.ok(
        direction.every((part, axis) => Math.abs(part + found.direction[axis]) < 1e-9),
        `${direction}, ${found.direction}`,
      );
    }
  }
  first.dispose();
  second.dispose();
  return found;
}

const near = (found: number, expected: number, text = ''): void =>
  assert.ok(Math.abs(found - expected) <= 1e-6 * (1 + expected), `${found}, not ${expected} ${text}`);

test('the depth of two boxes with the same rotation is their smallest overlap', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    let checked = 0;
    for (let seed = 0; seed < 60; seed++) {
      const random = createRandom(seed);
      const size = (): Vector => [random.between(1, 3), random.between(1, 3), random.between(1, 3)];
      const [maxA, maxB] = [size(), size()];
      const shift = maxA.map((maximum, axis) => random.between(-0.8 * maxB[axis], 0.8 * maximum));
      const linear =
        seed % 2 === 0
          ? rotated([1, 0, 0], 0)
          : rotated([random.between(-1, 1), random.between(-1, 1), 1], random.between(0, 3));
      const place = (by: readonly number[]): Vector =>
        [0, 1, 2].map(axis =>
          by.reduce((sum, part, column) => sum + part * linear[3 * column + axis], 0),
        ) as unknown as Vector;
      const overlaps = maxA.flatMap((maximum, axis) => [maximum - shift[axis], shift[axis] + maxB[axis]]);
      // Skips pairs of boxes in which one box contains the other without touching it.
      const holds = maxA.every((maximum, axis) => shift[axis] > 0 && shift[axis] + maxB[axis] < maximum);
      const isHeld = maxA.every((maximum, axis) => shift[axis] < 0 && shift[axis] + maxB[axis] > maximum);
      if (holds || isHeld) continue;
      checked++;
      const { depth } = deepest(
        engine,
        block([0, 0, 0], maxA),
        block([0, 0, 0], maxB),
        matrix(linear, place([0, 0, 0])),
        matrix(linear, place(shift)),
      );
      near(depth, Math.min(...overlaps), `seed ${seed}`);
    }
    assert.ok(checked > 40, `${checked} pairs checked`);
  }));

test('two cubes that are shifted along an axis, so that no triangles cross, have the expected depth', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const cube = block([0, 0, 0], [2, 2, 2]);
    const { depth, direction } = deepest(engine, cube, cube, shifted(0, 0, 0), shifted(1.25, 0, 0));
    assert.equal([depth, direction.map(part => part + 0)], [0.75, [-1, 0, 0]]);
  }));

test('the depth of two balls is the sum of their radii minus their distance, up to the error of their triangulation', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    for (const [count, sag] of [
      [500, 0.02],
      [5000, 0.002],
    ] as const) {
      const ball = sphere(count);
      for (const [seed, distance] of [1.9, 1.6, 1.2, 0.7].entries()) {
        const random = createRandom(seed);
        const way = unit([random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)]);
        const transformB = shifted(...(way.map(part => part * distance) as [number, number, number]));
        const { depth, direction } = deepest(
          engine,
          ball as Solid,
          ball as Solid,
          shifted(0, 0, 0),
          transformB,
          false,
        );
        assert.ok(
          depth >= 2 * (1 - sag) - distance && depth <= 2 - distance + 2 * sag,
          `${depth} of ${2 - distance}`,
        );
        assert.ok(
          direction.reduce((sum, part, axis) => sum - part * way[axis], 0) > 0.95,
          `${direction}, ${way}`,
        );
      }
    }
  }));

test('a cylinder that stands in a plate or passes through it, and a corner in a face, have the expected depth', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const plate = block([-10, -10, -1], [10, 10, 0]);
    const pin = cylinder(24, 0.5, 5);
    for (const sunk of [0.001, 0.25, 0.75])
      near(deepest(engine, pin, plate, shifted(2, 3, -sunk), shifted(0, 0, 0)).depth, sunk);
    // The pin passes through the plate. In the first case, the shortest motion that separates the two is
    // upward, by the length of the pin below the top of the plate.
    near(deepest(engine, pin, plate, shifted(2, 3, -2), shifted(0, 0, 0)).depth, 2);
    near(deepest(engine, pin, plate, shifted(2, 3, -4.5), shifted(0, 0, 0)).depth, 1.5, 'down is nearer');
    near(
      deepest(engine, pin, plate, shifted(9.75, 3, -2), shifted(0, 0, 0)).depth,
      0.75,
      'the plate ends nearby',
    );
    // The cube, whose side is 2, stands on a corner. This corner is sqrt(3) below the center of the cube.
    const cube = block([-1, -1, -1], [1, 1, 1]);
    const onCorner = rotated([1, -1, 0], Math.acos(1 / Math.sqrt(3)));
    near(
      deepest(engine, cube, plate, matrix(onCorner, [0, 0, Math.sqrt(3) - 0.2]), shifted(0, 0, 0)).depth,
      0.2,
    );
  }));

test('the depth of two crossing bars is not the width of a bar, as a short motion along a bar does not separate them', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const along = block([-10, -0.5, -2], [10, 0.5, 2]);
    const across = block([-0.5, -10, -2], [0.5, 10, 2]);
    near(deepest(engine, along, across, shifted(0, 0, 0), shifted(0, 0, 0.5)).depth, 3.5);
  }));

test('each leg of a table is a separate region', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const legs = [
      [0, 0, 0.1],
      [4, 0, 0.2],
      [0, 4, 0.3],
      [4, 4, 0.4],
    ].map(([x, y, sunk]) => block([x!, y!, -sunk!], [x! + 1, y! + 1, 5]));
    const table = engine.createMesh(together(...legs));
    const floor = engine.createMesh(block([-5, -5, -3], [15, 15, 0]));
    const regions = engine.penetration(table, floor);
    assert.is(regions.length, 4);
    for (const [i, { depth, direction }] of regions.entries()) {
      near(depth, [0.4, 0.3, 0.2, 0.1][i]);
      assert.ok(direction[2] > 0.999);
    }
    near(engine.classify(table, floor).depth, 0.4);
  }));

test('curves and areas that are apart are separate regions, even if their triangles share corners', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    // Two teeth that reach 1 and 0.5 into a slab. Their sides share the peak between them, above the slab.
    const outline = [
      [0, 5],
      [2, -1],
      [4, 2],
      [6, -0.5],
      [8, 5],
    ];
    const sides = outline.flatMap((_, i) => {
      const j = (i + 1) % 5;
      return [j, i, 5 + i, j, 5 + i, 5 + j];
    });
    const cap = [0, 2, 4, 0, 1, 2, 2, 3, 4];
    const teeth = engine.createMesh({
      positions: Float32Array.from([1, 9].flatMap(y => outline.flatMap(([x, z]) => [x! + 1, y, z!]))),
      indices: Uint32Array.from([...sides, ...cap.toReversed().map(corner => corner + 5), ...cap]),
    });
    const slab = engine.createMesh(block([0, 0, -10], [10, 10, 0]));
    const { regions } = engine.penetration(teeth, slab, { overlapDepth: true, volume: true });
    assert.equal(
      regions.map(({ depth, component }) => [depth, component]),
      [
        [1, 0],
        [0.5, 1],
      ],
    );
    for (const region of regions) {
      assert.ok(region.overlapDepth!.upper < region.depth, JSON.stringify(regions));
      assert.ok(region.volume!.upper < 8 * region.depth ** 2, JSON.stringify(regions));
    }
    // Two feet that stand on the same triangle of a floor.
    const floor = engine.createMesh(block([-50, -50, -3], [50, 50, 0]));
    const feet = engine.createMesh(
      together(block([-40, -40, 0], [-39, -39, 5]), block([-30, -40, 0], [-29, -39, 5])),
    );
    const standing = engine.penetration(floor, feet, { contactSize: true }).regions;
    assert.is(standing.length, 2);
    for (const { contactArea } of standing) near(contactArea!.upper, 1);
  }));

test('pairs whose overlap is at most the tolerance have class touch or coplanar, and keep their depth', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const cube = engine.createMesh(block([0, 0, 0], [2, 2, 2]));
    const side = engine.classify(cube, cube, { transformB: shifted(1.999, 0.5, 0.5), tolerance: 0.01 });
    assert.is(side.class, 'coplanar');
    near(side.depth, 0.001);
    assert.is(
      engine.classify(cube, cube, { transformB: shifted(1.999, 0.5, 0.5), tolerance: 0.0001 }).class,
      'hard',
    );
    assert.is(
      engine.classify(cube, cube, { transformB: shifted(1.999, 1.999, 1.999), tolerance: 0.01 }).class,
      'touch',
    );
    const edge = engine.classify(cube, cube, {
      transformB: matrix(rotated([0, 1, 0], Math.PI / 4), [-0.5, 0.5, 2 + Math.SQRT2 - 0.001]),
      tolerance: 0.01,
    });
    assert.is(edge.class, 'touch');
    near(edge.depth, 0.001);
    const same = engine.classify(cube, cube, { tolerance: 100 });
    assert.equal([same.class, same.duplicate], ['hard', true]);
  }));

test('random solids with only one contact region do not penetrate after a motion by the depth of this region', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    let checked = 0;
    for (let seed = 0; seed < 250; seed++) {
      const random = createRandom(seed);
      const [a, b] = [engine.createMesh(randomSolid(random, 4)), engine.createMesh(randomSolid(random, 4))];
      const transformA = shifted(0, 0, 0);
      const transformB = matrix(rotated([random.between(-1, 1), 1, 0], random.between(0, 3)), [
        random.below(3),
        random.below(3),
        1,
      ]);
      const regions = engine.penetration(a, b, { transformA, transformB });
      if (regions.length === 1 && regions[0].depth > 0) {
        checked++;
        assert.not(isHard(engine, a, b, moved(transformA, regions[0]), transformB), `seed ${seed}`);
      }
      a.dispose();
      b.dispose();
    }
    assert.ok(checked > 30, `${checked} pairs checked`);
  }));

/**
 * Compares the result of `penetration` with the result of `classify`. If the class is 'hard' or 'contained',
 * the first region must have the depth and direction that `classify` returns. Otherwise no region may have a
 * depth above 0.
 * @returns the class
 */
function checkAgainstClass(
  engine: Engine,
  a: Solid,
  b: Solid,
  transformA: Float64Array | undefined,
  transformB: Float64Array | undefined,
  text: string,
): string {
  const [first, second] = [engine.createMesh(a), engine.createMesh(b)];
  const options = { ...(transformA ? { transformA } : {}), ...(transformB ? { transformB } : {}) };
  const regions = engine.penetration(first, second, options);
  const found = engine.classify(first, second, options);
  const { class: name, depth, direction, pairs, bound, pointA, pointB } = found;
  const { bound: ofRegion, pointA: regionA, pointB: regionB } = regions[0] ?? {};
  assert.equal([bound, pointA, pointB], [ofRegion, regionA, regionB], `${text}: ${name}`);
  assert.is(
    regions.reduce((sum, region) => sum + region.pairs, 0),
    pairs,
    text,
  );
  if (name === 'hard' || name === 'contained')
    assert.equal([regions[0]?.depth, regions[0]?.direction], [depth, direction], `${text}: ${name}`);
  else
    assert.equal(
      [regions.length > 0, regions.some(region => region.depth > 0)],
      [pairs > 0, false],
      `${text}: ${name}`,
    );
  first.dispose();
  second.dispose();
  return name;
}

test('the first region of random solids has the depth that classify returns, even if a solid contains a body of the other without touching it', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const counts = new Map<string, number>();
    const count = (name: string): void => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    };
    for (let seed = 0; seed < 300; seed++) {
      const random = createRandom(seed);
      const span = 2 + random.below(3);
      const [a, b] = [randomSolid(random, span), randomSolid(random, span)];
      count(
        checkAgainstClass(
          engine,
          a,
          b,
          randomPlacement(random, span),
          randomPlacement(random, span),
          `seed ${seed}`,
        ),
      );
    }
    for (let seed = 0; seed < 60; seed++) {
      // `holder` is a large block, often with a cavity. `other` is a small solid inside the block, often
      // together with a second body far outside the block.
      const random = createRandom(seed);
      const holder =
        seed % 3 === 0
          ? block([-9, -9, -9], [9, 9, 9])
          : together(
              block([-9, -9, -9], [9, 9, 9]),
              insideOut(block([-6, -6, -6], [random.between(1, 6), 6, 6])),
            );
      const other = together(
        randomSolid(random, 2),
        ...(seed % 2 === 0 ? [block([20, 0, 0], [21 + random.below(3), 1, 1])] : []),
      );
      const transformB = shifted(random.between(-8, 6), random.between(-8, 6), random.between(-8, 6));
      count(`held ${checkAgainstClass(engine, holder, other, undefined, transformB, `held ${seed}`)}`);
      count(`held ${checkAgainstClass(engine, other, holder, transformB, undefined, `holding ${seed}`)}`);
    }
    console.log(
      `\ncounted: classes of solids: ${[...counts]
        .sort()
        .map(([name, times]) => `${name} ${times}`)
        .join(', ')}`,
    );
    for (const name of [
      'apart',
      'touch',
      'coplanar',
      'hard',
      'contained',
      'held hard',
      'held contained',
      'held apart',
    ])
      assert.ok(counts.has(name), name);
    const [around, parts] = [
      engine.createMesh(block([0, 0, 0], [8, 8, 8])),
      engine.createMesh(together(block([3, 3, 3], [4, 4, 4]), block([20, 0, 0], [21, 1, 1]))),
    ];
    const [only, ...others] = engine.penetration(around, parts);
    const { depth, direction } = engine.classify(around, parts);
    assert.equal(
      [only!.depth, only!.direction, only!.pairs, only!.trianglesA, only!.size, others.length],
      [depth, direction, 0, 0, 0, 0],
    );
    assert.not(isHard(engine, around, parts, moved(shifted(0, 0, 0), only!), shifted(0, 0, 0)));
  }));

test('the region of a contained mesh says which mesh contains the other', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const [large, small] = [
      engine.createMesh(block([0, 0, 0], [8, 8, 8])),
      engine.createMesh(block([3, 3, 3], [4, 4, 4])),
    ];
    for (const [a, b] of [
      [large, small],
      [small, large],
    ]) {
      const container = a === large ? 'a' : 'b';
      assert.is(engine.classify(a!, b!).which, container);
      assert.equal(
        engine.penetration(a!, b!).map(({ which }) => which),
        [container],
      );
      const { regions } = engine.penetration(a!, b!, { volume: true });
      assert.is(regions[0]!.which, container);
    }
    // Only a part of the second mesh is inside.
    const parts = engine.createMesh(together(block([3, 3, 3], [4, 4, 4]), block([20, 0, 0], [21, 1, 1])));
    assert.equal(
      engine.penetration(large!, parts).map(region => 'which' in region),
      [false],
    );
    const crossing = engine.createMesh(block([7, 7, 7], [9, 9, 9]));
    assert.equal(
      engine.penetration(large!, crossing).map(region => 'which' in region),
      [false],
    );
  }));

test('exchanged meshes have the same depths, even if touching parts leave an intersection curve open', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const a = engine.createMesh(together(block([1, 3, 1], [4, 6, 4]), block([2, 3, 3], [4, 5, 4])));
    const b = engine.createMesh(together(block([1, 2, 2], [3, 4, 4]), block([1, 3, 2], [4, 5, 3])));
    const there = engine.penetration(a, b);
    const back = engine.penetration(b, a);
    assert.equal(
      back.map(({ depth }) => depth),
      there.map(({ depth }) => depth),
    );
    assert.is(engine.classify(b, a).depth, engine.classify(a, b).depth);
  }));

test('for an open mesh and itself, penetration and classify return the same depth', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const { positions, indices } = block([0, 0, 0], [1, 2, 3]);
    const mesh = engine.createMesh({ positions, indices: indices.subarray(3) });
    assert.is(engine.penetration(mesh, mesh)[0].depth, engine.classify(mesh, mesh).depth);
  }));

test.run();
