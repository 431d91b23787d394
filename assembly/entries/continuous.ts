// Kernels of continuous collision detection: one line each.
export { sweepFeatures } from '../kernels/sweepFeatures';
export { placeSwept } from '../kernels/placeSwept';
export { boundSwept } from '../kernels/boundSwept';
export { sweepFaces } from '../kernels/sweepFaces';
export { boundMoving } from '../kernels/boundMoving';
export { sweepBodies } from '../kernels/sweepBodies';
export { turnPair } from '../kernels/turnPair';
