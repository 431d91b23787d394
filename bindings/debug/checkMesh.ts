// Checks the tree of a user's mesh.
import type { Mesh } from '../mesh/mesh.js';
import { validateTree } from './validateTree.js';

/**
 * Checks the tree of a mesh against its triangles: each triangle is in one leaf, each box contains everything
 * below it in the tree, and all links are correct. Takes time proportional to the number of triangles, on the
 * calling thread.
 * @returns one sentence per fault, at most 20; an empty array if there is no fault. Please add the faults to
 * a bug report.
 * @throws Disposed
 */
export function checkMesh(mesh: Mesh): string[] {
  return validateTree(mesh.context, mesh);
}
