// Places a second mesh relative to a first mesh: along a path through the first mesh, or at random.

import { createRandom } from './random.js';
import { concatTransforms, rotateVector, rotation, translation } from './transforms.js';
import type { MeshData, Scene } from './types.js';

type Vector = [x: number, y: number, z: number];

// Returns how far the mesh reaches along a direction, after the linear part of the transform is applied. The
// translation is ignored.
function reach(mesh: MeshData, transform: ArrayLike<number>, direction: Vector): number {
  // The direction is transformed to the mesh's frame, so that each vertex takes one dot product instead of
  // three.
  const row = (column: number): number =>
    direction[0] * transform[column * 4] +
    direction[1] * transform[column * 4 + 1] +
    direction[2] * transform[column * 4 + 2];
  const [x, y, z] = [row(0), row(1), row(2)];
  let max = -Infinity;
  for (let at = 0; at < mesh.positions.length; at += 3) {
    const here = x * mesh.positions[at] + y * mesh.positions[at + 1] + z * mesh.positions[at + 2];
    if (here > max) max = here;
  }
  return max;
}

const opposite = ([x, y, z]: Vector): Vector => [-x, -y, -z];
const identity = translation([0, 0, 0]);

// Returns the center of the mesh's box.
function boxCenter(mesh: MeshData): Vector {
  const along = (axis: number): number => {
    const direction: Vector = [0, 0, 0];
    direction[axis] = 1;
    return (reach(mesh, identity, direction) - reach(mesh, identity, opposite(direction))) / 2;
  };
  return [along(0), along(1), along(2)];
}

// Returns the transform that rotates mesh b about the center of its box, and moves this center to the center
// of the box of mesh a.
function alignCenters(a: MeshData, b: MeshData, rotated: Float64Array): Float64Array {
  const from = rotateVector(rotated, boxCenter(b));
  const to = boxCenter(a);
  return shifted(rotated, to, from.map(value => -value) as Vector);
}

function shifted(transform: Float64Array, ...shifts: Vector[]): Float64Array {
  const placed = Float64Array.from(transform);
  for (const shift of shifts) shift.forEach((value, axis) => (placed[12 + axis] += value));
  return placed;
}

const scale = ([x, y, z]: Vector, factor: number): Vector => [x * factor, y * factor, z * factor];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * Returns a scene in which meshB moves straight through meshA. In frame 0, the extents of the two meshes
 * along the path touch on one side of meshA; in frame `steps`, they touch on the other side. meshB is rotated
 * by 0.5 radians, so that it never coincides with meshA if both are the same mesh. With 200 steps or more, a
 * step is at most 1 % of the larger extent along the path.
 */
export function penetrationPath(meshA: MeshData, meshB: MeshData, steps: number): Scene {
  const direction: Vector = [0.8, 0.36, 0.48];
  const rotated = rotation([0.6, 0, 0.8], 0.5);
  const start = alignCenters(meshA, meshB, rotated);
  const shift = dot(start.subarray(12), direction);
  const far = reach(meshA, identity, direction) + reach(meshB, start, opposite(direction)) - shift;
  const near = -reach(meshA, identity, opposite(direction)) - reach(meshB, start, direction) - shift;
  const frame = (t: number): Float64Array =>
    concatTransforms([identity, shifted(start, scale(direction, near + ((far - near) * t) / steps))]);
  return {
    parts: [
      { name: 'still', mesh: 0 },
      { name: 'moving', mesh: 1 },
    ],
    meshes: [meshA, meshB],
    frame,
  };
}

/**
 * Returns `count` random column-major transforms for a second copy of the mesh; the first copy stays in
 * place. Each transform rotates the second copy, centers it on the first copy, and then shifts it along a
 * random direction. The touching shift is the shift at which the extents of the two copies along the
 * direction just touch. Transforms with even indices shift by 67 to 90 % of the touching shift, so that the
 * copies overlap slightly. Transforms with odd indices shift by 5 to 50 %, so that the copies overlap deeply.
 */
export function randomPlacements(mesh: MeshData, count: number, seed: number): Float64Array[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, number) => {
    const rotated = rotation(random.direction(), random.between(0, 2 * Math.PI));
    const direction = random.direction();
    const aligned = alignCenters(mesh, mesh, rotated);
    const shift = dot(aligned.subarray(12), direction);
    const apart = reach(mesh, identity, direction) + reach(mesh, aligned, opposite(direction)) - shift;
    const depth = number % 2 === 0 ? random.between(0.1, 0.33) : random.between(0.5, 0.95);
    return shifted(aligned, scale(direction, apart * (1 - depth)));
  });
}
