// The export list: one line per kernel.
export { sortPairs } from './kernels/sortPairs';
export { traverse } from './kernels/traverse';
export { touchAny } from './kernels/touchAny';
export { weighFront } from './kernels/weighFront';
export { expandFront } from './kernels/expandFront';
export { decideTriangles } from './kernels/decideTriangles';
export { boundPositions } from './kernels/boundPositions';
export { boundTriangles } from './kernels/boundTriangles';
export { growSubtrees } from './kernels/growSubtrees';
export { fillTree } from './kernels/fillTree';
export { refitTree } from './kernels/refitTree';
export { binChunks } from './kernels/binChunks';
export { splitTop } from './kernels/splitTop';
export { moveChunks } from './kernels/moveChunks';
