// Lists the kernels of continuous.wasm, one per line. They are for continuous collision detection.

export { boundMoving } from '../ccd/boundMoving';
export { boundSwept } from '../ccd/boundSwept';
export { placeSwept } from '../ccd/placeSwept';
export { planRotation } from '../ccd/planRotation';
export { sweepBodies } from '../ccd/sweepBodies';
export { sweepFeatures } from '../ccd/sweepFeatures';
export { sweepPairs } from '../ccd/sweepPairs';
