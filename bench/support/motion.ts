// Creates the meshes of moving scenes in an engine, lists the placed pairs of each frame, and queries all
// pairs of a frame with one call.

import type { Engine, Mesh, PlacedPair, QueryManyOptions, TrianglePairs } from '../../dist/index.js';
import {
  epicyclicTrain,
  type MeshData,
  penetrationPath,
  randomPlacements,
  type Scene,
  wormGear,
} from '../../dist/samples/index.js';
import type { NamedMesh } from './meshes.js';

export interface Motion {
  name: string;
  scene: Scene;
  firstFrame: number;
}

/**
 * Number of steps of a penetration path. A step is at most 0.5 % of the larger of the two meshes' extents
 * along the path.
 */
export const PATH_STEPS = 400;
const CROWD_SEED = 1;
const CREEP = 0.002;

export const worm = (triangles: number): Motion => ({
  name: `worm gear ${triangles / 1000}K`,
  scene: wormGear({ triangles }),
  firstFrame: 0,
});
export const train = (): Motion => ({ name: 'epicyclic train 149K', scene: epicyclicTrain(), firstFrame: 0 });
/** Moves a mesh through its copy, starting at the middle of the path, where the overlap is largest. */
export const path = ({ name, data }: NamedMesh): Motion => ({
  name: `${name} path`,
  scene: penetrationPath(data, data, PATH_STEPS),
  firstFrame: PATH_STEPS / 2,
});

/**
 * Makes `count` overlapping copies of a mesh; every two of them are a pair. Two of every three copies move
 * slowly along x.
 */
export function crowd({ name, data }: NamedMesh, count: number): Motion {
  const deep = randomPlacements(data, 2 * count, CROWD_SEED).filter((_, i) => i % 2 === 1);
  const scene: Scene = {
    parts: deep.map((_, i) => ({ name: `copy ${i + 1}`, mesh: 0 })),
    meshes: [data],
    frame: t =>
      Float64Array.from(
        deep.flatMap((transform, i) =>
          Array.from(
            transform,
            (value, at) => value + (at === 12 ? CREEP * (i % 3) * t * Math.abs(value) : 0),
          ),
        ),
      ),
  };
  return { name: `${count} x ${name}`, scene, firstFrame: 0 };
}

/** The meshes of a scene in an engine. Parts that share one MeshData object share one mesh. */
export class Placed {
  readonly meshes: Mesh[];
  private readonly motion: Motion;

  constructor(engine: Engine, motion: Motion) {
    this.motion = motion;
    const made = new Map<MeshData, Mesh>();
    this.meshes = motion.scene.meshes.map(data => {
      if (!made.has(data)) made.set(data, engine.createMesh(data));
      return made.get(data)!;
    });
  }

  /** Returns one placed pair for every two parts. `frame` counts from the motion's first frame. */
  pairsAt(frame: number): PlacedPair[] {
    const { scene, firstFrame } = this.motion;
    const transforms = scene.frame(firstFrame + frame);
    const place = (part: number): Float64Array => transforms.slice(16 * part, 16 * part + 16);
    const mesh = (part: number): Mesh => this.meshes[scene.parts[part].mesh];
    return scene.parts.flatMap((_, i) =>
      scene.parts.slice(i + 1).map((__, k) => {
        const j = i + 1 + k;
        return { a: mesh(i), b: mesh(j), transformA: place(i), transformB: place(j) };
      }),
    );
  }

  frames(count: number): PlacedPair[][] {
    return Array.from({ length: count }, (_, frame) => this.pairsAt(frame));
  }

  dispose(): void {
    for (const mesh of new Set(this.meshes)) mesh.dispose();
  }
}

/** Queries one pair by `query`, and several by `queryMany`. */
export function runQuery(
  engine: Engine,
  pairs: readonly PlacedPair[],
  options: Omit<QueryManyOptions, 'pairs' | 'want'>,
): TrianglePairs {
  if (pairs.length !== 1) return engine.queryMany({ ...options, pairs });
  const { a, b, ...placed } = pairs[0];
  return engine.query(a, b, { ...options, ...placed });
}

/** Returns the counters of a query, summed over all its lists. */
export function totals(result: TrianglePairs): {
  boxTests: number;
  leafPairs: number;
  triangleTests: number;
  exactTests: number;
} {
  const all = { boxTests: 0, leafPairs: 0, triangleTests: 0, exactTests: 0 };
  for (const list of result.stats.threads) {
    for (const name of Object.keys(all) as (keyof typeof all)[]) all[name] += list[name];
  }
  return all;
}
