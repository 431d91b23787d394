// How long an answer takes -> how long to wait before what was sent counts as lost: the rule of TCP's timers.

const LEAST = 60;
const MOST = 2000;

export class RoundTrip {
  /** Milliseconds after which what was not answered is taken as lost. */
  patience: number;
  private mean = 0;
  private spread = 0;

  /** As long as there was no answer. */
  constructor(patience = 300) {
    this.patience = patience;
  }

  /** An answer that took so many milliseconds. */
  add(milliseconds: number): void {
    if (this.mean === 0) [this.mean, this.spread] = [milliseconds, milliseconds / 2];
    else {
      this.spread += (Math.abs(milliseconds - this.mean) - this.spread) / 4;
      this.mean += (milliseconds - this.mean) / 8;
    }
    this.patience = Math.min(MOST, Math.max(LEAST, this.mean + 4 * this.spread));
  }
}
