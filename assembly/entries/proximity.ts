// Lists the kernels of proximity.wasm (segments, poses, distances of placed meshes), one per line.
export { findSegments } from '../contact/findSegments';
export { testPoses } from '../poses/testPoses';
export { anyHitNear } from '../proximity/anyHitNear';
export { bestFirstDistance } from '../proximity/bestFirstDistance';
export { measureTriangles } from '../proximity/measureTriangles';
export { refineDistance } from '../proximity/refineDistance';
export { traverseNear } from '../proximity/traverseNear';
