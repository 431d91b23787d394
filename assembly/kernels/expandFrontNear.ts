// As expandFront, in the file of kernels whose lists look for triangles that are near each other: boxes are widened in the pair's record.
import { expandSlices } from './expandFront';

/** Slice i runs job i of an array. */
export function expandFrontNear(jobAt: usize, begin: u32, end: u32): void { expandSlices(false, jobAt, begin, end); }
