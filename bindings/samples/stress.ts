// Counts and seeds -> meshes that are hard on trees and tests: soup, slivers, skew, lattices, touching
// plates.

import { growTo } from './grow.js';
import { createRandom } from './random.js';
import { box, slab } from './shapes.js';
import { join, translation } from './transforms.js';
import type { MeshData, Scene } from './types.js';

// Every triangle has three vertices of its own.
function unshared(positions: Float32Array): MeshData {
  return { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, corner) => corner) };
}

/** `count` random triangles in the unit cube, about as large as the space between them. */
export function soup(count: number, seed: number): MeshData {
  const random = createRandom(seed);
  const size = Math.cbrt(1 / Math.max(1, count));
  const positions = new Float32Array(count * 9);
  for (let at = 0; at < positions.length; at += 9) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = random.between(0, 1);
      for (let corner = 0; corner < 3; corner++) {
        positions[at + corner * 3 + axis] = middle + random.between(-size, size);
      }
    }
  }
  return unshared(positions);
}

/**
 * `count` needles in the unit ball, a hundred thousand times longer than wide: boxes overlap, triangles
 * seldom do.
 */
export function slivers(count: number, seed = 1): MeshData {
  const random = createRandom(seed);
  const positions = new Float32Array(count * 9);
  for (let at = 0; at < positions.length; at += 9) {
    const along = random.direction();
    const beside = random.direction();
    for (let axis = 0; axis < 3; axis++) {
      const middle = random.between(-0.5, 0.5);
      positions[at + axis] = middle - 0.5 * along[axis];
      positions[at + 3 + axis] = middle + 0.5 * along[axis];
      positions[at + 6 + axis] = middle + 1e-5 * beside[axis];
    }
  }
  return unshared(positions);
}

/**
 * `count` triangles in 40 nested shells about the origin, each half as large as the one around it. A tree
 * over them has one path that holds nearly everything, and two copies overlap nearly only at the origin.
 */
export function skewed(count: number, seed = 1): MeshData {
  const shellCount = 40;
  const random = createRandom(seed);
  const positions = new Float32Array(count * 9);
  for (let triangle = 0; triangle < count; triangle++) {
    const radius = 2 ** -Math.floor((triangle * shellCount) / count);
    const middle = [0, 1, 2].map(() => random.between(-radius, radius));
    const outermost = random.below(3);
    middle[outermost] = (random.bits() & 1 ? radius : -radius) * random.between(0.75, 1);
    for (let corner = 0; corner < 3; corner++) {
      for (let axis = 0; axis < 3; axis++) {
        const at = triangle * 9 + corner * 3 + axis;
        positions[at] = middle[axis] + random.between(-0.25, 0.25) * radius;
      }
    }
  }
  // Opposite corners of the whole, so that the origin is its exact middle and keeps all its digits.
  if (count >= 2) {
    positions.set([1.5, 1.5, 1.5], 0);
    positions.set([-1.5, -1.5, -1.5], 9);
  }
  return unshared(positions);
}

/**
 * `count` triangles with whole coordinates 0..span: touching, coplanar, equal and degenerate ones everywhere.
 */
export function lattice(count: number, seed: number, span = 6): MeshData {
  const random = createRandom(seed);
  const positions = new Float32Array(count * 9);
  for (let at = 0; at < positions.length; at += 9) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = random.below(span + 1);
      for (let corner = 0; corner < 3; corner++) {
        positions[at + corner * 3 + axis] = Math.min(span, Math.max(0, middle + random.below(3) - 1));
      }
    }
  }
  return unshared(positions);
}

/**
 * `count` equal boxes on a lattice, neighbours sharing faces, edges or corners; they shift by one cell every
 * 16 frames.
 */
export function latticeBoxes(count: number, seed: number): Scene {
  const random = createRandom(seed);
  const span = Math.ceil(Math.cbrt(count) * 1.2);
  const cells = Array.from(
    { length: count },
    () => [random.below(span), random.below(span), random.below(span)] as const,
  );
  const frame = (t: number): Float64Array =>
    join(cells.map(([x, y, z], part) => translation([x + (part % 2) * Math.floor(t / 16), y, z])));
  const parts = cells.map((_, part) => ({ name: `box ${part}`, mesh: 0 }));
  return { parts, meshes: [box(0.5, 0.5, 0.5)], frame };
}

/**
 * Two plates of exactly `count` triangles each (even, at least 12) that touch in the plane z = 0 and overlap
 * nowhere. Every frame slides the upper one by 1/256 of its size along x.
 */
export function touchingPlates(count: number): Scene {
  const cells = Math.max(1, Math.floor(Math.sqrt(count / 4 + 1) - 1));
  const meshes = [
    growTo(slab(cells, [0, 0, -0.125], [1, 1, 0]), count),
    growTo(slab(cells, [0, 0, 0], [1, 1, 0.125]), count),
  ];
  const frame = (t: number): Float64Array => join([translation([0, 0, 0]), translation([t / 256, 0, 0])]);
  return {
    parts: [
      { name: 'lower', mesh: 0 },
      { name: 'upper', mesh: 1 },
    ],
    meshes,
    frame,
  };
}
