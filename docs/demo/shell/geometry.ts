// Converts meshes and transforms of pfront to geometries and matrices of three.js, and computes points to
// which the view is fitted.

import type { MeshData } from 'pfront/samples';
import { type Box3, BufferAttribute, BufferGeometry, type Object3D } from 'three';
import { vec3d } from 'wgpu-matrix';

/**
 * Returns a geometry that shares the arrays of the mesh. The geometry has no normals, because the materials
 * use flat shading.
 */
export function geometryOf({ positions, indices }: MeshData): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  geometry.computeBoundingSphere();
  return geometry;
}

/** Sets an object's matrix from 16 column-major numbers at index `at`. */
export function place(object: Object3D, matrices: ArrayLike<number>, at = 0): void {
  object.matrixAutoUpdate = false;
  object.matrix.fromArray(matrices as number[], at);
  object.matrixWorldNeedsUpdate = true;
}

/**
 * Returns x, y, z of the triangle corners of a placed mesh. Returns all corners if there are fewer than
 * 2 * `maxCorners`. Otherwise, returns every n-th corner, with n chosen so that fewer than 2 * `maxCorners`
 * remain.
 */
export function cornersOf(
  { positions, indices }: MeshData,
  matrices: Float64Array,
  at = 0,
  maxCorners = 5000,
): number[] {
  const corners: number[] = [];
  const matrix = matrices.subarray(at, at + 16);
  const step = Math.max(1, Math.floor(indices.length / maxCorners));
  for (let corner = 0; corner < indices.length; corner += step) {
    const from = 3 * indices[corner]!;
    corners.push(...vec3d.transformMat4(positions.subarray(from, from + 3), matrix));
  }
  return corners;
}

/** Returns x, y, z of a box's eight corners. */
export function boxCorners({ min, max }: Box3): number[] {
  const corners: number[] = [];
  for (const x of [min.x, max.x])
    for (const y of [min.y, max.y]) for (const z of [min.z, max.z]) corners.push(x, y, z);
  return corners;
}
