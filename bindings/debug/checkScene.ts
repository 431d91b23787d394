// Checks the data that queries of a scene rely on: the trees of the bodies' meshes, and the boxes of the
// bodies.

import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { verticesOf } from '../records/vertices.js';
import type { Bodies } from '../scene/bodies.js';
import type { Scene } from '../scene/scene.js';
import { MAX_FAULTS, validateTree } from './validateTree.js';

/**
 * Bound on the rounding error of a coordinate of a placed vertex, if the coordinate is computed in doubles. The
 * bound is relative to the sum of the magnitudes of the terms whose sum is the coordinate.
 */
const ROUNDING = 2 ** -49;

/**
 * Checks the tree of every mesh in a scene, as checkMesh does. Also checks that the box of each body contains
 * all vertices of its mesh at the body's current placement. Takes time proportional to the number of vertices
 * of all bodies, on the calling thread.
 * @returns one sentence per fault, at most 20; an empty array if there is no fault. Please add the faults to
 * a bug report.
 * @throws Disposed for a body whose mesh was disposed of
 */
export function checkScene(scene: Scene): string[] {
  const { bodies } = scene as unknown as { bodies: Bodies };
  bodies.refresh();
  const boxes = bodies.copyBoxes();
  const present = bodies.slots.flatMap(({ id, mesh }, slot) => (mesh ? [{ id, mesh, slot }] : []));
  const faults = [...new Set(present.map(({ mesh }) => mesh))].flatMap(mesh => {
    const { id } = present.find(body => body.mesh === mesh)!;
    return validateTree(mesh.context, mesh).map(fault => `mesh of body ${id}: ${fault}`);
  });
  for (const { id, mesh, slot } of present) {
    const fault = describeOutsideVertex(mesh, bodies.matrixOf(slot), boxes.subarray(6 * slot, 6 * slot + 6));
    if (fault) faults.push(`body ${id}: ${fault}`);
  }
  return faults.slice(0, MAX_FAULTS);
}

// Describes the first vertex, in the order of the triangles, that lies outside the box of its body. Returns
// undefined if there is no such vertex.
function describeOutsideVertex(mesh: Mesh, matrix: Float64Array, box: Float32Array): string | undefined {
  const { arena } = mesh.context;
  const { u32 } = arena;
  const { list, from } = verticesOf(arena, mesh.recordAt);
  const indices = u32[(mesh.recordAt + MeshRecord.at.indicesAt) / 4] / 4;
  for (let i = 0; i < 3 * mesh.triangleCount; i++) {
    const vertex = u32[indices + i];
    const at = from + 3 * vertex;
    for (let axis = 0; axis < 3; axis++) {
      const terms = [0, 1, 2].map(k => matrix[4 * k + axis] * list[at + k]).concat(matrix[12 + axis]);
      const image = terms.reduce((sum, term) => sum + term, 0);
      const slack = ROUNDING * terms.reduce((sum, term) => sum + Math.abs(term), 0);
      if (image >= box[axis] - slack && image <= box[axis + 3] + slack) continue;
      return `its box spans ${box[axis]}..${box[axis + 3]} along ${'xyz'[axis]}, but vertex ${vertex} is at ${image}`;
    }
  }
  return undefined;
}
