// Who of a swarm a place belongs to: by columns that change hands, or by voxels that are dealt by hash and
// stay (the rival).
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

const MOST_VOXELS = 2 ** 16;

/**
 * Lawlor and Kale 2002: voxels of an edge each, dealt by a hash; bodies stay where they are, whatever way
 * they go.
 */
export function voxelSpace(edge: number, memberCount: number): Space {
  const place = (value: number): number => Math.floor(value / edge);
  const owner = (x: number, y: number, z: number): number => {
    let hash = Math.imul(x, 0x8da6b343) ^ Math.imul(y, 0xd8163841) ^ Math.imul(z, 0xcb1ab31f);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    return ((hash ^ (hash >>> 13)) >>> 0) % memberCount;
  };
  return {
    ownerAt: (x, y, z) => owner(place(x), place(y), place(z)),
    homeAt: body => body % memberCount,
    columnAt: () => 0,
    reach(box, marks) {
      const voxels = [0, 1, 2].reduce(
        (product, axis) => product * (place(box[axis + 3]) - place(box[axis]) + 1),
        1,
      );
      // So many reach everybody; there may be too many to go through.
      if (!(voxels <= MOST_VOXELS)) return void marks.fill(1);
      for (let z = place(box[2]); z <= place(box[5]); z++)
        for (let y = place(box[1]); y <= place(box[4]); y++)
          for (let x = place(box[0]); x <= place(box[3]); x++) marks[owner(x, y, z)] = 1;
    },
  };
}

/** As messages tell it: voxelEdge 0 stands for columns. */
export function makeSpace(
  grid: Grid,
  voxelEdge: number,
  members: readonly number[],
  owners: Uint32Array,
): Space {
  if (voxelEdge > 0) return voxelSpace(voxelEdge, members.length);
  const places = new Map(members.map((id, i) => [id, i]));
  return columnSpace(
    new Columns(grid),
    owners.map(id => places.get(id)!),
  );
}
