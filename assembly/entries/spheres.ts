// Kernels of trees with spheres beside their boxes: one line each.
export { fillSpheres } from '../kernels/fillSpheres';
export { relateSpheres } from '../kernels/relateSpheres';
export { walkRound } from '../kernels/walkRound';
export { expandFrontSpheres } from '../kernels/expandFrontSpheres';
export { traverseSpheres } from '../kernels/traverseSpheres';
export { traverseInTurnSpheres } from '../kernels/traverseInTurnSpheres';
export { touchAnySpheres } from '../kernels/touchAnySpheres';
