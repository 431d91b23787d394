// Meshes -> where to put a second one: along a path through the first, or at random.

import { createRandom } from './random.js';
import { join, rotation, translation, turn } from './transforms.js';
import type { MeshData, Scene } from './types.js';

type Vector = [x: number, y: number, z: number];

// How far the placed mesh reaches along a direction.
function reach(mesh: MeshData, transform: ArrayLike<number>, direction: Vector): number {
  // Turning the direction back costs one product a vertex instead of three.
  const row = (column: number): number =>
    direction[0] * transform[column * 4] +
    direction[1] * transform[column * 4 + 1] +
    direction[2] * transform[column * 4 + 2];
  const [x, y, z] = [row(0), row(1), row(2)];
  let most = -Infinity;
  for (let at = 0; at < mesh.positions.length; at += 3) {
    const here = x * mesh.positions[at] + y * mesh.positions[at + 1] + z * mesh.positions[at + 2];
    if (here > most) most = here;
  }
  return most;
}

const opposite = ([x, y, z]: Vector): Vector => [-x, -y, -z];
const identity = translation([0, 0, 0]);

// Middle of the mesh's box.
function middle(mesh: MeshData): Vector {
  const along = (axis: number): number => {
    const direction: Vector = [0, 0, 0];
    direction[axis] = 1;
    return (reach(mesh, identity, direction) - reach(mesh, identity, opposite(direction))) / 2;
  };
  return [along(0), along(1), along(2)];
}

// b turned about its own middle, that middle moved onto a's.
function centre(a: MeshData, b: MeshData, turned: Float64Array): Float64Array {
  const from = turn(turned, middle(b));
  const to = middle(a);
  return shifted(turned, to, from.map(value => -value) as Vector);
}

function shifted(transform: Float64Array, ...shifts: Vector[]): Float64Array {
  const placed = Float64Array.from(transform);
  for (const shift of shifts) shift.forEach((value, axis) => (placed[12 + axis] += value));
  return placed;
}

const times = ([x, y, z]: Vector, factor: number): Vector => [x * factor, y * factor, z * factor];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * meshB passes straight through meshA: frame 0 has them touching boxes on one side, frame `steps` on the
 * other. meshB is turned a little, so that a mesh and its copy never coincide. With 200 steps or more, one
 * step is at most 1 % of the larger extent along the path.
 */
export function penetrationPath(meshA: MeshData, meshB: MeshData, steps: number): Scene {
  const direction: Vector = [0.8, 0.36, 0.48];
  const turned = rotation([0.6, 0, 0.8], 0.5);
  const start = centre(meshA, meshB, turned);
  const shift = dot(start.subarray(12), direction);
  const far = reach(meshA, identity, direction) + reach(meshB, start, opposite(direction)) - shift;
  const near = -reach(meshA, identity, opposite(direction)) - reach(meshB, start, direction) - shift;
  const frame = (t: number): Float64Array =>
    join([identity, shifted(start, times(direction, near + ((far - near) * t) / steps))]);
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
 * Transforms for a second copy of the mesh, the first one staying where it is, each at its own random angle:
 * even ones graze (the hulls overlap by a tenth to a third of their reach), odd ones are deep.
 */
export function randomPlacements(mesh: MeshData, count: number, seed: number): Float64Array[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, number) => {
    const turned = rotation(random.direction(), random.between(0, 2 * Math.PI));
    const direction = random.direction();
    const centred = centre(mesh, mesh, turned);
    const shift = dot(centred.subarray(12), direction);
    const apart = reach(mesh, identity, direction) + reach(mesh, centred, opposite(direction)) - shift;
    const depth = number % 2 === 0 ? random.between(0.1, 0.33) : random.between(0.5, 0.95);
    return shifted(centred, times(direction, apart * (1 - depth)));
  });
}
