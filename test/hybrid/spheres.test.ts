// Tests trees whose nodes have bounding spheres in addition to boxes. In exact arithmetic, each sphere must
// contain all triangle corners below its node. A node uses its box if and only if the volume of its sphere,
// divided by the volume of the box, reaches the threshold of the node's level. The spheres must have the same
// bytes for any number of threads.

import * as assert from 'uvu/assert';
import { SphereTrees } from '../../dist/hybrid/sphereTrees.js';
import { createEngine, type Engine, type Mesh, type MeshData } from '../../dist/index.js';
import { Leaf, limits, MeshRecord, Node } from '../../dist/records/layout.js';
import { SphereNode } from '../../dist/records/spheresLayout.js';
import { box, lattice, sphere, torus } from '../../dist/samples/index.js';
import { toIntegers } from '../oracle/integers.js';
import { contextOf } from '../support/engines.js';
import { hashBytes } from '../support/hash.js';
import { hardMeshes, makeSoup } from '../support/meshes.js';
import { changed, degenerate, emptyMesh, unshared } from '../support/placedScenes.js';
import { test } from '../support/test.js';

const engines: Engine[] = [];
for (const threads of [1, 2, 5, 16]) engines.push(await createEngine({ threads, warmUp: 'off' }));
const [singleThreaded] = engines;
test.after(() => {
  for (const engine of engines) engine.dispose();
});

const many = new Set([
  'a soup of 40,000',
  '10,000 times the same triangle',
  '10,000 times the same point',
  '20,000 on a line',
  '9,000 in a plane',
  'one cluster inside another',
]);
const meshes: [string, MeshData][] = [
  ...hardMeshes().filter(([name]) => !many.has(name)),
  ['1,000 times the same point', { positions: new Float32Array(9000).fill(3) }],
  ['600 on a line', { positions: makeSoup(600, 4).positions.map((value, i) => (i % 3 === 0 ? value : 5)) }],
  ['600 in a plane', { positions: makeSoup(600, 5).positions.map((value, i) => (i % 3 === 2 ? -0 : value)) }],
  [
    'a cluster',
    { positions: makeSoup(600, 6).positions.map((value, i) => value * 0.5 ** (Math.floor(i / 9) % 100)) },
  ],
  ['a sphere', sphere(700)],
  ['a torus far away', changed(torus(500), 1, [2 ** 20, 0, -(2 ** 18)])],
  ['a box', box()],
  ['a lattice', lattice(200, 3, 3)],
  ['no area', degenerate(4)],
  ['one triangle', unshared([0, 0, 0, 1, 0, 0, 0, 1, 0])],
  ['nothing', emptyMesh],
];

interface Ball {
  level: number;
  center: number[];
  radius: number;
  usesBox: boolean;
  ratio: number;
  halves: number[];
  leaves: number[];
}

/** Returns the spheres of a mesh, each with the leaves below its node. Also checks the flags of each node. */
function ballsOf(engine: Engine, mesh: Mesh, spheresAt: number): Ball[] {
  const {
    arena: { f32, u32 },
  } = contextOf(engine);
  const nodesAt = u32[(mesh.recordAt + MeshRecord.at.nodesAt) / 4];
  const balls: Ball[] = [];
  const childOf = (node: number, lane: number): number =>
    u32[(nodesAt + node * Node.size + Node.at.child) / 4 + lane];
  const walk = (node: number, level: number): number[] =>
    [0, 1, 2, 3].flatMap(lane => {
      const child = childOf(node, lane);
      const at = (spheresAt + node * SphereNode.size) / 4;
      const field = (name: keyof typeof SphereNode.at): number => f32[at + SphereNode.at[name] / 4 + lane];
      const flags = (nodesAt + node * Node.size + Node.at.sphereBoxes) / 4;
      const usesBox = ((u32[flags] >> lane) & 1) === 1;
      assert.is(u32[flags] >> 4, level);
      assert.is(((u32[flags + 1] >>> lane) & 0x1111) === 0x1111, usesBox);
      assert.is((u32[flags + 2] >>> (4 * lane)) & 15, usesBox ? 15 : 0);
      if (child === limits.NOTHING) {
        assert.equal([field('centerX'), field('radius'), usesBox], [Infinity, 0, false]);
        return [];
      }
      const leaves = child >= limits.LEAF_BIT ? [child - limits.LEAF_BIT] : walk(child, level + 1);
      const radius = field('radius');
      const halves = (['halfX', 'halfY', 'halfZ'] as const).map(
        name => f32[(nodesAt + node * Node.size + Node.at[name]) / 4 + lane],
      );
      const ratio = (4.1887902047863905 * radius * radius * radius) / (8 * halves[0] * halves[1] * halves[2]);
      balls.push({
        level,
        center: [field('centerX'), field('centerY'), field('centerZ')],
        radius,
        usesBox,
        ratio,
        halves,
        leaves,
      });
      return leaves;
    });
  walk(0, 0);
  return balls;
}

/**
 * Returns x, y, z of each corner of a leaf's triangles, as the mesh stores them: centered, scaled and rounded
 * to float32.
 */
function cornersOf(engine: Engine, mesh: Mesh, leaf: number): number[] {
  const {
    arena: { f32, u32 },
  } = contextOf(engine);
  const record = mesh.recordAt / 4;
  const word = (name: keyof typeof MeshRecord.at): number => record + MeshRecord.at[name] / 4;
  const leafAt = u32[word('leavesAt')] + leaf * Leaf.size;
  return [0, 1, 2, 3]
    .map(lane => u32[(leafAt + Leaf.at.id) / 4 + lane])
    .filter(id => id !== limits.NOTHING)
    .flatMap(id =>
      [0, 1, 2].flatMap(corner => {
        const vertex = u32[u32[word('indicesAt')] / 4 + 3 * id + corner];
        return [0, 1, 2].map(axis =>
          Math.fround(
            Math.fround(f32[u32[word('positionsAt')] / 4 + 3 * vertex + axis] - f32[word('centerX') + axis]) *
              f32[word('scale')],
          ),
        );
      }),
    );
}

// Returns whether a sphere contains a point. Computes in integers, without rounding.
function holds({ center, radius }: Ball, point: readonly number[]): boolean {
  const [x, y, z, px, py, pz, r] = toIntegers([...center, ...point, radius]);
  return (px - x) ** 2n + (py - y) ** 2n + (pz - z) ** 2n <= r ** 2n;
}

for (const [name, data] of meshes) {
  test(`spheres contain all corners below their nodes: ${name}`, () => {
    for (const builder of ['sah', 'morton'] as const) {
      const thresholds = [0.8, 3, 2.5, Infinity, 1.5];
      const hashes = engines.map(engine => {
        const mesh = engine.createMesh(data, { builder, volume: 's-aabb', thresholds });
        const at = new SphereTrees(contextOf(engine)).of(mesh);
        return hashBytes(contextOf(engine).arena.u8.slice(at, at + mesh.nodeCount * SphereNode.size));
      });
      assert.is(new Set(hashes).size, 1, 'the spheres depend on the number of threads');
      const mesh = singleThreaded.createMesh(data, { builder, volume: 's-aabb', thresholds });
      const balls = ballsOf(singleThreaded, mesh, new SphereTrees(contextOf(singleThreaded)).of(mesh));
      for (const ball of balls) {
        const points = ball.leaves.flatMap(leaf => cornersOf(singleThreaded, mesh, leaf));
        for (let i = 0; i < points.length; i += 3)
          assert.ok(
            holds(ball, points.slice(i, i + 3)),
            `${points.slice(i, i + 3)} in ${JSON.stringify(ball.center)}, ${ball.radius}`,
          );
        // The sphere is never larger than the sphere through the corners of the node's box.
        assert.ok(
          ball.radius <= Math.hypot(...ball.halves) * 1.00002 + 1e-20,
          `radius ${ball.radius}, half extents ${ball.halves}`,
        );
        assert.is(
          ball.usesBox,
          ball.ratio >= thresholds[Math.min(ball.level, 4)],
          `${ball.ratio} at level ${ball.level}`,
        );
      }
      mesh.dispose();
    }
  });
}

test('spheres are on average smaller than the smallest spheres around their boxes', () => {
  const mesh = singleThreaded.createMesh(sphere(2000), { volume: 's-aabb' });
  const balls = ballsOf(singleThreaded, mesh, new SphereTrees(contextOf(singleThreaded)).of(mesh));
  const part =
    balls.reduce((sum, { radius, halves }) => sum + radius / Math.hypot(...halves), 0) / balls.length;
  assert.ok(part < 0.95, String(part));
});

test('with a threshold of 0, all nodes use boxes; with Infinity, only flat nodes do', () => {
  for (const [thresholds, flat, round] of [
    [[0], true, true],
    [[Infinity], true, false],
  ] as const) {
    for (const [data, expected] of [
      [lattice(200, 3, 3), undefined],
      [{ positions: makeSoup(600, 5).positions.map((value, i) => (i % 3 === 2 ? 1 : value)) }, flat],
      [makeSoup(300, 2, 0.4), round],
    ] as const) {
      const mesh = singleThreaded.createMesh(data, { volume: 's-aabb', thresholds });
      for (const { usesBox, halves } of ballsOf(
        singleThreaded,
        mesh,
        new SphereTrees(contextOf(singleThreaded)).of(mesh),
      ))
        assert.is(usesBox, expected ?? (round || halves.includes(0)));
      mesh.dispose();
    }
  }
});

test.run();
