// The export list: one line per kernel.
export { sortPairs } from './kernels/sortPairs';
export { decideTriangles } from './kernels/decideTriangles';
