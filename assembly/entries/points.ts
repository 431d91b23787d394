// Lists the kernels of points.wasm, one per line: closest points of a mesh, and points in solids.

export { classifyPoints } from '../points/classifyPoints';
export { closestPoints } from '../points/closestPoints';
export { listNearTriangles } from '../points/listNearTriangles';
