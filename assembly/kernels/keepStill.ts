// Pairs of the last frame -> those of two boxes that have not moved, at the front. The slice is ignored: one thread a job.
import { KeepStillJob } from '../layout';

export function keepStill(jobAt: usize, begin: u32, end: u32): void {
  const listA: usize = load<u32>(jobAt, KeepStillJob.aAt), listB: usize = load<u32>(jobAt, KeepStillJob.bAt), moved: usize = load<u32>(jobAt, KeepStillJob.movedAt);
  const bytes = <usize>load<u32>(jobAt, KeepStillJob.count) << 2;
  let top: usize = 0;
  for (let at: usize = 0; at < bytes; at += 4) {
    const a = load<u32>(listA + at), b = load<u32>(listB + at);
    store<u32>(listA + top, a);
    store<u32>(listB + top, b);
    top += <usize>((load<u8>(moved + a) | load<u8>(moved + b)) ^ 1) << 2;
  }
  store<u32>(jobAt, <u32>(top >> 2), KeepStillJob.kept);
}
