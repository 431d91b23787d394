// Represents a worker of a pool: sends orders to the worker through its line of control words, and decides
// whether the worker is late or lost.

import type { Kernel } from '../records/kernels.js';
import { ENDED, LINE_BYTES, LINE_WORDS, STOP, word } from './control.js';
import type { Pool, PoolMember } from './pool.js';
import type { WorkerHandle, WorkerStart } from './transport.js';

const CLOCK_EVERY = 64;
const SPIN_MICROSECONDS = 80;
const TAKEN_BACK = -1;
/** `deadlineMilliseconds` is doubled whenever a late worker finishes, up to this value. */
const MAX_DEADLINE = 16_000;

/** The start data of a worker, except the kernels. */
export type WorkerStartData = Omit<WorkerStart, 'modules'>;

/** A worker of a pool. `PoolMember` describes the methods that the pool calls. */
export class PoolWorker implements PoolMember {
  readonly handle: WorkerHandle;
  state: PoolMember['state'] = 'starting';
  readonly #pool: Pool;
  readonly #line: Int32Array;
  // #seen: a copy of the control word `seen`, which holds the last order that the worker has noticed. The
  // caller updates the copy whenever it runs an order that it took back from the worker. #missedAt: the start
  // time of the first job whose order the caller took back while the control word had this value.
  #seen = -1;
  #missedAt = 0;
  // #lateOrder: the order for which the worker is late. #lostAt: when a late worker counts as lost.
  #lateOrder = 0;
  #lostAt = 0;
  // Ends the quarantine of the memory that a late or lost worker may still write to.
  #endQuarantine: () => void = () => {};

  /**
   * Starts a worker and adds it to a pool. The worker gets no orders before `admit` or `serve` is called.
   * start: starts its thread.
   * @throws what `start` throws; Capacity
   */
  constructor(pool: Pool, start: (data: WorkerStartData) => WorkerHandle, idleMode: 'spin' | 'park') {
    const { arena, workers } = pool;
    const { memory } = arena;
    const controlAt = arena.allocate(LINE_BYTES);
    const line = new Int32Array(memory.buffer, controlAt, LINE_WORDS).fill(0);
    line[word.spinMicroseconds] = idleMode === 'spin' ? SPIN_MICROSECONDS : 0;
    this.#pool = pool;
    this.#line = line;
    try {
      this.handle = start({ memory, controlAt, index: ++pool.addedCount });
    } catch (error) {
      arena.release(controlAt);
      throw error;
    }
    workers.push(this);
    const remove = (): void => {
      const at = workers.indexOf(this);
      if (at < 0) return;
      workers.splice(at, 1);
      this.#lose();
      this.#endQuarantine();
      arena.release(controlAt);
      pool.onMissing();
    };
    // A handle may call the listener while a job runs. The list of workers must not change then.
    this.handle.onExit(() => queueMicrotask(remove));
  }

  /**
   * Gives the worker orders from now on if it is ready and still lives, and returns true. Otherwise ends it and
   * returns false.
   */
  admit(isReady: boolean): boolean {
    if (isReady && this.state === 'starting') {
      this.state = 'serving';
      this.#pool.wantedThreads++;
    }
    if (this.state === 'serving') return true;
    this.expel();
    return false;
  }

  /** Gives the worker orders from now on, even before it has started. */
  serve(): void {
    this.state = 'serving';
    this.handle.ready.catch(() => this.expel());
  }

  post(order: number, kernel: number, jobAt: number, begin: number, end: number): void {
    const line = this.#line;
    line[word.kernel] = kernel;
    line[word.jobAt] = jobAt;
    line[word.begin] = begin;
    line[word.end] = end;
    line[word.claimed] = ~order;
    Atomics.store(line, word.posted, order);
    if (Atomics.load(line, word.parked) === 1) Atomics.notify(line, word.posted);
  }

  // The order belongs to the thread (caller or worker) that is first to replace ~order in the control word
  // `claimed`.
  takeBack(order: number): boolean {
    return Atomics.compareExchange(this.#line, word.claimed, ~order, TAKEN_BACK) === ~order;
  }

  redo(kernel: Kernel, now: number): void {
    const line = this.#line;
    const beganAt = performance.now();
    kernel(line[word.jobAt], line[word.begin], line[word.end]);
    this.#noteTime(performance.now() - beganAt);
    const seen = Atomics.load(line, word.seen);
    if (seen !== this.#seen) {
      this.#seen = seen;
      this.#missedAt = now;
    }
    if (this.handle.hasEnded?.() || now - this.#missedAt > 2 * this.#pool.deadlineMilliseconds) this.expel();
  }

  finishes(order: number, now: number, patience: number): boolean {
    if (this.#line[word.claimed] !== order || this.#await(order, now + patience)) return true;
    this.#suspend(order, patience);
    return false;
  }

  wake(): void {
    const line = this.#line;
    if (line[word.spinMicroseconds] > 0 && Atomics.load(line, word.parked) === 1)
      Atomics.notify(line, word.posted);
  }

  review(): void {
    if (this.state !== 'late') return;
    const pool = this.#pool;
    const done = Atomics.load(this.#line, word.done);
    if (done === this.#lateOrder) {
      pool.deadlineMilliseconds = Math.min(2 * pool.deadlineMilliseconds, MAX_DEADLINE);
      this.#endQuarantine();
      // Another worker may have been started in place of this one.
      const isNeeded = pool.runningCount < pool.wantedThreads;
      this.state = isNeeded ? 'serving' : 'gone';
      if (!isNeeded) void this.#end();
    } else if (done === ENDED || this.handle.hasEnded?.() || performance.now() > this.#lostAt) this.expel();
  }

  expel(): void {
    this.#lose();
    void this.#end();
  }

  stop(order: number): Promise<void> {
    if (this.state === 'serving') this.post(order, STOP, 0, 0, 0);
    this.state = 'gone';
    return this.#end();
  }

  // Waits until the worker has finished an order. Returns false if the worker has ended or the deadline has
  // passed.
  #await(order: number, deadline: number): boolean {
    const line = this.#line;
    for (let spin = 1; Atomics.load(line, word.done) !== order; spin++) {
      if (spin % CLOCK_EVERY !== 0) continue;
      const left = deadline - performance.now();
      if (left < 0 || Atomics.load(line, word.done) === ENDED) return false;
      if (!this.#pool.mayPark || spin < CLOCK_EVERY * 64) continue;
      if (this.handle.hasEnded?.()) return false;
      this.#park(Math.min(left, 50));
    }
    this.#noteTime(line[word.microseconds] / 1000);
    return true;
  }

  #noteTime(milliseconds: number): void {
    const { sliceMilliseconds } = this.#pool;
    const slice = this.#line[word.begin];
    if (slice < sliceMilliseconds.length) sliceMilliseconds[slice] = milliseconds;
  }

  #park(milliseconds: number): void {
    const line = this.#line;
    const done = line[word.done];
    Atomics.store(line, word.callerParked, 1);
    if (Atomics.load(line, word.done) !== line[word.posted])
      Atomics.wait(line, word.done, done, milliseconds);
    Atomics.store(line, word.callerParked, 0);
  }

  // Stops waiting for a late worker. The memory to which the worker may still write is not allocated again
  // before the worker has finished its order or its thread has ended.
  #suspend(order: number, patience: number): void {
    const end = this.#pool.arena.startQuarantine();
    this.#endQuarantine = () => {
      this.#endQuarantine = () => {};
      end();
    };
    // Node reports that a thread has ended as soon as its termination is requested. So the memory is kept out
    // of use even if the worker was expelled meanwhile.
    if (this.state === 'gone') return;
    this.state = 'late';
    this.#lateOrder = order;
    this.#lostAt = performance.now() + 4 * patience;
    this.review();
    this.#pool.onMissing();
    const timer: unknown = setTimeout(() => this.review(), 4 * patience + 1);
    // In Node, the timer must not keep the process alive.
    (timer as { unref?(): void }).unref?.();
  }

  #lose(): void {
    const { state } = this;
    this.state = 'gone';
    if (state !== 'serving' && state !== 'late') return;
    const pool = this.#pool;
    // Only a worker that has noticed an order has certainly started.
    if (Atomics.load(this.#line, word.seen) === 0) pool.failedStarts++;
    else pool.failedStarts = 0;
    pool.onMissing();
    pool.onLost();
  }

  // The `terminate` of a user's handle may fail; it is then unknown whether the thread has ended.
  async #end(): Promise<void> {
    try {
      await this.handle.terminate();
    } catch {}
  }
}
