// Tests the oriented bounding boxes of a tree's leaves. Each box contains all triangles of its leaf, and
// queries that use the boxes lose no intersecting pair.

import * as assert from 'uvu/assert';
import { internalsOf } from '../../bench/support/internals.js';
import { boxLeaves } from '../../dist/bvh/leafBoxes.js';
import { createEngine, type Mesh, type MeshData } from '../../dist/index.js';
import { createMesh } from '../../dist/mesh/mesh.js';
import { Leaf, LeafBox, MeshRecord } from '../../dist/records/layout.js';
import {
  box,
  createRandom,
  lattice,
  product,
  type Random,
  rotation,
  skewed,
  slivers,
  soup,
  sphere,
  torus,
  touchingPlates,
} from '../../dist/samples/index.js';
import { slab } from '../../dist/samples/shapes.js';
import { hardMeshes } from '../support/meshes.js';
import { test } from '../support/test.js';
import { makeTestContext, type TestContext } from '../support/testContext.js';

const NOTHING = 0xffffffff;
const scaled = ({ positions, indices }: MeshData, scale: number, shift = 0): MeshData => ({
  positions: positions.map(value => value * scale + shift),
  indices,
});

// Returns the max distance by which a corner of a triangle is outside its leaf's box. A leaf stores its
// corners as float32 offsets from a float32 origin. Each sum of an offset and the origin is exact in doubles,
// except for the last bits of an offset that is far smaller than the origin.
function farthest({ arena: { f32, u32 } }: TestContext, mesh: Mesh): number {
  const word = (field: 'leavesAt' | 'leafBoxesAt'): number =>
    u32[(mesh.recordAt + MeshRecord.at[field]) / 4] / 4;
  let past = 0;
  for (let leaf = 0; leaf < mesh.leafCount; leaf++) {
    const at = word('leavesAt') + (leaf * Leaf.size) / 4;
    const to = word('leafBoxesAt') + (leaf * LeafBox.size) / 4;
    const origin = [0, 1, 2].map(axis => f32[at + Leaf.at.originX / 4 + axis]);
    const center = [3, 7, 11].map(k => f32[to + k]);
    for (let lane = 0; lane < 4; lane++) {
      if (u32[at + Leaf.at.id / 4 + lane] === NOTHING) continue;
      for (const corner of [Leaf.at.ax, Leaf.at.bx, Leaf.at.cx]) {
        const point = [0, 1, 2].map(
          axis => origin[axis] + f32[at + corner / 4 + 4 * axis + lane] - center[axis],
        );
        for (let k = 0; k < 3; k++) {
          const along = point.reduce((sum, value, axis) => sum + value * f32[to + 4 * axis + k], 0);
          past = Math.max(past, Math.abs(along) - f32[to + LeafBox.at.half / 4 + k]);
        }
      }
    }
  }
  return past;
}

test('the box of a leaf contains its triangles: flat ones, slivers, points, tiny ones and far ones', async () => {
  const backend = await makeTestContext(1);
  const meshes: [string, MeshData][] = [
    ...hardMeshes(),
    ['torus', torus(700)],
    ['slivers', slivers(300)],
    ['soup', soup(300, 1)],
    ['skewed', skewed(300)],
    ['plates', slab(8, [0, 0, 0], [1, 1, 0.1])],
    ['tiny', scaled(torus(200), 2 ** -100)],
    ['small and far', scaled(sphere(200), 2 ** -12, 1)],
  ];
  for (const [name, data] of meshes) {
    const mesh = createMesh(backend, data);
    boxLeaves(backend, mesh);
    // The bound is the rounding error of a box center in float32, anywhere in the mesh. The margins that a
    // query adds for such errors (see putLeafBoxes in assembly/mesh/placePairs.ts) are larger.
    assert.ok(farthest(backend, mesh) <= 2 ** -23, `${name}: ${farthest(backend, mesh)}`);
    mesh.dispose();
  }
  await backend.close();
});

const plain = await createEngine({ threads: 1, warmUp: 'off' });
const boxed = await createEngine({ threads: 1, warmUp: 'off' });
interface Both {
  plain: Mesh;
  boxed: Mesh;
}

function both(data: MeshData): Both {
  const meshes = { plain: plain.createMesh(data), boxed: boxed.createMesh(data) };
  boxLeaves(internalsOf(boxed).context, meshes.boxed);
  return meshes;
}

interface Sum {
  pairs: number;
  tests: number;
  fewer: number;
}

// Queries two meshes without leaf boxes (in the engine `plain`) and with leaf boxes (in the engine `boxed`),
// and compares the pairs. With leaf boxes, also checks the any-hit query. Adds the counts to `sum`.
function compare(
  a: Both,
  b: Both,
  transformA: Float64Array,
  transformB: Float64Array,
  sum: Sum,
  what: string,
): void {
  const options = { transformA, transformB } as const;
  const left = plain.query(a.plain, b.plain, options);
  const tests = left.stats.threads.reduce((all, { triangleTests }) => all + triangleTests, 0);
  const expected = [Array.from(left.a), Array.from(left.b)];
  const right = boxed.query(a.boxed, b.boxed, options);
  sum.fewer += right.stats.threads.reduce((all, { triangleTests }) => all + triangleTests, 0);
  assert.equal([Array.from(right.a), Array.from(right.b)], expected, what);
  assert.is(boxed.query(a.boxed, b.boxed, { ...options, want: 'any' }), expected[0].length > 0, what);
  sum.pairs += expected[0].length;
  sum.tests += tests;
}

const scale = (factors: readonly number[]): Float64Array =>
  Float64Array.of(factors[0], 0, 0, 0, 0, factors[1], 0, 0, 0, 0, factors[2], 0, 0, 0, 0, 1);
const anywhere = (random: Random, reach: number): Float64Array =>
  rotation(random.direction(), random.between(0, 6), [
    random.between(-reach, reach),
    random.between(-reach, reach),
    random.between(-reach, reach),
  ]);

test('with leaf boxes, the pairs are the same, with fewer triangle tests, for rotated and mirrored meshes of any size and unit, as floats and as doubles', () => {
  const random = createRandom(1);
  const kinds = [
    torus(200),
    sphere(150),
    slivers(80),
    soup(80, 2),
    skewed(80),
    slab(3, [-1, -1, -0.2], [1, 1, 0.2]),
  ].map(both);
  const sum: Sum = { pairs: 0, tests: 0, fewer: 0 };
  for (const unit of [1, 2 ** -60, 2 ** 60]) {
    for (let i = 0; i < 900; i++) {
      const size = unit * 2 ** random.between(-3, 3);
      const mirror = i % 3 === 0 ? -1 : 1;
      const placed = product(anywhere(random, 2 * unit), scale([size, mirror * size, size]));
      const other = product(anywhere(random, 2 * unit), scale([unit, unit, unit]));
      const [a, b] =
        i % 2 === 0
          ? [placed, other]
          : [Float64Array.from(Float32Array.from(placed)), Float64Array.from(Float32Array.from(other))];
      compare(
        kinds[i % kinds.length],
        kinds[Math.floor(i / kinds.length) % kinds.length],
        a!,
        b!,
        sum,
        `${unit}, ${i}`,
      );
    }
  }
  assert.ok(sum.pairs > 10_000, `${sum.pairs} pairs`);
  assert.ok(sum.fewer < 0.9 * sum.tests, `${sum.fewer} triangle tests with leaf boxes, ${sum.tests} without`);
});

test('with leaf boxes, the pairs are the same for placements with a small or large skew', () => {
  const random = createRandom(2);
  const kinds = [torus(200), slab(3, [-1, -1, -0.2], [1, 1, 0.2])].map(both);
  const sum: Sum = { pairs: 0, tests: 0, fewer: 0 };
  for (let i = 0; i < 300; i++) {
    const skew = 2 ** -random.between(1, 30);
    const stretched = product(
      anywhere(random, 1.5),
      product(anywhere(random, 0), scale([1 + skew, 1 - skew, 1])),
    );
    compare(kinds[i % 2], kinds[(i >> 1) % 2], stretched, anywhere(random, 1), sum, `${i}, ${skew}`);
  }
  assert.ok(sum.pairs > 3000, `${sum.pairs} pairs`);
});

test('with leaf boxes, the pairs are the same for meshes that touch face to face, edge to edge or corner to corner', () => {
  const random = createRandom(3);
  const whole = (): number => Math.floor(random.between(-3, 4));
  const sum: Sum = { pairs: 0, tests: 0, fewer: 0 };
  const rotations = [
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
  ] as const;
  const kinds = [both(box(0.5, 0.5, 0.5)), both(slab(4, [0, 0, 0], [2, 2, 1])), both(lattice(60, 4))];
  for (let i = 0; i < 600; i++) {
    // Rotates by a multiple of 90 degrees. Computed sines and cosines only approximate 0 and 1, so they are
    // rounded to integers.
    const quarter = rotation(rotations[i % 3], (Math.PI / 2) * whole(), [0, 0, 0]).map((value, at) =>
      at < 12 ? Math.round(value) : value,
    );
    quarter.set([whole(), whole(), whole()], 12);
    compare(kinds[i % 3], kinds[Math.floor(i / 3) % 3], quarter, scale([1, 1, 1]), sum, String(i));
  }
  const { meshes, frame } = touchingPlates(400);
  const [a, b] = meshes.map(both);
  const placed = Float64Array.from(frame(0));
  compare(a, b, placed.slice(0, 16), placed.slice(16, 32), sum, 'plates');
  assert.ok(sum.pairs > 3000, `${sum.pairs} pairs`);
});

// Makes cubes with a side of 2^-11 in a mesh that extends from -1 to 1. The min corner of each cube is at
// `from` plus its cell times the side. Two degenerate triangles, at (-1, -1, -1) and (1, 1, 1), give the mesh
// its size.
function tinyCubes(from: number, cells: readonly (readonly number[])[]): MeshData {
  const side = 2 ** -11;
  const one = box(side / 2, side / 2, side / 2);
  const positions = [-1, -1, -1, 1, 1, 1];
  const indices = [0, 0, 0, 1, 1, 1];
  for (const cell of cells) {
    const first = positions.length / 3;
    positions.push(...Array.from(one.positions, (value, i) => from + value + side * (cell[i % 3] + 0.5)));
    indices.push(...Array.from(one.indices!, index => index + first));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

test('with leaf boxes, the pairs are the same for tiny cubes whose translation is exact only as a double', () => {
  const random = createRandom(5);
  const sum: Sum = { pairs: 0, tests: 0, fewer: 0 };
  for (let i = 0; i < 40; i++) {
    // The sum of `little` and a coordinate of a near cube is exact as a float, because both are small. The
    // sum of `little` and 1 is exact only as a double.
    const little = Math.floor(random.between(1, 2 ** 12)) * 2 ** -30;
    const cells = Array.from({ length: 24 }, () => [0, 1, 2].map(() => Math.floor(random.between(0, 30))));
    const near = both(tinyCubes(little, cells));
    const far = both(
      tinyCubes(
        -1,
        cells.map(([x, y, z]) => [x! + 1, y!, z!]),
      ),
    );
    const shift = scale([1, 1, 1]);
    shift.fill(1 + little, 12, 15);
    compare(near, far, scale([1, 1, 1]), shift, sum, String(i));
    compare(far, near, shift, scale([1, 1, 1]), sum, String(i));
    for (const { plain, boxed } of [near, far]) {
      plain.dispose();
      boxed.dispose();
    }
  }
  // Each near cube touches a far cube face to face. A face has two triangles, so there are at least 2 * 2
  // pairs per near cube. Each of the 40 rounds compares 24 near cubes twice.
  assert.ok(sum.pairs >= 40 * 2 * 24 * 4, `${sum.pairs} pairs`);
});

test('an update of positions discards the boxes of leaves, and a rebuild also frees their memory', () => {
  const data = torus(700);
  const mesh = boxed.createMesh(data, { deformable: true });
  const { context } = internalsOf(boxed);
  const at = (): number => context.arena.u32[(mesh.recordAt + MeshRecord.at.leafBoxesAt) / 4];
  boxLeaves(context, mesh);
  const before = at();
  const { bytes } = mesh;
  const own = context.arena.sizeOf(before);
  assert.ok(before > 0);
  const grown = both(scaled(data, 1.5));
  const count = plain.query(grown.plain, grown.plain, {
    transformB: rotation([1, 0, 0], 1, [0.5, 0, 0]),
  }).count;
  mesh.update(
    data.positions.map(value => 1.5 * value),
    { tree: 'refit' },
  );
  assert.is(at(), 0);
  assert.is(boxed.query(mesh, mesh, { transformB: rotation([1, 0, 0], 1, [0.5, 0, 0]) }).count, count);
  boxLeaves(context, mesh);
  assert.is(at(), before);
  assert.is(mesh.bytes, bytes);
  assert.is(boxed.query(mesh, mesh, { transformB: rotation([1, 0, 0], 1, [0.5, 0, 0]) }).count, count);
  mesh.update(data.positions, { tree: 'rebuild' });
  assert.is(at(), 0);
  assert.is(mesh.bytes, bytes - own);
});

test.run();
