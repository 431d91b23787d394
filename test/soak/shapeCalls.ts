// Defines the random calls of the soak test that cast rays or shapes, find what a shape at rest overlaps, query
// points, or compute contact points.

import * as assert from 'uvu/assert';
import type { Box, Mesh, OverlappingTriangles, Scene } from '../../dist/index.js';
import { rotation, translation } from '../../dist/samples/index.js';
import {
  type Cast,
  castWith,
  checkCast,
  hardCasts,
  type Target,
  targetsOf,
  WorstErrors,
} from '../casts/castTruth.js';
import { boxOverlaps, overlaps, type SlowBox } from '../casts/slowShapes.js';
import { lowestNearest, squaredDistances } from '../oracle/closestPoint.js';
import { toIntegers } from '../oracle/integers.js';
import { place } from '../oracle/place.js';
import { type Soup, windingBeyond } from '../oracle/windings.js';
import { hardRays, split, trueHits } from '../rays/rayTruth.js';
import {
  type Call,
  choose,
  noteResultOrError,
  type Part,
  pairCall,
  placement,
  type Transform,
  truthOf,
} from './callSupport.js';
import { type NastyMesh, sizeOf } from './nastyMeshes.js';

/** The number of rays or points of a call. */
const COUNT = 6;
/**
 * Tolerance of hits, relative to the largest magnitude of the coordinates, the radius and the motion. It is
 * larger than in castTruth.ts, because needles need a larger tolerance than other triangles.
 */
const TOLERANCE = 2 ** -18;

/** What rays or shapes are cast at: a mesh or a scene, and its bodies. A mesh is one body without an id. */
interface QueryTarget {
  at: Mesh | Scene;
  bodies: { part: Part; transform: Transform; id: number | undefined }[];
}

/** Chooses a mesh, or makes a scene of up to three bodies, and calls `run` with it. */
function withTarget({ engine, random, parts }: Call, run: (target: QueryTarget) => void): void {
  if (random.below(2) === 0) {
    const part = choose(random, parts);
    return run({ at: part.mesh, bodies: [{ part, transform: undefined, id: undefined }] });
  }
  const scene = engine.createScene();
  const bodies = Array.from({ length: 1 + random.below(3) }, () => {
    const part = choose(random, parts);
    const transform = placement(random, part);
    return { part, transform, id: scene.add(part.mesh, { transform }) };
  });
  try {
    run({ at: scene, bodies });
  } finally {
    scene.dispose();
  }
}

const recipesOf = ({ bodies }: QueryTarget): string => bodies.map(({ part }) => part.data.recipe).join('; ');
const trianglesOf = ({ bodies }: QueryTarget): Target[] =>
  bodies.flatMap(({ part, transform, id }) => targetsOf(part.data, transform, id));
const sizeOfFirst = ({ bodies }: QueryTarget): number => sizeOf(bodies[0]!.part.data);

/** Makes a cast that is hard to decide. isSphere: its capsule is a sphere. */
function hardCast({ random }: Call, target: QueryTarget, isSphere: boolean): Cast {
  const cast = choose(random, hardCasts(trianglesOf(target), 10, random, sizeOfFirst(target)));
  return isSphere ? { ...cast, end: cast.start } : cast;
}

function castCapsule(call: Call, isSphere: boolean): void {
  withTarget(call, target => {
    const cast = hardCast(call, target, isSphere);
    const options = { ignoreSeparating: call.random.below(2) === 0 };
    noteResultOrError(call, () => {
      const hit = castWith(call.engine, target.at, cast, options, isSphere);
      if (call.isChecked)
        checkCast(call.engine, target.at, trianglesOf(target), cast, new WorstErrors(), options, TOLERANCE);
      return hit;
    });
  });
}

/** Runs the overlap test `find`. Compares its triangles with those for which `isHit` returns true. */
function overlap(
  call: Call,
  target: QueryTarget,
  find: (options: { want: 'all' }) => OverlappingTriangles,
  isHit: (corners: Float64Array) => boolean,
): void {
  noteResultOrError(call, () => {
    const found = find({ want: 'all' });
    assert.is(find({ want: 'any' } as never), found.count > 0, recipesOf(target));
    if (call.isChecked) {
      const expected = trianglesOf(target)
        .filter(({ corners }) => isHit(corners))
        .map(({ body, triangle }): [body: number, triangle: number] => [body ?? -1, triangle])
        .sort((one, two) => one[0] - two[0] || one[1] - two[1]);
      const pairs = Array.from(found.triangle, (triangle, i) => [found.body?.[i] ?? -1, triangle]);
      assert.equal(pairs, expected, recipesOf(target));
    }
    return [[...found.triangle], [...(found.body ?? [])]];
  });
}

function overlapCapsule(call: Call, isSphere: boolean): void {
  withTarget(call, target => {
    const { start, end, radius } = hardCast(call, target, isSphere);
    overlap(
      call,
      target,
      options =>
        isSphere
          ? call.engine.overlapSphere(target.at, { center: start, radius }, options)
          : call.engine.overlapCapsule(target.at, { start, end, radius }, options),
      corners => overlaps({ start, end, radius }, corners),
    );
  });
}

/** Makes a box near a vertex of the target. Often, the vertex is on a corner, an edge or a face of the box. */
function hardBox({ random }: Call, target: QueryTarget): { box: Box; slow: SlowBox } {
  const [x, y, z] = choose(random, trianglesOf(target)).corners;
  const size = sizeOfFirst(target);
  const halfExtents = [0, 1, 2].map(() => size * [0.25, 0.5, random.between(0.01, 1)][random.below(3)]!);
  const center = halfExtents.map(half => half * [1, -1, 0, random.between(-1.5, 1.5)][random.below(4)]!);
  const shift: [number, number, number] = [x!, y!, z!];
  const transform =
    random.below(2) === 0
      ? translation(shift)
      : rotation([0.6, 0, 0.8], choose(random, [0, Math.PI / 2, random.between(0, 6)]), shift);
  // The reference tests a box whose center and half axes are rounded as in the engine.
  const axes = [0, 1, 2].flatMap(i => [0, 1, 2].map(row => transform[4 * i + row]! * halfExtents[i]!));
  const slow = { center: [...place(Float64Array.from(center), transform)], axes };
  return { box: { halfExtents, center, transform }, slow };
}

/** Makes points on vertices, between vertices, near vertices and anywhere. */
function hardPoints({ random }: Call, data: NastyMesh): Float64Array {
  const size = sizeOf(data);
  const vertex = (): number[] => {
    const at = 3 * choose(random, [...data.indices]);
    return [...data.positions.subarray(at, at + 3)];
  };
  const makers = [
    vertex,
    () => {
      const [a, b] = [vertex(), vertex()];
      return a.map((value, i) => (value + b[i]!) / 2);
    },
    () => vertex().map(value => value + size * random.between(-0.5, 0.5)),
    () => random.direction().map(value => value * size * random.between(0, 3)),
  ];
  const points = Array.from({ length: COUNT }, () => choose(random, makers)());
  // A coordinate with a magnitude below 2^-96 must be a float32 number.
  return Float64Array.from(points.flat(), value => (Math.abs(value) < 2 ** -96 ? Math.fround(value) : value));
}

/** Returns whether a point is inside a closed mesh or on its surface. */
function isInside({ positions, indices }: NastyMesh, point: Float64Array): boolean {
  if (squaredDistances({ positions, indices }, point).squares.some(({ above }) => above === 0n)) return true;
  const integers = toIntegers([...positions, ...point]);
  const at = (vertex: number) => integers.slice(3 * vertex, 3 * vertex + 3) as [bigint, bigint, bigint];
  const triangles = Array.from({ length: indices.length / 3 }, (_, i) => {
    const [a, b, c] = indices.subarray(3 * i, 3 * i + 3);
    return [at(a!), at(b!), at(c!)] as const;
  });
  // With infinite boxes, no triangle is skipped.
  const boxes = Float64Array.from({ length: 6 * triangles.length }, (_, i) =>
    i % 6 < 3 ? -Infinity : Infinity,
  );
  const soup: Soup = { triangles, boxes, unit: 1 };
  return windingBeyond(soup, { at: at(positions.length / 3), under: 1n }, 0, 1n) !== 0;
}

export const shapeCalls: Record<string, (call: Call) => void> = {
  castRays(call) {
    withTarget(call, target => {
      const { engine, random, note } = call;
      const rays = hardRays(target.bodies[0]!.part.data, COUNT, random.bits());
      const { origins, directions } = split(rays);
      const side = choose(random, ['both', 'front', 'back'] as const);
      const closest = engine.castRays(target.at, origins, directions, { side });
      const counts = engine.castRays(target.at, origins, directions, { side, want: 'count' });
      note(closest.triangle, closest.t, closest.body ?? new Uint32Array(0), counts);
      if (!call.isChecked) return;
      const bodies = target.bodies.map(({ part, transform, id = 0 }) => ({ mesh: part.data, transform, id }));
      counts.forEach((count, i) => {
        const ray = rays.subarray(6 * i, 6 * i + 6);
        const hits = trueHits(bodies, ray, Infinity, side);
        const what = `castRays: ray ${ray.join()}, ${side} (${recipesOf(target)})`;
        assert.is(count, hits.length, what);
        assert.is(closest.triangle[i], hits[0]?.triangle ?? -1, what);
        assert.is(closest.t[i], hits[0]?.t ?? Infinity, what);
        if (closest.body && hits[0]) assert.is(closest.body[i], hits[0].body, what);
      });
    });
  },
  closestPoints(call) {
    const { data, mesh } = choose(call.random, call.parts);
    const points = hardPoints(call, data);
    const signed = call.random.below(2) === 0;
    noteResultOrError(call, () => {
      const { triangle, position, distance } = call.engine.closestPoints(mesh, points, { signed });
      call.note(triangle, position, distance);
      if (!call.isChecked) return;
      triangle.forEach((nearest, i) => {
        const point = points.subarray(3 * i, 3 * i + 3);
        const { squares } = squaredDistances(data, point);
        const what = `closestPoints: ${point.join()} (${data.recipe})`;
        assert.is(nearest, lowestNearest(squares), what);
        assert.is(distance[i] === 0, squares[nearest]!.above === 0n, what);
      });
    });
  },
  containsPoints(call) {
    const { data, mesh } = choose(call.random, call.parts);
    const points = hardPoints(call, data);
    noteResultOrError(call, () => {
      const inside = call.engine.containsPoints(mesh, points);
      call.note(inside);
      if (!call.isChecked) return;
      inside.forEach((side, i) => {
        const point = points.subarray(3 * i, 3 * i + 3);
        assert.is(side === 1, isInside(data, point), `containsPoints: ${point.join()} (${data.recipe})`);
      });
    });
  },
  castSphere: call => castCapsule(call, true),
  castCapsule: call => castCapsule(call, false),
  castMesh(call) {
    withTarget(call, target => {
      const { engine, random } = call;
      const part = choose(random, call.parts);
      const transform = placement(random, part);
      const motion = random.direction().map(value => value * sizeOf(part.data) * random.between(0, 3));
      noteResultOrError(call, () => {
        const hit = engine.castMesh(target.at, part.mesh, motion, { transform });
        if (call.isChecked) {
          // Only contacts at the start are compared with an exact reference.
          const isHitAtStart = target.bodies.some(
            body =>
              truthOf({ a: body.part, b: part, transformA: body.transform, transformB: transform }).length >
              0,
          );
          if (isHitAtStart) assert.is(hit?.t, 0, `castMesh: ${part.data.recipe}; ${recipesOf(target)}`);
        }
        return hit;
      });
    });
  },
  overlapSphere: call => overlapCapsule(call, true),
  overlapCapsule: call => overlapCapsule(call, false),
  overlapBox(call) {
    withTarget(call, target => {
      const { box, slow } = hardBox(call, target);
      overlap(
        call,
        target,
        options => call.engine.overlapBox(target.at, box, options),
        corners => boxOverlaps(slow, corners),
      );
    });
  },
  contacts(call) {
    const pair = pairCall(call);
    const { a, b, transformA, transformB } = pair;
    const found = call.engine.contacts(a.mesh, b.mesh, { transformA, transformB });
    const { manifoldsAt, pointsAt, normals, points, depths, features } = found;
    call.note(manifoldsAt, pointsAt, normals, points, depths, features);
    if (call.isChecked && found.count > 0 !== truthOf(pair).length > 0)
      throw new Error(`contacts: ${found.count} manifolds (${a.data.recipe}; ${b.data.recipe})`);
  },
};
