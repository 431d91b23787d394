// Positions and indices of a user -> a checked mesh with its tree in engine memory.

import { findLoose, type Survey, setFrame, surveyMesh } from '../bvh/normalise.js';
import { type Builder, buildTree, costOf, type Pace, refitTree, type Tree } from '../bvh/tree.js';
import { Capacity, Disposed, InvalidMesh, missing, Unsupported } from '../core/errors.js';
import {
  anything,
  checkOptions,
  checkSurplus,
  type OptionTable,
  oneOf,
  PROGRESS,
  type ProgressOptions,
  trueOrFalse,
} from '../core/optionTable.js';
import { MeshRecord } from '../records/layout.js';
import type { Backend } from '../runtime/backend.js';
import { Blocks } from '../runtime/blocks.js';
import { retry, WorkerLost } from '../runtime/retry.js';
import { finish } from '../runtime/steps.js';
import {
  checkFinite,
  checkIndices,
  checkPositions,
  checkShape,
  copyIn,
  type MeshData,
  positionsBytes,
  tameLoose,
  writePositions,
} from './meshData.js';

export type { MeshData };

/** Boxes, or boxes with a sphere beside each. */
export type Volume = 'aabb' | 's-aabb';

/** What createMesh may be asked for; all may be left out. */
export interface MeshOptions {
  /** 'sah': best queries. 'morton': built several times faster. Default 'sah'. */
  builder?: Builder;
  /** Whether `update` may be called. Default false. */
  deformable?: boolean;
  /**
   * Bounding volumes of the tree: boxes, or a sphere beside each box (of the module 'spheres'). Answers are
   * the same. Default 'aabb'.
   */
  volume?: Volume;
  /**
   * Of a mesh with spheres, by level, that of the root's children first, the last for all below: from which
   * volume(sphere) / volume(box) on a node's box is tested where spheres meet, 0 or more. 0: always,
   * Infinity: of flat boxes only. Default: what was quickest, measured.
   */
  thresholds?: readonly number[];
}

const MESH: OptionTable<MeshOptions> = {
  builder: /* @__PURE__ */ oneOf('sah', 'morton'),
  deformable: trueOrFalse,
  volume: /* @__PURE__ */ oneOf('aabb', 's-aabb'),
  thresholds: anything,
};

/** What `update` may be asked for. Of the module 'deforming'. */
export interface UpdateOptions {
  /**
   * 'refit' keeps the tree's shape, 'rebuild' builds it anew. 'auto' refits it until that has cost queries
   * what a build costs. Default 'auto'.
   */
  tree?: 'auto' | 'refit' | 'rebuild';
}

const UPDATE: OptionTable<UpdateOptions> = { tree: /* @__PURE__ */ oneOf('auto', 'refit', 'rebuild') };

/** What `update` did. */
export interface Updated {
  /** Whether the tree was refitted to the new coordinates. */
  refitted: boolean;
  /** Whether it was built anew. */
  rebuilt: boolean;
  /**
   * How many times as much area the tree's boxes have as when it was built, for the mesh's size: what
   * refitting has made of it.
   */
  quality: number;
}

/**
 * A refitted tree is built anew when its boxes have this many times the relative area that they had when it
 * was built.
 */
const REBUILD_FACTOR = 1.5;

// What is done without the module that watches trees.
function hasGrown(_mesh: Mesh, { tree }: { tree?: string }, quality = 0): boolean {
  if (tree) throw missing(`tree: '${tree}'`, 'deforming');
  return quality > REBUILD_FACTOR;
}

let nextId = 1;

/** A mesh that lives in an engine. Made by createMesh. */
export class Mesh {
  /** Its number: no other mesh of the program has it. */
  readonly id = nextId++;
  /** How many triangles it has. */
  readonly triangleCount: number;
  /** How many vertices it has, used or not. */
  readonly vertexCount: number;
  /** Raised whenever coordinates or tree change. */
  version = 1;
  /** Raised whenever the tree's shape changes: what names its nodes is then void. */
  treeVersion = 1;
  /** @internal */
  readonly backend: Backend;
  readonly #own: Blocks;
  readonly #meshAt: number;
  /** @internal */
  readonly builder: Builder;
  /** Of a mesh with spheres what its boxes' ratios are compared with, by level. */
  readonly thresholds: readonly number[] | undefined;
  #tree: Tree;
  #isDisposed = false;
  // Two buffers that `update` fills in turn (the second is 0 where the mesh is not deformable), and the
  // vertices that no triangle uses.
  readonly #positionsAt: [number, number];
  readonly #unused: { loose: Uint32Array; used: number };

  /**
   * For createMesh and loadMesh. `nextPositionsAt`: a second buffer of positions, 0 where the mesh is not
   * deformable. @internal
   */
  constructor(
    backend: Backend,
    own: Blocks,
    meshAt: number,
    builder: Builder,
    tree: Tree,
    nextPositionsAt: number,
    thresholds?: readonly number[],
  ) {
    this.backend = backend;
    this.#own = own;
    this.#meshAt = meshAt;
    this.builder = builder;
    this.thresholds = thresholds;
    this.#tree = tree;
    this.#positionsAt = [backend.arena.u32[(meshAt + MeshRecord.at.positionsAt) / 4], nextPositionsAt];
    this.#unused =
      nextPositionsAt === 0 ? { loose: new Uint32Array(0), used: 0 } : findLoose(backend, meshAt);
    this.triangleCount = this.#read('triangleCount');
    this.vertexCount = this.#read('vertexCount');
  }

  /** Byte address of the MeshRecord. @throws Disposed @internal */
  get recordAt(): number {
    if (this.isGone)
      throw new Disposed(
        `mesh ${this.id} or its engine was disposed`,
        'create the mesh again, or dispose it after its last use',
      );
    return this.#meshAt;
  }

  /** What holds its nodes and leaves, and is given back with them. @internal */
  get treeBlocks(): Blocks {
    return this.#tree.blocks;
  }

  /** Whether it, or its engine, was disposed. */
  get isGone(): boolean {
    return this.#isDisposed || this.backend.arena.isClosed;
  }
  /** Bounding volumes of its tree. */
  get volume(): Volume {
    return this.thresholds ? 's-aabb' : 'aabb';
  }
  /** Whether `update` may be called. */
  get isDeformable(): boolean {
    return this.#positionsAt[1] !== 0;
  }
  /** Nodes of its tree, four children each. @throws Disposed */
  get nodeCount(): number {
    return this.#read('nodeCount');
  }
  /** Leaves of its tree, up to four triangles each. @throws Disposed */
  get leafCount(): number {
    return this.#read('leafCount');
  }
  /** Nodes on the longest way from the root down, the root included. @throws Disposed */
  get depth(): number {
    return this.#read('depth');
  }
  /** Least x, y, z, then greatest x, y, z of all triangles, in the user's units; 0 where there is none. */
  get bounds(): Float32Array {
    return this.#tree.bounds;
  }
  /** Bytes of engine memory that the mesh holds. */
  get bytes(): number {
    return this.#own.bytes + this.#tree.blocks.bytes;
  }

  /**
   * Moves the vertices; the tree is refitted, or built anew when refitting has made it bad. Answers are the
   * same either way.
   * @param positions x, y, z of every vertex. @throws InvalidMesh, with nothing changed; Unsupported for a
   * mesh not made deformable; Disposed; Capacity
   */
  update(positions: Float32Array, options: UpdateOptions = {}): Updated {
    const { backend, recordAt } = this;
    const { isWorn = hasGrown } = backend.extensions;
    if (!this.isDeformable)
      throw new Unsupported(`mesh ${this.id} is not deformable`, 'create it with { deformable: true }');
    checkOptions(UPDATE, options);
    checkSurplus(arguments[2], 'update(positions, options)');
    checkPositions(positions);
    if (positions.length !== this.vertexCount * 3) {
      throw new InvalidMesh(
        `positions has length ${positions.length}, the mesh has ${this.vertexCount} vertices`,
        `give ${this.vertexCount * 3} values`,
      );
    }
    const isAsked = isWorn(this, options);
    const survey = this.#swapPositions(positions);
    this.version++;
    // Its leaves' boxes are those of other coordinates.
    backend.arena.u32[(recordAt + MeshRecord.at.leafBoxesAt) / 4] = 0;
    setFrame(backend, recordAt, survey.bounds, survey.tiniest);
    let kept: Updated | undefined;
    try {
      if (!isAsked && retry(() => this.#refit(survey.bounds))) {
        const area = costOf(backend, recordAt, this.#tree);
        const { cost } = this.#tree;
        kept = { refitted: true, rebuilt: false, quality: area === cost ? 1 : area / cost };
        if (!isWorn(this, options, kept.quality)) return kept;
      }
      retry(() => this.#rebuild(survey));
    } catch (error) {
      // A refitted tree is correct, if slow. A tree that was refitted in part is not.
      if (kept && error instanceof Capacity) return kept;
      this.dispose();
      throw error;
    }
    return { refitted: kept !== undefined, rebuilt: true, quality: 1 };
  }

  /**
   * The mesh and the shape of its tree in bytes that loadMesh reads. Of the module 'stored'. @throws
   * Disposed, Unsupported
   */
  serialize(): Uint8Array<ArrayBuffer> {
    const {
      backend: {
        extensions: { writeMesh },
      },
      recordAt,
      builder,
      isDeformable: deformable,
    } = this;
    if (!writeMesh) throw missing('serialize', 'stored');
    return writeMesh(recordAt, { builder, deformable });
  }

  /** Gives its memory back. No query and no scene may be asked about it any more. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#tree.blocks.releaseAll();
    this.#own.releaseAll();
  }

  /** As dispose, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #refit(bounds: Float32Array): boolean {
    this.#tree.bounds = bounds;
    try {
      refitTree(this.backend, this.#tree);
    } catch (error) {
      if (error instanceof WorkerLost) return false;
      throw error;
    }
    return true;
  }

  // New values are looked at before the mesh uses them; the old ones stay if they are wrong.
  #swapPositions(positions: Float32Array): Survey {
    const { arena } = this.backend;
    const field = (this.#meshAt + MeshRecord.at.positionsAt) / 4;
    const before = arena.u32[field];
    const after = before === this.#positionsAt[0] ? this.#positionsAt[1] : this.#positionsAt[0];
    writePositions(this.backend, after, positions);
    tameLoose(this.backend, after, this.#unused);
    arena.u32[field] = after;
    try {
      const survey = retry(() => surveyMesh(this.backend, this.#meshAt, 'known'));
      checkFinite(positions, survey);
      return survey;
    } catch (error) {
      arena.u32[field] = before;
      throw error;
    }
  }

  #rebuild(survey: Survey): void {
    const {
      backend: { arena },
    } = this;
    const meshAt = this.#meshAt;
    const old = this.#tree;
    const record = arena.u32.slice(meshAt / 4, (meshAt + MeshRecord.size) / 4);
    try {
      this.#tree = finish(
        buildTree(this.backend, meshAt, { builder: this.builder, deformable: true }, survey, 'once'),
      );
    } catch (error) {
      arena.u32.set(record, meshAt / 4);
      throw error;
    }
    old.blocks.releaseAll();
    this.treeVersion++;
  }

  #read(field: 'triangleCount' | 'vertexCount' | 'nodeCount' | 'leafCount' | 'depth'): number {
    return this.backend.arena.u32[(this.recordAt + MeshRecord.at[field]) / 4];
  }
}

/**
 * Copies positions and indices into the engine, checks them and builds the tree. Vertices are never welded,
 * triangles without area are kept.
 * @throws InvalidMesh naming the first offending index; Capacity when memory does not suffice.
 */
export function createMesh(backend: Backend, data: MeshData, options: MeshOptions = {}): Mesh {
  checkOptions(MESH, options);
  return retry(() => finish(meshSteps(backend, data, options, 'once')));
}

function* meshSteps(
  backend: Backend,
  data: MeshData,
  options: MeshOptions,
  pace: Pace,
): Generator<number, Mesh> {
  const { builder = 'sah' } = options;
  const thresholds = thresholdsOf(backend, options);
  const shape = checkShape(data);
  const deformable = options.deformable ?? false;
  const own = new Blocks(backend.arena);
  let mesh: Mesh | undefined;
  try {
    const { meshAt, survey, nextPositionsAt } = copyChecked(backend, own, shape, deformable);
    const tree = yield* buildTree(backend, meshAt, { builder, deformable }, survey, pace);
    mesh = new Mesh(backend, own, meshAt, builder, tree, nextPositionsAt, thresholds);
    return mesh;
  } finally {
    if (!mesh) own.releaseAll();
  }
}

/** What createMeshAsync may be asked for; all may be left out. */
export interface AsyncMeshOptions extends MeshOptions, ProgressOptions {}

const ASYNC_MESH: OptionTable<AsyncMeshOptions> = { ...MESH, ...PROGRESS };

/**
 * As createMesh, in steps between which other work may run. @throws also what the signal was aborted with;
 * nothing is kept then.
 */
export async function createMeshAsync(
  backend: Backend,
  data: MeshData,
  options: AsyncMeshOptions = {},
): Promise<Mesh> {
  checkOptions(ASYNC_MESH, options);
  const { onProgress, signal } = options;
  signal?.throwIfAborted();
  const steps = meshSteps(backend, data, options, 'often');
  try {
    for (;;) {
      const step = retry(() => steps.next());
      onProgress?.(step.done ? 1 : step.value);
      if (step.done) return step.value;
      await new Promise(resolve => setTimeout(resolve, 0));
      signal?.throwIfAborted();
    }
  } finally {
    // Frees what an unfinished build holds.
    steps.return(undefined as never);
  }
}

// The mesh in the engine's memory, its values looked at, with room for the next positions where they may
// change.
export function copyChecked(
  backend: Backend,
  own: Blocks,
  { positions, indices }: ReturnType<typeof checkShape>,
  deformable: boolean,
): { meshAt: number; survey: Survey; nextPositionsAt: number } {
  const meshAt = copyIn(backend, own, positions, indices);
  const survey = surveyMesh(backend, meshAt);
  checkFinite(positions, survey);
  checkIndices(positions, indices, survey);
  return { meshAt, survey, nextPositionsAt: deformable ? own.take(positionsBytes(positions)) : 0 };
}

function thresholdsOf({ extensions: { spheres } }: Backend, options: MeshOptions): Mesh['thresholds'] {
  const { volume = 'aabb', thresholds } = options;
  if (volume !== 'aabb' && !spheres) throw missing(`volume: '${volume}'`, 'spheres');
  if (thresholds && !spheres) throw missing('thresholds', 'spheres');
  return spheres?.check(options);
}
