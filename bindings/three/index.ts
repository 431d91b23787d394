// The entry pfront/three: re-exports only.
export { meshFromGeometry, triangleOf, type GeometryOptions, type MeshMaker } from './geometry.js';
export { addObject3D, ObjectBodies, type ObjectBody, type ObjectOptions } from './objectBodies.js';
export { ContactHelper, type ContactHelperOptions } from './contactHelper.js';
export { TreeHelper, type TreeHelperOptions } from './treeHelper.js';
