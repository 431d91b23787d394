// What a kind of jobs and a kind of tasks are: all that distinguishes one from another.

import type { Engine } from '../../engine/engine.js';
import type { AsyncEngine } from '../../gpu/asyncEngine.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { MessageKind } from '../message.js';
import type { Work } from './holdings.js';
import type { JobStats } from './jobStats.js';
import type { LedgerOptions } from './ledger.js';

/**
 * What tasks of a kind are, and how a node does one. Parts of a job, its tasks, are messages of kinds of
 * their own, as are their results.
 */
export interface TaskKind<Task, Part, Fetched = unknown> {
  readonly name: string;
  /** In messages; never used for another kind again. */
  readonly code: number;
  readonly task: MessageKind<Task>;
  readonly part: MessageKind<Part>;
  /** Hashes of the content that the task is about, 8 words each: the node has it when the task runs. */
  needs(task: Task): Uint32Array;
  /** Whether tasks leave results on their nodes. */
  readonly keeps?: boolean;
  /** What else the task is about, from whoever has it, before it runs. */
  fetch?(task: Task, shelf: Shelf): Promise<Fetched>;
  /** What it finds is the same on every node. */
  run(task: Task, workbench: Workbench, fetched: Fetched): Part | Promise<Part>;
}

/** A result that stays on the node that found it. */
export interface Kept {
  /** Some of it, as others fetch it; nothing, where it has no such thing. */
  bytes(selector: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined;
}

/** Results of a run that are kept on nodes, as a task sees them. */
export interface Shelf {
  /** What a task has left on this node. */
  own(task: number): Kept | undefined;
  /**
   * Some of what a task has left on a node, this one or another. @throws Missing where it does not come
   * within so many milliseconds
   */
  fetch(holder: number, task: number, selector: readonly number[], patience: number): Promise<Uint8Array>;
  /** What the coordinator shares by a name. */
  fetchShared(name: readonly number[]): Promise<Uint8Array>;
  /** Bytes that came so far: from the coordinator, from other nodes, from this one. */
  readonly taken: { caller: number; nodes: number; self: number };
  /** Milliseconds of this process since it heard of the run. */
  cpuMilliseconds(): number;
}

/** What a task finds on its node. */
export interface Workbench {
  readonly engine: Engine;
  /** The engine's methods as promises, where its GPU is to be asked, too: instead of its own. */
  readonly gpu?: AsyncEngine;
  /** Content that the task needs, by the words of its hash from `at` on. */
  bytes(hashes: Uint32Array, at?: number): Uint8Array;
  /** The same as a mesh of the engine, where it is the content of one. Kept for tasks to come. */
  mesh(hashes: Uint32Array, at?: number): Mesh;
  /** Tests of boxes, spheres and triangles: for the node's counters. */
  countTests(tests: number): void;
  /** Leaves a result here, until the run is over. */
  keep(result: Kept): void;
  /** What tasks of a kind compute with: made once for a node, and disposed of with it. */
  tool<Tool extends { dispose(): void }>(make: (engine: Engine) => Tool): Tool;
}

/** A kind of jobs: checks one and says who leads it. */
export interface JobKind<Job, Answer> {
  readonly name: string;
  /** What the job holds is copied: its arrays stay the caller's. @throws what is wrong with it */
  open(job: Job): Lead<Answer>;
  /** How its runs differ from others. */
  terms?(job: Job): Terms;
}

/**
 * How tasks are given out. keeps: results stay with the nodes that find them, so that few such runs share a
 * node.
 */
export interface Terms extends LedgerOptions {
  keeps?: boolean;
}

/** From the first task to the answer: rounds of tasks, as many as it takes. */
export type Lead<Answer> = (crew: NodePool) => Promise<Answer>;

/** The nodes, as who leads a job sees them. */
export interface NodePool {
  /** What the run has cost so far. */
  readonly stats: JobStats;
  /**
   * Waits for so many nodes; without a number, for those that answer at once. @returns how many there are.
   * @throws CollisionError 'Cluster' where patience ends first
   */
  gather(count?: number): Promise<number>;
  /** Makes content known to nodes, which ask for it when they need it. @returns its hash */
  share(bytes: Uint8Array): Promise<Uint32Array>;
  /** The same by a name of less than eight words: it is not checked, and not kept for later jobs. */
  shareAs(name: readonly number[], bytes: Uint8Array): void;
  /**
   * Has tasks done. They are numbered from 0 on in the order of all calls. make: task i, whenever it is given
   * out; holderOf: the node that keeps the result of a task that task i needs. check: throws where a result
   * of a node cannot be that of task i. workOf: where results are kept by who finds them.
   * @returns their results, in order
   */
  run<Task, Part, Fetched>(
    kind: TaskKind<Task, Part, Fetched>,
    count: number,
    make: (i: number, holderOf: (task: number) => number) => Task,
    check?: (part: Part, i: number, node: number) => void,
    workOf?: (i: number) => Work,
  ): Promise<Part[]>;
  /** Some of a result that is kept, found again where it is lost. */
  fetch(task: number, selector: readonly number[]): Promise<Uint8Array>;
}
