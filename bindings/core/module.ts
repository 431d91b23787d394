// A module: what it adds to an engine, and what the engine lends to it. bindings/engine/modules.ts lists
// them.

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

/** What the engine does its own work with, for one that works beside it; and what decides two triangles. */
export interface OwnParts extends Exactly {
  writer: PairWriter;
  joiner: Joiner;
  partition: Partition;
  fronts: FrontCache;
}

/** What modules need of their engine. */
export interface EngineHost {
  backend: Backend;
  clock: Clock;
  /** Pairs that a list has room for at first; and where it was asked for. */
  pairCapacity: number;
  roomAtFirst: number | undefined;
  /** Checks that the engine was not disposed. @throws Disposed */
  open(): void;
  /** Calls it when the engine is disposed, before its memory goes. */
  atEnd(end: () => void): void;
  /** A computing call begins: results in engine memory become stale. @throws Disposed */
  tick(): void;
  /** What a module has made; nothing where it was left out. */
  made(name: string): object | undefined;
  /** What scenes sweep their bodies with; nothing where the module 'continuous' was left out. */
  makeBodySweeper(): BodySweeper | undefined;
  owns(mesh: Mesh): boolean;
  /** Takes a mesh in, as one of its own. */
  adopt(mesh: Mesh): Mesh;
  createMesh(data: MeshData, options?: MeshOptions): Mesh;
  writer: PairWriter;
  /** For those whose questions outlive a call. */
  makeOwn(): OwnParts;
  /**
   * write: fills the front's pair records. @returns the trees of all pairs, two a pair. fronts: where the
   * caller keeps them.
   */
  run(
    run: 'run' | 'runAny',
    write: (front: FrontSystem) => readonly Mesh[],
    options: PartitionOptions,
    fronts?: (StartingFront | undefined)[],
    pairing?: Pairing,
  ): FrontSystem;
  join(pairCount: number, swapped: Uint8Array, order?: 'sorted' | 'any'): ResultPlace;
  /** Offsets of what each pair has, nothing joined. */
  countPairs(pairCount: number): Uint32Array;
  summarise(): QueryStats;
}

/** Answers to what the engine's own query and queryMany do not answer; nothing where they do. */
export interface FurtherAnswers {
  query(a: Mesh, b: Mesh, options: AnyQueryOptions): ContactSegments | NearPairs | boolean | undefined;
  queryMany(options: AnyQueryManyOptions): ManyContactSegments | ManyNearPairs | Uint32Array | undefined;
}

/** What modules may be told as they start. */
export interface StartOptions {
  backend?: 'auto' | 'wasm' | 'webgpu';
  gpu?: object;
}

export interface EngineModule<Verbs> {
  /** What it adds to meshes. */
  extend?(machine: Machine): Extensions;
  /** What scenes sweep their bodies with. */
  makeBodySweeper?(host: EngineHost): BodySweeper;
  /** Its kernels, where it has some of its own. */
  inlined?: InlinedKernels;
  /** What it adds to an engine: an object with its verbs. */
  makeVerbs(host: EngineHost): Verbs & { readonly further?: FurtherAnswers };
  /** Calls them until the machine has translated them well. */
  warmUp?(verbs: Verbs): void;
  /** Before the engine is given to its user. */
  start?(engine: object, options: StartOptions): Promise<void>;
}
