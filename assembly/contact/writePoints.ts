// A set that two triangles share -> the points of its corners in doubles, in the order that users get them
// in.
import { CommonSet, cornerAt, cornerCount } from './corners';
import { roundedPoint } from './roundedPoint';
import { comparePoints } from './simplex';

const POINT: usize = 24;

// 18 f64 at `p`, their set -> its points at `out`. Segments that planes give no direction go from the lesser
// end to the greater; polygons begin at their least corner. @returns false where a coordinate cannot be
// rounded for sure. `scratch`: POINT_SCRATCH.
export function writePoints(p: usize, set: usize, out: usize, scratch: usize): bool {
  const count = cornerCount(set);
  for (let i: u32 = 0; i < count; i++)
    if (!roundedPoint(p, cornerAt(set, i), out + POINT * i, scratch)) return false;
  if (count == 2) {
    if (!load<u32>(set, CommonSet.isDirected) && comparePoints(out, out + POINT) > 0)
      turnBy(1, 2, out, scratch);
  } else if (count > 2) turnBy(leastTurn(count, out), count, out, scratch);
  return true;
}

// Where a round of points begins so that the whole list is least: rounded corners may coincide.
function leastTurn(count: u32, points: usize): u32 {
  let least: u32 = 0;
  for (let start: u32 = 1; start < count; start++) {
    for (let i: u32 = 0; i < count; i++) {
      const order = comparePoints(
        points + POINT * ((start + i) % count),
        points + POINT * ((least + i) % count),
      );
      if (order < 0) least = start;
      if (order != 0) break;
    }
  }
  return least;
}

function turnBy(start: u32, count: u32, points: usize, scratch: usize): void {
  const bytes = POINT * count;
  const first = POINT * start;
  memory.copy(scratch, points, bytes);
  memory.copy(points, scratch + first, bytes - first);
  memory.copy(points + bytes - first, scratch, first);
}
