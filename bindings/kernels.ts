// The kernel table: every wasm export by name; a worker is told which to run by its index here.

export const kernelNames = [
  'decideTriangles',
  'sortPairs',
  'placePairs',
  'traverse',
  'rememberCosts',
  'traverseInTurn',
  'touchAny',
  'weighFront',
  'expandFront',
  'boundPositions',
  'boundTriangles',
  'growSubtrees',
  'fillTree',
  'refitTree',
  'binChunks',
  'splitTop',
  'moveChunks',
  'mortonCodes',
  'countDigits',
  'moveDigits',
  'growMortonSubtrees',
  'surveyBoxes',
  'countSlabs',
  'moveToSlabs',
  'sweepSlabs',
  'countPairs',
  'movePairs',
  'sortBuckets',
  'countOctants',
  'octalCodes',
  'gatherOctants',
  'scanOctants',
  'boxCodes',
  'nextCodes',
  'packBoxes',
  'placeBoxes',
  'joinBoxes',
  'pairBoxes',
  'moveBoxes',
  'keepStill',
  'findNear',
  'renamePairs',
  'placeBodies',
  'pruneBodyPairs',
  'placeBodyPairs',
  'listEndpoints',
  'sortEndpoints',
  'mergeEvents',
] as const;

export type KernelName = (typeof kernelNames)[number];

/** `jobAt` is the byte address of the job's record; the kernel does slices begin <= i < end of it. */
export type Kernel = (jobAt: number, begin: number, end: number) => void;

export type Kernels = Readonly<Record<KernelName, Kernel>>;
