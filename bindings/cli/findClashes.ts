// Finds every pair of parts that intersect, and counts the intersecting triangle pairs of each pair of parts.
// Every part becomes a body of a scene, and one call of the scene's `detect` finds all pairs.
import { Capacity, CollisionError } from '../core/errors.js';
import { exactVerticesOf } from '../formats/part.js';
import type { Part } from '../formats/readParts.js';
import type { DoubleMeshData, Mesh, MeshData, QueryStats } from '../index.js';
import { deduplicateMeshes } from '../report/deduplicateMeshes.js';
import { ModelTooLarge } from './capacityFix.js';
import type { ClashEngine } from './clashEngine.js';
import { beginShare, type Progress } from './progress.js';

/** Two parts that intersect: a < b are indices in the list of parts. */
export interface Clash {
  a: number;
  b: number;
  trianglePairs: number;
}

/** Compares two pairs of parts for sorting by a, then b. */
export const comparePairs = (x: Pick<Clash, 'a' | 'b'>, y: Pick<Clash, 'a' | 'b'>): number =>
  x.a - y.a || x.b - y.b;

/** Statistics of a search on a cluster: see JobStats. */
export interface ClusterStats {
  nodes: number;
  tasks: number;
  reassigned: number;
  sentBytes: number;
  receivedBytes: number;
  contentBytes: number;
}

export interface ClashResult {
  /** Sorted by a, then b. */
  clashes: Clash[];
  /** Number of pairs of parts whose boxes overlap. */
  boxPairs: number;
  trianglePairs: number;
  /** The mesh of each part. The meshes live as long as the engine. */
  meshes: Mesh[];
  /**
   * Statistics of each query of the search: one query, or several smaller queries if the memory or the number
   * of pairs required them. Empty if no oriented boxes of parts overlap, or if a cluster did the search.
   */
  stats: QueryStats[];
  /** Statistics of the cluster, if a cluster did the search. */
  cluster?: ClusterStats;
}

/** Determines which pairs of parts are tested: all pairs that the rules need, and possibly more. */
export interface PairFilter {
  /**
   * The group of each part. Two parts are tested if the group of each shares a bit with the mask of the other.
   */
  groups: Uint32Array;
  /** The mask of each part. */
  masks: Uint32Array;
}

/**
 * Tests every part against every other part, or only the pairs that the filter permits. The meshes of the
 * result stay in the engine.
 */
export type FindClashes = (
  engine: ClashEngine,
  parts: Part[],
  progress: Progress,
  filter?: PairFilter,
) => ClashResult | Promise<ClashResult>;

/**
 * Tests every part against every other part, or only the pairs that the filter permits, in this process.
 *
 * @throws Errors of the engine; the message names the part that caused the error, if any.
 */
export function findClashes(
  engine: ClashEngine,
  parts: Part[],
  progress: Progress,
  filter?: PairFilter,
): ClashResult {
  const meshes = createMeshes(engine, parts, progress);
  using scene = engine.createScene();
  parts.forEach((part, number) =>
    withPartName(part.name, () =>
      scene.add(meshes[number], {
        transform: exactVerticesOf(part).transform,
        ...groupOf(filter, number),
      }),
    ),
  );
  const showShare = beginShare(progress, 'Searching pairs');
  // Triangle pairs are only counted, because a list of them may not fit in memory.
  const { count, a, b, counts, stats } = scene.detect({
    narrow: 'counts',
    onProgress: done => showShare(done),
  });
  const clashes = Array.from({ length: count }, (_, i) => ({
    a: scene.slotOf(a[i]),
    b: scene.slotOf(b[i]),
    trianglePairs: counts[i],
  }));
  const trianglePairs = clashes.reduce((sum, clash) => sum + clash.trianglePairs, 0);
  return { clashes, boxPairs: stats.boxPairs, trianglePairs, meshes, stats: stats.queries };
}

/** Returns the group and the mask of a part's body; neither without a filter, so that all pairs are tested. */
export function groupOf(filter: PairFilter | undefined, part: number): { group?: number; mask?: number } {
  return filter ? { group: filter.groups[part], mask: filter.masks[part] } : {};
}

/** Creates the mesh of each part. Parts with the same arrays share one mesh and its tree. */
export function createMeshes(engine: ClashEngine, parts: Part[], progress: Progress): Mesh[] {
  const { meshes, meshOfPart } = deduplicateMeshes(parts);
  progress.begin('Building trees', meshes.length);
  const made = meshes.map(part => {
    const mesh = withTriangleCount(meshes, () =>
      withPartName(part.name, () => engine.createMesh(exactMeshOf(part))),
    );
    progress.step();
    return mesh;
  });
  return meshOfPart.map(mesh => made[mesh]);
}

/** Returns the mesh of a part, with doubles if the part has them. */
export const exactMeshOf = ({ positions, indices, exact }: Part): MeshData | DoubleMeshData =>
  exact ? { positions: exact.positions, indices } : { positions, indices };

// Converts an error about a lack of memory to ModelTooLarge, which has the number of triangles of all meshes.
function withTriangleCount<Result>(meshes: Pick<Part, 'indices'>[], run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Capacity)) throw error;
    throw new ModelTooLarge(
      error,
      meshes.reduce((sum, { indices }) => sum + indices.length / 3, 0),
    );
  }
}

// Adds the part's name to the message of an error.
function withPartName<Result>(name: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CollisionError)) throw error;
    error.message = `part "${name}": ${error.message}`;
    throw error;
  }
}
