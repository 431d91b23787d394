// Places the tree of a mesh in floats, relative to the center of a region, with a bound on the rounding errors.
import { MeshRecord, Node } from '../records';
import { image } from '../simd/frames';
import { load4 } from '../simd/lanes';

/**
 * PLACED: bytes of a placement of the tree. First come three rows of four floats, then the absolute values of
 * its linear part in the same layout. ABSOLUTE: byte offset of these absolute values.
 */
export const PLACED: usize = 96;
export const ABSOLUTE: usize = 48;
/**
 * Relative bounds, far larger than the rounding errors of a placed box of the tree. SLACK is the bound for
 * coordinates relative to the center of the region, in floats. DOUBLE_SLACK is the bound for coordinates in
 * the common frame, in doubles.
 */
const SLACK: f64 = 1.9073486328125e-6;
const DOUBLE_SLACK: f64 = 2.842170943040401e-14;
/**
 * Coordinates stored in the tree are at most 1, unless the mesh is so large that the scale is limited to
 * MIN_SCALE, 2^-120. In that case, stored coordinates are at most 2^128 * scale, because positions are floats.
 */
const MIN_SCALE: f64 = 7.52316384526264e-37;
const MAX_COORDINATE: f64 = 3.402823669209385e38;
/** 2^126. If the magnitudes of a coordinate's terms add up to at least this, sums in floats might overflow. */
const MAX_SUM: f64 = 8.507059173023462e37;

/** Returns the middle of a region, a box of six floats, on one axis. axis: 0, 4 or 8. */
export function middleOf(region: usize, axis: usize): f64 {
  return 0.5 * (<f64>load<f32>(region + axis) + <f64>load<f32>(region + axis, 12));
}

/**
 * Writes a placement of the tree in floats: the transform from the coordinates stored in the tree to
 * coordinates relative to the center of the region. The last word of each row of absolute values is a bound
 * of the rounding error. It is infinite if sums might overflow, so that every box counts as overlapping.
 * mesh: a MeshRecord. rows: a placement, three rows of four doubles.
 */
export function placeTree(mesh: usize, rows: usize, region: usize, out: usize): void {
  const scale = <f64>load<f32>(mesh, MeshRecord.scale);
  const size = 2 * (scale > MIN_SCALE ? 1 / scale : MAX_COORDINATE);
  for (let axis: usize = 0; axis < 3; axis++) {
    const row = rows + (axis << 5);
    const to = out + (axis << 4);
    const absolute = out + ABSOLUTE + (axis << 4);
    const x = load<f64>(row);
    const y = load<f64>(row, 8);
    const z = load<f64>(row, 16);
    const cx = <f64>load<f32>(mesh, MeshRecord.centerX);
    const cy = <f64>load<f32>(mesh, MeshRecord.centerY);
    const cz = <f64>load<f32>(mesh, MeshRecord.centerZ);
    const middle = middleOf(region, axis << 2);
    const shift = x * cx + y * cy + z * cz + load<f64>(row, 24) - middle;
    store<f32>(to, <f32>(x / scale));
    store<f32>(to, <f32>(y / scale), 4);
    store<f32>(to, <f32>(z / scale), 8);
    store<f32>(to, <f32>shift, 12);
    store<f32>(absolute, <f32>(f64.abs(x) / scale));
    store<f32>(absolute, <f32>(f64.abs(y) / scale), 4);
    store<f32>(absolute, <f32>(f64.abs(z) / scale), 8);
    const reach = size * (f64.abs(x) + f64.abs(y) + f64.abs(z));
    const sum =
      reach +
      f64.abs(x * cx) +
      f64.abs(y * cy) +
      f64.abs(z * cz) +
      f64.abs(load<f64>(row, 24)) +
      f64.abs(middle);
    store<f32>(
      absolute,
      sum < MAX_SUM ? <f32>(SLACK * (reach + f64.abs(shift)) + DOUBLE_SLACK * sum + 1e-37) : Infinity,
      12,
    );
  }
}

/** Returns one coordinate of the centers of a node's four boxes. row: a row of the placement. */
export function center(node: usize, row: usize): v128 {
  return image(row, load4(node, Node.centerX), load4(node, Node.centerY), load4(node, Node.centerZ));
}

/**
 * Returns the half extents of a node's four boxes on one axis, with the bound of the rounding error. row: a row
 * of absolute values of the placement.
 */
export function extent(node: usize, row: usize): v128 {
  return image(row, load4(node, Node.halfX), load4(node, Node.halfY), load4(node, Node.halfZ));
}
