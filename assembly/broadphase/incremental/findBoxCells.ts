// Finds the cell of each box in the hash grid of moved boxes. The cells are kept until the grid changes;
// `listMovedBoxes` updates the cells of moved boxes.

import { MovedHashJob } from '../../records';
import { sliceStart } from '../boxSlices';
import { cellOfBox } from './movedBoxCells';

export function findBoxCells(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, MovedHashJob.boxesAt);
  const cells: usize = load<u32>(jobAt, MovedHashJob.cellsAt);
  const boxCount = load<u32>(jobAt, MovedHashJob.boxCount);
  const sliceCount = load<u32>(jobAt, MovedHashJob.sliceCount);
  const last: usize = sliceStart(0, boxCount, sliceCount, end);
  for (let id: usize = sliceStart(0, boxCount, sliceCount, begin); id < last; id++)
    store<u32>(cells + (id << 2), cellOfBox(jobAt, boxes + id * 24));
}
