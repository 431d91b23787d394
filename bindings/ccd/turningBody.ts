// A mesh and two placements that a turn leads from one to the other -> its TurningBody.

import { Unsupported } from '../core/errors.js';
import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { TurningBody } from '../records/sweptLayout.js';
import type { Backend } from '../runtime/backend.js';
import { angleOf, columnOf, lengthOf, MOST_MISFIT, type Rows, turnBetween, turnedBack } from './turn.js';

/**
 * Far more than what rounding adds to a length; to the place of a vertex, in parts of the greatest
 * coordinate, or of half of what its terms add up to.
 */
const MORE = 1 + 2 ** -40;
const ROUNDING = 2 ** -46;

/** Of unlike placements only `misfit` is told. */
interface Motion {
  axis: number[];
  angle: number;
  change: number[];
  misfit: string | undefined;
}

/**
 * Writes a TurningBody at `at`. name: of the body, for the user. @throws Unsupported where no turn leads from
 * one placement to the other
 */
export function writeTurningBody(
  { arena }: Backend,
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
      'keep its scale, shear and mirroring from start to end, or leave motion out: then every vertex moves straight',
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
    grain: [sizes.grain],
  };
  const { f64, u32 } = arena;
  for (const [field, values] of Object.entries(fields))
    f64.set(values, (at + TurningBody.at[field as keyof typeof fields]) / 8);
  u32[(at + TurningBody.at.positionsAt) / 4] = u32[(mesh.recordAt + MeshRecord.at.positionsAt) / 4];
}

function motionBetween(from: Rows, to: Rows): Motion {
  const still = { axis: [0, 0, 1], angle: 0, change: [0, 0, 0, 0, 0, 0, 0, 0, 0], misfit: undefined };
  if (
    [0, 1, 2].every(column =>
      columnOf(from, column).every((value, axis) => value === columnOf(to, column)[axis]),
    )
  )
    return still;
  const turn = turnBetween(from, to);
  const sine = lengthOf(turn.slice(1));
  const change = new Array<number>(9);
  let isUnlike = false;
  for (let column = 0; column < 3; column++) {
    const start = columnOf(from, column);
    const end = turnedBack(turn, columnOf(to, column));
    const rest = end.map((value, axis) => value - start[axis]);
    rest.forEach((value, axis) => {
      change[3 * axis + column] = value;
    });
    if (!(lengthOf(rest) <= MOST_MISFIT * lengthOf(start))) isUnlike = true;
  }
  return {
    axis: sine > 0 ? turn.slice(1).map(value => value / sine) : still.axis,
    angle: sine > 0 ? angleOf(turn) : 0,
    change,
    misfit: isUnlike ? misfitOf(from, to) : undefined,
  };
}

function misfitOf(from: Rows, to: Rows): string {
  for (let column = 0; column < 3; column++) {
    const start = lengthOf(columnOf(from, column));
    const end = lengthOf(columnOf(to, column));
    if (Math.abs(end - start) > MOST_MISFIT * start)
      return `its ${'xyz'[column]} axis is ${start} long at the start and ${end} at the end`;
  }
  return volumeOf(from) * volumeOf(to) < 0
    ? 'it is mirrored at one end of the step only'
    : 'the angles between its axes differ from start to end';
}

function volumeOf(rows: Rows): number {
  const [[a, b, c], [d, e, f], [g, h, i]] = [columnOf(rows, 0), columnOf(rows, 1), columnOf(rows, 2)];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

// Of the corners of the mesh's bounds, none of whose points is farther from the axis. The second derivative
// of a point's way is at most angle^2 (radius + off) + 2 angle off, and it is within an eighth of that from
// its chord.
function extentOf(
  mesh: Mesh,
  from: Rows,
  to: Rows,
  axis: readonly number[],
  angle: number,
  change: readonly number[],
): { bend: number; rounding: number; extent: number; reach: number; grain: number } {
  const columns = [0, 1, 2].map(column => lengthOf(columnOf(from, column)));
  let radius = 0;
  let reach = 0;
  let off = 0;
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
    off = Math.max(
      off,
      lengthOf([0, 1, 2].map(row => p.reduce((sum, value, i) => sum + value * change[3 * row + i], 0))),
    );
  }
  const origin = Math.max(...[3, 7, 11].map(i => Math.max(Math.abs(from[i]), Math.abs(to[i]))));
  const extent = (origin + reach + off) * MORE;
  // Columns may cancel where the mesh lies: what they are rounded by is a part of the size.
  const bend = ((angle * angle * (radius + off + size * 2 ** -48) + 2 * angle * off) / 8) * MORE;
  return {
    bend,
    rounding: Math.max(extent, size / 2) * ROUNDING,
    extent,
    reach: (reach + off) * MORE,
    grain: sizeOf(mesh, from) / Math.sqrt(Math.max(1, mesh.triangleCount)),
  };
}

// About the diagonal of the placed mesh.
const sizeOf = ({ bounds }: Mesh, rows: Rows): number =>
  lengthOf([0, 1, 2].map(column => (bounds[column + 3] - bounds[column]) * lengthOf(columnOf(rows, column))));
