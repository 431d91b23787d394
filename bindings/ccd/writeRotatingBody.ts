// Writes a RotatingBody record: the rigid motion of a mesh between its placements at the start and at the
// end.

import { Unsupported } from '../core/errors.js';
import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { RotatingBody } from '../records/sweptLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import {
  angleOf,
  columnOf,
  lengthOf,
  MAX_MISFIT,
  type Rows,
  rotateBack,
  rotationBetween,
} from './rotation.js';

/** Factor that covers the rounding of a length. */
const ROUND_UP = 1 + 2 ** -40;
/**
 * Bound of the rounding error of a vertex's position, relative to the larger of two values: the largest
 * coordinate, and half of the sum of the lengths of a position's terms. Each term is a column of the placement
 * times a coordinate.
 */
const ROUNDING = 2 ** -46;

/**
 * The motion between two placements. `change`: the final linear part, rotated back to the start, minus the
 * initial linear part; nine numbers, row by row. `misfit`: why the motion is not rigid; undefined if it is
 * rigid.
 */
interface Motion {
  axis: number[];
  angle: number;
  change: number[];
  misfit: string | undefined;
}

/**
 * Writes a RotatingBody record at byte address `at`.
 * @param name the body's name in error messages
 * @throws Unsupported if no rotation leads from one placement to the other
 */
export function writeRotatingBody(
  { arena }: EngineContext,
  at: number,
  name: string,
  mesh: Mesh,
  from: Rows,
  to: Rows,
): void {
  const { axis, angle, change, misfit } = motionBetween(from, to);
  if (misfit)
    throw new Unsupported(
      `${name} does not move as a rigid body: ${misfit}`,
      'use the same scale, shear and mirroring at both ends, or omit motion, so that every vertex moves linearly',
    );
  const sizes = extentOf(mesh, from, to, axis, angle, change);
  const fields = {
    from,
    to,
    change,
    axis,
    angle: [angle],
    bend: [sizes.bend],
    rounding: [sizes.rounding],
    extent: [sizes.extent],
    reach: [sizes.reach],
    edgeLength: [sizes.edgeLength],
  };
  const { f64, u32 } = arena;
  for (const [field, values] of Object.entries(fields))
    f64.set(values, (at + RotatingBody.at[field as keyof typeof fields]) / 8);
  u32[(at + RotatingBody.at.positionsAt) / 4] = u32[(mesh.recordAt + MeshRecord.at.positionsAt) / 4];
}

function motionBetween(from: Rows, to: Rows): Motion {
  const none = { axis: [0, 0, 1], angle: 0, change: [0, 0, 0, 0, 0, 0, 0, 0, 0], misfit: undefined };
  if (
    [0, 1, 2].every(column =>
      columnOf(from, column).every((value, axis) => value === columnOf(to, column)[axis]),
    )
  )
    return none;
  const rotation = rotationBetween(from, to);
  const sine = lengthOf(rotation.slice(1));
  const change = new Array<number>(9);
  let hasMisfit = false;
  for (let column = 0; column < 3; column++) {
    const start = columnOf(from, column);
    const end = rotateBack(rotation, columnOf(to, column));
    const difference = end.map((value, axis) => value - start[axis]);
    difference.forEach((value, axis) => {
      change[3 * axis + column] = value;
    });
    if (!(lengthOf(difference) <= MAX_MISFIT * lengthOf(start))) hasMisfit = true;
  }
  return {
    axis: sine > 0 ? rotation.slice(1).map(value => value / sine) : none.axis,
    angle: sine > 0 ? angleOf(rotation) : 0,
    change,
    misfit: hasMisfit ? misfitOf(from, to) : undefined,
  };
}

function misfitOf(from: Rows, to: Rows): string {
  for (let column = 0; column < 3; column++) {
    const start = lengthOf(columnOf(from, column));
    const end = lengthOf(columnOf(to, column));
    if (Math.abs(end - start) > MAX_MISFIT * start)
      return `its ${'xyz'[column]} axis has length ${start} at the start and ${end} at the end`;
  }
  return volumeOf(from) * volumeOf(to) < 0
    ? 'it is mirrored at one end of the step only'
    : 'the angles between its axes differ from start to end';
}

function volumeOf(rows: Rows): number {
  const [[a, b, c], [d, e, f], [g, h, i]] = [columnOf(rows, 0), columnOf(rows, 1), columnOf(rows, 2)];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

// Computes bounds from the corners of the mesh's bounding box, because no point of the mesh is farther from
// the axis than the farthest corner. Let `radius` be the maximum distance from the axis, and `offset` the
// maximum length by which `change` moves a point. The second derivative of a point's path is then at most
// angle^2 * (radius + offset) + 2 * angle * offset. The distance between the path and its chord (`bend`) is
// at most an eighth of this bound.
function extentOf(
  mesh: Mesh,
  from: Rows,
  to: Rows,
  axis: readonly number[],
  angle: number,
  change: readonly number[],
): { bend: number; rounding: number; extent: number; reach: number; edgeLength: number } {
  const columns = [0, 1, 2].map(column => lengthOf(columnOf(from, column)));
  let radius = 0;
  let reach = 0;
  let offset = 0;
  let size = 0;
  for (let corner = 0; corner < 8; corner++) {
    const p = [0, 1, 2].map(i => mesh.bounds[i + 3 * ((corner >> i) & 1)]);
    const placed = [0, 1, 2].map(row => p.reduce((sum, value, i) => sum + value * from[4 * row + i], 0));
    const along = placed.reduce((sum, value, i) => sum + value * axis[i], 0);
    reach = Math.max(reach, lengthOf(placed));
    size = Math.max(
      size,
      p.reduce((sum, value, i) => sum + Math.abs(value) * columns[i], 0),
    );
    radius = Math.max(radius, lengthOf(placed.map((value, i) => value - along * axis[i])));
    offset = Math.max(
      offset,
      lengthOf([0, 1, 2].map(row => p.reduce((sum, value, i) => sum + value * change[3 * row + i], 0))),
    );
  }
  const origin = Math.max(...[3, 7, 11].map(i => Math.max(Math.abs(from[i]), Math.abs(to[i]))));
  const extent = (origin + reach + offset) * ROUND_UP;
  // A position is a sum of columns times coordinates. These terms may cancel, so the rounding error is
  // relative to `size`, the sum of their magnitudes.
  const bend = ((angle * angle * (radius + offset + size * 2 ** -48) + 2 * angle * offset) / 8) * ROUND_UP;
  return {
    bend,
    rounding: Math.max(extent, size / 2) * ROUNDING,
    extent,
    reach: (reach + offset) * ROUND_UP,
    edgeLength: sizeOf(mesh, from) / Math.sqrt(Math.max(1, mesh.triangleCount)),
  };
}

// Returns the approximate diagonal of the placed mesh.
const sizeOf = ({ bounds }: Mesh, rows: Rows): number =>
  lengthOf([0, 1, 2].map(column => (bounds[column + 3] - bounds[column]) * lengthOf(columnOf(rows, column))));
