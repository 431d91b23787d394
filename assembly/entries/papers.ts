// Lists the kernels of papers.wasm, one per line. They only reproduce papers; no engine of the product loads
// them.

export { runFrontRound } from '../papers/runFrontRound';
export { traverseSimulated } from '../papers/traverseSimulated';
export { traverseSimulatedNear } from '../papers/traverseSimulatedNear';
export { traverseSimulatedSelf } from '../papers/traverseSimulatedSelf';
export { traverseSimulatedSpheres } from '../papers/traverseSimulatedSpheres';
