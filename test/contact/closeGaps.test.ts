// Tests `closeGaps`: the result is closed, by a count of edges that shares no code with the engine; the given
// triangles stay; narrow gaps are closed with little area; wide gaps are not closed.

import * as assert from 'uvu/assert';
import { readParts } from '../../dist/formats/readParts.js';
import {
  type CloseGapsOptions,
  createEngine,
  Disposed,
  type DoubleMeshData,
  type MeshData,
  Unsupported,
} from '../../dist/index.js';
import { createRandom, rotation, soup, sphere } from '../../dist/samples/index.js';
import { dataPath, dataTest } from '../support/data.js';
import { withEngine } from '../support/engines.js';
import { test } from '../support/test.js';
import { crackedBox, crackedCylinder } from './crackedSolids.js';
import { block, type Solid } from './solids.js';

const engine = await createEngine({ threads: 1 });
test.after(() => engine.dispose());
const closeGaps = (data: MeshData | DoubleMeshData, options?: CloseGapsOptions) => {
  using mesh = engine.createMesh(data);
  return engine.closeGaps(mesh, options);
};

/** Counts the edges that are not used equally often in both directions, by the texts of their coordinates. */
function openEdges(positions: ArrayLike<number>, indices: ArrayLike<number>): number {
  const nameOf = (corner: number): string =>
    [0, 1, 2].map(axis => positions[3 * indices[corner] + axis] + 0).join(' ');
  const uses = new Map<string, number>();
  for (let i = 0; i < indices.length; i++) {
    const [from, to] = [nameOf(i), nameOf(i % 3 === 2 ? i - 2 : i + 1)];
    if (from === to) continue;
    const key = from < to ? `${from}, ${to}` : `${to}, ${from}`;
    uses.set(key, (uses.get(key) ?? 0) + (from < to ? 1 : -1));
  }
  return [...uses.values()].filter(count => count !== 0).length;
}

/** Closes a mesh, and checks the result. @returns the result */
function close(mesh: Solid, options?: { maxArea: number }): { indices: Uint32Array; addedArea: number } {
  const closed = closeGaps(mesh, options);
  assert.ok(closed, 'the gaps are too large');
  assert.is(openEdges(mesh.positions, closed.indices), 0);
  assert.is(closed.openEdges, openEdges(mesh.positions, mesh.indices));
  assert.equal(closed.indices.slice(0, mesh.indices.length), mesh.indices);
  const { indices } = closed;
  for (let i = mesh.indices.length; i < indices.length; i += 3)
    assert.is(new Set(indices.slice(i, i + 3)).size, 3, 'an added triangle has two equal corners');
  return closed;
}

function hasArea(positions: Float32Array, indices: Uint32Array): boolean {
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map(corner =>
      [0, 1, 2].map(axis => positions[3 * indices[i + corner] + axis]),
    );
    for (const [u, v] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ])
      if ((b[u] - a[u]) * (c[v] - a[v]) !== (b[v] - a[v]) * (c[u] - a[u])) return true;
  }
  return false;
}

/** Turns points around the diagonal, so that coordinates of shared edges are rounded. */
const turned = (point: number[]): number[] => {
  const m = rotation([1, 1, 1], 0.7);
  return [0, 1, 2].map(axis => m[axis] * point[0] + m[4 + axis] * point[1] + m[8 + axis] * point[2]);
};

test('a box of separate faces is closed', async () => {
  const whole = block([0, 0, 0], [3, 4, 5]);
  const cracked = crackedBox([0, 0, 0], [3, 4, 5]);
  assert.ok(openEdges(cracked.positions, cracked.indices) > 40);
  const closed = close(cracked);
  assert.is(closed.addedArea, 0);
  await withEngine({ threads: 1 }, engine => {
    const bullet = engine.createMesh(block([1, 1, 4], [2, 2, 7]));
    const figures = { overlapDepth: true, volume: true } as const;
    const expected = engine.classify(engine.createMesh(whole), bullet, figures);
    const mesh = engine.createMesh({ positions: cracked.positions, indices: closed.indices });
    const found = engine.classify(mesh, bullet, figures);
    assert.is(engine.classify(engine.createMesh(cracked), bullet, figures).volume, undefined);
    assert.is(found.class, 'hard');
    for (const figure of ['overlapDepth', 'volume'] as const) {
      assert.ok(found[figure]!.lower <= expected[figure]!.upper, figure);
      assert.ok(found[figure]!.upper >= expected[figure]!.lower, figure);
    }
    assert.ok(engine.contains(mesh, engine.createMesh(block([1, 1, 1], [2, 2, 2]))));
  });
});

test('rounded and shifted vertices are joined across the gaps', () => {
  const box = close(crackedBox([100, 200, 300], [3, 4, 5], turned));
  assert.ok(box.addedArea < 1e-5, `${box.addedArea}`);
  // The two circles at each end have no vertex in common.
  const cylinder = close(crackedCylinder(1, 3, 300, 1e-4));
  assert.ok(cylinder.addedArea < 1e-4, `${cylinder.addedArea}`);
});

test('double coordinates are used as they are', () => {
  const { positions, indices } = crackedBox([1, 2, 3], [3, 4, 5]);
  const doubles = Float64Array.from(positions, (value, i) => value + i * 1e-12);
  const closed = closeGaps({ positions: doubles, indices });
  assert.ok(closed);
  assert.is(openEdges(doubles, closed.indices), 0);
  assert.is(closed.openEdges, openEdges(doubles, indices));
});

test('a closed mesh gets no triangles', () => {
  const mesh = sphere(200) as Solid;
  assert.equal(closeGaps(mesh), { indices: mesh.indices, openEdges: 0, addedArea: 0 });
  assert.equal(closeGaps({ positions: new Float32Array() })?.indices.length, 0);
});

test('missing faces and sheets are not closed, unless maxArea permits it', () => {
  const { positions, indices } = block([0, 0, 0], [1, 1, 1]);
  const lidless = { positions, indices: indices.slice(6) };
  assert.is(closeGaps(lidless), undefined);
  const closed = close(lidless, { maxArea: 1 });
  assert.is(closed.indices.length, 36);
  assert.ok(Math.abs(closed.addedArea - 1 / 5) < 1e-12);
  const sheet = { positions, indices: indices.slice(0, 6) };
  assert.is(closeGaps(sheet, { maxArea: 0.99 }), undefined);
  assert.is(close(sheet, { maxArea: 1 }).addedArea, 1);
  assert.is(closeGaps({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0) }), undefined);
});

test('any triangles are closed: soups, repeated and flipped triangles, common edges', () => {
  const random = createRandom(26);
  let closedCount = 0;
  for (let round = 0; round < 300; round++) {
    const vertexCount = 3 + random.below(10);
    const positions = Float32Array.from({ length: 3 * vertexCount }, () => random.below(4));
    const length = 3 * (1 + random.below(20));
    const indices = Uint32Array.from({ length }, () => random.below(vertexCount));
    // Triangles without area have no share of it.
    if (hasArea(positions, indices)) closedCount++;
    else continue;
    close({ positions, indices }, { maxArea: 1e300 });
  }
  assert.ok(closedCount > 250, `${closedCount}`);
  close(soup(500, 3) as Solid, { maxArea: 1e300 });
});

test('large loops are divided, and very large ones are refused', () => {
  const tube = (sides: number): Solid => {
    const { positions, indices } = crackedCylinder(1, 1, sides, 0);
    return { positions, indices: indices.filter((_, i) => i % 12 < 6) };
  };
  const closed = close(tube(1000), { maxArea: 1 });
  // Two disks of radius 1, beside a side of area 2 pi.
  assert.ok(Math.abs(closed.addedArea - 1) < 0.01, `${closed.addedArea}`);
  // Coarser vertices are joined first, so that the loops become smaller.
  assert.ok(closeGaps(tube(5000), { maxArea: 1 }));
  assert.is(closeGaps(tube(5000), { maxArea: 0.5 }), undefined);
});

test('invalid meshes and options are rejected', async () => {
  const data = block([0, 0, 0], [1, 1, 1]);
  const mesh = engine.createMesh(data);
  const reject = (run: () => unknown, type: new (...args: never[]) => Error, text: RegExp): void =>
    assert.throws(run, (error: unknown) => error instanceof type && text.test((error as Error).message));
  reject(() => engine.closeGaps(mesh, { maxArea: -1 }), Unsupported, /maxArea is -1/);
  reject(() => engine.closeGaps(mesh, { area: 1 } as CloseGapsOptions), Unsupported, /area/);
  reject(() => (engine.closeGaps as (...args: unknown[]) => unknown)(mesh, {}, 1), Unsupported, /closeGaps/);
  await withEngine({ threads: 1 }, other => {
    reject(() => other.closeGaps(mesh), Unsupported, /another engine/);
  });
  mesh.dispose();
  reject(() => engine.closeGaps(mesh), Disposed, /disposed/);
});

dataTest('every open part of a CAD assembly is closed with less than a thousandth of its area', async () => {
  let count = 0;
  const checked = new Set<unknown>();
  for (const { positions, indices } of await readParts(dataPath('assembly/2CylinderEngine.glb'))) {
    if (checked.has(indices)) continue;
    checked.add(indices);
    const closed = close({ positions, indices });
    if (closed.indices.length === indices.length) continue;
    count++;
    assert.ok(closed.addedArea < 1e-3, `${closed.addedArea}`);
    // The engine agrees that the mesh is closed: `contains` throws otherwise.
    using mesh = engine.createMesh({ positions, indices: closed.indices });
    engine.contains(mesh, mesh);
  }
  assert.is(count, 16);
});

test.run();
