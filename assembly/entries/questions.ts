// Kernels of other questions: one line each.
export { findSegments } from '../kernels/findSegments';
