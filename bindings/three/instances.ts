// Enumerates the instances of a three.js object. An object that cannot have instances counts as one instance.
// Also updates and computes world matrices.
import {
  type BatchedMesh,
  type InstancedMesh,
  Matrix4,
  type Mesh as MeshObject,
  type Object3D,
  type SkinnedMesh,
} from 'three';

/** A three.js object that can become a body: any kind of Mesh. */
export type Placeable = MeshObject &
  Partial<
    Pick<InstancedMesh, 'isInstancedMesh'> &
      Pick<BatchedMesh, 'isBatchedMesh'> &
      Pick<SkinnedMesh, 'isSkinnedMesh' | 'skeleton'>
  >;

const MIN_ENTRY = 2 ** -200;
const local = new Matrix4();
const product = new Matrix4();

// Returns whether an object can become a body. A ContactHelper is a Mesh, but must not collide. Type flags
// are tested instead of classes, because a page may load two copies of three.js.
export const isPlaceable = (object: Object3D): object is Placeable => {
  const { isMesh, geometry, isContactHelper } = object as Placeable & { isContactHelper?: true };
  return isMesh === true && isContactHelper !== true && geometry?.attributes.position !== undefined;
};
export const isInstanced = (object: Placeable): object is InstancedMesh => object.isInstancedMesh === true;
export const isBatched = (object: Placeable): object is BatchedMesh => object.isBatchedMesh === true;
// Without a skeleton, a skinned mesh is not deformed.
export const isSkinned = (object: Placeable): object is SkinnedMesh =>
  object.isSkinnedMesh === true && object.skeleton !== undefined;

/**
 * Calls `use` with the number of each existing instance, in order. For an object that cannot have instances,
 * calls `use` once with undefined.
 */
export function forEachInstance(object: Placeable, use: (instanceId: number | undefined) => void): void {
  if (isInstanced(object)) for (let id = 0; id < object.count; id++) use(id);
  else if (isBatched(object)) {
    // After instances were deleted, their numbers are unused until new instances get these numbers.
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
 * Returns the value, or 0 if its magnitude is below 2^-200. Transforms and rays must not have such tiny
 * numbers, but rounding leaves them in products of rotations by right angles.
 */
export const dropTiny = (value: number): number => (Math.abs(value) < MIN_ENTRY ? 0 : value);

/** Writes the world matrix of an object or of one of its instances to out[0..15], with 0 for tiny entries. */
export function writeWorldMatrix(object: Placeable, instanceId: number | undefined, out: Float64Array): void {
  let { elements } = object.matrixWorld;
  if (instanceId !== undefined) {
    (object as InstancedMesh | BatchedMesh).getMatrixAt(instanceId, local);
    elements = product.multiplyMatrices(object.matrixWorld, local).elements;
  }
  for (let i = 0; i < 16; i++) out[i] = dropTiny(elements[i]);
}

/**
 * Updates the world matrices of an object, of its ancestors and of its descendants. If the object or some of
 * its descendants are skinned meshes, also updates the world matrices of their bones.
 */
export function updateWorld(root: Object3D): void {
  root.parent?.updateWorldMatrix(true, false);
  // Unlike updateMatrixWorld, updateWorldMatrix would not update the bind matrices of skinned meshes.
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
