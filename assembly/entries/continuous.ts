// Kernels of continuous collision detection: one line each.
export { sweepFeatures } from '../ccd/sweepFeatures';
export { placeSwept } from '../ccd/placeSwept';
export { boundSwept } from '../ccd/boundSwept';
export { sweepPairs } from '../ccd/sweepPairs';
export { boundMoving } from '../ccd/boundMoving';
export { sweepBodies } from '../ccd/sweepBodies';
export { turnPair } from '../ccd/turnPair';
