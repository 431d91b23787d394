// Parts -> every pair of them that clashes, with its number of triangle pairs: meshes, a scene of bodies, one
// frame of it.
import { CollisionError } from '../core/errors.js';
import type { Part } from '../formats/readParts.js';
import type { Engine, Mesh, QueryStats } from '../index.js';
import { shareMeshes } from '../report/sharedMeshes.js';
import type { Progress } from './progress.js';

/** Parts a < b by their places in the list. */
export interface Clash {
  a: number;
  b: number;
  trianglePairs: number;
}

/** What other processes did for the answer. */
export interface ClusterShare {
  nodes: number;
  tasks: number;
  reissued: number;
  sentBytes: number;
  receivedBytes: number;
  contentBytes: number;
}

export interface ClashResult {
  /** Sorted by a, then b. */
  clashes: Clash[];
  /** Pairs of parts whose boxes overlap. */
  boxPairs: number;
  trianglePairs: number;
  /** The mesh of each part, in the engine until that is disposed. */
  meshes: Mesh[];
  /**
   * One entry a call: one, unless memory or number asked for smaller calls; none where the boxes, turned with
   * the parts, are apart.
   */
  stats: QueryStats[];
  /** Where a cluster searched. */
  cluster?: ClusterShare;
}

/** Every part against every other; meshes stay in the engine. */
export type FindClashes = (
  engine: Engine,
  parts: Part[],
  progress: Progress,
) => ClashResult | Promise<ClashResult>;

const STEPS = 100;

/**
 * Every part against every other. Throws what the engine throws, with the part's name where one is to blame.
 */
export function findClashes(engine: Engine, parts: Part[], progress: Progress): ClashResult {
  const meshes = createMeshes(engine, parts, progress);
  using scene = engine.createScene();
  parts.forEach(({ name, transform }, number) =>
    blaming(name, () => scene.add(meshes[number], { transform })),
  );
  progress.begin('Searching pairs', STEPS);
  let shown = 0;
  const onProgress = (done: number): void => {
    for (; shown < Math.floor(STEPS * done); shown++) progress.step();
  };
  // Triangle pairs are counted, not kept: there may be more of them than memory holds.
  const { count, a, b, counts, stats } = scene.detect({ narrow: 'counts', onProgress });
  const clashes = Array.from({ length: count }, (_, i) => ({
    a: scene.slotOf(a[i]),
    b: scene.slotOf(b[i]),
    trianglePairs: counts[i],
  }));
  const trianglePairs = clashes.reduce((sum, clash) => sum + clash.trianglePairs, 0);
  return { clashes, boxPairs: stats.boxPairs, trianglePairs, meshes, stats: stats.queries };
}

/** One mesh and its tree for all parts that show it. */
export function createMeshes(engine: Engine, parts: Part[], progress: Progress): Mesh[] {
  const { meshes, meshOfPart } = shareMeshes(parts);
  progress.begin('Building trees', meshes.length);
  const made = meshes.map(({ name, positions, indices }) => {
    const mesh = blaming(name, () => engine.createMesh({ positions, indices }));
    progress.step();
    return mesh;
  });
  return meshOfPart.map(mesh => made[mesh]);
}

function blaming<Result>(name: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof CollisionError) error.message = `part "${name}": ${error.message}`;
    throw error;
  }
}
