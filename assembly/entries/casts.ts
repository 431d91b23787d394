// Lists the kernels of casts.wasm (casts of spheres, capsules and meshes, overlaps of spheres, capsules and boxes), one per line.

export { castMesh } from '../casts/castMesh';
export { castShape } from '../casts/castShape';
export { listShapeBodies } from '../casts/listShapeBodies';
