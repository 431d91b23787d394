// Distributes a few boxes to slabs: runs all steps on one thread, for a job of one slice. There is capacity
// for `maxCopies` copies.
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
