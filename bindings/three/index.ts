// The entry point `pfront/three`: re-exports only.
/**
 * Turns geometries of three.js into meshes and objects of three.js into bodies.
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
export { TreeHelper, type TreeHelperOptions } from './treeHelper.js';
