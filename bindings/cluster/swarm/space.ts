// Who of a swarm a place belongs to: by columns that change hands.
import { Columns, type Grid } from './columns.js';

/** Members are told by their place in the list of them. */
export interface Space {
  /** Who tests pairs whose point of reference is there. */
  ownerAt(x: number, y: number, z: number): number;
  /** Whose home a body has whose middle is there. */
  homeAt(body: number, x: number, y: number): number;
  /**
   * Marks those that a box reaches: least x, y, z, greatest x, y, z. Whoever owns the point of reference of a
   * pair of the box is among them.
   */
  reach(box: Float64Array, marks: Uint8Array): void;
  /** The column of a point, where there are any. */
  columnAt(x: number, y: number): number;
}

/** owners: of each column, its member's place. */
export function columnSpace(columns: Columns, owners: Uint32Array): Space {
  return {
    ownerAt: (x, y) => owners[columns.at(x, y)],
    homeAt: (_body, x, y) => owners[columns.at(x, y)],
    columnAt: (x, y) => columns.at(x, y),
    reach(box, marks) {
      const left = columns.placeX(box[0]);
      const right = columns.placeX(box[3]);
      const top = columns.placeY(box[4]);
      for (let y = columns.placeY(box[1]); y <= top; y++)
        for (let x = left; x <= right; x++) marks[owners[y * columns.width + x]] = 1;
    },
  };
}

/** owners: ids, of each column. */
export function makeSpace(
  { spaceOf }: { spaceOf?(memberCount: number): Space },
  grid: Grid,
  members: readonly number[],
  owners: Uint32Array,
): Space {
  if (spaceOf) return spaceOf(members.length);
  const places = new Map(members.map((id, i) => [id, i]));
  return columnSpace(
    new Columns(grid),
    owners.map(id => places.get(id)!),
  );
}
