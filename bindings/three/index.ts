// The entry pfront/three: re-exports only.
/**
 * Meshes of geometries and bodies of objects of three.js.
 * @module pfront/three
 */

export { ContactHelper, type ContactHelperOptions } from './contactHelper.js';
export { type GeometryOptions, type MeshMaker, meshFromGeometry, triangleOf } from './geometry.js';
export type { Placeable } from './instances.js';
export {
  addObject3D,
  ObjectBodies,
  type ObjectBody,
  type ObjectOptions,
  type OfObject,
} from './objectBodies.js';
export { TreeHelper, type TreeHelperOptions } from './treeHelper.js';
