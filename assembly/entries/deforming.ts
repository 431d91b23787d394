// Kernels of meshes that deform and meet themselves: one line each.
export { weldVertices } from '../narrowphase/weldVertices';
export { listVertices } from '../narrowphase/listVertices';
export { linkLeaves } from '../narrowphase/linkLeaves';
export { listChildren } from '../narrowphase/listChildren';
export { fillBoxes } from '../narrowphase/fillBoxes';
export { expandFrontSelf } from '../narrowphase/expandFrontSelf';
export { traverseSelf } from '../narrowphase/traverseSelf';
export { traverseInTurnSelf } from '../papers/traverseInTurnSelf';
export { touchAnySelf } from '../narrowphase/touchAnySelf';
