// Two bodies and how far their meshes reach along the directions of a grid -> is there surely a plane between them, upright on the line of their centres?
import { BodyRecord, SUPPORT_CELLS, SUPPORT_EDGE, SUPPORT_ENTRIES, SUPPORT_OCTANT } from './layout';

// Far more than all rounding in doubles, of what goes in; and what is so large or small that a sum may have overflowed, or a
// product underflowed, decides nothing.
const ROUNDING: f64 = 9.094947017729282e-13;
const MOST: f64 = 1e300;
const LEAST: f64 = 1e-290;

/** Bodies whose meshes have no table are never parted. Of tumbling bodies that some plane parts, this one parts about eight of ten; trying another costs as much as it saves. */
export function areParted(a: usize, b: usize): bool {
  const tableA: usize = load<u32>(a, BodyRecord.supportsAt), tableB: usize = load<u32>(b, BodyRecord.supportsAt);
  if (tableA == 0 || tableB == 0) return false;
  const x = load<f64>(b, BodyRecord.center) - load<f64>(a, BodyRecord.center);
  const y = load<f64>(b, BodyRecord.center + 8) - load<f64>(a, BodyRecord.center + 8);
  const z = load<f64>(b, BodyRecord.center + 16) - load<f64>(a, BodyRecord.center + 16);
  const gap = x * shift(a, b, 24) + y * shift(a, b, 56) + z * shift(a, b, 88) - reachAlong(tableA, a, x, y, z) - reachAlong(tableB, b, -x, -y, -z);
  return gap > ROUNDING * (load<f64>(a, BodyRecord.size) + load<f64>(b, BodyRecord.size)) * (abs(x) + abs(y) + abs(z)) && gap > LEAST && gap < MOST;
}

// From one origin to the other, on an axis.
// @ts-ignore: decorator
@inline function shift(a: usize, b: usize, axis: usize): f64 { return load<f64>(b + axis, BodyRecord.rows) - load<f64>(a + axis, BodyRecord.rows); }

/**
 * How far at most a body reaches along (x, y, z) from its origin; NaN where that cannot be told. A direction is a sum, with shares that are not
 * negative, of the grid's four around it: no point reaches farther along it than the sum of what the mesh does along these.
 */
function reachAlong(table: usize, body: usize, x: f64, y: f64, z: f64): f64 {
  const ownX = column(body, x, y, z), ownY = column(body + 8, x, y, z), ownZ = column(body + 16, x, y, z);
  const sum = (abs(ownX) + abs(ownY) + abs(ownZ)) / <f64>SUPPORT_CELLS, u = abs(ownX) / sum, v = abs(ownY) / sum;
  const i = min<u32>(<u32>u, SUPPORT_CELLS - 1), j = min<u32>(<u32>v, SUPPORT_CELLS - 1), shareU = u - <f64>i, shareV = v - <f64>j;
  const octant = sign(ownX) | (sign(ownY) << 1) | (sign(ownZ) << 2);
  const at = table + (<usize>(octant * SUPPORT_OCTANT + i * SUPPORT_EDGE + j) << 2);
  const low = between(at, shareV), high = between(at + (<usize>SUPPORT_EDGE << 2), shareV);
  return (low + (high - low) * shareU + <f64>load<f32>(table + (<usize>SUPPORT_ENTRIES << 2))) * sum;
}

// The direction on an axis of the body's own.
// @ts-ignore: decorator
@inline function column(body: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(body, BodyRecord.rows) * x + load<f64>(body, BodyRecord.rows + 32) * y + load<f64>(body, BodyRecord.rows + 64) * z;
}

// @ts-ignore: decorator
@inline function between(at: usize, share: f64): f64 {
  const low = <f64>load<f32>(at);
  return low + (<f64>load<f32>(at, 4) - low) * share;
}

// @ts-ignore: decorator
@inline function sign(value: f64): u32 { return <u32>(reinterpret<u64>(value) >> 63); }
