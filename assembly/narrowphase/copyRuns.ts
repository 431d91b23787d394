// Copies runs (sequences of consecutive triangle pairs) from the outputs of all work lists to one result. The
// result has two arrays: one with the first triangle of each pair, and one with the second triangle.
import { CopyJob, RunCopy } from '../records';

/**
 * Copies the runs of the job's slices from `begin` to end - 1. Slice i has the runs from firsts[i] to
 * firsts[i + 1] - 1.
 */
export function copyRuns(jobAt: usize, begin: u32, end: u32): void {
  const a: usize = load<u32>(jobAt, CopyJob.aAt);
  const b: usize = load<u32>(jobAt, CopyJob.bAt);
  const copies: usize = load<u32>(jobAt, CopyJob.copiesAt);
  const firsts: usize = load<u32>(jobAt, CopyJob.firstsAt);
  const last = copies + <usize>load<u32>(firsts + ((<usize>end) << 2)) * RunCopy.SIZE;
  let copy = copies + <usize>load<u32>(firsts + ((<usize>begin) << 2)) * RunCopy.SIZE;
  for (; copy < last; copy += RunCopy.SIZE) {
    const to = (<usize>load<u32>(copy, RunCopy.to)) << 2;
    const bytes = (<usize>load<u32>(copy, RunCopy.count)) << 2;
    memory.copy(a + to, load<u32>(copy, RunCopy.fromA), bytes);
    memory.copy(b + to, load<u32>(copy, RunCopy.fromB), bytes);
  }
}
