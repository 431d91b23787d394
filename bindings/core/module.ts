// Defines the interface between an engine and its modules: what a module adds, and what the engine provides.
// bindings/engine/moduleTable.ts lists the modules.

import type { BodySweeper } from '../ccd/bodySweeper.js';
import type { ContactSegments, ManyContactSegments } from '../contact/contactSegments.js';
import type { DoubleMeshData, Mesh, MeshData, MeshOptions } from '../mesh/mesh.js';
import type { PairWriter } from '../mesh/pairWriter.js';
import type { ExactTests } from '../narrowphase/decideUncertain.js';
import type { FrontSystem } from '../narrowphase/front.js';
import type { TraversalMode } from '../narrowphase/frontMaker.js';
import type { ResultGatherer } from '../narrowphase/resultGatherer.js';
import type { FrontCache, StartingFront } from '../narrowphase/startingFront.js';
import type { ManyNearPairs, NearPairs } from '../proximity/nearPairs.js';
import type { EngineContext, Extensions, KernelContext } from '../runtime/engineContext.js';
import type { InlinedKernels } from '../runtime/wasm.js';
import type { KeyValueStorage } from './keyValueStorage.js';
import type { AnyQueryManyOptions, AnyQueryOptions, PartitionOptions } from './queryOptions.js';
import type { CallCounter, ResultLocation, TrianglePairs } from './results.js';
import type { QueryStats } from './stats.js';

/**
 * The objects with which a query runs. Its `writer` and `gatherer` belong to this query only, so that other
 * queries of the engine do not overwrite its pairs and results. The cache of starting fronts is shared
 * with the other queries. The functions of the exact triangle test are included, too.
 */
export interface QueryResources extends ExactTests {
  writer: PairWriter;
  gatherer: ResultGatherer;
  fronts: FrontCache;
}

/** What an engine provides to its modules. */
export interface EngineHost {
  context: EngineContext;
  clock: CallCounter;
  /** Initial capacity of the output of each work list, in triangle pairs; at least 1. */
  pairCapacity: number;
  /** The user's option `initialPairCapacity`; undefined if it was not given. */
  initialPairCapacity: number | undefined;
  /** Checks that the engine was not disposed of. @throws Disposed */
  checkOpen(): void;
  /** Registers a function to call when the engine is disposed of, before its memory is released. */
  onDispose(end: () => void): void;
  /** Begins a call that may reuse the memory of earlier results, so they become stale. @throws Disposed */
  beginCall(): void;
  /** Returns the methods of a module; undefined if it was left out. */
  methodsOf(name: string): object | undefined;
  /**
   * Makes an object that runs the continuous collision detection of scenes; undefined if the module
   * 'continuous' was left out.
   */
  makeBodySweeper(): BodySweeper | undefined;
  owns(mesh: Mesh): boolean;
  /** Registers a mesh as the engine's own. */
  adopt(mesh: Mesh): Mesh;
  createMesh(data: MeshData | DoubleMeshData, options?: MeshOptions): Mesh;
  writer: PairWriter;
  /** Makes the resources of a query that does not share the engine's `writer` and gatherer. */
  makeQueryResources(): QueryResources;
  /**
   * Runs a query. run: 'run' finds all triangle pairs of each placed pair; 'runAny' only finds out whether
   * each placed pair has one. write: fills the front's pair records and returns the trees of all placed
   * pairs, two per pair. fronts: the starting front of each placed pair, if the caller keeps these fronts.
   * pairing: the traversal mode; the default depends on the trees.
   */
  run(
    run: 'run' | 'runAny',
    write: (front: FrontSystem) => readonly Mesh[],
    options: PartitionOptions,
    fronts?: (StartingFront | undefined)[],
    pairing?: TraversalMode,
  ): FrontSystem;
  /**
   * Gathers the triangle pairs of the last run. swapped: for each placed pair, 1 if its record has the meshes
   * in reverse order; the two triangle numbers of each of its triangle pairs are then exchanged.
   */
  join(pairCount: number, swapped: Uint8Array, order?: 'sorted' | 'any'): ResultLocation;
  /** Returns the offset of the results of each placed pair, without gathering the results. */
  countPairs(pairCount: number): Uint32Array;
  summarize(): QueryStats;
}

/**
 * Methods for queries with options that the core does not support. They return undefined if the core supports
 * all of the given options.
 */
export interface ExtendedQueries {
  query(
    a: Mesh,
    b: Mesh,
    options: AnyQueryOptions,
  ): TrianglePairs | ContactSegments | NearPairs | boolean | undefined;
  queryMany(options: AnyQueryManyOptions): ManyContactSegments | ManyNearPairs | Uint32Array | undefined;
}

/** Engine options that modules may read when they start. */
export interface StartOptions {
  backend?: 'auto' | 'wasm' | 'webgpu';
  gpu?: object;
  storage?: KeyValueStorage;
}

export interface EngineModule<Methods> {
  /** Returns what the module adds to meshes. */
  extend?(context: KernelContext): Extensions;
  /** Makes an object that runs the continuous collision detection of scenes. */
  makeBodySweeper?(host: EngineHost): BodySweeper;
  /** The module's own kernels, if any. */
  inlined?: InlinedKernels;
  /** Makes an object with the methods that the module adds to an engine. */
  makeMethods(host: EngineHost): Methods & { readonly extendedQueries?: ExtendedQueries };
  /** Calls the module's methods repeatedly, so that the JavaScript engine optimizes them. */
  warmUp?(methods: Methods): void;
  /** Runs before the engine is returned to the user. */
  start?(engine: object, options: StartOptions): Promise<void>;
}
