// Lists the kernels of casts.wasm, one per line: casts of spheres, capsules and meshes, and overlaps of
// spheres, capsules and boxes.

export { castMesh } from '../casts/castMesh';
export { castShape } from '../casts/castShape';
export { listShapeBodies } from '../casts/listShapeBodies';
