// Lists the kernels of papers.wasm, one per line. They only reproduce papers; no engine of the product loads
// them.

export { traverseInTurn } from '../papers/traverseInTurn';
export { traverseInTurnNear } from '../papers/traverseInTurnNear';
export { traverseInTurnSelf } from '../papers/traverseInTurnSelf';
export { traverseInTurnSpheres } from '../papers/traverseInTurnSpheres';
export { walkRound } from '../papers/walkRound';
