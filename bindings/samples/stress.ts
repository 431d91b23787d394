// Generates meshes and scenes that are difficult for bounding volume trees or exact tests: random triangle
// soup, slivers, triangles of very different sizes, integer lattices, and touching boxes and plates.

import { growTo } from './grow.js';
import { cbrt } from './portableMath.js';
import { createRandom } from './random.js';
import { box, slab } from './shapes.js';
import { concatTransforms, translation } from './transforms.js';
import type { MeshData, Scene } from './types.js';

// Returns a mesh in which each triangle has its own three vertices.
function unshared(positions: Float32Array): MeshData {
  return { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, corner) => corner) };
}

/**
 * Returns `count` random triangles in and near the unit cube. The triangles are about as large as the mean
 * distance between neighboring triangles.
 */
export function soup(count: number, seed: number): MeshData {
  const random = createRandom(seed);
  const size = cbrt(1 / Math.max(1, count));
  const positions = new Float32Array(count * 9);
  for (let at = 0; at < positions.length; at += 9) {
    for (let axis = 0; axis < 3; axis++) {
      const center = random.between(0, 1);
      for (let corner = 0; corner < 3; corner++) {
        positions[at + corner * 3 + axis] = center + random.between(-size, size);
      }
    }
  }
  return unshared(positions);
}

/**
 * Returns `count` needle-shaped triangles in the cube from -1 to 1. They are a hundred thousand times longer
 * than wide, so many of their boxes overlap, but the triangles rarely intersect.
 */
export function slivers(count: number, seed = 1): MeshData {
  const random = createRandom(seed);
  const positions = new Float32Array(count * 9);
  for (let at = 0; at < positions.length; at += 9) {
    const along = random.direction();
    const beside = random.direction();
    for (let axis = 0; axis < 3; axis++) {
      const center = random.between(-0.5, 0.5);
      positions[at + axis] = center - 0.5 * along[axis];
      positions[at + 3 + axis] = center + 0.5 * along[axis];
      positions[at + 6 + axis] = center + 1e-5 * beside[axis];
    }
  }
  return unshared(positions);
}

/**
 * Returns `count` triangles in 40 nested shells about the origin. Each shell and its triangles are half as
 * large as the next outer shell and its triangles. A tree of these triangles is very unbalanced: on one long
 * path, each node contains most triangles of its parent. If two copies of the mesh are in the same place,
 * most pairs of intersecting triangles are near the origin.
 */
export function skewed(count: number, seed = 1): MeshData {
  const shellCount = 40;
  const random = createRandom(seed);
  const positions = new Float32Array(count * 9);
  for (let triangle = 0; triangle < count; triangle++) {
    const radius = 2 ** -Math.floor((triangle * shellCount) / count);
    const center = [0, 1, 2].map(() => random.between(-radius, radius));
    const outermost = random.below(3);
    center[outermost] = (random.bits() & 1 ? radius : -radius) * random.between(0.75, 1);
    for (let corner = 0; corner < 3; corner++) {
      for (let axis = 0; axis < 3; axis++) {
        const at = triangle * 9 + corner * 3 + axis;
        positions[at] = center[axis] + random.between(-0.25, 0.25) * radius;
      }
    }
  }
  // Moves two vertices to opposite corners of the bounds. The center of the bounds, which the engine
  // subtracts from all vertices, is then exactly the origin, so small coordinates keep all their digits.
  if (count >= 2) {
    positions.set([1.5, 1.5, 1.5], 0);
    positions.set([-1.5, -1.5, -1.5], 9);
  }
  return unshared(positions);
}

/**
 * Returns `count` triangles whose coordinates are integers from 0 to `span`. Many of the triangles touch each
 * other, and many are coplanar, equal or degenerate.
 */
export function lattice(count: number, seed: number, span = 6): MeshData {
  const random = createRandom(seed);
  const positions = new Float32Array(count * 9);
  for (let at = 0; at < positions.length; at += 9) {
    for (let axis = 0; axis < 3; axis++) {
      const center = random.below(span + 1);
      for (let corner = 0; corner < 3; corner++) {
        positions[at + corner * 3 + axis] = Math.min(span, Math.max(0, center + random.below(3) - 1));
      }
    }
  }
  return unshared(positions);
}

/**
 * Returns a scene of `count` equal boxes in random cells of a lattice. Boxes in neighboring cells share
 * faces, edges or corners. Every second box moves by one cell along x every 16 frames.
 */
export function latticeBoxes(count: number, seed: number): Scene {
  const random = createRandom(seed);
  const span = Math.ceil(cbrt(count) * 1.2);
  const cells = Array.from(
    { length: count },
    () => [random.below(span), random.below(span), random.below(span)] as const,
  );
  const frame = (t: number): Float64Array =>
    concatTransforms(
      cells.map(([x, y, z], part) => translation([x + (part % 2) * Math.floor(t / 16), y, z])),
    );
  const parts = cells.map((_, part) => ({ name: `box ${part}`, mesh: 0 }));
  return { parts, meshes: [box(0.5, 0.5, 0.5)], frame };
}

/**
 * Returns a scene of two plates with exactly `count` triangles each: an even number, at least 12. The plates
 * touch in the plane z = 0 and do not penetrate each other. In each frame, the upper plate moves along x by
 * 1/256 of its size.
 * @throws InvalidMesh for any other number
 */
export function touchingPlates(count: number): Scene {
  const cells = Math.max(1, Math.floor(Math.sqrt(count / 4 + 1) - 1));
  const meshes = [
    growTo(slab(cells, [0, 0, -0.125], [1, 1, 0]), count),
    growTo(slab(cells, [0, 0, 0], [1, 1, 0.125]), count),
  ];
  const frame = (t: number): Float64Array =>
    concatTransforms([translation([0, 0, 0]), translation([t / 256, 0, 0])]);
  return {
    parts: [
      { name: 'lower', mesh: 0 },
      { name: 'upper', mesh: 1 },
    ],
    meshes,
    frame,
  };
}
