// Uses measured round-trip times to estimate how long to wait before a sent message counts as lost, like TCP's
// retransmission timer (RFC 6298).

/** Bounds of `timeout`, in milliseconds. */
const MIN_TIMEOUT = 60;
const MAX_TIMEOUT = 2000;

export class RoundTrip {
  /** Milliseconds after which an unanswered message counts as lost. */
  timeout: number;
  private mean = 0;
  private spread = 0;

  /** patience: the value of `timeout` until the first answer. */
  constructor(patience = 300) {
    this.timeout = patience;
  }

  /** Records the round-trip time of an answer. */
  add(milliseconds: number): void {
    if (this.mean === 0) [this.mean, this.spread] = [milliseconds, milliseconds / 2];
    else {
      this.spread += (Math.abs(milliseconds - this.mean) - this.spread) / 4;
      this.mean += (milliseconds - this.mean) / 8;
    }
    this.timeout = Math.min(MAX_TIMEOUT, Math.max(MIN_TIMEOUT, this.mean + 4 * this.spread));
  }
}
