// The interfaces of job kinds and task kinds.

import type { Engine } from '../../engine/engine.js';
import type { AsyncEngine } from '../../gpu/asyncEngine.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { MessageKind } from '../message.js';
import type { JobStats } from './jobStats.js';
import type { LedgerOptions } from './ledger.js';
import type { TaskPlacement } from './storedResults.js';

/**
 * A kind of task: how tasks and their results are encoded, and how a node runs one. A job is split into
 * tasks; tasks and results are messages of their own kinds.
 */
export interface TaskKind<Task, Part, Fetched = unknown> {
  readonly name: string;
  /** Identifies the kind in messages; never reused for another kind. */
  readonly code: number;
  readonly task: MessageKind<Task>;
  readonly part: MessageKind<Part>;
  /**
   * Returns the hashes of the content that the task needs, 8 words each; the node has that content when the
   * task runs.
   */
  needs(task: Task): Uint32Array;
  /** Whether the results of tasks stay on the nodes that computed them. */
  readonly keeps?: boolean;
  /** Fetches other inputs of the task from the nodes that have them, before it runs. */
  fetch?(task: Task, store: ResultStore): Promise<Fetched>;
  /** Runs a task; the result is the same on every node. */
  run(task: Task, context: TaskContext, fetched: Fetched): Part | Promise<Part>;
}

/** A result that stays on the node that computed it. */
export interface StoredResult {
  /** Returns the part of it that a selector names, for other nodes to fetch; undefined if there is none. */
  bytes(selector: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined;
  /** Releases its memory. Called when the node drops the result. */
  dispose?(): void;
}

/** Kept results of a run, as a task sees them. */
export interface ResultStore {
  /** Returns the result that a task has left on this node. */
  own(task: number): StoredResult | undefined;
  /**
   * Fetches part of the result that a task has left on a node, this one or another. patience: milliseconds.
   * @throws MissingResult if it does not arrive in time
   */
  fetch(holder: number, task: number, selector: readonly number[], patience: number): Promise<Uint8Array>;
  /** Fetches a block that the coordinator shares under a name. */
  fetchShared(name: readonly number[]): Promise<Uint8Array>;
  /** Bytes read so far: from the coordinator, from other nodes, and from this node itself. */
  readonly bytesRead: { caller: number; nodes: number; self: number };
  /** CPU milliseconds of this process since it first heard of the run. */
  cpuMilliseconds(): number;
}

/** The services of a node that a task may use. */
export interface TaskContext {
  readonly engine: Engine;
  /**
   * The engine's asynchronous methods, defined if its GPU is used. Tasks then call them instead of the
   * synchronous methods.
   */
  readonly gpu?: AsyncEngine;
  /** Returns content that the task needs. Its hash is the eight words of hashes from index `at` on. */
  bytes(hashes: Uint32Array, at?: number): Uint8Array;
  /** Returns the same content as a mesh of the engine, if it is a mesh. Cached for later tasks. */
  mesh(hashes: Uint32Array, at?: number): Mesh;
  /** Adds tests of boxes, spheres and triangles to the node's counters. */
  countTests(tests: number): void;
  /** Keeps a result on this node until the run ends, or until `dropBefore` drops it. */
  keep(result: StoredResult): void;
  /** Drops the results of all tasks with a smaller number that this node keeps for the run. */
  dropBefore(task: number): void;
  /**
   * Returns an object that tasks share. It is made at the first call with this function `make`, and disposed
   * of when the node closes.
   */
  sharedTool<Tool extends { dispose(): void }>(make: (engine: Engine) => Tool): Tool;
}

/** A kind of job: validates a job and returns the function that coordinates it. */
export interface JobKind<Job, Answer> {
  readonly name: string;
  /**
   * Validates and copies a job, so that the caller may change its arrays afterwards. @throws an error that
   * says what is wrong with the job
   */
  open(job: Job): JobCoordinator<Answer>;
  /** Options of the runs of a job that differ from the defaults. */
  terms?(job: Job): RunTerms;
}

/**
 * How tasks are assigned. keeps: results stay on the nodes that compute them; a node takes part in only a few
 * such runs at a time.
 */
export interface RunTerms extends LedgerOptions {
  keeps?: boolean;
}

/** Content by the text of its hash or name; a function is called when the content is first needed. */
export type SharedContents = ReadonlyMap<string, Uint8Array | (() => Uint8Array)>;

/** Coordinates a job from its first task to its answer, in as many rounds of tasks as it needs. */
export type JobCoordinator<Answer> = (pool: NodePool) => Promise<Answer>;

/** The nodes, as the coordinator of a job sees them. */
export interface NodePool {
  /** What the run has cost so far. */
  readonly stats: JobStats;
  /**
   * Waits for `count` nodes; without a count, for the nodes that answer immediately. @returns the number of
   * nodes.
   * @throws CollisionError 'Cluster' if patience ends first
   */
  gather(count?: number): Promise<number>;
  /** Offers content to the nodes, which fetch it when they need it. @returns its hash */
  share(bytes: Uint8Array): Promise<Uint32Array>;
  /**
   * Offers bytes under a name of fewer than eight words: they are not checked, and not cached for later jobs.
   * A function is called when a node first requests the bytes.
   */
  shareAs(name: readonly number[], bytes: Uint8Array | (() => Uint8Array)): void;
  /** Withdraws bytes that were offered under a name. */
  unshare(name: readonly number[]): void;
  /**
   * Runs `count` tasks. i counts the tasks of this call from 0; task numbers count the tasks of all calls.
   * make: returns task i, and is called each time the task is sent; holderOf returns the node that keeps the
   * result of the task with a given number. check: throws if a result cannot be that of task i. placementOf:
   * describes tasks whose results stay on the nodes that compute them. avoidedBy: returns a node that must not
   * get task i. @returns the results, in order
   */
  run<Task, Part, Fetched>(
    kind: TaskKind<Task, Part, Fetched>,
    count: number,
    make: (i: number, holderOf: (task: number) => number) => Task,
    check?: (part: Part, i: number, node: number) => void,
    placementOf?: (i: number) => TaskPlacement,
    avoidedBy?: (i: number) => number,
  ): Promise<Part[]>;
  /**
   * Runs a task in this process, to check the results of nodes. contents: what it needs, by hash; default: all
   * shared content. Undefined if the nodes belong to this process, so that they need not be checked.
   */
  readonly recompute?: <Task, Part>(
    kind: TaskKind<Task, Part>,
    task: Task,
    contents?: SharedContents,
  ) => Promise<Part>;
  /** Whether every task is given to two nodes. */
  readonly isTwofold: boolean;
  /** Returns the name of a node for messages. */
  nameOf(node: number): string;
  /** Excludes a node, because a result of it is false. what: what is wrong, as a clause. */
  exclude(node: number, what: string): void;
  /** Fetches part of a kept result, which is computed again if it was lost. */
  fetch(task: number, selector: readonly number[]): Promise<Uint8Array>;
  /** Forgets all tasks with a smaller number. Their results are not needed any more. */
  forgetBefore(task: number): void;
}
