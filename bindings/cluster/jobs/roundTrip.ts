// Estimates how long to wait before a sent message counts as lost, from measured round-trip times, like TCP's
// retransmission timer (RFC 6298).

/** Bounds of `patience`, milliseconds. */
const MIN_PATIENCE = 60;
const MAX_PATIENCE = 2000;

export class RoundTrip {
  /** Milliseconds after which an unanswered message counts as lost. */
  patience: number;
  private mean = 0;
  private spread = 0;

  /** patience: the initial value, until the first answer. */
  constructor(patience = 300) {
    this.patience = patience;
  }

  /** Records the round-trip time of an answer. */
  add(milliseconds: number): void {
    if (this.mean === 0) [this.mean, this.spread] = [milliseconds, milliseconds / 2];
    else {
      this.spread += (Math.abs(milliseconds - this.mean) - this.spread) / 4;
      this.mean += (milliseconds - this.mean) / 8;
    }
    this.patience = Math.min(MAX_PATIENCE, Math.max(MIN_PATIENCE, this.mean + 4 * this.spread));
  }
}
