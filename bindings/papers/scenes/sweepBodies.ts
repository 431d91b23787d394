// Scenes of bodies that fall onto an environment (a static mesh), and the published times of sweep and prune in
// these scenes (Avril, Gouranton and Arnaldi 2014, Fig. 4, Tables 1 and 2).

import type { BoxPairsStats, Engine } from '../../index.js';
import { box, falling, type MeshData, skittle, sphere } from '../../samples/index.js';
import { cos, sin } from '../../samples/portableMath.js';
import { measureTime } from './measure.js';

/** Milliseconds by number of cores. */
export type Times = Readonly<Record<1 | 2 | 4 | 8, number>>;

export interface SweepBodies {
  description: string;
  count: number;
  /** Number of bodies in a quick run. */
  quick: number;
  /** Number of the environment's triangles in a quick run. */
  quickEnvironmentTriangles: number;
  mesh: (size: 'full' | 'quick') => MeshData;
  spacing: number;
  /** Number of the environment's triangles. An environment of 2 triangles is flat. */
  environmentTriangles: number;
  /** Published times for updating the boxes (Table 1). */
  update: Times;
  /** Published times for finding the overlapping pairs (Table 2). */
  overlap: Times;
}

export const sweepBodies: Readonly<Record<'cubes' | 'balls' | 'skittles', SweepBodies>> = {
  cubes: {
    description: '20,000 cubes of 12 triangles',
    count: 20_000,
    quick: 500,
    quickEnvironmentTriangles: 2400,
    mesh: () => box(0.5, 0.5, 0.5),
    spacing: 1.2,
    environmentTriangles: 300_000,
    update: { 1: 8.89, 2: 4.96, 4: 2.76, 8: 1.52 },
    overlap: { 1: 53.339, 2: 31.65, 4: 18.76, 8: 11.43 },
  },
  balls: {
    description: '10,000 balls of 2,000 triangles',
    count: 10_000,
    quick: 500,
    quickEnvironmentTriangles: 600,
    mesh: () => sphere(2000),
    spacing: 1.9,
    environmentTriangles: 600,
    update: { 1: 4.45, 2: 2.48, 4: 1.4, 8: 0.74 },
    overlap: { 1: 26.7, 2: 15.748, 4: 9.51, 8: 5.82 },
  },
  skittles: {
    description: '3,500 skittles of 20,000 triangles',
    count: 3500,
    quick: 200,
    quickEnvironmentTriangles: 2,
    mesh: size => skittle(size === 'quick' ? 200 : 20_000),
    spacing: 1.1,
    environmentTriangles: 2,
    update: { 1: 1.6, 2: 0.9, 4: 0.5, 8: 0.27 },
    overlap: { 1: 10.71, 2: 6.35, 4: 3.742, 8: 2.314 },
  },
};

/** A scene of falling bodies. The environment is its last body. */
export interface SweepWorld {
  /** Number of bodies without the environment. */
  count: number;
  mesh: MeshData;
  environment: MeshData;
  /** One array per frame: the column-major matrices of all bodies, 16 float32 each. */
  frames: Float32Array[];
}

/** Height of the environment's hills, from the lowest to the highest point, as a fraction of its side. */
const HILLS = 0.1;

/** Makes the bodies and their frames. In the last frame, all bodies lie in a heap on the environment. */
export function sweepWorld(
  bodies: SweepBodies,
  size: 'full' | 'quick',
  frameCount: number,
  seed: number,
): SweepWorld {
  const count = size === 'quick' ? bodies.quick : bodies.count;
  const triangles = size === 'quick' ? bodies.quickEnvironmentTriangles : bodies.environmentTriangles;
  const { frame, side } = falling(count, bodies.spacing, frameCount, seed);
  const height = triangles > 2 ? hills(side) : () => 0;
  const frames = Array.from({ length: frameCount }, (_, t) => {
    const falls = frame(t + 1);
    const matrices = new Float32Array(falls.length + 16);
    matrices.set(falls);
    for (let at = 0; at < falls.length; at += 16) matrices[at + 14] += height(falls[at + 12], falls[at + 13]);
    matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], falls.length);
    return matrices;
  });
  return { count, mesh: bodies.mesh(size), environment: heightField(side, triangles, height), frames };
}

/** A frame's times in milliseconds, and its box pairs. */
export interface SweepFrame {
  update: number;
  broadPhase: BoxPairsStats;
  boxPairs: number;
}

/**
 * Adds the world's bodies to a scene of the engine. Returns a function that runs one frame: it sets the given
 * matrices and finds the box pairs.
 */
export function startSweepWorld(
  engine: Engine,
  { mesh, count, environment }: SweepWorld,
): (matrices: Float32Array) => SweepFrame {
  const shape = engine.createMesh(mesh);
  const scene = engine.createScene({ broadPhase: 'sap' });
  for (let i = 0; i < count; i++) scene.add(shape);
  scene.add(engine.createMesh(environment));
  return matrices => {
    const [, update] = measureTime(() => scene.setTransforms(matrices));
    const { boxPairs, broadPhase } = scene.detect({ narrow: 'boxes' }).stats;
    return { update, broadPhase, boxPairs };
  };
}

// Returns a function that gives the height of smooth hills at a point: between 0 and HILLS * side. The hills
// are the same in every run.
function hills(side: number): (x: number, y: number) => number {
  const wave = (2 * Math.PI) / side;
  return (x, y) =>
    0.25 * HILLS * side * (2 + sin(3 * wave * x) * cos(2 * wave * y) + sin(7 * wave * (x + 0.4 * y)));
}

// Makes a height field over the square 0 <= x, y <= side: a grid of rectangles, each of which has two
// triangles. count: the number of triangles; it must be even.
function heightField(side: number, count: number, height: (x: number, y: number) => number): MeshData {
  let columns = Math.ceil(Math.sqrt(count / 2));
  while ((count / 2) % columns !== 0) columns++;
  const rows = count / 2 / columns;
  const positions = new Float32Array(3 * (columns + 1) * (rows + 1));
  for (let row = 0, at = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++, at += 3) {
      const x = (column * side) / columns;
      const y = (row * side) / rows;
      positions.set([x, y, height(x, y)], at);
    }
  }
  const indices = new Uint32Array(6 * columns * rows);
  for (let square = 0; square < columns * rows; square++) {
    const first = Math.floor(square / columns) * (columns + 1) + (square % columns);
    const above = first + columns + 1;
    indices.set([first, first + 1, above, first + 1, above + 1, above], 6 * square);
  }
  return { positions, indices };
}
