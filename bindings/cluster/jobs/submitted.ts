// A job that was handed over: whether it is finished, and its answer when it is.
import { CollisionError } from '../../errors.js';
import type { Run } from './run.js';

/** What a job has cost so far. */
export interface JobStats {
  /** Tasks that it was cut into so far. */
  tasks: number;
  /** Nodes that were heard of. */
  nodes: number;
  /** Tasks that were given out anew: whoever had them failed, fell silent, left, or never got them. */
  reissued: number;
  /** Tasks that were given to a second node because the first took long. */
  doubled: number;
  /** Bytes that went to nodes, meshes and all. */
  sentBytes: number;
  /** Messages that went to nodes. */
  sentMessages: number;
  /** Bytes that came from nodes. */
  receivedBytes: number;
  /** Messages that came from nodes. */
  receivedMessages: number;
  /** Bytes of meshes and other content that nodes had asked for. */
  contentBytes: number;
}

/** How far a job is. */
export interface JobProgress {
  /** Tasks that are done. */
  done: number;
  /** Tasks so far. */
  total: number;
}

/** A job that was handed over. */
export interface Submitted<Answer> {
  /** Whether it has ended, well or not. */
  readonly finished: boolean;
  /** Tasks done, and tasks so far: a job may find more to do on its way. */
  readonly progress: JobProgress;
  /** What it has cost so far. */
  readonly stats: JobStats;
  /** Its answer. @throws CollisionError: 'Cluster' where it cannot end or was cancelled, else what nodes threw */
  wait(): Promise<Answer>;
  /** Ends it: nodes drop its tasks, and `wait` throws. */
  cancel(): void;
}

export const submitted = <Answer>(run: Run<Answer>): Submitted<Answer> => ({
  get finished() { return run.isOver; },
  get progress() { return { done: run.ledger.done, total: run.ledger.count }; },
  get stats() {
    const { ledger: { count, lost, members }, channel: { traffic }, contentBytes } = run;
    const { sentBytes, sentMessages, receivedBytes, receivedMessages } = traffic;
    return { tasks: count, nodes: members.met, reissued: lost.leases, doubled: lost.twice, sentBytes, sentMessages, receivedBytes, receivedMessages, contentBytes };
  },
  wait: () => run.answer,
  cancel: () => run.fail(new CollisionError('Cluster', 'the job was cancelled', 'submit it anew')),
});
