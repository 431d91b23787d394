// Lists the kernels of spheres.wasm, one per line. They are for trees in which each box also has a bounding
// sphere.

export { anyHitSpheres } from '../hybrid/anyHitSpheres';
export { computeSphereStretch } from '../hybrid/computeSphereStretch';
export { expandFrontSpheres } from '../hybrid/expandFrontSpheres';
export { fillSpheres } from '../hybrid/fillSpheres';
export { traverseSpheres } from '../hybrid/traverseSpheres';
