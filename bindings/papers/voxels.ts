// Distributes the space of a swarm by voxels. The bodies of a swarm are simulated by several processes, which
// are called its members. A hash assigns each voxel permanently to one member (Lawlor and Kale 2002; Du, Liu
// and Suzumura 2017, section 5.1). Swarms normally use columns that move between members; voxels are for
// comparison.

import type { SpacePartition } from '../cluster/swarm/space.js';
import type { FindWorld } from '../cluster/swarm/world.js';

const MAX_VOXELS = 2 ** 16;

/**
 * Returns a partition of space into cubic voxels with edge length `edge`. A hash assigns each voxel to a
 * member, which tests the pairs whose reference point is in the voxel (Lawlor and Kale 2002). The owner
 * of a body never changes, wherever the body moves.
 */
export function voxelSpace(edge: number, memberCount: number): SpacePartition {
  const cellOf = (value: number): number => Math.floor(value / edge);
  const owner = (x: number, y: number, z: number): number => {
    let hash = Math.imul(x, 0x8da6b343) ^ Math.imul(y, 0xd8163841) ^ Math.imul(z, 0xcb1ab31f);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    return ((hash ^ (hash >>> 13)) >>> 0) % memberCount;
  };
  return {
    ownerAt: (x, y, z) => owner(cellOf(x), cellOf(y), cellOf(z)),
    ownerOfBody: body => body % memberCount,
    columnAt: () => 0,
    markReached(box, marks) {
      const voxels = [0, 1, 2].reduce(
        (product, axis) => product * (cellOf(box[axis + 3]) - cellOf(box[axis]) + 1),
        1,
      );
      // If the box reaches more than MAX_VOXELS voxels, marks all members. Visiting so many voxels would take
      // too long, and almost certainly each member owns at least one of these voxels.
      if (!(voxels <= MAX_VOXELS)) return void marks.fill(1);
      for (let z = cellOf(box[2]); z <= cellOf(box[5]); z++)
        for (let y = cellOf(box[1]); y <= cellOf(box[4]); y++)
          for (let x = cellOf(box[0]); x <= cellOf(box[3]); x++) marks[owner(x, y, z)] = 1;
    },
  };
}

/**
 * Returns a function that finds the same worlds as `find`, but distributes them by voxels of edge length
 * `edge`. Every process of a swarm must use this function with the same edge length. With voxels, members
 * cannot join a running swarm.
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
        respond: (body, state, step, contacts) => world.respond(body, state, step, contacts),
        spaceOf: memberCount => voxelSpace(edge, memberCount),
      }
    );
  };
}
