// Lists the kernels of casts.wasm, one per line. They are for casts of spheres, capsules and meshes, and for
// overlaps of spheres, capsules and boxes.

export { castMesh } from '../casts/castMesh';
export { castShape } from '../casts/castShape';
export { listShapeBodies } from '../casts/listShapeBodies';
