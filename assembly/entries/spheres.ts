// Lists the kernels of spheres.wasm (trees with a sphere beside each box), one per line.

export { anyHitSpheres } from '../hybrid/anyHitSpheres';
export { computeSphereStretch } from '../hybrid/computeSphereStretch';
export { expandFrontSpheres } from '../hybrid/expandFrontSpheres';
export { fillSpheres } from '../hybrid/fillSpheres';
export { traverseSpheres } from '../hybrid/traverseSpheres';
