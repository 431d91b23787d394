// Kernels of other questions: one line each.
export { askPoses } from '../kernels/askPoses';
