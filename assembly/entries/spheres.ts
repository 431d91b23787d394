// Kernels of trees with spheres beside their boxes: one line each.

export { expandFrontSpheres } from '../hybrid/expandFrontSpheres';
export { fillSpheres } from '../hybrid/fillSpheres';
export { relateSpheres } from '../hybrid/relateSpheres';
export { touchAnySpheres } from '../hybrid/touchAnySpheres';
export { traverseSpheres } from '../hybrid/traverseSpheres';
