// Distributes a few boxes to slabs: runs all steps on one thread, for a job of one slice. There is capacity
// for `mostPlaces` copies.
import { SlabJob } from '../records';
import { countSlabs } from './countSlabs';
import { moveToSlabs } from './moveToSlabs';
import { placeSlabs } from './placeSlabs';
import { aimJob } from './slabs';

export function cutSlabs(jobAt: usize, begin: u32, end: u32): void {
  aimJob(jobAt);
  do {
    countSlabs(jobAt, 0, 1);
    placeSlabs(jobAt, 0, 1);
  } while (!load<u32>(jobAt, SlabJob.isCut));
  moveToSlabs(jobAt, 0, 1);
}
