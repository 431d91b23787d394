// Defines the class `Mesh`, which holds checked triangles and their tree in engine memory.

import { findUnreferenced, type MeshStatistics, meshStatistics, setFrame } from '../bvh/normalize.js';
import { type Builder, buildTree, type Pace, refitTree, sahCost, type Tree } from '../bvh/tree.js';
import {
  anyValue,
  copyOptions,
  type OptionTable,
  oneOf,
  PROGRESS,
  type ProgressOptions,
  rejectExtraArgument,
  trueOrFalse,
} from '../core/checkOptions.js';
import {
  Capacity,
  Disposed,
  engineDisposed,
  InvalidMesh,
  missingModule,
  Unsupported,
} from '../core/errors.js';
import { MeshRecord } from '../records/layout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { retry, WorkerLost } from '../runtime/retry.js';
import { runToEnd } from '../runtime/steps.js';
import { rejectDoubles } from './doubles.js';
import {
  checkFinite,
  checkIndices,
  checkPositions,
  copyMesh,
  type DoubleMeshData,
  type MeshData,
  type MeshShape,
  moveUnreferenced,
  positionsBytes,
  readShape,
  writePositions,
} from './meshData.js';

export type { DoubleMeshData, MeshData };

/**
 * Bounding volumes of a tree: boxes ('aabb'), or boxes and a sphere in addition to each box ('s-aabb').
 * Source of 's-aabb': Journal of Software 19 (Supplement), 2008.
 */
export type Volume = 'aabb' | 's-aabb';

/** Options of createMesh. */
export interface MeshOptions {
  /**
   * How the tree is built. 'sah' (default): by the surface area heuristic, which gives the fastest queries.
   * 'morton': along a Morton curve, which is several times faster to build.
   */
  builder?: Builder;
  /** Whether `update` may be called. Default false. */
  deformable?: boolean;
  /**
   * Bounding volumes of the tree: 'aabb' (default): boxes; 's-aabb': boxes and spheres, which needs the
   * module 'spheres'. Results of queries are the same.
   */
  volume?: Volume;
  /**
   * For a mesh with spheres: decides when a node's box is tested in addition to its sphere. After a sphere
   * was found to overlap, the box is also tested if volume(sphere) / volume(box) is at least the threshold.
   * Pass one threshold per level, each 0 or more, starting with the children of the root; the last threshold
   * holds for all deeper levels. With 0, the box is always tested; with Infinity, only boxes without volume
   * are tested. Default: 1.5 on all levels, the fastest in measurements.
   */
  thresholds?: readonly number[];
}

const MESH: OptionTable<MeshOptions> = {
  builder: /* @__PURE__ */ oneOf('sah', 'morton'),
  deformable: trueOrFalse,
  volume: /* @__PURE__ */ oneOf('aabb', 's-aabb'),
  thresholds: anyValue,
};

/** Options of `update`; they need the module 'deforming'. */
export interface UpdateOptions {
  /**
   * 'refit' keeps the tree's shape; 'rebuild' builds a new tree. 'auto' refits until the extra time that
   * queries take on refitted trees adds up to the time of a rebuild, and then rebuilds. Default 'auto'.
   */
  tree?: 'auto' | 'refit' | 'rebuild';
}

const UPDATE: OptionTable<UpdateOptions> = { tree: /* @__PURE__ */ oneOf('auto', 'refit', 'rebuild') };

/** What `update` did to the tree. */
export interface UpdateResult {
  /** Whether the tree was refitted to the new coordinates. */
  refitted: boolean;
  /** Whether the tree was rebuilt. */
  rebuilt: boolean;
  /**
   * Estimated cost of queries, relative to their cost when the tree was built; 1 after a build, larger for a
   * worse tree. The cost is estimated as the sum of the surface areas of the tree's boxes, divided by the
   * surface area of the mesh's box. Source: Goldsmith and Salmon 1987 (surface area heuristic).
   */
  quality: number;
}

/**
 * Without the module 'deforming', a refitted tree is rebuilt when its `quality` (see UpdateResult) exceeds
 * this factor.
 */
const REBUILD_FACTOR = 1.5;

// The rebuild policy without the module 'deforming'.
function exceedsRebuildFactor(_mesh: Mesh, { tree }: { tree?: string }, quality = 0): boolean {
  if (tree) throw missingModule(`tree: '${tree}'`, 'deforming');
  return quality > REBUILD_FACTOR;
}

let nextId = 1;

/** A mesh in an engine, created by createMesh. */
export class Mesh {
  /** The mesh's number, unique in the program. */
  readonly id = nextId++;
  /** Number of triangles. */
  readonly triangleCount: number;
  /** Number of vertices, including unreferenced ones. */
  readonly vertexCount: number;
  /** Incremented whenever coordinates or the tree change. */
  version = 1;
  /** Incremented whenever the tree's shape changes. References to its nodes are then invalid. */
  treeVersion = 1;
  /** @internal */
  readonly context: EngineContext;
  readonly #own: BlockGroup;
  readonly #meshAt: number;
  /** @internal */
  readonly builder: Builder;
  /**
   * For a mesh with spheres: the thresholds by level, as in `MeshOptions.thresholds`. Otherwise undefined.
   */
  readonly thresholds: readonly number[] | undefined;
  #tree: Tree;
  #isDisposed = false;
  // Addresses of the two buffers that `update` fills alternately; the second is 0 if the mesh is not
  // deformable.
  readonly #positionsAt: [number, number];
  // `unreferenced`: the vertices that no triangle uses. `used`: a vertex that a triangle uses.
  readonly #unused: { unreferenced: Uint32Array; used: number };
  readonly #hasDoubles: boolean;

  /**
   * Used by createMesh and loadMesh. `nextPositionsAt`: address of a second buffer of positions, 0 if the
   * mesh is not deformable.
   * @internal
   */
  constructor(
    context: EngineContext,
    own: BlockGroup,
    meshAt: number,
    builder: Builder,
    tree: Tree,
    nextPositionsAt: number,
    thresholds?: readonly number[],
  ) {
    this.context = context;
    this.#own = own;
    this.#meshAt = meshAt;
    this.builder = builder;
    this.thresholds = thresholds;
    this.#tree = tree;
    this.#positionsAt = [context.arena.u32[(meshAt + MeshRecord.at.positionsAt) / 4], nextPositionsAt];
    this.#unused =
      nextPositionsAt === 0
        ? { unreferenced: new Uint32Array(0), used: 0 }
        : findUnreferenced(context, meshAt);
    this.triangleCount = this.#read('triangleCount');
    this.vertexCount = this.#read('vertexCount');
    this.#hasDoubles = context.arena.u32[(meshAt + MeshRecord.at.doublesAt) / 4] !== 0;
  }

  /** Byte address of the MeshRecord. @throws Disposed @internal */
  get recordAt(): number {
    if (this.isDisposed)
      throw new Disposed(
        `mesh ${this.id} or its engine was disposed`,
        'create the mesh again, or dispose of it later',
      );
    return this.#meshAt;
  }

  /**
   * The memory of the tree's nodes and leaves.
   * @internal
   */
  get treeBlocks(): BlockGroup {
    return this.#tree.blocks;
  }

  /** Whether the mesh or its engine was disposed. */
  get isDisposed(): boolean {
    return this.#isDisposed || this.context.arena.isClosed;
  }
  /** Bounding volumes of the tree. */
  get volume(): Volume {
    return this.thresholds ? 's-aabb' : 'aabb';
  }
  /** Whether `update` may be called. */
  get isDeformable(): boolean {
    return this.#positionsAt[1] !== 0;
  }
  /**
   * Whether any coordinate is not a float32 number. If so, the mesh keeps all coordinates as doubles. Some
   * calls do not support such meshes, and throw Unsupported.
   */
  get hasDoubles(): boolean {
    return this.#hasDoubles;
  }
  /**
   * Number of nodes of the tree, up to four children each.
   * @throws Disposed
   */
  get nodeCount(): number {
    return this.#read('nodeCount');
  }
  /**
   * Number of leaves of the tree, up to four triangles each.
   * @throws Disposed
   */
  get leafCount(): number {
    return this.#read('leafCount');
  }
  /**
   * Number of nodes on the longest path from the root down, including the root.
   * @throws Disposed
   */
  get depth(): number {
    return this.#read('depth');
  }
  /**
   * Bounding box of all triangles, in the mesh's own frame: min x, y, z, then max x, y, z. All 0 if there is
   * no triangle. If the mesh has doubles, the box is rounded outward.
   */
  get bounds(): Float32Array {
    return this.#tree.bounds;
  }
  /** Bytes of engine memory that the mesh occupies. */
  get bytes(): number {
    return this.#own.bytes + this.#tree.blocks.bytes;
  }

  /**
   * Moves the vertices. The tree is refitted, or rebuilt when refitting has made it too slow. Query results
   * are the same either way. Source: van den Bergen 1997 (refitting); with the module 'deforming', Karlin et
   * al. 1988 (ski-rental rule, which decides when to rebuild).
   * @param positions x, y, z of every vertex, in the mesh's own frame
   * @throws InvalidMesh, with nothing changed; Unsupported if the mesh is not deformable or an option is
   * invalid; Disposed; Capacity, after which the mesh may be disposed (see `isDisposed`)
   */
  update(positions: Float32Array, options: UpdateOptions = {}): UpdateResult {
    const { context } = this;
    const { shouldRebuild = exceedsRebuildFactor } = context.extensions;
    const ownOptions = copyOptions(UPDATE, options);
    rejectExtraArgument(arguments[2], 'update(positions, options)');
    checkPositions(positions);
    // Reading the arguments may run the caller's code, which may dispose of the mesh.
    const { recordAt } = this;
    if (!this.isDeformable)
      throw new Unsupported(`mesh ${this.id} is not deformable`, 'create it with { deformable: true }');
    if (positions.length !== this.vertexCount * 3) {
      throw new InvalidMesh(
        `positions has length ${positions.length}, but the mesh has ${this.vertexCount} vertices`,
        `pass ${this.vertexCount * 3} values`,
      );
    }
    const mustRebuild = shouldRebuild(this, ownOptions);
    const statistics = this.#swapPositions(positions);
    this.version++;
    // The stored leaf boxes are invalid, because they belong to the old coordinates.
    context.arena.u32[(recordAt + MeshRecord.at.leafBoxesAt) / 4] = 0;
    setFrame(context, recordAt, statistics.bounds, statistics.minMagnitude);
    let refitResult: UpdateResult | undefined;
    try {
      if (!mustRebuild && retry(() => this.#refit(statistics.bounds))) {
        const area = sahCost(context, recordAt, this.#tree);
        const { cost } = this.#tree;
        refitResult = { refitted: true, rebuilt: false, quality: area === cost ? 1 : area / cost };
        if (!shouldRebuild(this, ownOptions, refitResult.quality)) return refitResult;
      }
      retry(() => this.#rebuild(statistics));
    } catch (error) {
      // A completely refitted tree gives correct results, only more slowly, so it is kept. A partly refitted
      // tree would give wrong results, so the mesh is disposed of.
      if (refitResult && error instanceof Capacity) return refitResult;
      this.dispose();
      throw error;
    }
    return { refitted: refitResult !== undefined, rebuilt: true, quality: 1 };
  }

  /**
   * Returns the mesh and the shape of its tree as bytes that loadMesh reads. Needs the module 'stored'.
   * @throws Disposed, Unsupported
   */
  serialize(): Uint8Array<ArrayBuffer> {
    const {
      context: {
        extensions: { writeMesh },
      },
      recordAt,
      builder,
      isDeformable: deformable,
    } = this;
    if (!writeMesh) throw missingModule('serialize', 'stored');
    rejectDoubles('serialize', this);
    return writeMesh(recordAt, { builder, deformable });
  }

  /** Frees the memory of the mesh. The mesh must not be used in queries or scenes afterwards. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#tree.blocks.releaseAll();
    this.#own.releaseAll();
  }

  /** Does the same as `dispose`, for `using` declarations. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #refit(bounds: Float32Array): boolean {
    this.#tree.bounds = bounds;
    try {
      refitTree(this.context, this.#tree);
    } catch (error) {
      if (error instanceof WorkerLost) return false;
      throw error;
    }
    return true;
  }

  // Writes the new positions and checks them. If they are invalid, the mesh keeps the old ones.
  #swapPositions(positions: Float32Array): MeshStatistics {
    const { arena } = this.context;
    const field = (this.#meshAt + MeshRecord.at.positionsAt) / 4;
    const before = arena.u32[field];
    const after = before === this.#positionsAt[0] ? this.#positionsAt[1] : this.#positionsAt[0];
    writePositions(this.context, after, positions);
    moveUnreferenced(this.context, after, this.#unused);
    arena.u32[field] = after;
    try {
      const statistics = retry(() => meshStatistics(this.context, this.#meshAt, 'known'));
      checkFinite(positions, statistics);
      return statistics;
    } catch (error) {
      arena.u32[field] = before;
      throw error;
    }
  }

  #rebuild(statistics: MeshStatistics): void {
    const {
      context: { arena },
    } = this;
    const meshAt = this.#meshAt;
    const old = this.#tree;
    const record = arena.u32.slice(meshAt / 4, (meshAt + MeshRecord.size) / 4);
    try {
      this.#tree = runToEnd(
        buildTree(this.context, meshAt, { builder: this.builder, deformable: true }, statistics, 'once'),
      );
    } catch (error) {
      arena.u32.set(record, meshAt / 4);
      throw error;
    }
    old.blocks.releaseAll();
    this.treeVersion++;
  }

  #read(field: 'triangleCount' | 'vertexCount' | 'nodeCount' | 'leafCount' | 'depth'): number {
    return this.context.arena.u32[(this.recordAt + MeshRecord.at[field]) / 4];
  }
}

/**
 * Copies positions and indices into the engine, checks them and builds the tree. Vertices are never merged;
 * triangles without area are kept.
 * @throws InvalidMesh naming the first invalid value; Unsupported if an option is invalid, or if a deformable
 * mesh has doubles; Capacity if memory does not suffice.
 */
export function createMesh(
  context: EngineContext,
  data: MeshData | DoubleMeshData,
  given: MeshOptions = {},
): Mesh {
  const options = copyOptions(MESH, given);
  return retry(() => runToEnd(meshSteps(context, data, options, 'once')));
}

function* meshSteps(
  context: EngineContext,
  data: MeshData | DoubleMeshData,
  options: MeshOptions,
  pace: Pace,
): Generator<number, Mesh> {
  const { builder = 'sah' } = options;
  const thresholds = thresholdsOf(context, options);
  const shape = readShape(data);
  // Reading `data` may have run the caller's code, which may have disposed of the engine.
  if (context.arena.isClosed) throw engineDisposed();
  const { doubles } = shape;
  const deformable = options.deformable ?? false;
  if (doubles && deformable)
    throw new Unsupported(
      'all coordinates of a deformable mesh must be float32 numbers',
      'pass Float32Array.from(positions), or omit deformable',
    );
  const own = new BlockGroup(context.arena);
  let mesh: Mesh | undefined;
  try {
    const { meshAt, statistics, nextPositionsAt } = copyChecked(context, own, shape, deformable);
    const tree = yield* buildTree(context, meshAt, { builder, deformable }, statistics, pace);
    if (doubles) {
      context.arena.f32.set(doubles.center, (meshAt + MeshRecord.at.centerX) / 4);
      tree.bounds = doubles.bounds;
    }
    mesh = new Mesh(context, own, meshAt, builder, tree, nextPositionsAt, thresholds);
    return mesh;
  } finally {
    if (!mesh) own.releaseAll();
  }
}

/** Options of createMeshAsync. */
export interface AsyncMeshOptions extends MeshOptions, ProgressOptions {}

const ASYNC_MESH: OptionTable<AsyncMeshOptions> = { ...MESH, ...PROGRESS };

/**
 * Does the same as createMesh, in steps between which the event loop runs.
 * @throws as createMesh; also the signal's reason if the signal is aborted. On any error, all memory is
 * released.
 */
export async function createMeshAsync(
  context: EngineContext,
  data: MeshData | DoubleMeshData,
  given: AsyncMeshOptions = {},
): Promise<Mesh> {
  const options = copyOptions(ASYNC_MESH, given);
  const { onProgress, signal } = options;
  signal?.throwIfAborted();
  const steps = meshSteps(context, data, options, 'often');
  try {
    for (;;) {
      const step = retry(() => steps.next());
      if (step.done) return reportEnd(step.value, onProgress);
      onProgress?.(step.value);
      await new Promise(resolve => setTimeout(resolve, 0));
      signal?.throwIfAborted();
    }
  } finally {
    // Frees the memory of an unfinished build.
    steps.return(undefined as never);
  }
}

// Reports the end of a build. If onProgress throws, the caller does not get the mesh, so it is disposed of.
function reportEnd(mesh: Mesh, onProgress: AsyncMeshOptions['onProgress']): Mesh {
  try {
    onProgress?.(1);
    return mesh;
  } catch (error) {
    mesh.dispose();
    throw error;
  }
}

// Copies a mesh into engine memory and checks its values. Reserves a second buffer of positions if the mesh
// is deformable.
export function copyChecked(
  context: EngineContext,
  own: BlockGroup,
  shape: MeshShape,
  deformable: boolean,
): { meshAt: number; statistics: MeshStatistics; nextPositionsAt: number } {
  const { positions, indices } = shape;
  const meshAt = copyMesh(context, own, shape);
  const statistics = meshStatistics(context, meshAt);
  checkFinite(positions, statistics);
  checkIndices(positions, indices, statistics);
  return { meshAt, statistics, nextPositionsAt: deformable ? own.take(positionsBytes(positions)) : 0 };
}

function thresholdsOf({ extensions: { spheres } }: EngineContext, options: MeshOptions): Mesh['thresholds'] {
  const { volume = 'aabb', thresholds } = options;
  if (volume !== 'aabb' && !spheres) throw missingModule(`volume: '${volume}'`, 'spheres');
  if (thresholds && !spheres) throw missingModule('thresholds', 'spheres');
  return spheres?.thresholdsOf(options);
}
