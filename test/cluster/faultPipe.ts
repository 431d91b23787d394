// Forwards the frames of the NATS protocol, which are control lines and messages, in one direction of a
// proxy's connection. Messages may be delayed, duplicated or dropped, and all frames may be slowed down or
// held.
import type { Socket } from 'node:net';
import type { Fate } from './faultPlan.js';
import { type Frame, NatsFrames } from './natsFrames.js';

/** Bytes that may wait before the sender is paused. */
const MAX_WAITING = 1 << 20;

export interface PipeOptions {
  from: Socket;
  to: Socket;
  /** Decides which faults happen to a message. */
  fateOf(frame: Frame): Fate;
  /** Called with each frame before it is passed on. */
  onFrame(frame: Frame): void;
  /** Cuts the connection in both directions. */
  cut(): void;
  bytesPerSecond(): number | undefined;
}

export class FaultPipe {
  private readonly frames = new NatsFrames();
  private readonly waiting: Buffer[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly options: PipeOptions;
  private waitingBytes = 0;
  private freeAt = 0;
  private isHeld = false;
  private isOpen = true;
  private wakeUp: NodeJS.Timeout | undefined;

  constructor(options: PipeOptions) {
    this.options = options;
    options.from.on('data', (chunk: Buffer) => this.take(chunk));
    options.to.on('drain', () => this.pump());
  }

  /** Holds all data from now on, as a partitioned network would, or releases the data that was held. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.pump();
  }

  end(): void {
    this.isOpen = false;
    for (const timer of this.timers) clearTimeout(timer);
    clearTimeout(this.wakeUp);
  }

  private take(chunk: Buffer): void {
    for (const frame of this.frames.add(chunk)) {
      if (!this.isOpen) return;
      this.options.onFrame(frame);
      if (frame.subject === undefined) this.put(frame.bytes);
      else this.applyFate(frame, this.options.fateOf(frame));
    }
    this.pump();
  }

  private applyFate({ bytes }: Frame, { delays, cutsConnection }: Fate): void {
    if (cutsConnection) {
      this.options.to.write(bytes.subarray(0, bytes.length >> 1));
      this.options.cut();
      return;
    }
    for (const delay of delays) {
      if (delay === 0) this.put(bytes);
      else this.later(delay, bytes);
    }
  }

  private later(delay: number, bytes: Buffer): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.put(bytes);
      this.pump();
    }, delay);
    this.timers.add(timer);
  }

  private put(bytes: Buffer): void {
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
  }

  private pump(): void {
    const { from, to } = this.options;
    clearTimeout(this.wakeUp);
    while (this.isOpen && !this.isHeld && this.waiting.length > 0 && !to.writableNeedDrain) {
      const rate = this.options.bytesPerSecond();
      const now = performance.now();
      if (rate !== undefined && this.freeAt > now) {
        this.wakeUp = setTimeout(() => this.pump(), this.freeAt - now);
        break;
      }
      const bytes = this.waiting.shift()!;
      this.waitingBytes -= bytes.length;
      if (rate !== undefined) this.freeAt = Math.max(now, this.freeAt) + (1000 * bytes.length) / rate;
      to.write(bytes);
    }
    if (this.isHeld || this.waitingBytes > MAX_WAITING) from.pause();
    else from.resume();
  }
}
