// Defines the interfaces of job kinds and task kinds. A job kind splits a job into tasks; a task kind runs
// these tasks on nodes.

import type { Engine } from '../../engine/engine.js';
import type { AsyncEngine } from '../../gpu/asyncEngine.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { MessageKind } from '../message.js';
import type { JobStats } from './jobStats.js';
import type { LedgerOptions } from './ledger.js';
import type { TaskPlacement } from './storedResults.js';

/**
 * A kind of task: how a node runs its tasks, and how tasks and results are encoded. Each task and each result
 * is encoded as a message.
 */
export interface TaskKind<Task, Report, Fetched = unknown> {
  readonly name: string;
  /** Identifies the kind in messages; never reused for another kind. */
  readonly code: number;
  readonly task: MessageKind<Task>;
  readonly report: MessageKind<Report>;
  /**
   * Returns the hashes of the content that the task needs, 8 words each. The node fetches this content before
   * it runs the task.
   */
  needs(task: Task): Uint32Array;
  /** Whether the results of tasks stay on the nodes that computed them. */
  readonly keeps?: boolean;
  /** Fetches other inputs of the task, such as results that nodes keep. `run` gets these inputs. */
  fetch?(task: Task, store: ResultStore): Promise<Fetched>;
  /**
   * Runs a task; the result is the same on every node. The arrays of the result must not be views of engine
   * memory, because the engine may be used again before the result is encoded.
   */
  run(task: Task, context: TaskContext, fetched: Fetched): Report | Promise<Report>;
}

/** A result that stays on the node that computed it. */
export interface StoredResult {
  /**
   * Returns the encoded field that a selector names; undefined if the result has no such field. Other nodes and
   * the coordinator fetch these fields.
   */
  bytes(selector: Uint32Array): Uint8Array | Promise<Uint8Array> | undefined;
  /** Releases the memory of the result. Called when the node drops the result. */
  dispose?(): void;
}

/** Gives a task access to kept results of its run, and to blocks that the coordinator shares. */
export interface ResultStore {
  /** Returns the result of a task, if this node keeps it. */
  own(task: number): StoredResult | undefined;
  /**
   * Fetches a field of the result of a task from the node `holder`, which may be this node.
   * patience: milliseconds without progress after which the fetch fails.
   * @throws MissingResult if the fetch fails
   */
  fetch(holder: number, task: number, selector: readonly number[], patience: number): Promise<Uint8Array>;
  /** Fetches a block that the coordinator shares under a name. */
  fetchShared(name: readonly number[]): Promise<Uint8Array>;
  /**
   * Bytes read so far: from the coordinator (caller), from other nodes (nodes), and from this node (self).
   */
  readonly bytesRead: { caller: number; nodes: number; self: number };
  /** CPU milliseconds of this process since it first heard of the run. */
  cpuMilliseconds(): number;
}

/** The services of a node that a task may use. */
export interface TaskContext {
  readonly engine: Engine;
  /**
   * The engine's asynchronous methods; undefined if no GPU is used. If they are defined, tasks call them
   * instead of the synchronous methods.
   */
  readonly gpu?: AsyncEngine;
  /** Returns content that the task needs. Its hash is the eight words of `hashes` from index `at` on. */
  bytes(hashes: Uint32Array, at?: number): Uint8Array;
  /** Returns content that encodes a mesh, as a mesh of the engine. The mesh is cached for later tasks. */
  mesh(hashes: Uint32Array, at?: number): Mesh;
  /** Adds a number of box, sphere and triangle tests to the node's counter. */
  countTests(tests: number): void;
  /** Keeps the task's result on this node until the run ends, or until `dropBefore` drops the result. */
  keep(result: StoredResult): void;
  /** Drops all results of the run that this node keeps for tasks with numbers below `task`. */
  dropBefore(task: number): void;
  /**
   * Returns an object that all tasks of the node share. The first call with a function `make` makes the
   * object by calling `make`. Later calls with the same function return this object. The node disposes of the
   * object when the node closes.
   */
  sharedTool<Tool extends { dispose(): void }>(make: (engine: Engine) => Tool): Tool;
}

/** A kind of job: validates jobs of this kind. */
export interface JobKind<Job, Answer> {
  readonly name: string;
  /**
   * Validates and copies a job, so that the caller may change its arrays afterwards. isTwofold: whether every
   * task will be given to two nodes. ledger: the options that the caller of `openJobs` has passed. @throws an
   * error that says what is wrong with the job
   */
  open(job: Job, isTwofold: boolean, ledger: LedgerOptions): OpenedJob<Answer>;
}

/** A validated job. */
export interface OpenedJob<Answer> {
  coordinate: JobCoordinator<Answer>;
  /** Options for the run of the job. They override the options in `ledger`. */
  terms?: RunTerms;
}

/**
 * How the tasks of a run are assigned. keeps: whether results stay on the nodes that compute them; a node
 * takes part in only a few such runs at a time.
 */
export interface RunTerms extends LedgerOptions {
  keeps?: boolean;
}

/**
 * Content by its hash or name in hexadecimal. A value may also be a function that returns the content. Such a
 * function is called when the content is first needed.
 */
export type SharedContents = ReadonlyMap<string, Uint8Array | (() => Uint8Array)>;

/** Coordinates a job from its first task to its answer, in as many rounds of tasks as it needs. */
export type JobCoordinator<Answer> = (pool: NodePool) => Promise<Answer>;

/** What the coordinator of a job can do with the nodes that take part in its run. */
export interface NodePool {
  /** What the run has cost so far. */
  readonly stats: JobStats;
  /**
   * Waits for `count` nodes. Without a count, waits for the first node, and then briefly for more nodes.
   * @returns the number of nodes
   * @throws CollisionError 'Cluster' if there are too few nodes after the run's `patience`
   */
  gather(count?: number): Promise<number>;
  /** Offers content to the nodes, which fetch it when they need it. @returns its hash */
  share(bytes: Uint8Array): Promise<Uint32Array>;
  /**
   * Offers bytes under a name of fewer than eight words. Nodes neither check these bytes against a hash nor
   * cache them for later jobs. If `bytes` is a function, it is called when a node first requests the bytes.
   */
  shareAs(name: readonly number[], bytes: Uint8Array | (() => Uint8Array)): void;
  /** Withdraws content that was offered under a name or a hash. */
  unshare(name: ArrayLike<number>): void;
  /**
   * Runs `count` tasks. i: the index of a task among the tasks of this call. The number of a task is its
   * index among the tasks of all calls.
   * - make: returns task i; called each time the task is sent. Its argument holderOf is a function: it takes
   *   the number of a task, and returns the node that keeps the result of this task;
   * - check: throws if a result cannot belong to task i;
   * - placementOf: tells where task i may run; passed only if results stay on the nodes that compute them;
   * - avoidedBy: returns a node that must not get task i.
   * @returns the results, in order
   */
  run<Task, Report, Fetched>(
    kind: TaskKind<Task, Report, Fetched>,
    count: number,
    make: (i: number, holderOf: (task: number) => number) => Task,
    check?: (report: Report, i: number, node: number) => void,
    placementOf?: (i: number) => TaskPlacement,
    avoidedBy?: (i: number) => number,
  ): Promise<Report[]>;
  /**
   * Runs a task in this process, to check the results of nodes. contents: the content that the task needs, by
   * hash; default: all shared content. The method is undefined if the nodes belong to this process, because
   * their results then need no check.
   */
  readonly recompute?: <Task, Report>(
    kind: TaskKind<Task, Report>,
    task: Task,
    contents?: SharedContents,
  ) => Promise<Report>;
  /** Whether every task is given to two nodes. */
  readonly isTwofold: boolean;
  /** Excludes a node that returned a false result. what: what is wrong, as a clause. */
  exclude(node: number, what: string): void;
  /** Fetches a field of the kept result of a task. If the result was lost, the task runs again first. */
  fetch(task: number, selector: readonly number[]): Promise<Uint8Array>;
  /** Forgets all tasks with numbers below `task`, because their results are no longer needed. */
  forgetBefore(task: number): void;
}
