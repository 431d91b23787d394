// Kernels of continuous collision detection: one line each.
export { sweepFeatures } from '../kernels/sweepFeatures';
export { placeSwept } from '../kernels/placeSwept';
export { boundSwept } from '../kernels/boundSwept';
export { sweepPairs } from '../kernels/sweepPairs';
export { boundMoving } from '../kernels/boundMoving';
export { sweepBodies } from '../kernels/sweepBodies';
export { turnPair } from '../kernels/turnPair';
