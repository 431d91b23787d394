// A job that was handed over: whether it is finished, and its answer when it is.
import { ClusterError } from '../errors.js';
import type { JobStats } from './jobStats.js';
import type { Run } from './run.js';

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
  /**
   * Its answer. @throws CollisionError: 'Cluster' where it cannot end or was cancelled, else what nodes threw
   */
  wait(): Promise<Answer>;
  /** Ends it: nodes drop its tasks, and `wait` throws. */
  cancel(): void;
}

export const submitted = <Answer>(run: Run<Answer>): Submitted<Answer> => ({
  get finished() {
    return run.isOver;
  },
  get progress() {
    return { done: run.ledger.done, total: run.ledger.count };
  },
  get stats() {
    return run.stats;
  },
  wait: () => run.answer,
  cancel: () => run.fail(new ClusterError('the job was cancelled', 'submit it anew')),
});
