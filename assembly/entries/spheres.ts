// Kernels of trees with spheres beside their boxes: one line each.
export { fillSpheres } from '../hybrid/fillSpheres';
export { relateSpheres } from '../hybrid/relateSpheres';
export { walkRound } from '../papers/walkRound';
export { expandFrontSpheres } from '../hybrid/expandFrontSpheres';
export { traverseSpheres } from '../hybrid/traverseSpheres';
export { traverseInTurnSpheres } from '../papers/traverseInTurnSpheres';
export { touchAnySpheres } from '../hybrid/touchAnySpheres';
