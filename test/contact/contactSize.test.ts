// Tests the bounds of the length and the area that two surfaces share. They enclose known values and the length that the
// oracle computes in integers.

import * as assert from 'uvu/assert';
import type { ClassifyOptions, Engine } from '../../dist/index.js';
import { createRandom, sphere, torus } from '../../dist/samples/index.js';
import { lengthComparer } from '../oracle/crossingLength.js';
import { placeTriangles } from '../oracle/place.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { block, type Solid, shuffled, together } from './solids.js';

function classified(engine: Engine, a: Solid, b: Solid, options: ClassifyOptions = {}) {
  const meshes = [engine.createMesh(a), engine.createMesh(b)] as const;
  const { length, area } = engine.classify(...meshes, { ...options, contactSize: true });
  const regions = engine.penetration(...meshes, options);
  for (const mesh of meshes) mesh.dispose();
  return { length: length!, area: area!, regions };
}

const cube = (x: number, y: number, z: number): Solid => block([x, y, z], [x + 2, y + 2, z + 2]);

test('known lengths and areas lie between close bounds', () =>
  withEngine({ threads: 2, warmUp: 'off' }, engine => {
    const cases: [string, number, number, Solid, Solid][] = [
      ['overlap of corners', 6, 0, cube(0, 0, 0), cube(1, 1, 1)],
      ['a shared face', 8, 4, cube(0, 0, 0), cube(2, 0, 0)],
      ['a shared part of a face', 4, 1, cube(0, 0, 0), cube(2, 1, 1)],
      ['a small face on a large one', 8, 4, block([-9, -9, -9], [9, 9, 0]), cube(1, 2, 0)],
      ['a shared edge', 2, 0, cube(0, 0, 0), cube(2, 2, 0)],
      ['a shared part of an edge', 1, 0, cube(0, 0, 0), cube(2, 2, 1)],
      ['a shared corner', 0, 0, cube(0, 0, 0), cube(2, 2, 2)],
      ['an edge on a face', 2, 0, block([-9, -9, -9], [9, 9, 0]), wedge()],
      ['apart', 0, 0, cube(0, 0, 0), cube(5, 0, 0)],
      ['inside', 0, 0, block([-9, -9, -9], [9, 9, 9]), cube(0, 0, 0)],
      ['faces in common planes', 8 + 8 + 4, 8, cube(0, 0, 0), cube(1, 0, 0)],
      ['a bar through a cube', 8, 0, cube(0, 0, 0), block([-9, 0.5, 0.5], [9, 1.5, 1.5])],
    ];
    for (const [text, length, area, a, b] of cases) {
      for (const seed of [0, 1, 2]) {
        const random = createRandom(seed);
        const [first, second] = seed === 0 ? [a, b] : [shuffled(a, random), shuffled(b, random)];
        const found = classified(engine, first, second);
        for (const [{ lower, upper }, value] of [
          [found.length, length],
          [found.area, area],
        ] as const) {
          assert.ok(lower <= value && value <= upper, `${text}: ${lower} to ${upper}, not ${value}`);
          assert.ok(upper - lower <= 1e-12, `${text}: ${lower} to ${upper}`);
        }
      }
    }
  }));

/** Makes a prism whose lowest edge, of length 2, lies in the plane z = 0. */
function wedge(): Solid {
  const [front, back] = [0, 2].map(y => [
    [0, y, 0],
    [-1, y, 1],
    [1, y, 1],
  ]);
  return {
    positions: Float32Array.from([...front, ...back].flat()),
    indices: Uint32Array.of(0, 1, 2, 3, 5, 4, 0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5, 2, 5, 0, 0, 5, 3),
  };
}

test('each region has its own length and area', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const bar = block([-9, 0.5, 0.5], [9, 1.5, 1.5]);
    const { length, regions } = classified(engine, together(cube(0, 0, 0), cube(9, 0, 0)), bar);
    assert.is(regions.length, 3);
    for (const { length } of regions) assert.ok(length.lower <= 4 && 4 <= length.upper);
    const areas = regions.map(({ area }) => area.upper).sort((x, y) => x - y);
    assert.ok(areas[1] === 0 && Math.abs(areas[2] - 1) < 1e-12, `${areas}`);
    assert.ok(length.lower <= 12 && 12 <= length.upper);
    const [inner] = classified(engine, block([-9, -9, -9], [9, 9, 9]), cube(0, 0, 0)).regions;
    assert.equal(
      [inner.length, inner.area],
      [
        { lower: 0, upper: 0 },
        { lower: 0, upper: 0 },
      ],
    );
  }));

test('bounds enclose the exact length of random curves', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    let crossed = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const random = createRandom(seed);
      const far = seed % 4 === 0 ? 1000 : 0;
      const solidAt = (): Solid => {
        const move = [0, 1, 2].map(() => far + random.between(-0.7, 0.7));
        const { positions, indices } = random.below(2) === 0 ? sphere(60) : torus(80);
        return { positions: positions.map((value, i) => value + move[i % 3]), indices };
      };
      const [a, b] = [solidAt(), solidAt()];
      const { lower, upper } = classified(engine, a, b).length;
      const compare = lengthComparer(placeTriangles(a), placeTriangles(b));
      assert.ok(compare(lower) >= 0 && compare(upper) <= 0, `seed ${seed}: ${lower} to ${upper}`);
      assert.ok(upper - lower <= 1e-9 * (1 + upper), `seed ${seed}: ${lower} to ${upper}`);
      if (lower > 0) crossed++;
    }
    assert.ok(crossed > 20);
  }));

test.run();
