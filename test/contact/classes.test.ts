// Tests engine.classify and engine.contains. The class of two placed solids (for example 'touch' or 'hard')
// must be the class that the oracle computes in fractions, in either order of the solids. Any number of
// threads must give the same bytes.

import * as assert from 'uvu/assert';
import { createRandom, sphere, torus } from '../../dist/samples/index.js';
import { dataTest } from '../support/data.js';
import { caught, withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { readDuplex, readEngine } from '../support/truth.js';
import { classesOfParts } from './partClasses.js';
import { shifted as at, check, checkRandomSolids, classifySolids } from './randomSolids.js';
import { block, insideOut, matrix, randomSolid, shuffled, tetrahedron, together } from './solids.js';

const cube = block([0, 0, 0], [2, 2, 2]);

test('known pairs of cubes have the expected classes', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const classOf = (shift: Float64Array, other = cube): string =>
      check(engine, cube, other, undefined, shift).class;
    assert.is(classOf(at(5, 0, 0)), 'apart');
    assert.is(classOf(at(2, 0, 0)), 'coplanar');
    assert.is(classOf(at(2, 1, 1)), 'coplanar');
    assert.is(classOf(at(2, 2, 0)), 'touch');
    assert.is(classOf(at(2, 2, 2)), 'touch');
    assert.is(classOf(at(1, 0, 0)), 'hard', 'shifted along an axis: no two triangles cross');
    assert.is(classOf(at(1, 1, 0)), 'hard');
    assert.is(classOf(at(1, 1, 1)), 'hard');
    assert.is(classOf(at(0, 0, 0)), 'hard');
    assert.is(classOf(at(0.5, 0.5, 0.5), block([0, 0, 0], [1, 1, 1])), 'contained');
    assert.is(classOf(at(0, 0, 0), block([0, 0, 0], [1, 1, 1])), 'hard', 'within, at a corner');
    const random = createRandom(3);
    for (const same of [cube, shuffled(cube, random), insideOut(cube)]) {
      const { class: name, duplicate } = classifySolids(engine, cube, same);
      assert.equal([name, duplicate], ['hard', true]);
    }
  }));

test('if solids share areas that they triangulate differently, the class depends on whether both lie on the same side', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const rotated = matrix([0, 1, 0, -1, 0, 0, 0, 0, 1], [2, 0, 0]);
    assert.equal(check(engine, cube, cube, undefined, rotated), {
      class: 'hard',
      pairs: 108,
      duplicate: false,
    });
    // Six blocks surround the cube. The hole between them is exactly as large as the cube.
    const frame = together(
      block([2, -1, -1], [3, 3, 3]),
      block([-1, -1, -1], [0, 3, 3]),
      block([0, 2, 0], [2, 3, 2]),
      block([0, -1, 0], [2, 0, 2]),
      block([0, 0, 2], [2, 2, 3]),
      block([0, 0, -1], [2, 2, 0]),
    );
    assert.is(check(engine, frame, cube).class, 'coplanar');
  }));

test('if a large face cuts a small body only along edges, the part of the face inside the body decides the class', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const face = {
      positions: Float32Array.of(-20, -20, 0, 20, -20, 0, 0, 20, 0),
      indices: Uint32Array.of(0, 1, 2),
    };
    const waist = [
      [9, -15, 0],
      [8, -14, 0],
      [7, -15, 0],
      [8, -16, 0],
    ];
    const body = {
      positions: Float32Array.from([...waist, [8, -15, 1], [8, -15, -1]].flat()),
      indices: Uint32Array.from([0, 1, 2, 3].flatMap(i => [i, (i + 1) % 4, 4, (i + 1) % 4, i, 5])),
    };
    assert.is(check(engine, face, body).class, 'hard');
    assert.is(
      check(engine, face, { ...body, indices: body.indices.filter((_, i) => i % 6 < 3) }).class,
      'touch',
      'the upper half of the body, which is open',
    );
  }));

test('a face that touches two bodies only at their common point has the correct class', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    // classify tests sample points of the face. The first of them is (1, 2, 0), the point at which the two
    // bodies touch each other.
    const face = { positions: Float32Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0), indices: Uint32Array.of(0, 1, 2) };
    const above = tetrahedron([
      [1, 2, 0],
      [0, 1, 3],
      [3, 1, 3],
      [1, 4, 3],
    ]);
    const below = tetrahedron([
      [1, 2, 0],
      [0, 1, -3],
      [3, 1, -3],
      [1, 4, -3],
    ]);
    assert.is(check(engine, face, together(above, below)).class, 'touch');
  }));

test('cavities, shells, several bodies, and solids that cross only along edges have the correct class', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const ball = block([3, 3, 3], [4, 4, 4]);
    const hollow = together(block([0, 0, 0], [8, 8, 8]), insideOut(block([2, 2, 2], [6, 6, 6])));
    assert.is(check(engine, hollow, ball).class, 'apart', 'in the cavity');
    assert.equal(
      check(engine, hollow, ball, undefined, at(-2.5, 0, 0)),
      { class: 'contained', which: 'a', pairs: 0, duplicate: false },
      'in the wall',
    );
    assert.is(
      check(engine, hollow, block([1, 1, 1], [7, 7, 7])).class,
      'hard',
      'around the cavity, touching nothing',
    );
    assert.is(check(engine, hollow, block([2, 2, 2], [6, 6, 6])).class, 'coplanar', 'fills the cavity');
    assert.is(check(engine, hollow, together(ball, block([20, 0, 0], [21, 1, 1]))).class, 'apart');
    assert.is(
      check(engine, block([0, 0, 0], [8, 8, 8]), together(ball, block([20, 0, 0], [21, 1, 1]))).class,
      'hard',
      'one of two inside',
    );
    assert.equal(check(engine, insideOut(block([0, 0, 0], [8, 8, 8])), ball).which, 'a', 'inside out');
    const two = together(block([0, 0, 0], [1, 8, 8]), block([7, 0, 0], [8, 8, 8]));
    assert.is(check(engine, two, ball).class, 'apart', 'between two bodies of one mesh');
    const nested = together(
      block([0, 0, 0], [8, 8, 8]),
      insideOut(block([1, 1, 1], [7, 7, 7])),
      block([2, 2, 2], [6, 6, 6]),
    );
    assert.is(check(engine, nested, ball).which, 'a', 'a core in a cavity');
    // A sheet lies in the plane of one face of a tetrahedron, so no two triangles cross.
    const diamond = tetrahedron([
      [0, 0, -4],
      [2, 0, 4],
      [0, 2, 4],
      [-2, 0, 4],
    ]);
    check(engine, diamond, {
      positions: Float32Array.of(-4, 0, -8, 4, 0, -8, 0, 0, 8),
      indices: Uint32Array.of(0, 1, 2),
    });
    const open = { positions: cube.positions, indices: cube.indices.subarray(3) };
    assert.is(
      check(engine, open, block([0.5, 0.5, 0.5], [1, 1, 1])).class,
      'apart',
      'an open box contains nothing',
    );
    assert.is(
      check(engine, block([0.5, 0.5, 0.5], [1, 1, 1]), {
        positions: Float32Array.of(0.6, 0.6, 0.6, 0.9, 0.6, 0.6, 0.6, 0.9, 0.6),
        indices: Uint32Array.of(0, 1, 2),
      }).which,
      'a',
      'a sheet inside',
    );
  }));

test('an octahedron contains small parts at exactly the expected integer points, although rays pass through corners and along edges', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const corners = [
      [4, 0, 0],
      [0, 4, 0],
      [-4, 0, 0],
      [0, -4, 0],
      [0, 0, 4],
      [0, 0, -4],
    ].flat();
    const faces = [0, 1, 2, 3].flatMap(i => [i, (i + 1) % 4, 4, (i + 1) % 4, i, 5]);
    const octahedron = { positions: Float32Array.from(corners), indices: Uint32Array.from(faces) };
    const part = tetrahedron([
      [0, 0, 0],
      [0.125, 0, 0],
      [0, 0.125, 0],
      [0, 0, 0.125],
    ]);
    const [holder, small] = [engine.createMesh(octahedron), engine.createMesh(part)];
    let held = 0;
    for (let i = 0; i < 11 ** 3; i++) {
      const [x, y, z] = [(i % 11) - 5, (((i / 11) | 0) % 11) - 5, ((i / 121) | 0) - 5] as const;
      const sizes = [x, y, z].map(Math.abs);
      const sum = sizes[0] + sizes[1] + sizes[2];
      const isOut = sum > 4 || (sum === 4 && [x, y, z].every(value => value >= 0));
      const answer = engine.contains(holder, small, { transformB: at(x, y, z) });
      assert.is(answer, sum < 4, `${x}, ${y}, ${z}`);
      if (answer) held++;
      if (i % 10 === 0 || isOut !== sum > 4)
        check(engine, octahedron, part, undefined, at(x, y, z), `${x}, ${y}, ${z}`);
    }
    assert.is(held, 63);
  }));

test('random solids with small integer coordinates, rotated, mirrored, flattened or far away, have the class that the oracle computes', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const counts = checkRandomSolids(engine, 1000, 400);
    console.log(
      `\ncounted: classes of random solids: ${[...counts]
        .sort()
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    );
    assert.is(counts.size, 5);
  }));

test('a flat solid far away, whose depth is 0, has the class hard', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    assert.is(checkRandomSolids(engine, 68293, 1).get('hard'), 1);
  }));

test("contains() agrees with the class 'contained', and refuses open meshes", () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    for (let seed = 0; seed < 150; seed++) {
      const random = createRandom(seed);
      const [a, b] = [engine.createMesh(randomSolid(random, 6)), engine.createMesh(randomSolid(random, 3))];
      const transformB = at(random.below(4), 1.5, 1.5);
      const { class: name, which } = engine.classify(a, b, { transformB });
      const reported = caughtOr(() => engine.contains(a, b, { transformB }));
      if (typeof reported === 'boolean')
        assert.is(reported, name === 'contained' && which === 'a', `seed ${seed}`);
      else assert.match(reported, /^mesh \d+ is not closed: \d+ of its edges/);
    }
    const [hollow, around, small] = [
      together(block([0, 0, 0], [8, 8, 8]), insideOut(block([2, 2, 2], [6, 6, 6]))),
      block([1, 1, 1], [7, 7, 7]),
      block([3, 3, 3], [4, 4, 4]),
    ].map(data => engine.createMesh(data));
    assert.equal(
      [engine.contains(hollow!, around!), engine.contains(hollow!, small!), engine.contains(around!, small!)],
      [false, false, true],
    );
    // Replaces some of the zeros among the coordinates by -0, which is the same coordinate.
    const parted = shuffled(block([-2, -2, -2], [0, 0, 0]), createRandom(1));
    const zeros = {
      ...parted,
      positions: parted.positions.map((value, i) => (value === 0 && i % 2 === 0 ? -0 : value)),
    };
    assert.is(engine.contains(engine.createMesh(zeros), small!, { transformB: at(-4.5, -4.5, -4.5) }), true);
    const open = engine.createMesh({ positions: cube.positions, indices: cube.indices.subarray(3) });
    const closed = engine.createMesh(cube);
    const { code, message } = caught(() => engine.contains(open, closed));
    assert.is(code, 'Unsupported');
    assert.match(message, '3 of its edges');
  }));

const caughtOr = (runQuery: () => boolean): boolean | string => {
  try {
    return runQuery();
  } catch (error) {
    return (error as Error).message;
  }
};

test('near, distant and empty meshes have the correct class, and invalid options are refused and change nothing', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const [a, b] = [engine.createMesh(cube), engine.createMesh(cube)];
    const empty = engine.createMesh({ positions: new Float32Array(0) });
    const runQuery2 = (options = {}): string =>
      engine.classify(a, b, { transformB: at(2.5, 0, 0), ...options }).class;
    assert.equal(
      [runQuery2(), runQuery2({ clearance: 0.5 }), runQuery2({ clearance: 0.499 })],
      ['apart', 'clearance', 'apart'],
    );
    assert.is(engine.classify(a, b, { transformB: at(2.5, 0, 0) }).distance, 0.5);
    for (const [first, second] of [
      [a, empty],
      [empty, a],
      [empty, empty],
    ] as const) {
      const { class: name, distance, pairs } = engine.classify(first, second, { clearance: 1 });
      assert.equal([name, distance, pairs], ['apart', Infinity, 0]);
      assert.equal(engine.penetration(first, second), []);
    }
    assert.is(engine.contains(a, empty), false);
    for (const value of [NaN, Infinity, -1, '1']) {
      for (const name of ['clearance', 'tolerance'])
        assert.match(
          caught(() => engine.classify(a, b, { [name]: value } as never)).message,
          typeof value === 'string' ? `${name} is '${value}'` : `${name} is ${value}`,
        );
    }
    for (const runQuery of [engine.classify, engine.penetration, engine.contains] as ((
      ...args: unknown[]
    ) => unknown)[]) {
      assert.is(caught(() => runQuery(a, b, null)).code, 'Unsupported');
      assert.is(caught(() => runQuery(a, {}, {})).code, 'Unsupported');
      assert.is(caught(() => runQuery(a, b, { transformA: new Float64Array(15) })).code, 'InvalidTransform');
    }
    assert.is(engine.classify(a, b, { transformB: at(1, 0, 0) }).class, 'hard');
    b.dispose();
    assert.is(caught(() => engine.classify(a, b)).code, 'Disposed');
  }));

test('1, 2, 5 and 16 threads give the same bytes, even without initial capacity for pairs, and a deformed mesh is classified again', async () => {
  const answers: string[] = [];
  for (const options of [
    { threads: 1 },
    { threads: 2 },
    { threads: 5 },
    { threads: 16 },
    { threads: 2, initialPairCapacity: 0 },
  ]) {
    await withEngine({ ...options, warmUp: 'off' }, engine => {
      const ball = engine.createMesh(sphere(4000), { deformable: true });
      const ring = engine.createMesh(torus(6000));
      const placed = { transformB: at(0.7, 0.1, 0.3) };
      const before = engine.contains(ball, ring, { transformB: at(9, 0, 0) });
      const reported = [before, engine.penetration(ball, ring, placed), engine.classify(ball, ring, placed)];
      ball.update(sphere(4000).positions.map(value => value * 8));
      reported.push(engine.contains(ball, ring, placed), engine.classify(ball, ring, placed));
      assert.is(reported[3], true);
      answers.push(JSON.stringify(reported));
    });
  }
  assert.is(new Set(answers).size, 1);
});

dataTest.slow(
  'sampled pairs of parts of an assembly and a building have the class that the oracle computes',
  () =>
    withEngine({ threads: 2 }, engine => {
      for (const [name, read, every] of [
        ['assembly', readEngine, 7],
        ['building', readDuplex, 11],
      ] as const) {
        const { counts, wrong, compared } = classesOfParts(engine, read(), every, 300);
        console.log(
          `\ncounted: ${name}, ${compared} pairs compared with the oracle: ${[...counts]
            .sort()
            .map(([kind, count]) => `${kind} ${count}`)
            .join(', ')}`,
        );
        assert.equal(wrong, []);
      }
    }),
);

test.run();
