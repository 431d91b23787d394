// Lists the kernels of points.wasm, one per line. They are for closest points of a mesh, and for points in
// solids.

export { classifyPoints } from '../points/classifyPoints';
export { closestPoints } from '../points/closestPoints';
export { listNearTriangles } from '../points/listNearTriangles';
