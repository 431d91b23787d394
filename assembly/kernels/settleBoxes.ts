// Boxes that have moved -> copied over where they were before. The slice is ignored: one thread a job.
import { copyBox } from '../boxLoad';
import { EndpointJob } from '../layout';

export function settleBoxes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, EndpointJob.boxesAt), former: usize = load<u32>(jobAt, EndpointJob.formerAt), moved: usize = load<u32>(jobAt, EndpointJob.movedAt);
  const boxCount: usize = load<u32>(jobAt, EndpointJob.boxCount);
  for (let first: usize = 0; first < boxCount; first += 8) {
    // Behind the last box none has moved.
    if (load<u64>(moved + first) == 0) continue;
    for (let id = first; id < first + 8; id++) {
      if (load<u8>(moved + id) != 0) copyBox(boxes + id * 24, former + id * 24);
    }
  }
}
