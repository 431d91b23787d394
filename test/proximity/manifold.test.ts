// Compares distances of closed, rotated, disjoint solids with those that the library manifold-3d computes
// (minGap).

import openManifold from 'manifold-3d';
import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { box, createRandom, type MeshData, rotation, sphere, torus } from '../../dist/samples/index.js';
import { dataTest } from '../support/data.js';
import { readObj } from '../support/meshFile.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 2 });
test.after(() => engine.dispose());
const module = await openManifold();
module.setup();
const { Manifold, Mesh } = module;

/**
 * Max allowed difference of the two distances, relative to the distance between the origins of the two
 * solids. Both libraries compute in doubles, from the same float32 vertices.
 */
const TOLERANCE = 1e-13;

type Solid = InstanceType<typeof Manifold>;

function solidOf({ positions, indices }: MeshData): Solid {
  const mesh = new Mesh({ numProp: 3, vertProperties: positions, triVerts: indices });
  mesh.merge();
  const solid = new Manifold(mesh);
  assert.is(solid.status(), 'NoError');
  return solid;
}

/**
 * Compares the distances in random placements. @returns the max difference, relative to the distance between
 * the origins of the two solids
 */
function compare(first: MeshData, second: MeshData, iterations: number, seed: number): number {
  using a = engine.createMesh(first);
  using b = engine.createMesh(second);
  const solids = [solidOf(first), solidOf(second)] as const;
  const random = createRandom(seed);
  const size = Math.max(...a.bounds.map(Math.abs), ...b.bounds.map(Math.abs));
  assert.is(solids[0].numTri(), a.triangleCount);
  let worst = 0;
  for (let iteration = 0; iteration < iterations; iteration++) {
    const direction = random.direction();
    const rotated = rotation(random.direction(), random.between(0, 7));
    const wayTo = (way: number): Float64Array =>
      rotated.map((value, at) => (at > 11 && at < 15 ? way * direction[at - 12] : value));
    // Moves the solids closer, because manifold's search is slow if many triangles are within its search
    // length. After a move by nine tenths of their distance, the solids are still disjoint.
    let way = random.between(2.5, 6) * size;
    way -= 0.9 * engine.distance(a, b, { transformB: wayTo(way) })!.distance;
    const { distance } = engine.distance(a, b, { transformB: wayTo(way) })!;
    const placed = solids[1].transform([...wayTo(way)] as never);
    const theirs = solids[0].minGap(placed, 1.01 * distance);
    placed.delete();
    worst = Math.max(worst, Math.abs(distance - theirs) / way);
    assert.ok(distance > 0);
  }
  for (const solid of solids) solid.delete();
  return worst;
}

const solids = { box: box(1, 0.5, 2), sphere: sphere(300), torus: torus(400) };
for (const [name, first] of Object.entries(solids)) {
  for (const [other, second] of Object.entries(solids)) {
    test(`${name} and ${other} have the distance that manifold-3d computes`, () => {
      const worst = compare(first, second, 20, 3);
      assert.ok(worst < TOLERANCE, `relative error ${worst}`);
    });
  }
}

dataTest('real meshes have the distance that manifold-3d computes', () => {
  const worst = compare(readObj('mesh/spot.obj.gz'), readObj('mesh/cow.obj.gz'), 6, 5);
  assert.ok(worst < TOLERANCE, `relative error ${worst}`);
});

test.run();
