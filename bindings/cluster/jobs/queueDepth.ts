// Chooses how many tasks a node holds at a time from how long tasks take: enough to cover the round trip to
// the coordinator, and no more.

/** The target amount of work queued on a node, milliseconds, and bounds on the number of tasks. */
const TARGET_MILLISECONDS = 250;
const MIN_TASKS = 4;
const MAX_TASKS = 1024;

export class QueueDepth {
  /** How many tasks the node should hold. */
  count = 8;
  private mean = 0;
  private tasks = 0;

  /** Records the duration of a task. */
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
