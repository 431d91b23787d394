// Tests piecesOf, which lists where balls may touch a surface, and in which directions from there their centers
// lie. Each direction that is at least a right angle away from all edges at a corner must belong to a piece of
// this corner. The oracle compares the angles in integers.
import * as assert from 'uvu/assert';
import { bisect, type Piece, type Vector } from '../../dist/contact/overlapDepth/piece.js';
import { piecesOf } from '../../dist/contact/overlapDepth/pieces.js';
import { createRandom, type Random, rotation } from '../../dist/samples/index.js';
import { toIntegers } from '../oracle/integers.js';
import { place } from '../oracle/place.js';
import { test } from '../support/test.js';

const determinant = (a: Vector, b: Vector, c: Vector): number =>
  a[0] * (b[1] * c[2] - b[2] * c[1]) +
  a[1] * (b[2] * c[0] - b[0] * c[2]) +
  a[2] * (b[0] * c[1] - b[1] * c[0]);

// Returns whether a direction lies in the spherical triangle between three directions, up to rounding.
function isBetween(direction: Vector, [a, b, c]: readonly Vector[]): boolean {
  const volume = determinant(a, b, c);
  const parts = [determinant(direction, b, c), determinant(a, direction, c), determinant(a, b, direction)];
  return Math.abs(volume) > 2 ** -40 && parts.every(part => part / volume >= -(2 ** -20));
}

// Rotates and shifts points, so that their coordinates are rounded.
function rotated(random: Random, points: readonly Vector[]): Vector[] {
  const shift = random.direction();
  const transform = rotation(random.direction(), random.between(0, 6), shift);
  const all = place(Float64Array.from(points.flat()), transform);
  return points.map((_, i) => [all[3 * i], all[3 * i + 1], all[3 * i + 2]]);
}

// Samples directions that are at least a right angle away from all edges between the first point and the
// others. Returns their number, and how many of them belong to no piece of the first point. Triangles connect
// the first point to consecutive others.
function countMissed(random: Random, points: readonly Vector[], isClosed: boolean) {
  const indices = points.slice(2).flatMap((_, i) => [0, i + 1, i + 2]);
  if (isClosed) indices.push(0, points.length - 1, 1);
  const pieces = piecesOf({ indices, others: [], positionOf: vertex => points[vertex] }).filter(
    piece => piece.points.length === 1 && piece.points[0] === points[0],
  );
  let [count, missed] = [0, 0];
  for (let i = 0; i < 100; i++) {
    const direction = random.direction();
    const whole = toIntegers([...points.flat(), ...direction]);
    const [x, y, z] = whole.slice(-3);
    const heights = points.map((_, k) => x * whole[3 * k] + y * whole[3 * k + 1] + z * whole[3 * k + 2]);
    if (heights.some(height => height > heights[0])) continue;
    count++;
    if (!pieces.some(({ directions }) => isBetween(direction, directions))) missed++;
  }
  return { count, missed };
}

const sheet = (angles: readonly number[]): Vector[] => [
  [0, 0, 0],
  ...angles.map((angle): Vector => [3 * Math.cos(angle), 3 * Math.sin(angle), 0]),
];

test('pieces contain all directions of corners of flat sheets, also if edges are almost parallel or rounded', () => {
  const random = createRandom(1);
  let total = 0;
  for (const exponent of [-2, -6, -10, -12, -14, -20, -30, -40]) {
    const angle = 2 ** exponent;
    for (const angles of [
      [0, angle, Math.PI / 2],
      [0, angle, 2 * angle],
      [0, angle, 2 * angle, Math.PI / 2, Math.PI / 2 + angle],
      [0, angle, Math.PI - angle, Math.PI - angle / 2],
    ])
      for (let i = 0; i < 8; i++) {
        const { count, missed } = countMissed(random, rotated(random, sheet(angles)), false);
        total += count;
        assert.is(missed, 0, `${angles}: ${missed} of ${count} directions are missing`);
      }
  }
  assert.ok(total > 1000, `${total}`);
});

test('pieces contain all directions of the tips of needles and thin wedges', () => {
  const random = createRandom(2);
  for (const exponent of [-1, -4, -10, -20, -40, -43, -45, -50, -60]) {
    const width = 2 ** exponent;
    const needle: Vector[] = [
      [0, 0, 0],
      [width, 0, -1],
      [-width, width, -1],
      [-width, -0.75 * width, -1],
    ];
    const wedge: Vector[] = [
      [0, 0, 0],
      [-1, width, 0],
      [-1, width, 1],
      [0, 0, 1],
      [-1, -width, 1],
      [-1, -width, 0],
    ];
    for (const points of [needle, wedge, rotated(random, needle), rotated(random, wedge)]) {
      const { count, missed } = countMissed(random, points, true);
      assert.ok(count > 5, `2^${exponent}`);
      assert.is(missed, 0, `2^${exponent}: ${missed} of ${count} directions are missing`);
    }
  }
});

test('pieces contain all directions of random corners', () => {
  const random = createRandom(3);
  let total = 0;
  for (let i = 0; i < 600; i++) {
    const ends = Array.from({ length: 3 + random.below(4) }, () => {
      const [x, y, z] = random.direction();
      // All edges point into the lower half of space, so some directions in the upper half are tested.
      return [x, y, -Math.abs(z)] as const;
    });
    const { count, missed } = countMissed(random, [[0, 0, 0], ...ends], i % 2 === 0);
    total += count;
    assert.is(missed, 0, `corner ${i}: ${missed} of ${count} directions are missing`);
  }
  assert.ok(total > 1000, `${total}`);
});

test('bisecting the directions at the edge of a thin wedge keeps them perpendicular to the edge', () => {
  for (const exponent of [-1, -10, -20, -30, -40, -43, -44, -46, -60]) {
    // A wedge along a skew edge.
    const width = 2 ** exponent;
    const [from, to]: Vector[] = [
      [-0.1, -4, -0.05],
      [0.13, 4, 0.07],
    ];
    const along = to.map((value, axis) => value - from[axis]);
    const length = Math.hypot(...along);
    const [left, right] = [1, -1].map((sign): Vector => [-3, from[1] + 0.2, sign * width]);
    const places = [from, to, left, right];
    const isAtEdge = ({ points }: Piece): boolean =>
      points.length === 2 && points.every(point => point === from || point === to);
    let pieces = piecesOf({
      indices: [0, 1, 2, 1, 0, 3],
      others: [],
      positionOf: vertex => places[vertex],
    }).filter(isAtEdge);
    assert.ok(pieces.length > 0, `2^${exponent}`);
    for (let level = 0; level < 4; level++) pieces = pieces.flatMap(piece => bisect(piece, 1000));
    for (const { directions } of pieces)
      for (const one of directions) {
        const cosine = (one[0] * along[0] + one[1] * along[1] + one[2] * along[2]) / length;
        assert.ok(Math.abs(cosine) <= 2 ** -45, `2^${exponent}: the cosine is ${cosine}`);
      }
    // The directions reach from one side of the wedge to the other, through +x.
    const heights = pieces.flatMap(({ directions }) => directions.map(one => one[2]));
    assert.ok(Math.min(...heights) < -0.9 && Math.max(...heights) > 0.9, `2^${exponent}`);
    assert.ok(
      pieces.some(({ directions }) => directions[0][0] > 0.99),
      `2^${exponent}`,
    );
  }
});

test('edges have their own pieces, however large the indices of their vertices are', () => {
  const corners: Vector[] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const countEdges = (numbers: readonly number[]): number => {
    const places = new Map(
      numbers.map((vertex, i) => [
        vertex,
        corners[i % 4].map(value => value + 2 * Math.floor(i / 4)) as unknown as Vector,
      ]),
    );
    const indices = [0, 4].flatMap(first =>
      [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2].map(corner => numbers[first + corner]),
    );
    const pieces = piecesOf({ indices, others: [], positionOf: vertex => places.get(vertex)! });
    return new Set(pieces.filter(({ points }) => points.length === 2).map(({ points }) => points.join()))
      .size;
  };
  assert.is(countEdges([1, 10, 11, 12, 2, 5, 6, 7]), 12);
  for (const large of [2 ** 26 + 5, 2 ** 27 + 5, 2 ** 31 + 5])
    assert.is(countEdges([1, large, 11, 12, 2, 5, 6, 7]), 12, `${large}`);
});

test.run();
