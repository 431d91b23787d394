// Kernels of meshes that deform and meet themselves: one line each.
export { weldVertices } from '../kernels/weldVertices';
export { listVertices } from '../kernels/listVertices';
export { linkLeaves } from '../kernels/linkLeaves';
export { listChildren } from '../kernels/listChildren';
export { fillBoxes } from '../kernels/fillBoxes';
export { expandFrontSelf } from '../kernels/expandFrontSelf';
export { traverseSelf } from '../kernels/traverseSelf';
export { traverseInTurnSelf } from '../kernels/traverseInTurnSelf';
export { touchAnySelf } from '../kernels/touchAnySelf';
