// Writes the corners of the intersection of two triangles, in the order in which query results list them.

import { computeRoundedPoint } from './computeRoundedPoint';
import { comparePoints } from './simplex';
import { cornerAt, cornerCount, TriangleIntersection } from './triangleIntersection';

const POINT: usize = 24;

// Writes the corners of the TriangleIntersection at `set` to `out`, as 3 f64 each. `p`: the vertices of both
// triangles (18 f64). `scratch`: POINT_SCRATCH bytes. Points are compared by x, then y, then z. A segment
// begins at the smaller of its two ends, unless `isDirected` is set; a polygon begins at its smallest corner.
// @returns false if a coordinate cannot be rounded with certainty.
export function writePoints(p: usize, set: usize, out: usize, scratch: usize): bool {
  const count = cornerCount(set);
  for (let i: u32 = 0; i < count; i++)
    if (!computeRoundedPoint(p, cornerAt(set, i), out + POINT * i, scratch)) return false;
  if (count == 2) {
    if (!load<u32>(set, TriangleIntersection.isDirected) && comparePoints(out, out + POINT) > 0)
      rotate(1, 2, out, scratch);
  } else if (count > 2) rotate(minRotation(count, out), count, out, scratch);
  return true;
}

// Returns the index at which to start a cycle of points so that their sequence is lexicographically smallest.
// Whole sequences are compared because rounding may make corners coincide.
function minRotation(count: u32, points: usize): u32 {
  let best: u32 = 0;
  for (let start: u32 = 1; start < count; start++) {
    for (let i: u32 = 0; i < count; i++) {
      const order = comparePoints(
        points + POINT * ((start + i) % count),
        points + POINT * ((best + i) % count),
      );
      if (order < 0) best = start;
      if (order != 0) break;
    }
  }
  return best;
}

function rotate(start: u32, count: u32, points: usize, scratch: usize): void {
  const bytes = POINT * count;
  const first = POINT * start;
  memory.copy(scratch, points, bytes);
  memory.copy(points, scratch + first, bytes - first);
  memory.copy(points + bytes - first, scratch, first);
}
