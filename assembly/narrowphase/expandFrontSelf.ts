// As expandFront, of meshes paired with themselves: each two boxes once.
import { SELF } from './kinds';
import { expandSlices } from './expandFront';

/** Slice i runs job i of an array. */
export function expandFrontSelf(jobAt: usize, begin: u32, end: u32): void { expandSlices(SELF, jobAt, begin, end); }
