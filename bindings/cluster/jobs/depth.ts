// How long tasks take -> how many a node has at a time: enough for the way to the coordinator and back, not
// more.

/** Milliseconds of work that wait on a node, and bounds of their number. */
const AHEAD = 250;
const LEAST = 4;
const MOST = 1024;

export class Depth {
  /** Tasks that a node has at a time. */
  count = 8;
  private mean = 0;
  private tasks = 0;

  /** A task that took so many milliseconds. */
  add(milliseconds: number): void {
    this.tasks++;
    this.mean += (milliseconds - this.mean) / Math.min(this.tasks, 16);
    this.count = Math.round(
      Math.min(MOST, Math.max(LEAST, Math.min(AHEAD / Math.max(this.mean, 0.01), 8 * this.tasks))),
    );
  }
}
