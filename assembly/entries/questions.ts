// Kernels of other questions of placed meshes: one line each.
export { findSegments } from '../kernels/findSegments';
export { measureTriangles } from '../kernels/measureTriangles';
export { seekNearest } from '../kernels/seekNearest';
export { followNearest } from '../kernels/followNearest';
export { askPoses } from '../kernels/askPoses';
export { traverseNear } from '../kernels/traverseNear';
export { traverseInTurnNear } from '../kernels/traverseInTurnNear';
export { touchAnyNear } from '../kernels/touchAnyNear';
