// Lists the kernels of proximity.wasm, one per line. They are for contact segments, tests of bodies in many
// poses, and distances between placed meshes.
export { findSegments } from '../contact/findSegments';
export { placeChain } from '../poses/placeChain';
export { testEdges } from '../poses/testEdges';
export { testPoses } from '../poses/testPoses';
export { anyHitNear } from '../proximity/anyHitNear';
export { bestFirstDistance } from '../proximity/bestFirstDistance';
export { measureTriangles } from '../proximity/measureTriangles';
export { refineDistance } from '../proximity/refineDistance';
export { traverseNear } from '../proximity/traverseNear';
