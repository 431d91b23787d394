// Casts rays at lists of placed triangles in exact arithmetic, and makes rays that are hard to decide.

import { createRandom, type MeshData, type Random } from '../../dist/samples/index.js';
import { nearestDouble } from '../oracle/commonSet.js';
import { compare, type Fraction } from '../oracle/fractions.js';
import { placeTriangles } from '../oracle/place.js';
import { exactly, facing, firstParameter } from '../oracle/rayHit.js';

export interface TrueHit {
  body: number;
  triangle: number;
  exact: Fraction;
  t: number;
}

export interface TruthBody {
  mesh: { positions: Float32Array | Float64Array; indices: Uint32Array };
  transform?: ArrayLike<number>;
  id: number;
}

/** Returns all hits of a ray (six numbers), sorted by the exact parameter, the body and the triangle. */
export function trueHits(
  bodies: readonly TruthBody[],
  ray: ArrayLike<number>,
  max = Infinity,
  side: 'both' | 'front' | 'back' = 'both',
): TrueHit[] {
  const wanted = { both: 0, front: -1, back: 1 }[side];
  return bodies
    .flatMap(({ mesh, transform, id }) => {
      const corners = placeTriangles(mesh as never, transform);
      return Array.from({ length: mesh.indices.length / 3 }, (_, triangle) => {
        const own = corners.subarray(9 * triangle, 9 * triangle + 9);
        const exact = firstParameter(ray, own);
        if (!exact || (max !== Infinity && compare(exact, exactly(max)) > 0)) return [];
        if (wanted !== 0 && facing(ray, own) !== wanted) return [];
        return [{ body: id, triangle, exact, t: nearestDouble(exact.over, exact.under, 0) }];
      }).flat();
    })
    .sort((a, b) => compare(a.exact, b.exact) || a.body - b.body || a.triangle - b.triangle);
}

/**
 * Makes rays that start at, or pass through, vertices, edges and planes of a mesh, and random rays: six numbers
 * per ray.
 */
export function hardRays({ positions, indices }: MeshData, count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const vertex = (): number[] => {
    const at = 3 * indices[random.below(indices.length)];
    return [positions[at], positions[at + 1], positions[at + 2]];
  };
  const between = (a: number[], b: number[], share: number): number[] =>
    a.map((value, i) => Math.fround(value + share * (b[i] - value)));
  const corner = (triangle: number, k: number): number[] => {
    const at = 3 * indices[3 * triangle + k];
    return [positions[at], positions[at + 1], positions[at + 2]];
  };
  const difference = (a: number[], b: number[]): number[] => a.map((value, i) => Math.fround(b[i] - value));
  const outside = (): number[] => vertex().map(value => Math.fround(value + random.between(-4, 4)));
  const makers: ((random: Random) => number[])[] = [
    // From outside through a vertex, the middle of an edge, or a point of an edge.
    () => aimed(outside(), vertex()),
    () => {
      const triangle = random.below(indices.length / 3);
      return aimed(outside(), between(corner(triangle, 0), corner(triangle, 1), 0.5));
    },
    () => {
      const triangle = random.below(indices.length / 3);
      return aimed(outside(), between(corner(triangle, 1), corner(triangle, 2), random.between(0, 1)));
    },
    // From vertex to vertex, along an edge, and in the plane of a triangle.
    () => aimed(vertex(), vertex()),
    () => {
      const triangle = random.below(indices.length / 3);
      return aimed(corner(triangle, 0), corner(triangle, 1));
    },
    () => {
      const triangle = random.below(indices.length / 3);
      const [a, b, c] = [0, 1, 2].map(k => corner(triangle, k));
      const ab = difference(a, b);
      return [...b.map((value, i) => value + 2 * ab[i]), ...difference(b, between(a, c, 0.5))];
    },
    // Parallel to an axis, through a vertex.
    () => {
      const axis = random.below(3);
      const origin = vertex();
      origin[axis] -= 8;
      return [...origin, ...[0, 1, 2].map(i => (i === axis ? 1 : 0))];
    },
    () => aimed(outside(), outside()),
  ];
  const aimed = (from: number[], to: number[]): number[] => [...from, ...difference(from, to)];
  const rays: number[] = [];
  for (let i = 0; i < count; i++) {
    const ray = makers[i % makers.length](random);
    if (ray.slice(3).every(value => value === 0)) ray[3 + random.below(3)] = 1;
    rays.push(...ray);
  }
  return Float32Array.from(rays);
}

/** Splits rays of six numbers into origins and directions. */
export function split<Numbers extends Float32Array | Float64Array>(
  rays: Numbers,
): { origins: Numbers; directions: Numbers } {
  const part = (from: number): Numbers => rays.filter((_, i) => i % 6 >= from && i % 6 < from + 3) as Numbers;
  return { origins: part(0), directions: part(3) };
}
