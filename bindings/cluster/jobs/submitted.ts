// Makes the handle of a submitted job, which tells whether the job has ended, gives the answer, and can cancel
// the job.
import { ClusterError } from '../errors.js';
import type { JobStats } from './jobStats.js';
import type { Run } from './run.js';

/** The progress of a job. */
export interface JobProgress {
  /** Tasks that are done. */
  done: number;
  /** Tasks created so far. */
  total: number;
}

/** A submitted job. */
export interface Submitted<Answer> {
  /** Whether the job has ended, successfully or not. */
  readonly finished: boolean;
  /** Tasks done, and tasks created so far: a job may add tasks while it runs. */
  readonly progress: JobProgress;
  /** The costs so far. */
  readonly stats: JobStats;
  /**
   * Resolves with the answer.
   * @throws the last error of a task, if this task failed too often; InvalidBoxes if a box is not finite;
   * Capacity if the answer is too large; any error that a callback of the job throws; CollisionError
   * 'Cluster' if the job was canceled, or if it cannot be completed for another reason
   */
  wait(): Promise<Answer>;
  /** Cancels the job: nodes drop its tasks, and `wait` throws. */
  cancel(): void;
}

export const makeSubmitted = <Answer>(run: Run<Answer>): Submitted<Answer> => ({
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
  cancel: () => run.fail(new ClusterError('the job was canceled', 'submit it again')),
});
