// As touchAny, of meshes paired with themselves.
import { runSearches } from './touchAny';
import { SELF } from '../pairing';

/** Slice i runs list i, skipping pairs that have been hit, by this list or another. */
export function touchAnySelf(jobAt: usize, begin: u32, end: u32): void { runSearches(SELF, jobAt, begin, end); }
