// What all boxes are like -> a job's axes, slabs and cells. The slice is ignored: one thread a job.
import { aimJob } from './slabs';

export function aimSlabs(jobAt: usize, begin: u32, end: u32): void {
  aimJob(jobAt);
}
