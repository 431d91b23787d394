// Chooses how many tasks a node holds at a time, based on the mean duration of its tasks. The node then has
// enough work during a round trip to the coordinator, and not much more.

/** Target for the total duration of the tasks that a node holds. */
const TARGET_MILLISECONDS = 250;
/** Bounds on the number of tasks, which take precedence over the target. */
const MIN_TASKS = 4;
const MAX_TASKS = 1024;

export class QueueDepth {
  /** How many tasks the node should hold. */
  count = 8;
  private mean = 0;
  private tasks = 0;

  /** Records the duration of a task, and updates `count`. */
  add(milliseconds: number): void {
    this.tasks++;
    this.mean += (milliseconds - this.mean) / Math.min(this.tasks, 16);
    this.count = Math.round(
      Math.min(
        MAX_TASKS,
        Math.max(MIN_TASKS, Math.min(TARGET_MILLISECONDS / Math.max(this.mean, 0.01), 8 * this.tasks)),
      ),
    );
  }
}
