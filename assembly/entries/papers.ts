// Lists the kernels of papers.wasm, one per line. They only serve to reproduce published papers; the engine
// that the package exports never loads them.

export { runFrontRound } from '../papers/runFrontRound';
export { traverseSimulated } from '../papers/traverseSimulated';
export { traverseSimulatedNear } from '../papers/traverseSimulatedNear';
export { traverseSimulatedSelf } from '../papers/traverseSimulatedSelf';
export { traverseSimulatedSpheres } from '../papers/traverseSimulatedSpheres';
