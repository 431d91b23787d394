// Maps points to the members that own them, by columns whose owners may change.
import { Columns, type Grid } from './columns.js';

/** A partition of space between members, which are given by their index in the list of members. */
export interface SpacePartition {
  /** Returns the member that tests the pairs with this reference point. */
  ownerAt(x: number, y: number, z: number): number;
  /** Returns the member that is the home of a body with this center. */
  homeAt(body: number, x: number, y: number): number;
  /**
   * Marks the members that a box reaches: minimum x, y, z, maximum x, y, z. They include the owner of the
   * reference point of every pair that includes the box.
   */
  reach(box: Float64Array, marks: Uint8Array): void;
  /** Returns the column of a point, if there are columns. */
  columnAt(x: number, y: number): number;
}

/** Returns a space of columns. owners: the member index of each column. */
export function columnSpace(columns: Columns, owners: Uint32Array): SpacePartition {
  return {
    ownerAt: (x, y) => owners[columns.at(x, y)],
    homeAt: (_body, x, y) => owners[columns.at(x, y)],
    columnAt: (x, y) => columns.at(x, y),
    reach(box, marks) {
      const left = columns.columnX(box[0]);
      const right = columns.columnX(box[3]);
      const top = columns.columnY(box[4]);
      for (let y = columns.columnY(box[1]); y <= top; y++)
        for (let x = left; x <= right; x++) marks[owners[y * columns.width + x]] = 1;
    },
  };
}

/** Returns the space of a world. owners: the node id of each column. */
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
