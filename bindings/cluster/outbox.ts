// Sends packets over a connection. While the connection is lost, the packets wait in a queue, in order. A
// packet is dropped if too many bytes are already queued or not confirmed by the peer.

/** The connection that packets are sent over. */
interface Sender {
  send(subject: string, data: Uint8Array): void;
  /** Resolves when the peer has received everything sent before; rejects if the connection breaks. */
  confirm(): Promise<void>;
}

/** After this many bytes are sent, a confirmation is requested from the peer. */
const CONFIRM_BYTES = 1 << 20;

export class Outbox {
  /** Packets dropped because of the limit on unsent bytes. */
  dropped = 0;
  private readonly waiting: { subject: string; data: Uint8Array }[] = [];
  private waitingBytes = 0;
  private sentBytes = 0;
  private unconfirmedBytes = 0;
  private isFull = false;

  /** maxBytes: the limit on `unsentBytes`. onFull: called when packets begin to be dropped. */
  constructor(
    private readonly sender: Sender,
    private readonly maxBytes: number,
    private readonly onFull: (what: string) => void,
  ) {}

  isPaused = false;

  /** Bytes that are queued, or that were sent but are not confirmed by the peer. */
  get unsentBytes(): number {
    return this.waitingBytes + this.sentBytes;
  }

  publish(subject: string, data: Uint8Array): void {
    if (this.unsentBytes + data.length > this.maxBytes) return this.refuse(data.length);
    this.isFull = false;
    if (!this.isPaused) return this.send(subject, data);
    // The data is copied, because the caller may reuse its buffer.
    this.waiting.push({ subject, data: new Uint8Array(data) });
    this.waitingBytes += data.length;
  }

  /** Makes packets wait from now on, because the connection is lost. */
  pause(): void {
    this.isPaused = true;
  }

  /** Sends the waiting packets, because the connection is back. */
  resume(): void {
    this.isPaused = false;
    this.waitingBytes = 0;
    for (const { subject, data } of this.waiting.splice(0)) this.send(subject, data);
  }

  /** Discards the waiting packets, because the connection will not come back. */
  clear(): void {
    this.waiting.length = 0;
    this.waitingBytes = 0;
  }

  private send(subject: string, data: Uint8Array): void {
    this.sender.send(subject, data);
    this.sentBytes += data.length;
    this.unconfirmedBytes += data.length;
    if (this.unconfirmedBytes < CONFIRM_BYTES) return;
    const confirming = this.unconfirmedBytes;
    this.unconfirmedBytes = 0;
    // This is also called if the connection breaks. The bytes are then lost, so they no longer count as unsent.
    const forget = (): void => {
      this.sentBytes -= confirming;
    };
    this.sender.confirm().then(forget, forget);
  }

  private refuse(bytes: number): void {
    this.dropped++;
    if (this.isFull) return;
    this.isFull = true;
    this.onFull(
      `${this.unsentBytes} bytes are unsent or unconfirmed; ${bytes} more would exceed the limit and are dropped`,
    );
  }
}
