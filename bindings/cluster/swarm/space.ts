// Maps points to the members (nodes) of a swarm that own them. Members own either columns, which may change
// owners, or the fixed regions of a world.
import { Columns, type Grid } from './columns.js';

/** A partition of space between members. A member is given by its index in the list of members. */
export interface SpacePartition {
  /** Returns the member that tests the pairs with this reference point. */
  ownerAt(x: number, y: number, z: number): number;
  /** Returns the member that owns a body with this center. */
  ownerOfBody(body: number, x: number, y: number): number;
  /**
   * Sets the marks of the members whose regions a box reaches. If it is the box of a body, these members
   * include the owner of the reference point of every pair of this body. box: minimum x, y, z, then maximum x,
   * y, z.
   */
  markReached(box: Float64Array, marks: Uint8Array): void;
  /** Returns the column of a point, if there are columns. */
  columnAt(x: number, y: number): number;
}

/** Returns a partition of space into columns. owners: the index of the member that owns each column. */
export function columnSpace(columns: Columns, owners: Uint32Array): SpacePartition {
  return {
    ownerAt: (x, y) => owners[columns.at(x, y)],
    ownerOfBody: (_body, x, y) => owners[columns.at(x, y)],
    columnAt: (x, y) => columns.at(x, y),
    markReached(box, marks) {
      const left = columns.columnX(box[0]);
      const right = columns.columnX(box[3]);
      const top = columns.columnY(box[4]);
      for (let y = columns.columnY(box[1]); y <= top; y++)
        for (let x = left; x <= right; x++) marks[owners[y * columns.width + x]] = 1;
    },
  };
}

/**
 * Returns the partition of space for a world: its fixed regions if it has any, and columns otherwise. owners:
 * the id of the node that owns each column.
 */
export function makeSpace(
  { spaceOf }: { spaceOf?(memberCount: number): SpacePartition },
  grid: Grid,
  members: readonly number[],
  owners: Uint32Array,
): SpacePartition {
  if (spaceOf) return spaceOf(members.length);
  const places = new Map(members.map((id, i) => [id, i]));
  return columnSpace(
    new Columns(grid),
    owners.map(id => places.get(id)!),
  );
}
