// The export list: one line per kernel.
export { sortPairs } from './kernels/sortPairs';
export { traverse } from './kernels/traverse';
export { decideTriangles } from './kernels/decideTriangles';
