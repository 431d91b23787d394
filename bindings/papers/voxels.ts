// The rival of a swarm's columns: voxels that are dealt to the members by a hash and stay (Lawlor and Kale
// 2002; Du, Liu and Suzumura 5.1).

import type { Space } from '../cluster/swarm/space.js';
import type { FindWorld } from '../cluster/swarm/world.js';

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

/**
 * The same worlds, shared in voxels of an edge each. Every process of a swarm has to find them so. Their
 * members are dealt once: none comes later.
 */
export function withVoxels(find: FindWorld, edge: number): FindWorld {
  return name => {
    const world = find(name);
    return (
      world && {
        count: world.count,
        stateLength: world.stateLength,
        meshes: world.meshes,
        ground: world.ground,
        meshOf: body => world.meshOf(body),
        begin: (body, state) => world.begin(body, state),
        advance: (body, state, step) => world.advance(body, state, step),
        place: (body, state, rows) => world.place(body, state, rows),
        respond: (body, state, step, meetings) => world.respond(body, state, step, meetings),
        spaceOf: memberCount => voxelSpace(edge, memberCount),
      }
    );
  };
}
