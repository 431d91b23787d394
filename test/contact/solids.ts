// Makes small test solids (closed meshes), open meshes and placements. Coordinates are small integers, so
// that the meshes touch, contain and cut each other in many ways.

import type { Random } from '../../dist/samples/index.js';

export interface Solid {
  positions: Float32Array;
  indices: Uint32Array;
}
type Point = readonly [number, number, number];

/** Makes a box between two corners, with faces that point outward. */
export function block(minimum: Point, maximum: Point): Solid {
  const positions = Float32Array.from(
    { length: 24 },
    (_, i) => ((((i / 3) | 0) >> (i % 3)) & 1 ? maximum : minimum)[i % 3],
  );
  return {
    positions,
    indices: Uint32Array.of(
      0,
      2,
      1,
      1,
      2,
      3,
      4,
      5,
      6,
      5,
      7,
      6,
      0,
      1,
      4,
      1,
      5,
      4,
      2,
      6,
      3,
      3,
      6,
      7,
      0,
      4,
      2,
      2,
      4,
      6,
      1,
      3,
      5,
      3,
      7,
      5,
    ),
  };
}

/** Makes a tetrahedron with faces that point outward; it is flat if the points are coplanar. */
export function tetrahedron(points: readonly Point[]): Solid {
  const [a, b, c, d] = points;
  const minus = (p: Point): Point => [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
  const [u, v, w] = [minus(b), minus(c), minus(d)];
  const volume =
    (u[1] * v[2] - u[2] * v[1]) * w[0] +
    (u[2] * v[0] - u[0] * v[2]) * w[1] +
    (u[0] * v[1] - u[1] * v[0]) * w[2];
  return {
    positions: Float32Array.from(points.flat()),
    indices:
      volume < 0
        ? Uint32Array.of(0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0)
        : Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
  };
}

/** Joins solids into one mesh. */
export function together(...parts: readonly Solid[]): Solid {
  let first = 0;
  const indices = parts.flatMap(part => {
    const shifted = Array.from(part.indices, vertex => vertex + first);
    first += part.positions.length / 3;
    return shifted;
  });
  return {
    positions: Float32Array.from(parts.flatMap(({ positions }) => [...positions])),
    indices: Uint32Array.from(indices),
  };
}

/** Returns the same surface with reversed orientation. */
export const insideOut = ({ positions, indices }: Solid): Solid => ({
  positions,
  indices: indices.map((_, i) => indices[i - (i % 3) + [0, 2, 1][i % 3]]),
});

/** Returns the triangles in a seeded order, each with its own vertices. */
export function shuffled({ positions, indices }: Solid, random: Random): Solid {
  const triangles = Array.from({ length: indices.length / 3 }, (_, i) =>
    [0, 1, 2].map(corner => indices[3 * i + ((corner + i) % 3)]),
  );
  for (let i = triangles.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [triangles[i], triangles[j]] = [triangles[j], triangles[i]];
  }
  return {
    positions: Float32Array.from(
      triangles.flat().flatMap(vertex => [...positions.subarray(3 * vertex, 3 * vertex + 3)]),
    ),
    indices: Uint32Array.from({ length: indices.length }, (_, i) => i),
  };
}

const without = ({ positions, indices }: Solid, triangle: number): Solid => ({
  positions,
  indices: indices.filter((_, i) => ((i / 3) | 0) !== triangle),
});

/**
 * Makes a random solid or open mesh with integer coordinates from 0 to `span`. Solids with a cavity have
 * coordinates from -1 to `span` + 1.
 */
export function randomSolid(random: Random, span: number): Solid {
  const corner = (): Point => [random.below(span + 1), random.below(span + 1), random.below(span + 1)];
  const randomBlock = (): Solid => {
    const minimum = [0, 1, 2].map(() => random.below(span)) as unknown as Point;
    return block(minimum, minimum.map(value => value + 1 + random.below(span - value)) as unknown as Point);
  };
  switch (random.below(9)) {
    case 0:
    case 1:
      return randomBlock();
    case 2:
      return tetrahedron([corner(), corner(), corner(), corner()]);
    case 3:
      return together(randomBlock(), randomBlock());
    case 4:
      return together(tetrahedron([corner(), corner(), corner(), corner()]), randomBlock());
    case 5:
      return together(block([-1, -1, -1], [span + 1, span + 1, span + 1]), insideOut(randomBlock()));
    case 6:
      return insideOut(randomBlock());
    case 7:
      return without(randomBlock(), random.below(12));
    default:
      return {
        positions: Float32Array.from([corner(), corner(), corner(), corner()].flat()),
        indices: Uint32Array.of(0, 1, 2, 1, 3, 2),
      };
  }
}

const rotations: readonly (readonly number[])[] = [
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [0, 1, 0, -1, 0, 0, 0, 0, 1],
  [0, 0, 1, 1, 0, 0, 0, 1, 0],
  [1, 0, 0, 0, 0, 1, 0, -1, 0],
];
const bends: readonly (readonly number[])[] = [
  [-1, 0, 0, 0, 1, 0, 0, 0, 1],
  [1, 0, 0, 1, 1, 0, 0, 0, 1],
  [2, 0, 0, 0, 0.5, 0, 0, 0, 1],
  [1, 0, 0, 0, 1, 0, 0, 0, 0],
  [1, 2, 3, 0, 1, -1, 0.5, 0, 1],
];

/** Makes a column-major 4x4 matrix from a column-major linear part (9 numbers) and a translation. */
export function matrix(linear: readonly number[], [x, y, z]: Point): Float64Array {
  return Float64Array.of(
    ...linear.slice(0, 3),
    0,
    ...linear.slice(3, 6),
    0,
    ...linear.slice(6, 9),
    0,
    x,
    y,
    z,
    1,
  );
}

/**
 * Makes a random placement: a matrix, or undefined for the identity. Most placements are exact: rotations by
 * right angles, shears, scalings, reflections, a projection to a plane, and far translations. The others
 * rotate by any angle, so placed coordinates must be rounded.
 */
export function randomPlacement(random: Random, span: number): Float64Array | undefined {
  const kind = random.below(8);
  const shift = [0, 1, 2].map(() => (random.below(2 * span + 3) - span - 1) / 2) as unknown as Point;
  if (kind < 2) return undefined;
  if (kind < 5) return matrix(rotations[random.below(rotations.length)], shift);
  if (kind === 5) return matrix(bends[random.below(bends.length)], shift);
  if (kind === 6)
    return matrix(rotations[0], shift.map(value => value * 2 ** -3 + 2 ** 40) as unknown as Point);
  const angle = random.between(0, 6);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return matrix([c, s, 0, -s, c, 0, 0, 0, 1], shift);
}
