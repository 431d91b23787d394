// Generates standard closed solids, such as spheres and boxes, with exact numbers of triangles.

import { InvalidMesh } from '../core/errors.js';
import { growTo } from './grow.js';
import { cos, exp, sin } from './portableMath.js';
import type { MeshData } from './types.js';

function checkCount(shape: string, count: number, min: number): void {
  if (Number.isInteger(count) && count % 2 === 0 && count >= min) return;
  throw new InvalidMesh(
    `a ${shape} cannot have ${count} triangles: the number must be even and at least ${min}`,
    `pass an even number, at least ${min}`,
  );
}

/**
 * Returns a unit sphere about the origin with exactly `count` triangles: an even number, at least 8.
 * @throws InvalidMesh for any other number
 */
export function sphere(count: number): MeshData {
  checkCount('sphere', count, 8);
  const ringCount = Math.max(1, Math.floor(Math.sqrt(count) / 2));
  const segmentCount = Math.max(3, Math.floor(count / (2 * ringCount)));
  const positions: number[] = [0, 0, 1, 0, 0, -1];
  const indices: number[] = [];
  const at = (ring: number, segment: number) => 2 + ring * segmentCount + (segment % segmentCount);
  for (let ring = 0; ring < ringCount; ring++) {
    const polar = (Math.PI * (ring + 1)) / (ringCount + 1);
    for (let segment = 0; segment < segmentCount; segment++) {
      const angle = (2 * Math.PI * segment) / segmentCount;
      positions.push(sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar));
    }
  }
  for (let segment = 0; segment < segmentCount; segment++) {
    indices.push(
      0,
      at(0, segment),
      at(0, segment + 1),
      1,
      at(ringCount - 1, segment + 1),
      at(ringCount - 1, segment),
    );
    for (let ring = 1; ring < ringCount; ring++) {
      const [a, b] = [at(ring - 1, segment), at(ring - 1, segment + 1)];
      const [c, d] = [at(ring, segment), at(ring, segment + 1)];
      indices.push(a, c, b, b, c, d);
    }
  }
  return growTo({ positions: Float32Array.from(positions), indices: Uint32Array.from(indices) }, count);
}

/**
 * Returns a skittle (bowling pin) about the z axis, from z = -1 to z = 1, with exactly `count` triangles: an
 * even number, at least 8.
 * @throws InvalidMesh for any other number
 */
export function skittle(count: number): MeshData {
  const mesh = sphere(count);
  for (let at = 0; at < mesh.positions.length; at += 3) {
    const height = (mesh.positions[at + 2] - 0.4) / 0.25;
    const neck = 1 - 0.65 * exp(-height * height);
    mesh.positions[at] *= 0.4 * neck;
    mesh.positions[at + 1] *= 0.4 * neck;
  }
  return mesh;
}

/**
 * Returns a torus about the z axis with exactly `count` triangles: an even number, at least 18. The radius of
 * the ring is 1, the radius of its tube is `tube`.
 * @throws InvalidMesh for any other number
 */
export function torus(count: number, tube = 0.35): MeshData {
  checkCount('torus', count, 18);
  const tubeCount = Math.max(3, Math.floor(Math.sqrt((count / 2) * tube)));
  const ringCount = Math.max(3, Math.floor(count / (2 * tubeCount)));
  const positions: number[] = [];
  const indices: number[] = [];
  const at = (ring: number, step: number) => (ring % ringCount) * tubeCount + (step % tubeCount);
  for (let ring = 0; ring < ringCount; ring++) {
    const around = (2 * Math.PI * ring) / ringCount;
    for (let step = 0; step < tubeCount; step++) {
      const angle = (2 * Math.PI * step) / tubeCount;
      const radius = 1 + tube * cos(angle);
      positions.push(radius * cos(around), radius * sin(around), tube * sin(angle));
      const [a, b, c, d] = [at(ring, step), at(ring + 1, step), at(ring, step + 1), at(ring + 1, step + 1)];
      indices.push(a, b, c, c, b, d);
    }
  }
  return growTo({ positions: Float32Array.from(positions), indices: Uint32Array.from(indices) }, count);
}

/** Returns a box of 12 triangles about the origin, given half its edge lengths. */
export function box(halfX = 1, halfY = 1, halfZ = 1): MeshData {
  return slab(1, [-halfX, -halfY, -halfZ], [halfX, halfY, halfZ]);
}

/**
 * Returns a box from `min` to `max`. Its top and bottom are grids of `cells` x `cells` rectangles. It has
 * 4 * `cells`^2 + 8 * `cells` triangles.
 */
export function slab(cells: number, min: readonly number[], max: readonly number[]): MeshData {
  const side = cells + 1;
  const positions: number[] = [];
  const indices: number[] = [];
  const at = (layer: number, x: number, y: number) => (layer * side + y) * side + x;
  const mix = (axis: number, part: number) => min[axis] + (max[axis] - min[axis]) * part;
  for (const layer of [0, 1]) {
    for (let y = 0; y <= cells; y++) {
      for (let x = 0; x <= cells; x++) positions.push(mix(0, x / cells), mix(1, y / cells), mix(2, layer));
    }
  }
  const quad = (a: number, b: number, c: number, d: number) => indices.push(a, b, c, a, c, d);
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      quad(at(0, x, y), at(0, x, y + 1), at(0, x + 1, y + 1), at(0, x + 1, y));
      quad(at(1, x, y), at(1, x + 1, y), at(1, x + 1, y + 1), at(1, x, y + 1));
    }
  }
  for (let k = 0; k < cells; k++) {
    quad(at(0, k, 0), at(0, k + 1, 0), at(1, k + 1, 0), at(1, k, 0));
    quad(at(0, cells, k), at(0, cells, k + 1), at(1, cells, k + 1), at(1, cells, k));
    quad(at(0, k + 1, cells), at(0, k, cells), at(1, k, cells), at(1, k + 1, cells));
    quad(at(0, 0, k + 1), at(0, 0, k), at(1, 0, k), at(1, 0, k + 1));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}
