// Lists the kernels of deforming.wasm, one per line. They are for meshes that are tested against themselves.

export { anyHitSelf } from '../narrowphase/anyHitSelf';
export { expandFrontSelf } from '../narrowphase/expandFrontSelf';
export { fillBoxes } from '../narrowphase/fillBoxes';
export { linkLeaves } from '../narrowphase/linkLeaves';
export { listChildren } from '../narrowphase/listChildren';
export { listVertices } from '../narrowphase/listVertices';
export { traverseSelf } from '../narrowphase/traverseSelf';
export { weldVertices } from '../narrowphase/weldVertices';
