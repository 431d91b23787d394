// Distributes a small number of boxes to slabs: runs all steps of the distribution on one thread. A box is
// copied to every slab that it overlaps. The job must have one slice, and capacity for `maxCopies` copies.
import { SlabJob } from '../records';
import { countSlabs } from './countSlabs';
import { moveToSlabs } from './moveToSlabs';
import { offsetSlabs } from './offsetSlabs';
import { planSlabJob } from './slabs';

export function distributeToSlabs(jobAt: usize, begin: u32, end: u32): void {
  planSlabJob(jobAt);
  do {
    countSlabs(jobAt, 0, 1);
    offsetSlabs(jobAt, 0, 1);
  } while (!load<u32>(jobAt, SlabJob.isPlanned));
  moveToSlabs(jobAt, 0, 1);
}
