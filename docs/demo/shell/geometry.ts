// Meshes as the engine takes them -> geometries and placements as three.js draws them.
import { BufferAttribute, BufferGeometry, Matrix4, type Object3D } from 'three';
import type { MeshData } from 'pfront/scenes';

/** Shares the arrays. Materials are flat, so normals are not needed. */
export function geometryOf({ positions, indices }: MeshData): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
  return geometry;
}

/** Places an object by 16 numbers, column by column, from `at`. */
export function place(object: Object3D, matrices: ArrayLike<number>, at = 0): void {
  object.matrixAutoUpdate = false;
  object.matrix.fromArray(matrices as number[], at);
  object.matrixWorldNeedsUpdate = true;
}

export const matrixOf = (matrices: ArrayLike<number>, at = 0): Matrix4 => new Matrix4().fromArray(matrices as number[], at);
