// Plans sweep and prune in slabs: sets the axes, the number of slabs and the grid of cells of a SlabJob from
// the statistics of the boxes. Runs on one thread: begin and end are ignored.
import { planSlabJob } from './slabs';

export function planSlabs(jobAt: usize, begin: u32, end: u32): void {
  planSlabJob(jobAt);
}
