// Tests the overlap depth of two solids: the diameter of the largest ball in both. Known depths lie between the
// lower and the upper bound that classify returns. For random solids, the diameter of the largest ball around
// the returned center is at least the lower bound, and no ball that is found by sampling exceeds the upper
// bound.

import * as assert from 'uvu/assert';
import type { ClassifyOptions, Engine } from '../../dist/index.js';
import { createRandom, type Random, rotation, sphere, torus } from '../../dist/samples/index.js';
import { freeRadius } from '../oracle/freeRadius.js';
import { placeTriangles } from '../oracle/place.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { cylinder, plateWithHole, prism } from './prisms.js';
import { shifted } from './randomSolids.js';
import {
  block,
  insideOut,
  randomPlacement,
  randomSolid,
  type Solid,
  tetrahedron,
  together,
} from './solids.js';

type Point = [number, number, number];

/** Relative error of the positions in these tests, which are rounded to float32. */
const ROUNDING = 1e-4;

function classified(engine: Engine, a: Solid, b: Solid, options: ClassifyOptions = {}) {
  const meshes = [engine.createMesh(a), engine.createMesh(b)] as const;
  const found = engine.classify(...meshes, { ...options, overlapDepth: true });
  for (const mesh of meshes) mesh.dispose();
  return found;
}

/** Makes a bar with a cross section in the shape of a plus sign: two strips of width 2 and length 6. */
const plusBar = (): Solid =>
  prism(
    [
      [1, 1],
      [1, 3],
      [-1, 3],
      [-1, 1],
      [-3, 1],
      [-3, -1],
      [-1, -1],
      [-1, -3],
      [1, -3],
      [1, -1],
      [3, -1],
      [3, 1],
    ],
    [0, 1, 2, 0, 2, 3, 3, 4, 5, 3, 5, 6, 6, 7, 8, 6, 8, 9, 9, 10, 11, 9, 11, 0, 0, 3, 6, 0, 6, 9],
    -9,
    9,
  );

/**
 * Makes a cube of size 2 with a pyramid cut out of each face. The apex of each pyramid is `apex` away from the
 * center of the cube.
 */
function pittedCube(apex: number): Solid {
  const corners = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map(axis => ((i >> axis) & 1 ? 1 : -1)));
  const apexes = [0, 1, 2].flatMap(axis =>
    [-1, 1].map(sign => [0, 1, 2].map(k => (k === axis ? sign * apex : 0))),
  );
  const indices = [0, 1, 2].flatMap(axis =>
    [0, 1].flatMap(side => {
      const [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
      const base = side << axis;
      const ring = [base, base + u, base + u + v, base + v];
      return ring.flatMap((corner, i) => {
        const next = ring[(i + 1) % 4];
        return side === 1 ? [corner, next, 8 + 2 * axis + 1] : [next, corner, 8 + 2 * axis];
      });
    }),
  );
  return { positions: Float32Array.from([...corners, ...apexes].flat()), indices: Uint32Array.from(indices) };
}

const holder = block([-50, -50, -50], [50, 50, 50]);

test('known overlap depths lie between bounds that differ by at most 1 %', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    // The largest ball touches an edge of the hole and two faces of the pin.
    const cosine = Math.cos(Math.PI / 64);
    const pinDepth = (0.1 * cosine) / (1 + cosine);
    const cases: [string, number, Solid, Solid, ClassifyOptions?][] = [
      ['boxes', 0.5, block([-1, -1, -1], [1, 1, 1]), block([0.5, -0.7, -0.8], [2.5, 1.3, 1.2])],
      [
        'a wall that enters a ceiling',
        52,
        block([-2000, -100, -1300], [2000, 100, 1300]),
        block([-2900, -2950, 1248], [3100, 3050, 1548]),
      ],
      [
        'a nail through a plate',
        4 * Math.cos(Math.PI / 32),
        cylinder(32, 2, -5, 25),
        block([-10, -10, 0], [10, 10, 20]),
      ],
      ['a pin in a narrow hole', pinDepth, cylinder(64, 5.05, -5, 25), plateWithHole(64, 5, 20, 0, 20)],
      ['a block inside a block', 1, block([0, 0, 0], [1, 2, 3]), holder],
      ['a bar whose edges limit the ball', 2 * Math.SQRT2, plusBar(), holder],
      ['a cube whose corners limit the ball', 1, pittedCube(0.5), holder],
    ];
    for (const [name, expected, a, b, options] of cases) {
      for (const [first, second] of [
        [a, b],
        [b, a],
      ] as const) {
        const { overlapDepth } = classified(engine, first, second, options);
        const { lower, upper } = overlapDepth!;
        const text = `${name}: ${expected} is not between ${lower} and ${upper}`;
        assert.ok(lower <= expected * (1 + ROUNDING) && expected <= upper * (1 + ROUNDING), text);
        assert.ok(upper <= lower * 1.0101, text);
      }
    }
  }));

test('overlap depths are 0 for solids that only touch, and omitted for open meshes', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const cube = block([0, 0, 0], [1, 1, 1]);
    for (const other of [
      block([1, 0, 0], [2, 1, 1]),
      block([1, 1, 0.5], [2, 2, 2]),
      block([5, 0, 0], [6, 1, 1]),
    ])
      assert.equal(classified(engine, cube, other).overlapDepth, { lower: 0, upper: 0 });
    const open = { ...cube, indices: cube.indices.subarray(3) };
    const crossing = classified(engine, open, block([0.5, 0.5, 0.5], [2, 2, 2]));
    assert.is(crossing.class, 'hard');
    assert.is(crossing.overlapDepth, undefined);
  }));

type Placed = readonly [Solid, Float64Array | undefined];

/**
 * Checks the bounds of the overlap depth of two placed solids: a ball around the center whose diameter is the
 * lower bound fits into both solids, and no sampled ball is larger than the upper bound. isClose: whether the
 * bounds are close to each other.
 */
function checkBounds(
  engine: Engine,
  random: Random,
  [a, transformA]: Placed,
  [b, transformB]: Placed,
  name: string,
  depthBudget?: number,
): { lower: number; isClose: boolean } {
  const { overlapDepth } = classified(engine, a, b, {
    transformA,
    transformB,
    ...(depthBudget && { depthBudget }),
  });
  if (!overlapDepth) return { lower: 0, isClose: true };
  const { lower, upper, center } = overlapDepth;
  const corners = [placeTriangles(a, transformA), placeTriangles(b, transformB)] as const;
  const scale = Math.max(1, ...corners.flatMap(list => [...list].map(Math.abs)));
  const slack = 1e-12 * scale;
  assert.ok(lower <= upper, name);
  if (center) assert.ok(2 * freeRadius(...corners, center) >= lower - slack, `${name}: the ball is too big`);
  else assert.is(lower, 0, name);
  let best = 0;
  const [min, max] = [0, 1].map(side =>
    [0, 1, 2].map(axis => {
      const bounds = corners.map(list => {
        const values = list.filter((_, i) => i % 3 === axis);
        return side === 0 ? Math.min(...values) : Math.max(...values);
      });
      return side === 0 ? Math.max(...bounds) : Math.min(...bounds);
    }),
  );
  for (let i = 0; i < 40; i++) {
    let point = [0, 1, 2].map(axis => random.between(min[axis], max[axis])) as Point;
    let radius = freeRadius(...corners, point);
    for (
      let step = Math.max(...[0, 1, 2].map(axis => max[axis] - min[axis])) / 8;
      step > slack && step > 1e-4;
      step /= 2
    ) {
      for (let tries = 0; tries < 6; tries++) {
        const other = point.map(value => value + random.between(-step, step)) as Point;
        const found = freeRadius(...corners, other);
        if (found > radius) [point, radius] = [other, found];
      }
    }
    best = Math.max(best, radius);
  }
  assert.ok(2 * best <= upper + slack, `${name}: a ball with diameter ${2 * best} exceeds ${upper}`);
  // Both bounds also hold if the search ends early, but they are then farther apart.
  const isClose = upper <= lower * 1.0101 + 100 * slack;
  if (!isClose && !depthBudget) console.log(`\n${name}: ${lower} to ${upper}`);
  return { lower, isClose };
}

test('the upper bound is above 0 if solids overlap by less than the rounding error of shared points', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    // The apex of a thin pyramid reaches into a block by one unit in the last place. The points where the edges
    // of the pyramid enter the block are so close to the line through the apex along x that rounding moves them
    // onto this line.
    const pyramid = tetrahedron([
      [1, 0.5, 0.5],
      [0, 0.4375, 0.4375],
      [0, 0.5625, 0.4375],
      [0, 0.5, 0.5625],
    ]);
    for (const axis of [0, 1, 2]) {
      const rotated = ({ positions, indices }: Solid): Solid => ({
        positions: positions.map((_, i) => positions[i - (i % 3) + ((i + axis) % 3)]),
        indices,
      });
      const meshes = [pyramid, block([1, 0, 0], [2, 1, 1])].map(solid => engine.createMesh(rotated(solid)));
      const shift = [0, 1, 2].map(i => ((i + axis) % 3 === 0 ? 2 ** -52 : 0));
      const placed = { transformA: shifted(shift[0], shift[1], shift[2]) };
      const found = engine.classify(meshes[0], meshes[1], { ...placed, overlapDepth: true });
      assert.is(found.class, 'hard');
      assert.ok(found.overlapDepth!.upper > 0 && found.overlapDepth!.upper < 2 ** -40);
      assert.is(engine.classify(meshes[0], meshes[1], { ...placed, tolerance: 2 ** -80 }).class, 'hard');
    }
  }));

test('the upper bound is at most the extent of the overlap, even if a mesh has huge coordinates', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    // The errors of the search are relative to the largest coordinate of the triangles.
    const far = 2 ** 80;
    const cube = block([0, 0, 0], [1, 1, 1]);
    const space = block([0.5, -far, -far], [far, far, far]);
    for (const [a, b] of [
      [cube, space],
      [space, cube],
    ] as const) {
      const { lower, upper } = classified(engine, a, b).overlapDepth!;
      assert.ok(lower <= 0.5 && upper >= 0.5 && upper < 0.5 + 2 ** -40, `${lower}, ${upper}`);
    }
  }));

const randomBalls = (seeds: number) =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    let random = createRandom(0);
    let overlaps = 0;
    let close = 0;
    const check = (...args: [Placed, Placed, string]): void => {
      const { lower, isClose } = checkBounds(engine, random, ...args);
      if (lower > 0) overlaps++;
      if (isClose) close++;
    };
    for (let seed = 0; seed < seeds; seed++) {
      random = createRandom(seed);
      const span = 2 + random.below(3);
      const name = `seed ${seed}`;
      const placed = () => [randomSolid(random, span), randomPlacement(random, span)] as const;
      check(placed(), placed(), name);
      const corner = (): Point => [random.between(0, 4), random.between(0, 4), random.between(0, 4)];
      const wild = () => [tetrahedron([corner(), corner(), corner(), corner()]), undefined] as const;
      check(wild(), wild(), `${name}, tetrahedra`);
    }
    console.log(
      `\ncounted: ${overlaps} of ${2 * seeds} random pairs overlap, and ${close} have bounds within 1 %`,
    );
    assert.ok(overlaps > seeds / 2, `${overlaps}`);
    assert.ok(close >= 1.9 * seeds, `${close}`);
  });
test('for random solids, a ball with the diameter of the lower bound fits into both, and no sampled ball exceeds the upper bound', () =>
  randomBalls(60));
test.proof('for 240 random pairs of solids, the balls of both bounds are as promised', () =>
  randomBalls(120),
);

test('the bounds hold if the budget is small', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    let wide = 0;
    for (let seed = 0; seed < 40; seed++) {
      const random = createRandom(seed);
      const span = 2 + random.below(3);
      const placed = () => [randomSolid(random, span), randomPlacement(random, span)] as const;
      const { isClose } = checkBounds(
        engine,
        random,
        placed(),
        placed(),
        `seed ${seed}`,
        1 + random.below(40),
      );
      if (!isClose) wide++;
    }
    assert.ok(wide > 3, `only ${wide} searches ended early`);
  }));

test('overlapping random solids are hard if the overlap depth exceeds the tolerance, and otherwise not', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    let compared = 0;
    for (let seed = 0; seed < 60; seed++) {
      const random = createRandom(seed);
      const span = 2 + random.below(3);
      const meshes = [0, 1].map(() => engine.createMesh(randomSolid(random, span)));
      const [transformA, transformB] = [0, 1].map(() => randomPlacement(random, span));
      const at = (options: ClassifyOptions) =>
        engine.classify(meshes[0], meshes[1], { transformA, transformB, ...options });
      const { overlapDepth, class: kind, duplicate } = at({ overlapDepth: true });
      if (kind === 'hard' && !duplicate && overlapDepth && overlapDepth.lower > 0.01) {
        compared++;
        for (const [tolerance, isHard] of [
          [overlapDepth.lower * 0.999, true],
          [overlapDepth.upper * 1.02, false],
        ] as const) {
          const name = `seed ${seed}, tolerance ${tolerance}, ${overlapDepth.lower} to ${overlapDepth.upper}`;
          assert.is(at({ tolerance }).class === 'hard', isHard, name);
          const both = at({ tolerance, overlapDepth: true });
          assert.is(both.class === 'hard', isHard, `${name}, with bounds`);
          assert.ok(both.overlapDepth!.lower <= overlapDepth.upper, name);
          assert.ok(both.overlapDepth!.upper >= overlapDepth.lower, name);
        }
      }
      for (const mesh of meshes) mesh.dispose();
    }
    assert.ok(compared > 5, `${compared}`);
  }));

test('curved and hollow solids have bounds that hold', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const random = createRandom(5);
    const rotated = rotation([0.48, 0.6, 0.64], 1.3, [0.9, 0, 0]);
    const hollow = together(block([-2, -2, -2], [2, 2, 2]), insideOut(block([-1, -1, -1], [1, 1, 1])));
    checkBounds(engine, random, [torus(400), undefined], [torus(400), rotated], 'tori');
    checkBounds(engine, random, [sphere(300), undefined], [sphere(300), shifted(1.7, 0.1, 0)], 'balls');
    checkBounds(engine, random, [hollow, undefined], [sphere(300), shifted(1.3, 0, 0)], 'hollow');
    checkBounds(engine, random, [plusBar(), undefined], [pittedCube(0.3), shifted(0.5, 0.2, 0)], 'concave');
  }));

test('the tolerance is compared with the overlap depth, not with the separating distance', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const [pin, plate] = [cylinder(64, 5.05, -5, 25), plateWithHole(64, 5, 20, 0, 20)];
    const at = (tolerance: number) => classified(engine, pin, plate, { tolerance });
    assert.is(at(0).class, 'hard');
    assert.is(at(0.04).class, 'hard');
    assert.is(at(0.06).class, 'coplanar');
    assert.ok(at(0.06).depth > 10, 'the separating distance stays large');
    const meshes = [engine.createMesh(pin), engine.createMesh(plate)] as const;
    assert.is(
      engine.classify(...meshes, { tolerance: 0.06 }).class,
      'coplanar',
      'without the option overlapDepth',
    );
    assert.is(engine.classify(...meshes, { tolerance: 0.04 }).class, 'hard');
  }));

test('if a body of a mesh lies inside the other mesh, the class is hard, even if other bodies of the mesh only graze faces', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const around = block([-4, -4, -4], [4, 4, 4]);
    const inside = block([-1, -1, -1], [1, 1, 1]);
    const grazing = [-6 + 1 / 128, 4 - 1 / 128].map(x => block([x, -1, -1], [x + 2, 1, 1]));
    for (const others of [grazing.slice(1), grazing])
      for (const tolerance of [0.005, 0.02, 1]) {
        const bodies = together(inside, ...others);
        assert.is(classified(engine, bodies, around, { tolerance }).class, 'hard');
        assert.is(classified(engine, around, bodies, { tolerance }).class, 'hard');
      }
    assert.is(classified(engine, together(...grazing), around, { tolerance: 0.02 }).class, 'coplanar');
  }));

test('a contained solid has one region, and moving the solid out by the depth of this region ends the overlap', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const [around, inside] = [block([0, 0, 0], [8, 8, 8]), block([1, 3, 3], [2, 5, 5])];
    const meshes = [engine.createMesh(inside), engine.createMesh(around)] as const;
    const [only, ...others] = engine.penetration(...meshes);
    const found = engine.classify(...meshes);
    assert.is(found.class, 'contained');
    assert.equal(
      [only.depth, only.direction.map(part => part + 0), only.pairs, others.length],
      [2, [-1, 0, 0], 0, 0],
    );
    assert.equal([found.depth, found.direction], [only.depth, only.direction]);
    const out = shifted(...(only.direction.map(part => part * only.depth) as Point));
    assert.is(engine.classify(...meshes, { transformA: out }).class, 'coplanar');
  }));

test('huge and tiny meshes have the same class as ordinary ones, and depths that differ only by the scale', async () => {
  await withEngine({ threads: 1 }, engine => {
    const figures = (meshExponent: number, exponent: number) => {
      const meshes = [torus(300), sphere(300)].map(({ positions, indices }) =>
        engine.createMesh({ positions: positions.map(value => value * 2 ** meshExponent), indices }),
      );
      const scale = 2 ** exponent;
      const transform = Float64Array.of(scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1);
      const placed = { transformA: transform, transformB: transform };
      const found = engine.classify(meshes[0], meshes[1], { ...placed, overlapDepth: true });
      for (const mesh of meshes) mesh.dispose();
      const size = 2 ** (meshExponent + exponent);
      const { lower, upper, center } = found.overlapDepth!;
      return {
        class: found.class,
        depth: Math.fround(found.depth / size),
        overlapDepth: [lower, upper, ...center!].map(value => value / size),
      };
    };
    const ordinary = figures(0, 0);
    // The entries of a transform are at most 2^200. For some of these sizes, A has to move farther than that to
    // leave B.
    for (const [meshExponent, exponent] of [
      [126, 10],
      [100, 110],
      [126, 80],
      [126, 100],
      [-20, -100],
      [-20, -120],
    ])
      assert.equal(figures(meshExponent, exponent), ordinary, `2^${meshExponent} by 2^${exponent}`);
    // The transform already has the largest allowed translation, so a movement of A could exceed the limit,
    // although the coordinates of the meshes are small.
    const meshes = [block([-1, -1, -1], [-0.5, -0.5, -0.5]), block([-1, -1, -1], [-0.6, -0.5, -0.5])].map(
      solid => engine.createMesh(solid),
    );
    const far = 2 ** 200;
    const transform = Float64Array.of(far, 0, 0, 0, 0, far, 0, 0, 0, 0, far, 0, far, far, far, 1);
    const { depth } = engine.classify(meshes[0], meshes[1], { transformA: transform, transformB: transform });
    assert.ok(Math.abs(depth / far - 0.4) < 1e-6, `${depth / far}`);
  });
});

test('the largest ball is found even if it touches only the ends of segments that consist of triangles without area', async () => {
  // Six such segments end at a distance of 1 from the origin. Each is a closed mesh of four triangles, whose
  // corners lie on one line.
  const segments = [0, 1, 2].flatMap(axis =>
    [1, -1].map((sign): Solid => {
      const positions = Float32Array.from(
        [1, 3, 5, 9].flatMap(distance => [0, 1, 2].map(i => (i === axis ? sign * distance : 0))),
      );
      return { positions, indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2) };
    }),
  );
  const outer = together(block([-10, -10, -10], [10, 10, 10]), ...segments);
  const inner = block([-1.2, -1.2, -1.2], [1.2, 1.2, 1.2]);
  await withEngine({ threads: 1 }, engine => {
    const { lower, upper } = classified(engine, outer, inner).overlapDepth!;
    assert.ok(lower <= 2 && upper >= 2 && upper - lower < 0.02, `${lower} to ${upper}`);
  });
});

test.run();
