// Tests cellSamplePoints for triangles that lines cut into parts: every part has at least one sample point,
// and no sample point is one of the points to avoid. The oracle cuts the plane into vertical strips and
// computes the parts in fractions. Also tests the exact functions that are used with sample points:
// conversions between doubles and integers, sides of planes and edges, and winding numbers.

import * as assert from 'uvu/assert';
import { cellSamplePoints } from '../../dist/contact/cellSamplePoints.js';
import { gridPointAt, makeGridPoint, toInteger } from '../../dist/contact/gridPoint.js';
import { orient2d, orient2dAt, side, sideAt, sideOfIntegers } from '../../dist/contact/orientation.js';
import { Surface } from '../../dist/contact/surface.js';
import { countCrossings } from '../../dist/contact/winding.js';
import type { IntegerVector } from '../../dist/core/integers.js';
import { createRandom, sphere } from '../../dist/samples/index.js';
import { type FlatPoint, flatParts } from '../oracle/flatParts.js';
import { compare, type Fraction, fraction, minus, times } from '../oracle/fractions.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';

type Pair = [number, number];

const flat = ([x, y]: Pair): FlatPoint => [fraction(BigInt(x)), fraction(BigInt(y))];

const sideOf = (a: FlatPoint, b: FlatPoint, p: readonly Fraction[]): number =>
  compare(times(minus(b[0], a[0]), minus(p[1], a[1])), times(minus(b[1], a[1]), minus(p[0], a[0])));

test('every part into which lines cut a triangle has a sample point, and all sample points lie inside parts', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(seed);
    const pair = (): Pair => [random.below(9), random.below(9)];
    const triangle = [pair(), pair(), pair()];
    const [a, b, c] = triangle.map(flat);
    if (sideOf(a, b, c) === 0) continue;
    const ends = Array.from({ length: 1 + random.below(5) }, (): [Pair, Pair] => [pair(), pair()]).filter(
      ([[x, y], [u, v]]) => x !== u || y !== v,
    );
    const lines = ends.map(([[x, y], [u, v]]): [Pair, Pair] => [
      [x - 40 * (u - x), y - 40 * (v - y)],
      [x + 40 * (u - x), y + 40 * (v - y)],
    ]);
    // Lifts points to the plane z = x + 2 y. cellSamplePoints projects them along z.
    const lift = ([x, y]: Pair): number[] => [x, y, x + 2 * y];
    const points = [
      ...cellSamplePoints(
        Float64Array.from(triangle.flatMap(lift)),
        lines.flatMap(line => line.flatMap(lift)),
        [],
        2,
      ),
    ];
    const nameOf = (p: readonly Fraction[]): string =>
      [...lines.map(([from, to]) => [flat(from), flat(to)] as const), [a, b], [b, c], [c, a]]
        .map(([from, to]) => sideOf(from!, to!, p))
        .join();
    const found = points.map(({ at, shift }) => {
      const [x, y, z] = at.map(part => fraction(part, 2n ** BigInt(shift)));
      assert.is(compare(minus(z, x), times(y, fraction(2n))), 0, 'in the plane');
      return nameOf([x, y]);
    });
    const expected = flatParts(
      [a, b, c],
      lines.map(([from, to]) => [flat(from), flat(to)]),
    ).map(nameOf);
    assert.equal([...new Set(found)].sort(), [...new Set(expected)].sort(), `seed ${seed}`);
  }
});

test('no sample point is one of the points to avoid', () => {
  const corners = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0);
  const [middle] = cellSamplePoints(corners, [], [], 2);
  const [other] = cellSamplePoints(corners, [], middle!.near, 2);
  assert.equal([...middle!.near], [1, 2, 0]);
  assert.not.equal([...other!.near], [1, 2, 0]);
  const cut = [1, -1, 0, 1, 8, 0];
  const points = [...cellSamplePoints(corners, cut, [], 2)];
  const others = [
    ...cellSamplePoints(
      corners,
      cut,
      points.flatMap(({ near }) => [...near]),
      2,
    ),
  ];
  assert.is(others.length, points.length);
  for (const { near } of others) assert.not(points.some(point => point.near.join() === near.join()));
});

test('winding numbers at the points of a grid, and at these points moved by one half, are 1 inside a ball and 0 outside', () =>
  withEngine({ threads: 1, warmUp: 'off' }, engine => {
    const ball = sphere(300);
    const surface = new Surface(
      engine.createMesh({
        positions: ball.positions.map(value => Math.round(value * 8)),
        indices: ball.indices,
      }),
    );
    for (const half of [0, 0.5]) {
      for (let i = 0; i < 21 ** 3; i++) {
        const point = [(i % 21) - 10, (((i / 21) | 0) % 21) - 10, ((i / 441) | 0) - 10].map(
          value => value + half,
        );
        const reported = [0, 1, 2].map(axis =>
          countCrossings(surface, gridPointAt(Float64Array.from(point)), axis),
        );
        if (reported.some(({ at }) => at !== 0)) continue;
        assert.equal(
          reported.map(({ beyond }) => beyond),
          Array(3).fill(reported[0].beyond),
          point.join(),
        );
        if (Math.hypot(...point) < 6) assert.is(reported[0].beyond, 1, point.join());
        if (Math.hypot(...point) > 9.5) assert.is(reported[0].beyond, 0, point.join());
      }
    }
  }));

test('sides and orientations are exact for points that doubles cannot represent: on a plane or an edge, or 2^-200 grid units away from it', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = createRandom(seed);
    const corners = Float64Array.from({ length: 9 }, () => random.between(-1, 1) + (seed % 2) * 2 ** 20);
    const [middle] = cellSamplePoints(corners, [], [], 2);
    const { at, shift } = middle!;
    const up = orient2d(corners, 0, 3, 6, 2);
    const whole = (corner: number, axis: number): bigint => toInteger(corners[3 * corner + axis], shift);
    const onEdge = [0, 1, 2].map(axis => whole(0, axis) + whole(1, axis)) as unknown as IntegerVector;
    assert.is(sideAt(corners, 0, middle!), 0);
    assert.is(orient2dAt(corners, 0, 3, makeGridPoint(onEdge, shift + 1), 2), 0);
    for (const by of [1n, -1n]) {
      const raised = makeGridPoint([at[0] << 200n, at[1] << 200n, (at[2] << 200n) + by], shift + 200);
      const moved = makeGridPoint(
        [onEdge[0] << 200n, (onEdge[1] << 200n) + by, onEdge[2] << 200n],
        shift + 201,
      );
      assert.is(sideAt(corners, 0, raised), up * Number(by), `seed ${seed}`);
      assert.is(
        orient2dAt(corners, 0, 3, moved, 2),
        Math.sign(corners[3] - corners[0]) * Number(by),
        `seed ${seed}`,
      );
    }
    // The fourth point is a point of the plane whose coordinates are rounded to doubles, so it is only a
    // rounding error away from the plane.
    const four = Float64Array.of(...corners, ...middle!.near);
    const points = [0, 3, 6, 9].map(from => [0, 1, 2].map(axis => toInteger(four[from + axis], 200)));
    assert.is(side(four, 0, 3, 6, 9), sideOfIntegers(points), `seed ${seed}`);
  }
});

test('powers of two, and -3 times these, convert exactly to integers and back, even if the scaled double would overflow', () => {
  for (let exponent = -1074; exponent < 1022; exponent++) {
    for (const shift of [Math.max(0, -exponent), 1000, 1074, 2500].filter(minimum => minimum >= -exponent)) {
      const whole = 1n << BigInt(exponent + shift);
      assert.equal(
        [1, -3].map(part => toInteger(part * 2 ** exponent, shift)),
        [whole, -3n * whole],
        `2^${exponent} times 2^${shift}`,
      );
      const { near, rest } = makeGridPoint([whole, -3n * whole, 0n], shift);
      assert.equal([...near, ...rest], [2 ** exponent, -3 * 2 ** exponent, 0, 0, 0, 0]);
    }
  }
});

test('a grid point knows how its coordinates were rounded, also beside the smallest normal number', () => {
  const { near, rest } = makeGridPoint([2n ** 53n - 1n, 2n ** 53n, 1n], 1075);
  assert.equal(
    [[...near], [...rest]],
    [
      [2 ** -1022, 2 ** -1022, 0],
      [-1, 0, 1],
    ],
  );
});

test.run();
