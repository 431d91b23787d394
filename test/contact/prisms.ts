// Makes solids along the z axis from outlines in the xy-plane: prisms, cylinders and a plate with a round hole.

import type { Solid } from './solids.js';

/**
 * Makes a prism along z. outline: the corners of its cross section in the xy-plane, counterclockwise. cap: the
 * triangles that fill the outline, as three corner indices each.
 */
export function prism(
  outline: readonly (readonly [number, number])[],
  cap: readonly number[],
  z0: number,
  z1: number,
): Solid {
  const n = outline.length;
  const flipped = cap.map((_, i) => cap[i - (i % 3) + 2 - (i % 3)]);
  return {
    positions: Float32Array.from([z0, z1].flatMap(z => outline.flatMap(([x, y]) => [x, y, z]))),
    indices: Uint32Array.from([
      ...flipped,
      ...cap.map(corner => n + corner),
      ...outline.flatMap((_, i) => {
        const j = (i + 1) % n;
        return [i, j, n + j, i, n + j, n + i];
      }),
    ]),
  };
}

const onCircle = (sides: number, radius: number): [number, number][] =>
  Array.from({ length: sides }, (_, i) => [
    radius * Math.cos((2 * Math.PI * i) / sides),
    radius * Math.sin((2 * Math.PI * i) / sides),
  ]);

/** Makes a cylinder along z between two heights. */
export const cylinder = (sides: number, radius: number, z0: number, z1: number): Solid =>
  prism(
    onCircle(sides, radius),
    Array.from({ length: sides - 2 }, (_, i) => [0, i + 1, i + 2]).flat(),
    z0,
    z1,
  );

/**
 * Makes a square plate with a round hole in the middle, between two heights. half: half the side of the square.
 */
export function plateWithHole(sides: number, radius: number, half: number, z0: number, z1: number): Solid {
  const hole = onCircle(sides, radius);
  const edge = onCircle(sides, 1).map(([x, y]): [number, number] => {
    const size = half / Math.max(Math.abs(x), Math.abs(y));
    return [size * x, size * y];
  });
  const rings = [z0, z1].flatMap(z => [hole, edge].map(ring => ring.flatMap(([x, y]) => [x, y, z])));
  const quads = hole.flatMap((_, i) => {
    const j = (i + 1) % sides;
    const [low, out, high, top] = [0, sides, 2 * sides, 3 * sides];
    return [
      [low + j, low + i, high + i, high + j],
      [out + i, out + j, top + j, top + i],
      [low + i, low + j, out + j, out + i],
      [high + j, high + i, top + i, top + j],
    ];
  });
  return {
    positions: Float32Array.from(rings.flat()),
    indices: Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])),
  };
}
