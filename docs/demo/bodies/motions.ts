// Choices of the bodies page -> a mesh, and matrices of all bodies frame by frame.

import {
  box,
  falling,
  type MeshData,
  type Movement,
  nanorobots,
  skittle,
  torus,
  tumbling,
} from 'pfront/scenes';
import { Box3, Vector3 } from 'three';

export type Motion = 'tumbling' | 'falling' | Movement;
export type Shape = 'torus' | 'skittle' | 'box';

export interface Motions {
  /** 16 float32 a body. */
  frame(t: number): Float32Array;
  /** Bodies a[i] and b[i] touch, by their places: where that changes their ways. */
  meet?(a: ArrayLike<number>, b: ArrayLike<number>): void;
  /** Where bodies are seen. */
  bounds: Box3;
}

/** Bodies a unit volume; spacing at rest; frames of a fall, and for how many more the heap is shown. */
const DENSITY = 0.022;
const SPACING = 2.1;
const FALL_FRAMES = 240;
const REST_FRAMES = 60;

export const meshes: Record<Shape, () => MeshData> = {
  torus: () => torus(128),
  skittle: () => skittle(96),
  box: () => box(0.7, 0.5, 0.6),
};

// A step of theirs a frame, from where they are: what they meet decides where they go.
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
    meet: (a, b) => world.turnBack(a, b),
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
};
