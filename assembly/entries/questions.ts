// Lists the kernels of questions.wasm (segments, poses, distances of placed meshes), one per line.
export { findSegments } from '../contact/findSegments';
export { askPoses } from '../poses/askPoses';
export { followNearest } from '../proximity/followNearest';
export { measureTriangles } from '../proximity/measureTriangles';
export { seekNearest } from '../proximity/seekNearest';
export { touchAnyNear } from '../proximity/touchAnyNear';
export { traverseNear } from '../proximity/traverseNear';
