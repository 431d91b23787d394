// Defines the interface between an engine and its modules: what a module adds, and what the engine provides.
// bindings/engine/modules.ts lists the modules.

import type { BodySweeper } from '../ccd/bodySweeper.js';
import type { ContactSegments, ManyContactSegments } from '../contact/contactSegments.js';
import type { Mesh, MeshData, MeshOptions } from '../mesh/mesh.js';
import type { PairWriter } from '../mesh/pairWriter.js';
import type { Exactly } from '../narrowphase/decideUnsure.js';
import type { FrontSystem } from '../narrowphase/front.js';
import type { Pairing } from '../narrowphase/frontMaker.js';
import type { Joiner } from '../narrowphase/joinLists.js';
import type { FrontCache, StartingFront } from '../narrowphase/startingFront.js';
import type { ManyNearPairs, NearPairs } from '../proximity/nearPairs.js';
import type { Backend, Extensions, Machine } from '../runtime/backend.js';
import type { InlinedKernels } from '../runtime/wasm.js';
import type { AnyQueryManyOptions, AnyQueryOptions, PartitionOptions } from './options.js';
import type { Partition } from './partition.js';
import type { Clock, ResultPlace } from './results.js';
import type { QueryStats } from './stats.js';

/** A separate set of the objects that an engine runs queries with, and the exact triangle test. */
export interface OwnParts extends Exactly {
  writer: PairWriter;
  joiner: Joiner;
  partition: Partition;
  fronts: FrontCache;
}

/** What an engine provides to its modules. */
export interface EngineHost {
  backend: Backend;
  clock: Clock;
  /**
   * pairCapacity: initial capacity of a list, in pairs. roomAtFirst: the user's initialPairCapacity;
   * undefined if not given.
   */
  pairCapacity: number;
  roomAtFirst: number | undefined;
  /** Checks that the engine was not disposed of. @throws Disposed */
  open(): void;
  /** Registers a function to call when the engine is disposed of, before its memory is released. */
  atEnd(end: () => void): void;
  /** Begins a call that computes: results in engine memory become stale. @throws Disposed */
  tick(): void;
  /** Returns the methods of a module; undefined if it was left out. */
  made(name: string): object | undefined;
  /**
   * Returns the continuous collision detection of scenes; undefined if the module 'continuous' was left out.
   */
  makeBodySweeper(): BodySweeper | undefined;
  owns(mesh: Mesh): boolean;
  /** Registers a mesh as the engine's own. */
  adopt(mesh: Mesh): Mesh;
  createMesh(data: MeshData, options?: MeshOptions): Mesh;
  writer: PairWriter;
  /** Makes a separate set, for queries that last longer than one call. */
  makeOwn(): OwnParts;
  /**
   * Runs a query. write: fills the front's pair records and returns the trees of all pairs, two per pair.
   * fronts: starting fronts, if the caller keeps them.
   */
  run(
    run: 'run' | 'runAny',
    write: (front: FrontSystem) => readonly Mesh[],
    options: PartitionOptions,
    fronts?: (StartingFront | undefined)[],
    pairing?: Pairing,
  ): FrontSystem;
  join(pairCount: number, swapped: Uint8Array, order?: 'sorted' | 'any'): ResultPlace;
  /** Returns the offset of each pair's results, without gathering them. */
  countPairs(pairCount: number): Uint32Array;
  summarise(): QueryStats;
}

/** Answers queries with options that the core does not support; undefined if the core supports them. */
export interface FurtherAnswers {
  query(a: Mesh, b: Mesh, options: AnyQueryOptions): ContactSegments | NearPairs | boolean | undefined;
  queryMany(options: AnyQueryManyOptions): ManyContactSegments | ManyNearPairs | Uint32Array | undefined;
}

/** Engine options that modules may read when they start. */
export interface StartOptions {
  backend?: 'auto' | 'wasm' | 'webgpu';
  gpu?: object;
}

export interface EngineModule<Verbs> {
  /** Returns what the module adds to meshes. */
  extend?(machine: Machine): Extensions;
  /** Makes the continuous collision detection of scenes. */
  makeBodySweeper?(host: EngineHost): BodySweeper;
  /** The module's own kernels, if any. */
  inlined?: InlinedKernels;
  /** Makes an object with the methods that the module adds to an engine. */
  makeVerbs(host: EngineHost): Verbs & { readonly further?: FurtherAnswers };
  /** Calls the methods until the runtime has compiled them well. */
  warmUp?(verbs: Verbs): void;
  /** Runs before the engine is returned to the user. */
  start?(engine: object, options: StartOptions): Promise<void>;
}
