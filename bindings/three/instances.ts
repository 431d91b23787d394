// An object of three.js -> what it places: itself, or its instances, each with its matrix in the world.
import {
  type BatchedMesh,
  type InstancedMesh,
  Matrix4,
  type Mesh as MeshObject,
  type Object3D,
  type SkinnedMesh,
} from 'three';

/** What may be added: a Mesh of three.js of any kind. */
export type Placeable = MeshObject &
  Partial<
    Pick<InstancedMesh, 'isInstancedMesh'> &
      Pick<BatchedMesh, 'isBatchedMesh'> &
      Pick<SkinnedMesh, 'isSkinnedMesh' | 'skeleton'>
  >;

const LEAST = 2 ** -200;
const local = new Matrix4();
const product = new Matrix4();

// Flags, not classes: a page may hold two copies of three.js.
// Contacts that are shown are drawn as a mesh: it touches nothing.
export const isPlaceable = (object: Object3D): object is Placeable => {
  const { isMesh, geometry, isContactHelper } = object as Placeable & { isContactHelper?: true };
  return isMesh === true && isContactHelper !== true && geometry?.attributes.position !== undefined;
};
export const isInstanced = (object: Placeable): object is InstancedMesh => object.isInstancedMesh === true;
export const isBatched = (object: Placeable): object is BatchedMesh => object.isBatchedMesh === true;
// Without a skeleton nothing bends it.
export const isSkinned = (object: Placeable): object is SkinnedMesh =>
  object.isSkinnedMesh === true && object.skeleton !== undefined;

/**
 * Calls `use` with the number of each instance that is there, in order; with undefined for an object that has
 * none.
 */
export function forEachInstance(object: Placeable, use: (instanceId: number | undefined) => void): void {
  if (isInstanced(object)) for (let id = 0; id < object.count; id++) use(id);
  else if (isBatched(object)) {
    // Numbers of deleted instances are free until another takes them.
    for (let id = 0, left = object.instanceCount; left > 0; id++) {
      if (!hasInstance(object, id)) continue;
      left--;
      use(id);
    }
  } else use(undefined);
}

function hasInstance(object: BatchedMesh, id: number): boolean {
  try {
    object.getVisibleAt(id);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes the matrix in the world to 16 numbers. Products of right angles leave entries so small that a
 * transform may not have them (below 2^-200): they become 0.
 */
export function writeWorldMatrix(object: Placeable, instanceId: number | undefined, out: Float64Array): void {
  let { elements } = object.matrixWorld;
  if (instanceId !== undefined) {
    (object as InstancedMesh | BatchedMesh).getMatrixAt(instanceId, local);
    elements = product.multiplyMatrices(object.matrixWorld, local).elements;
  }
  for (let i = 0; i < 16; i++) out[i] = Math.abs(elements[i]) < LEAST ? 0 : elements[i];
}

/** Brings the matrices of an object, of all above it and of all below it up to date. */
export function updateWorld(root: Object3D): void {
  root.parent?.updateWorldMatrix(true, false);
  // Not updateWorldMatrix: skinned meshes follow this one alone.
  root.updateMatrixWorld(true);
  root.traverse(object => {
    if (!isPlaceable(object) || !isSkinned(object)) return;
    for (const bone of object.skeleton.bones) if (!isBelow(bone, root)) bone.updateWorldMatrix(true, false);
  });
}

function isBelow(object: Object3D, root: Object3D): boolean {
  for (let above: Object3D | null = object; above; above = above.parent) if (above === root) return true;
  return false;
}
