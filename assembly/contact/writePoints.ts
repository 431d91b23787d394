// Writes the corners of the set of points that two triangles share, in the order in which results list them.

import { computeRoundedPoint } from './computeRoundedPoint';
import { comparePoints } from './simplex';
import { cornerAt, cornerCount, TriangleIntersection } from './triangleIntersection';

const POINT: usize = 24;

// Writes the corners of the TriangleIntersection at `set` to `out`, as 3 f64 each. `p`: 18 f64, the vertices
// of both triangles. `scratch`: POINT_SCRATCH bytes. A segment whose direction the planes do not determine
// goes from its smaller end to its larger one, in lexicographic order; a polygon begins at its smallest
// corner.
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

// Returns the start at which a cycle of points is lexicographically smallest. Rounded corners may coincide.
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
