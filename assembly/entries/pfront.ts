// Lists the kernels of pfront.wasm (mesh building and intersection queries), one per line. Every engine loads
// this module.

export { binChunks } from '../bvh/binChunks';
export { boundPositions } from '../bvh/boundPositions';
export { boundTriangles } from '../bvh/boundTriangles';
export { computeMortonCodes } from '../bvh/computeMortonCodes';
export { fillTree } from '../bvh/fillTree';
export { growMortonSubtrees } from '../bvh/growMortonSubtrees';
export { growSubtrees } from '../bvh/growSubtrees';
export { moveChunks } from '../bvh/moveChunks';
export { refitTree } from '../bvh/refitTree';
export { splitTop } from '../bvh/splitTop';
export { countDigits } from '../common/countDigits';
export { moveDigits } from '../common/moveDigits';
export { placePairs } from '../mesh/placePairs';
export { anyHit } from '../narrowphase/anyHit';
export { copyRuns } from '../narrowphase/copyRuns';
export { decideTriangles } from '../narrowphase/decideTriangles';
export { distributeNodes } from '../narrowphase/distributeNodes';
export { estimateCosts } from '../narrowphase/estimateCosts';
export { expandFront } from '../narrowphase/expandFront';
export { sortPairs } from '../narrowphase/sortPairs';
export { storeCosts } from '../narrowphase/storeCosts';
export { traverse } from '../narrowphase/traverse';
