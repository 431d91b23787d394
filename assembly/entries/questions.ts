// Kernels of other questions of placed meshes: one line each.
export { findSegments } from '../contact/findSegments';
export { measureTriangles } from '../proximity/measureTriangles';
export { seekNearest } from '../proximity/seekNearest';
export { followNearest } from '../proximity/followNearest';
export { askPoses } from '../poses/askPoses';
export { traverseNear } from '../proximity/traverseNear';
export { traverseInTurnNear } from '../papers/traverseInTurnNear';
export { touchAnyNear } from '../proximity/touchAnyNear';
