// Tests the collision detection of convex bodies that stands in for I-COLLIDE (Cohen, Lin, Manocha and
// Ponamgi 1995) in comparisons. This detection tracks the closest features of two bodies from frame to frame.
// In every frame, the distances of these features and the pairs of bodies that intersect must be those that
// the engine computes.

import * as assert from 'uvu/assert';
import { createEngine } from '../../dist/index.js';
import { ClosestFeatures, type PlacedShape } from '../../dist/papers/closestFeatures.js';
import { ConvexBodies } from '../../dist/papers/convexBodies.js';
import { ConvexShape } from '../../dist/papers/convexShape.js';
import {
  box,
  createRandom,
  type MeshData,
  rotation,
  sphere,
  torus,
  tumbling,
} from '../../dist/samples/index.js';
import { caught } from '../support/engines.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());

/** A long, thin tetrahedron. */
const needle: MeshData = {
  positions: Float32Array.of(0, 0, 0, 2, 0, 0, 0.1, 0.1, 0, 0.1, 0, 0.1),
  indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
};
const shapes: readonly MeshData[] = [sphere(320), box(), sphere(8), box(1, 0.02, 0.5), needle, sphere(2580)];

const rowsOf = (matrix: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: 12 }, (_, i) => matrix[4 * (i % 4) + Math.floor(i / 4)]);

function framesOf(count: number, density: number, frames: number, seed: number): Float32Array[][] {
  const matricesOf = tumbling(count, density, seed);
  return Array.from({ length: frames }, (_, frame) => {
    const matrices = matricesOf(frame);
    return Array.from({ length: count }, (__, body) => matrices.slice(16 * body, 16 * body + 16));
  });
}

test('the distances of tracked features equal those of the engine, near and far, for small and large motions between frames', () => {
  const random = createRandom(5);
  const counter = { steps: 0, dots: 0 };
  let [apart, met] = [0, 0];
  for (const dataA of shapes)
    for (const dataB of shapes) {
      const [a, b] = [dataA, dataB].map(data => engine.createMesh(data));
      const placedA: PlacedShape = { shape: new ConvexShape(dataA), rows: rowsOf(rotation([0, 0, 1], 0)) };
      const placedB: PlacedShape = { shape: new ConvexShape(dataB), rows: new Float64Array(12) };
      const features = new ClosestFeatures(placedA, placedB, counter);
      const axis = random.direction();
      const direction = random.direction();
      for (let frame = 0; frame < 40; frame++) {
        const step = frame < 30 ? 0.07 * frame : random.between(0, 3);
        const transformB = rotation(axis, 3 * step, [
          direction[0] * (3 - step),
          direction[1] * (3 - step),
          direction[2] * (3 - step),
        ]);
        placedB.rows.set(rowsOf(transformB));
        const relation = features.update();
        const { distance } = engine.distance(a, b, { transformB })!;
        if (relation === 'apart') {
          apart++;
          assert.ok(Math.abs(features.distance - distance) < 1e-4 * distance + 1e-9);
        } else if (relation === 'meet') {
          met++;
          assert.is(features.distance, 0);
        } else assert.ok(distance < 1e-3, `unsure at a distance of ${distance}`);
      }
    }
  assert.ok(apart > 500 && met > 100, `${apart} ${met}`);
});

test('the pairs of bodies that intersect are those of the engine in all frames', () => {
  for (const [density, seed] of [
    [0.12, 31],
    [0.6, 2],
    [0.01, 3],
  ] as const) {
    // None of these bodies fits into another, so two bodies intersect only if their surfaces do.
    const used = [sphere(320), box(0.8, 0.8, 0.8), sphere(2580)];
    const meshOf = Array.from({ length: 31 }, (_, body) => body % used.length);
    const bodies = new ConvexBodies(engine, used, meshOf);
    const meshes = used.map(data => engine.createMesh(data));
    for (const frame of framesOf(31, density, 60, seed)) {
      const all = frame.flatMap((_, i) => frame.slice(i + 1).map((__, k) => [i, i + 1 + k]));
      const hits = engine.queryMany({
        pairs: all.map(([i, j]) => ({
          a: meshes[meshOf[i]],
          b: meshes[meshOf[j]],
          transformA: frame[i],
          transformB: frame[j],
        })),
        want: 'any',
      });
      assert.equal(bodies.detect(frame), all.filter((_, k) => hits[k] === 1).flat());
    }
    assert.ok(bodies.counters.nearPairs > 0 && bodies.counters.queries < bodies.counters.nearPairs / 10);
    bodies.dispose();
  }
});

test('a search that starts from the features of the previous frame takes few steps', () => {
  const bodies = new ConvexBodies(engine, [sphere(2580)], new Array(31).fill(0));
  for (const frame of framesOf(31, 0.12, 60, 31)) bodies.detect(frame);
  const { steps, nearPairs, dots } = bodies.counters;
  assert.ok(steps / nearPairs < 6, `${steps / nearPairs} steps`);
  // Each body has 1,292 vertices, but a step of the search visits only a few of them.
  assert.ok(dots / steps < 60, `${dots / steps} dot products`);
  bodies.dispose();
});

test('touching bodies intersect, and so do a body and another body inside it', () => {
  const bodies = new ConvexBodies(engine, [box()], [0, 0, 0]);
  const at = (x: number) => rotation([0, 0, 1], 0, [x, 0, 0]);
  assert.equal(bodies.detect([at(0), at(2), at(4 + 1e-6)]), [0, 1]);
  assert.ok(bodies.counters.queries >= 1);
  // Bodies are solids here: a body that is inside another body intersects it.
  const nested = new ConvexBodies(engine, [box(), box(3, 3, 3)], [0, 1]);
  assert.equal(nested.detect([at(0), at(0.5)]), [0, 1]);
  bodies.dispose();
  nested.dispose();
});

test('zero bodies or one body give no pairs; a mesh that is not convex or not closed is rejected', () => {
  for (const count of [0, 1]) {
    const bodies = new ConvexBodies(engine, [box()], new Array(count).fill(0));
    const placements = new Array(count).fill(rotation([0, 0, 1], 0));
    assert.equal(bodies.detect(placements), []);
    assert.equal(bodies.detect(placements), []);
    bodies.dispose();
  }
  const open = { ...box(), indices: box().indices.slice(3) };
  for (const data of [torus(200), open]) assert.is(caught(() => new ConvexShape(data)).code, 'Unsupported');
});

test.run();
