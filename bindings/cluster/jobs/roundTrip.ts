// Estimates how long to wait before a sent message counts as lost, from measured round-trip times, like TCP's
// retransmission timer (RFC 6298).

const LEAST = 60;
const MOST = 2000;

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
    this.patience = Math.min(MOST, Math.max(LEAST, this.mean + 4 * this.spread));
  }
}
