// Overwrites the bounds of some boxes and marks these boxes as moved. Changes no box if an id or a new bound is
// invalid, or if fewer than `minCount` of the new boxes are nonempty. Runs on one thread: the slice is ignored.

import { BoxStatistics, MoveBoxesJob, NOTHING } from '../../records';
import { copyBox } from '../boxLoad';
import { addBoxes, clearStatistics } from '../computeBoxStatistics';

export function moveBoxes(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, MoveBoxesJob.count);
  const boxCount = load<u32>(jobAt, MoveBoxesJob.boxCount);
  const ids: usize = load<u32>(jobAt, MoveBoxesJob.idsAt);
  const places: usize = load<u32>(jobAt, MoveBoxesJob.placesAt);
  const statistics: usize = load<u32>(jobAt, MoveBoxesJob.statisticsAt);
  clearStatistics(statistics);
  addBoxes(places, 0, count, statistics);
  let invalid = NOTHING;
  for (let k: u32 = count; k > 0; k--) {
    if (load<u32>(ids + ((<usize>(k - 1)) << 2)) >= boxCount) invalid = k - 1;
  }
  store<u32>(jobAt, invalid, MoveBoxesJob.firstInvalid);
  if (
    invalid != NOTHING ||
    load<u32>(statistics, BoxStatistics.firstNonFinite) != NOTHING ||
    load<u32>(statistics, BoxStatistics.count) < load<u32>(jobAt, MoveBoxesJob.minCount)
  )
    return;
  const boxes: usize = load<u32>(jobAt, MoveBoxesJob.boxesAt);
  const moved: usize = load<u32>(jobAt, MoveBoxesJob.movedAt);
  for (let k: usize = 0; k < <usize>count; k++) {
    const id = <usize>load<u32>(ids + (k << 2));
    copyBox(places + k * 24, boxes + id * 24);
    store<u8>(moved + id, 1);
  }
}
