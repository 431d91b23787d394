// What waits to be sent: bounded, kept in order while there is no connection, and dropped rather than kept
// for ever.

/** The connection behind it. */
interface Sender {
  send(subject: string, data: Uint8Array): void;
  /** Resolves when the other side has taken what was sent before; rejects when the connection has broken. */
  confirm(): Promise<void>;
}

/** Sent bytes after which the other side is asked whether it has taken them. */
const ASK_BYTES = 1 << 20;

export class Outbox {
  /** Packets that found no room. */
  dropped = 0;
  private readonly held: { subject: string; data: Uint8Array }[] = [];
  private heldBytes = 0;
  private sentBytes = 0;
  private unaskedBytes = 0;
  private isFull = false;

  /** onFull: told when packets begin to be dropped. */
  constructor(
    private readonly sender: Sender,
    private readonly mostBytes: number,
    private readonly onFull: (what: string) => void,
  ) {}

  isHeld = false;

  /** Bytes that nobody has confirmed. */
  get unsentBytes(): number {
    return this.heldBytes + this.sentBytes;
  }

  publish(subject: string, data: Uint8Array): void {
    if (this.unsentBytes + data.length > this.mostBytes) return this.refuse(data.length);
    this.isFull = false;
    if (!this.isHeld) return this.send(subject, data);
    // The caller may write to its bytes again.
    this.held.push({ subject, data: new Uint8Array(data) });
    this.heldBytes += data.length;
  }

  /** From now on packets wait: there is no connection. */
  hold(): void {
    this.isHeld = true;
  }

  /** There is one again. */
  release(): void {
    this.isHeld = false;
    this.heldBytes = 0;
    for (const { subject, data } of this.held.splice(0)) this.send(subject, data);
  }

  /** There will be none any more. */
  drop(): void {
    this.held.length = 0;
    this.heldBytes = 0;
  }

  private send(subject: string, data: Uint8Array): void {
    this.sender.send(subject, data);
    this.sentBytes += data.length;
    this.unaskedBytes += data.length;
    if (this.unaskedBytes < ASK_BYTES) return;
    const asked = this.unaskedBytes;
    this.unaskedBytes = 0;
    // What a broken connection had is gone as well.
    const taken = (): void => {
      this.sentBytes -= asked;
    };
    this.sender.confirm().then(taken, taken);
  }

  private refuse(bytes: number): void {
    this.dropped++;
    if (this.isFull) return;
    this.isFull = true;
    this.onFull(
      `${this.unsentBytes} bytes wait to be sent, and ${bytes} more found no room: they are dropped`,
    );
  }
}
