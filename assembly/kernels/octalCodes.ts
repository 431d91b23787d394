// Boxes and where each slice's octants go -> keys and box numbers. Second half of listing them.
import { OctreeJob } from '../layout';
import { cellsOf, isThere, keyOf, rise, second, sliceFrom } from '../octants';

export function octalCodes(jobAt: usize, begin: u32, end: u32): void {
  const boxes: usize = load<u32>(jobAt, OctreeJob.boxesAt), keys: usize = load<u32>(jobAt, OctreeJob.keysAt), ids: usize = load<u32>(jobAt, OctreeJob.idsAt);
  for (let slice = begin; slice < end; slice++) {
    let top = <usize>load<u32>(<usize>load<u32>(jobAt, OctreeJob.countsAt) + (<usize>slice << 2)) << 2;
    const last = sliceFrom(jobAt, <u64>slice + 1);
    for (let id = sliceFrom(jobAt, slice); id < last; id++) {
      const box = boxes + <usize>id * 24;
      if (!isThere(box)) continue;
      const low = cellsOf(jobAt, box), high = cellsOf(jobAt, box + 12), up = rise(low, high), more = second(low, high, up);
      const x = (low & 1023) >> up, y = ((low >> 10) & 1023) >> up, z = low >> 20 >> up;
      // All subsets of the axes on which there is a second cell.
      for (let corner: u32 = 0; corner <= more; corner++) {
        if ((corner & ~more) != 0) continue;
        store<u32>(keys + top, keyOf(x + (corner & 1), y + ((corner >> 1) & 1), z + (corner >> 2), up));
        store<u32>(ids + top, id);
        top += 4;
      }
    }
  }
}
