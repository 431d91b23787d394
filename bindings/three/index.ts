// The entry point `pfront/three`: re-exports only.
/**
 * Turns three.js geometries into meshes, turns three.js objects into bodies, casts the rays of raycasters, and
 * draws contacts and trees.
 * @module pfront/three
 */

export { ContactHelper, type ContactHelperOptions } from './contactHelper.js';
export { type GeometryOptions, type MeshFactory, meshFromGeometry, triangleOf } from './geometry.js';
export type { Placeable } from './instances.js';
export {
  addObject3D,
  ObjectBodies,
  type ObjectBody,
  type ObjectOptions,
  type PerObject,
} from './objectBodies.js';
export { acceleratedRaycast, type FirstHitRaycaster, type RayEngine } from './raycast.js';
export { TreeHelper, type TreeHelperOptions } from './treeHelper.js';
