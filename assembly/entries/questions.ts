// Kernels of other questions of placed meshes: one line each.
export { findSegments } from '../contact/findSegments';
export { askPoses } from '../poses/askPoses';
export { followNearest } from '../proximity/followNearest';
export { measureTriangles } from '../proximity/measureTriangles';
export { seekNearest } from '../proximity/seekNearest';
export { touchAnyNear } from '../proximity/touchAnyNear';
export { traverseNear } from '../proximity/traverseNear';
