// The meshes of the bodies page, and the motions of the bodies. A motion computes the matrices of all bodies
// in each frame.

import {
  box,
  falling,
  type MeshData,
  type Movement,
  nanorobots,
  skittle,
  torus,
  tumbling,
} from 'pfront/samples';
import { Box3, Vector3 } from 'three';

export type Motion = 'tumbling' | 'falling' | Movement;
export type Shape = 'torus' | 'skittle' | 'box';

export interface Motions {
  /** Returns the matrices of all bodies, 16 float32 each, at time `t`. The unit of `t` is one frame. */
  frame(t: number): Float32Array;
  /**
   * Tells the motion that the bodies with indices a[i] and b[i] touch. Undefined for motions that ignore
   * contacts.
   */
  onContacts?(a: ArrayLike<number>, b: ArrayLike<number>): void;
  /** The camera is placed so that it shows all of this box. */
  bounds: Box3;
}

/** Bodies per unit volume. */
const DENSITY = 0.022;
/** Distance between neighboring bodies at rest. */
const SPACING = 2.1;
/** Duration of a fall, and of the pause after the fall, in frames. */
const FALL_FRAMES = 240;
const REST_FRAMES = 60;

export const meshes: Record<Shape, () => MeshData> = {
  torus: () => torus(128),
  skittle: () => skittle(96),
  box: () => box(0.7, 0.5, 0.6),
};

// Returns the motion of a swarm of robots, which make one step per frame. The placements cannot be computed
// from the time alone, because contacts change the directions of robots.
function robots(movement: Movement, count: number): Motions {
  const world = nanorobots(count, movement);
  const size = world.side;
  let placements = world.placements();
  let last = 0;
  return {
    frame: t => {
      if (t !== last) placements = world.step();
      last = t;
      return placements;
    },
    onContacts: (a, b) => world.turnBack(a, b),
    bounds: new Box3(new Vector3(), new Vector3(size, size, size)),
  };
}

export const motions: Record<Motion, (count: number) => Motions> = {
  tumbling: count => {
    const side = Math.cbrt(count / DENSITY);
    return {
      frame: tumbling(count, DENSITY),
      bounds: new Box3(new Vector3(), new Vector3(side, side, side)),
    };
  },
  falling: count => {
    const { frame, side, height } = falling(count, SPACING, FALL_FRAMES);
    return {
      frame: t => frame(t % (FALL_FRAMES + REST_FRAMES)),
      bounds: new Box3(new Vector3(), new Vector3(side, side, 1.9 * height)),
    };
  },
  random: count => robots('random', count),
  skewed: count => robots('skewed', count),
  corner: count => robots('corner', count),
};
