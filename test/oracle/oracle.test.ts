// Tests the oracle, which decides in integers whether two triangles intersect, on published and handmade
// triangle pairs with known results. Each handmade pair is tested with the triangles swapped and in every
// vertex order.

import * as assert from 'uvu/assert';
import { dataTest } from '../support/data.js';
import { hashPairList } from '../support/hash.js';
import { test } from '../support/test.js';
import { type PartsTruth, readDuplex, readEngine, readTriangleRows } from '../support/truth.js';
import { boxPairs, triangleBoxes, trianglePairs } from './bruteForce.js';
import { place, placeTriangles } from './place.js';
import { havePlaneBetween } from './separatingPlane.js';
import { trianglesMeet } from './trianglesIntersect.js';

const orders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
];

// Returns the 18 coordinates of a triangle pair with its corners 0..5 in the given order.
const reorder = (corners: ArrayLike<number>, order: number[]): number[] =>
  order.flatMap(corner => [corners[corner * 3], corners[corner * 3 + 1], corners[corner * 3 + 2]]);

// Returns all 72 forms of a triangle pair: all vertex orders, each with and without swapping the triangles.
function allForms(corners: ArrayLike<number>): number[][] {
  const forms: number[][] = [];
  for (const a of orders) {
    for (const b of orders) {
      const shifted = b.map(corner => corner + 3);
      forms.push(reorder(corners, [...a, ...shifted]), reorder(corners, [...shifted, ...a]));
    }
  }
  return forms;
}

dataTest('the oracle agrees with 20,000 published pairs', () => {
  const rows = readTriangleRows();
  assert.is(rows.length, 20_000);
  const wrong = rows.filter(row => trianglesMeet(row.corners) !== row.doIntersect).map(row => row.kind);
  assert.equal(wrong, []);
});

test('a separating plane is found for disjoint segments, and none for crossing segments', () => {
  assert.ok(havePlaneBetween([0, 0, 0, 2, 0, 0, 1, 0, 0, 1, -1, 1, 1, 1, 1, 1, 0, 1]));
  assert.not(havePlaneBetween([0, 0, 0, 2, 0, 0, 1, 0, 0, 1, -1, 0, 1, 1, 0, 1, 0, 0]));
});

dataTest('the oracle agrees with published results for swapped triangles and every vertex order', () => {
  const sample = readTriangleRows().filter((_, row) => row % 97 === 0);
  const wrong = sample.filter(row =>
    allForms(row.corners).some(form => trianglesMeet(form) !== row.doIntersect),
  );
  assert.equal(wrong, []);
});

// Checks the pairs of triangles that belong to different parts: the pairs whose boxes overlap, and the pairs
// that intersect.
function checkParts({ whole, parts, ...truth }: PartsTruth): void {
  const corners = placeTriangles(whole);
  const partOf = parts.flatMap((part, number) => Array(part.triangleCount).fill(number));
  const boxes = triangleBoxes(corners);
  const candidates = boxPairs(boxes, boxes).filter(([a, b]) => partOf[a] < partOf[b]);
  assert.is(hashPairList(candidates), truth.boxPairHash);
  const pairs = candidates.filter(([a, b]) =>
    trianglesMeet([...corners.subarray(a * 9, a * 9 + 9), ...corners.subarray(b * 9, b * 9 + 9)]),
  );
  assert.is(pairs.length, truth.pairCount);
  assert.is(hashPairList(pairs), truth.pairHash);
  assert.is(new Set(pairs.map(([a, b]) => `${partOf[a]} ${partOf[b]}`)).size, truth.partPairs.length);
}

dataTest.proof('the parts of a building have the published box pairs, triangle pairs and part pairs', () =>
  checkParts(readDuplex()),
);
dataTest.proof('the parts of an engine have the published box pairs, triangle pairs and part pairs', () =>
  checkParts(readEngine()),
);

const up = 2 ** -52;
// The smallest denormal. The names of the cases call it "one denormal".
const denormal = Number.MIN_VALUE;
const huge = Number.MAX_VALUE;
// The triangle (0 0 0) (4 0 0) (0 4 0) in the plane z = 0. Most cases use it as the first triangle.
const flat = [0, 0, 0, 4, 0, 0, 0, 4, 0];

const cases: [name: string, doIntersect: boolean, a: number[], b: number[]][] = [
  ['identical', true, flat, flat],
  ['identical points', true, [1, 2, 3, 1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3, 1, 2, 3]],
  ['different points', false, [1, 2, 3, 1, 2, 3, 1, 2, 3], [1, 2, 4, 1, 2, 4, 1, 2, 4]],
  ['pierces the inside', true, flat, [1, 1, -1, 1, 1, 1, 9, 9, 1]],
  ['passes beside', false, flat, [3, 3, -1, 3, 3, 1, 9, 9, 1]],
  ['points down at the inside and ends 2^-52 above it', false, flat, [1, 1, up, 1, 1, 1, 2, 2, 1]],
  ['vertex touches the inside', true, flat, [1, 1, 0, 1, 1, 1, 2, 2, 1]],
  ['vertex touches an edge', true, flat, [2, 2, 0, 5, 5, 1, 5, 5, 2]],
  ['vertex one ulp beside an edge', false, flat, [2, 2 + 2 * up, 0, 5, 5, 1, 5, 5, 2]],
  ['vertex touches a vertex', true, flat, [4, 0, 0, 8, 0, 1, 8, 1, 2]],
  ['edges cross in one point', true, flat, [2, 0, -1, 2, 0, 1, 2, -5, 0]],
  ['edges pass one denormal apart', false, flat, [2, -denormal, -1, 2, -denormal, 1, 2, -5, 0]],
  ['parallel planes one denormal apart', false, flat, [0, 0, denormal, 4, 0, denormal, 0, 4, denormal]],
  ['shared edge, folded', true, flat, [0, 0, 0, 4, 0, 0, 0, 0, 4]],
  ['coplanar, shared edge', true, flat, [0, 0, 0, 4, 0, 0, 0, -4, 0]],
  ['coplanar, contained', true, flat, [1, 1, 0, 1.5, 1, 0, 1, 1.5, 0]],
  ['coplanar, edges cross', true, flat, [-1, 1, 0, 9, 1, 0, -1, 1.5, 0]],
  ['coplanar, star of David', true, [0, 0, 0, 6, 0, 0, 3, 6, 0], [0, 4, 0, 6, 4, 0, 3, -2, 0]],
  ['coplanar, touching at a vertex', true, flat, [-1, -1, 0, 0, 0, 0, -1, 0, 0]],
  ['coplanar, vertex on an edge', true, flat, [2, 2, 0, 5, 2, 0, 5, 5, 0]],
  ['coplanar, vertex one ulp beside an edge', false, flat, [2 + 2 * up, 2, 0, 5, 2, 0, 5, 5, 0]],
  ['coplanar, apart', false, flat, [5, 0, 0, 9, 0, 0, 5, 4, 0]],
  ['coplanar, boxes overlap but apart', false, flat, [4, 1, 0, 4, 4, 0, 1, 4, 0]],
  ['point inside', true, flat, [1, 1, 0, 1, 1, 0, 1, 1, 0]],
  ['point on the slanted edge', true, flat, [1, 3, 0, 1, 3, 0, 1, 3, 0]],
  ['point above', false, flat, [1, 1, up, 1, 1, up, 1, 1, up]],
  ['point in the plane outside', false, flat, [3, 3, 0, 3, 3, 0, 3, 3, 0]],
  ['segment through', true, flat, [1, 1, -1, 1, 1, 1, 1, 1, 0.5]],
  ['segment ends on the inside', true, flat, [1, 1, 0, 1, 1, 1, 1, 1, 0.5]],
  ['segment stops short', false, flat, [1, 1, up, 1, 1, 1, 1, 1, 0.5]],
  ['segment past the slanted edge', false, flat, [3, 3, -1, 3, 3, 1, 3, 3, 0]],
  ['coplanar segment inside', true, flat, [1, 1, 0, 1.5, 1, 0, 1.25, 1, 0]],
  ['coplanar segment across', true, flat, [-1, 1, 0, 9, 1, 0, 0, 1, 0]],
  ['coplanar segment beside', false, flat, [-1, -1, 0, 9, -1, 0, 0, -1, 0]],
  ['segments cross', true, [0, 0, 0, 2, 2, 2, 1, 1, 1], [0, 2, 0, 2, 0, 2, 1, 1, 1]],
  ['segments of one line overlap', true, [0, 0, 0, 2, 2, 2, 1, 1, 1], [1, 1, 1, 3, 3, 3, 2, 2, 2]],
  [
    'segments of one line touch at their ends',
    true,
    [0, 0, 0, 2, 2, 2, 1, 1, 1],
    [2, 2, 2, 4, 4, 4, 3, 3, 3],
  ],
  ['segments of one line apart', false, [0, 0, 0, 2, 2, 2, 1, 1, 1], [3, 3, 3, 4, 4, 4, 3, 3, 3]],
  ['segments parallel', false, [0, 0, 0, 2, 2, 2, 1, 1, 1], [0, 0, 1, 2, 2, 3, 1, 1, 2]],
  ['segments skew', false, [0, 0, 0, 2, 0, 0, 1, 0, 0], [1, -1, 1, 1, 1, 1, 1, 0, 1]],
  [
    'segments in one plane, lines cross outside',
    false,
    [0, 0, 0, 2, 0, 0, 1, 0, 0],
    [3, -1, 0, 3, 1, 0, 3, 0, 0],
  ],
  [
    'vertex touches a denormal triangle',
    true,
    flat.map(value => value * denormal),
    [denormal, denormal, 0, 1, 1, 1, 1, 2, 1],
  ],
  [
    'vertex one denormal above a denormal triangle',
    false,
    flat.map(value => value * denormal),
    [denormal, denormal, denormal, 1, 1, 1, 1, 2, 1],
  ],
  [
    'pierces the inside, coordinates up to the largest double',
    true,
    [-huge, -huge, 0, huge, -huge, 0, 0, huge, 0],
    [0, 0, -denormal, 0, 0, denormal, 1, 0, denormal],
  ],
  [
    'ends above the inside, coordinates up to the largest double',
    false,
    [-huge, -huge, 0, huge, -huge, 0, 0, huge, 0],
    [0, 0, huge, 0, 0, denormal, 1, 0, denormal],
  ],
];

for (const [name, doIntersect, a, b] of cases) {
  test(`handmade pair is decided correctly: ${name}`, () => {
    const wrong = allForms([...a, ...b]).filter(form => trianglesMeet(form) !== doIntersect);
    assert.equal(wrong, []);
  });
}

test('values that are not 18 finite numbers are rejected', () => {
  assert.throws(() => trianglesMeet([1, 2, 3]), /length 3/);
  assert.throws(() => trianglesMeet([...flat, ...flat.slice(1), NaN]), /NaN/);
});

test('vertices are placed by operations in the documented order, and each operation is rounded', () => {
  const x = Math.fround(0.1);
  const transform = [0.1, 3, 7, 0, 1e17, 0.3, 11, 0, -1e17, 0.7, 0.9, 0, 0.2, 0.4, -5, 1];
  const placed = place(Float32Array.of(x, 1, 1), transform);
  assert.is(placed[0], 0.2);
  assert.is(placed[1], 3 * x + 0.3 + 0.7 + 0.4);
  assert.equal(Array.from(place(Float32Array.of(x, -0, 2))), [x, -0, 2]);
});

test('brute force returns the intersecting pairs, sorted by a, then b', () => {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5);
  const a = { positions, indices: Uint32Array.of(3, 3, 3, 0, 1, 2, 0, 1, 1) };
  const b = { positions, indices: Uint32Array.of(0, 1, 2, 2, 2, 2) };
  const shift = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.25, 0.5, 0, 1];
  assert.equal(trianglePairs(a, undefined, b, undefined), [
    [1, 0],
    [1, 1],
    [2, 0],
  ]);
  assert.equal(trianglePairs(a, undefined, b, shift), [[1, 0]]);
  assert.equal(trianglePairs(b, shift, a, undefined), [[0, 1]]);
});

test.run();
