// Lists the kernels of casts.wasm (casts and overlaps of spheres, capsules and boxes), one per line.

export { castShape } from '../casts/castShape';
export { listShapeBodies } from '../casts/listShapeBodies';
