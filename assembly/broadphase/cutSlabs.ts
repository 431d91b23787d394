// A few boxes -> SweptBoxes slab by slab: all steps of cutting, for a job of one slice. mostPlaces of them
// have room.
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
