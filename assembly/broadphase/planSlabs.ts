// Chooses the axes, the number of slabs and the cells of a sweep from the statistics of the boxes. Runs on
// one thread: the slice is ignored.
import { planSlabJob } from './slabs';

export function planSlabs(jobAt: usize, begin: u32, end: u32): void {
  planSlabJob(jobAt);
}
