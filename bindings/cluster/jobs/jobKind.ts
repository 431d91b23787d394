// What a kind of jobs and a kind of tasks are: all that distinguishes one from another.
import type { Engine } from '../../engine.js';
import type { Mesh } from '../../mesh.js';
import type { MessageKind } from '../message.js';

/** What tasks of a kind are, and how a node does one. Parts of a job, its tasks, are messages of kinds of their own, as are their results. */
export interface TaskKind<Task, Part> {
  readonly name: string;
  /** In messages; never used for another kind again. */
  readonly code: number;
  readonly task: MessageKind<Task>;
  readonly part: MessageKind<Part>;
  /** Hashes of the content that the task is about, 8 words each: the node has it when the task runs. */
  needs(task: Task): Uint32Array;
  /** What it finds is the same on every node. */
  run(task: Task, workbench: Workbench): Part | Promise<Part>;
}

/** What a task finds on its node. */
export interface Workbench {
  readonly engine: Engine;
  /** Content that the task needs, by the words of its hash from `at` on. */
  bytes(hashes: Uint32Array, at?: number): Uint8Array;
  /** The same as a mesh of the engine, where it is the content of one. Kept for tasks to come. */
  mesh(hashes: Uint32Array, at?: number): Mesh;
  /** Tests of boxes, spheres and triangles: for the node's counters. */
  countTests(tests: number): void;
}

/** A kind of jobs: checks one and says who leads it. */
export interface JobKind<Job, Answer> {
  readonly name: string;
  /** What the job holds is copied: its arrays stay the caller's. @throws what is wrong with it */
  open(job: Job): Lead<Answer>;
}

/** From the first task to the answer: rounds of tasks, as many as it takes. */
export type Lead<Answer> = (crew: Crew) => Promise<Answer>;

/** The nodes, as who leads a job sees them. */
export interface Crew {
  /** Makes content known to nodes, which ask for it when they need it. @returns its hash */
  share(bytes: Uint8Array): Promise<Uint32Array>;
  /**
   * Has tasks done. make: task i, whenever it is given out. check: throws where a result cannot be that of task i.
   * @returns their results, in order
   */
  run<Task, Part>(kind: TaskKind<Task, Part>, count: number, make: (i: number) => Task, check?: (part: Part, i: number) => void): Promise<Part[]>;
}
