// Runs the slices of a kernel's job on the calling thread and its workers. If a worker hangs or dies, `run`
// returns all the same, and reports whether the job is complete.

import type { KernelName, Kernels } from '../records/kernels.js';
import { ENDED, LINE_BYTES, LINE_WORDS, STOP, word } from './control.js';
import type { Arena } from './memory.js';
import type { WorkerHandle, WorkerStart } from './transport.js';

const CLOCK_EVERY = 64;
const SPIN_MICROSECONDS = 80;
const TAKEN_BACK = -1;
/** Maximum to which late workers that finish can raise `deadlineMilliseconds`. */
const MAX_DEADLINE = 16_000;

/** A worker of a pool. */
export interface PoolWorker {
  handle: WorkerHandle;
  /** late: the caller no longer waits for the worker's last order, which the worker may still finish. */
  state: 'starting' | 'serving' | 'late' | 'gone';
  /**
   * seen: the last order that the worker had noticed when the caller last took an order back from it.
   * missedAt: the start of the first job whose order the caller took back while `seen` had this value.
   */
  seen: number;
  missedAt: number;
  /**
   * lateOrder: the order for which the worker is late. lostAt: the time at which the worker counts as lost.
   */
  lateOrder: number;
  lostAt: number;
  /** Ends the quarantine of the memory that a late or lost worker may still write to. */
  endQuarantine?: (() => void) | undefined;
}

/**
 * A pool of threads: the calling thread (the caller, with index 0) and its workers. Orders (the shares of a
 * job) are passed through words of shared memory, without messages or allocations.
 */
export class Pool {
  readonly kernels: Kernels;
  /**
   * How long the caller waits for a live worker, in milliseconds. The wait begins when the caller has no more
   * slices to run. If the caller has worked for longer than this time, it waits as long as it has worked. The
   * value is doubled whenever a late worker finishes.
   */
  deadlineMilliseconds = 1000;
  /** Called when a running worker is lost: it died or hung. */
  onLost: () => void = () => {};
  /** Time of each share of the last `run` in milliseconds, at the index of the share's first slice. */
  readonly sliceMilliseconds: Float64Array;
  readonly #arena: Arena;
  readonly #controlAt: number;
  readonly #members: PoolWorker[] = [];
  readonly #kernelIndex: ReadonlyMap<string, number>;
  #control: Int32Array;
  #order = 0;
  readonly #mayPark: boolean;

  constructor(kernels: Kernels, arena: Arena, maxWorkers: number, mayPark: boolean) {
    this.kernels = kernels;
    this.#kernelIndex = new Map(Object.keys(kernels).map((name, index) => [name, index]));
    this.#arena = arena;
    this.#mayPark = mayPark;
    this.sliceMilliseconds = new Float64Array(maxWorkers + 1);
    this.#controlAt = arena.allocate((maxWorkers + 1) * LINE_BYTES);
    this.#control = new Int32Array(arena.memory.buffer, this.#controlAt, (maxWorkers + 1) * LINE_WORDS);
    this.#control.fill(0);
  }

  /** Number of running threads, including the caller. */
  get threadCount(): number {
    let count = 1;
    for (let i = 0; i < this.#members.length; i++) if (this.#members[i].state === 'serving') count++;
    return count;
  }

  /**
   * Adds a worker, which gets no orders before `admit`. start: starts its thread. At most `maxWorkers`
   * workers can be added, including those that do not start: a worker that did not start in time may still
   * start later, so its control words are not reused.
   */
  add(
    start: (at: Pick<WorkerStart, 'memory' | 'controlAt' | 'index'>) => WorkerHandle,
    idleMode: 'spin' | 'park',
  ): PoolWorker {
    const index = this.#members.length + 1;
    this.#control[index * LINE_WORDS + word.spinMicroseconds] = idleMode === 'spin' ? SPIN_MICROSECONDS : 0;
    const member: PoolWorker = {
      handle: start({ memory: this.#arena.memory, controlAt: this.#controlAt, index }),
      state: 'starting',
      seen: -1,
      missedAt: 0,
      lateOrder: 0,
      lostAt: 0,
    };
    member.handle.onExit(() => {
      this.#lose(member);
      endQuarantine(member);
    });
    this.#members.push(member);
    return member;
  }

  /**
   * Gives a worker orders from now on if it is ready and still lives, and returns true. Otherwise ends it and
   * returns false.
   */
  admit(member: PoolWorker, isReady: boolean): boolean {
    if (isReady && member.state === 'starting') member.state = 'serving';
    if (member.state === 'serving') return true;
    this.#expel(member);
    return false;
  }

  /**
   * Runs slices 0 <= i < sliceCount of a kernel's job on all threads. When the caller has finished its own
   * share, it also runs the shares that no worker has begun. So the caller never waits for a thread that
   * sleeps, or that died before it began its share. meanwhile: runs on the caller before its own share; the
   * slices of other threads may wait for it.
   * @returns false if a worker began its share and died, or did not finish it in time. This worker may still
   * write to the job's memory. So the code that called `run` must release all of that memory and repeat the
   * job in fresh memory. The released memory is not reused until the worker has finished or ended.
   */
  run(kernel: KernelName, jobAt: number, sliceCount: number, meanwhile?: () => void): boolean {
    const members = this.#members;
    for (let i = 0; i < members.length; i++) if (members[i].state === 'late') this.#review(i);
    const shares = Math.min(sliceCount, this.threadCount);
    const startedAt = performance.now();
    if (shares <= 1) {
      meanwhile?.();
      this.kernels[kernel](jobAt, 0, sliceCount);
      this.sliceMilliseconds[0] = performance.now() - startedAt;
      return true;
    }
    const order = this.#nextOrder();
    let share = 1;
    for (let i = 0; i < members.length && share < shares; i++) {
      if (members[i].state === 'serving')
        this.#post(
          i + 1,
          order,
          kernel,
          jobAt,
          sliceBegin(share, shares, sliceCount),
          sliceBegin(++share, shares, sliceCount),
        );
    }
    // Even if a kernel traps on this thread, `run` waits for the workers before it throws, because the code
    // that catches the error releases the memory to which the workers write.
    let trap: unknown;
    try {
      meanwhile?.();
      this.kernels[kernel](jobAt, 0, sliceBegin(1, shares, sliceCount));
    } catch (error) {
      trap = error;
    }
    this.sliceMilliseconds[0] = performance.now() - startedAt;
    for (let i = 0; i < members.length; i++) {
      if (!this.#takeBack(i + 1, order) || trap) continue;
      try {
        this.#redo(i + 1, kernel, jobAt, startedAt);
      } catch (error) {
        trap = error;
      }
    }
    const now = performance.now();
    const patience = Math.max(this.deadlineMilliseconds, now - startedAt);
    let isComplete = true;
    for (let i = 0; i < members.length; i++) {
      if (
        this.#control[(i + 1) * LINE_WORDS + word.claimed] !== order ||
        this.#await(i + 1, order, now + patience)
      )
        continue;
      this.#suspend(i, order, patience);
      isComplete = false;
    }
    if (trap) throw trap;
    return isComplete;
  }

  /**
   * Wakes sleeping workers before an order is sent, so that they are ready when it arrives. Workers that do
   * not spin are not woken, because they would sleep again at once.
   */
  wake(): void {
    for (let index = 1; index <= this.#members.length; index++) {
      const line = index * LINE_WORDS;
      const spins = this.#control[line + word.spinMicroseconds] > 0;
      if (spins && Atomics.load(this.#control, line + word.parked) === 1)
        Atomics.notify(this.#control, line + word.posted);
    }
  }

  /** Ends all workers. Resolves when none can write to memory any more. */
  async dispose(): Promise<void> {
    const order = this.#nextOrder();
    this.#members.forEach((member, i) => {
      if (member.state === 'serving') this.#post(i + 1, order, STOP, 0, 0, 0);
      member.state = 'gone';
    });
    await Promise.all(this.#members.map(end));
  }

  #post(
    index: number,
    order: number,
    kernel: KernelName | typeof STOP,
    jobAt: number,
    begin: number,
    end: number,
  ): void {
    const control = this.#control;
    const line = index * LINE_WORDS;
    control[line + word.kernel] = kernel === STOP ? STOP : this.#kernelIndex.get(kernel)!;
    control[line + word.jobAt] = jobAt;
    control[line + word.begin] = begin;
    control[line + word.end] = end;
    control[line + word.claimed] = ~order;
    Atomics.store(control, line + word.posted, order);
    if (Atomics.load(control, line + word.parked) === 1) Atomics.notify(control, line + word.posted);
  }

  // Order numbers are 1..2^31-1. They are never 0, since the complement of 0 is TAKEN_BACK.
  #nextOrder(): number {
    return (this.#order = (this.#order % 0x7fffffff) + 1);
  }

  // Takes an order back from a worker that has not begun it. The order belongs to the thread, caller or
  // worker, that replaces ~order first. Returns whether this was the caller.
  #takeBack(index: number, order: number): boolean {
    return (
      Atomics.compareExchange(this.#control, index * LINE_WORDS + word.claimed, ~order, TAKEN_BACK) === ~order
    );
  }

  #redo(index: number, kernel: KernelName, jobAt: number, now: number): void {
    const control = this.#control;
    const line = index * LINE_WORDS;
    const member = this.#members[index - 1];
    const beganAt = performance.now();
    this.kernels[kernel](jobAt, control[line + word.begin], control[line + word.end]);
    this.#noteTime(control[line + word.begin], performance.now() - beganAt);
    const seen = Atomics.load(control, line + word.seen);
    if (seen !== member.seen) {
      member.seen = seen;
      member.missedAt = now;
    } else if (now - member.missedAt > 2 * this.deadlineMilliseconds) this.#expel(member);
  }

  // Waits until a worker has finished an order. Returns false if it has ended or the deadline has passed.
  #await(index: number, order: number, deadline: number): boolean {
    const control = this.#control;
    const line = index * LINE_WORDS;
    for (let spin = 1; Atomics.load(control, line + word.done) !== order; spin++) {
      if (spin % CLOCK_EVERY !== 0) continue;
      const left = deadline - performance.now();
      if (left < 0 || Atomics.load(control, line + word.done) === ENDED) return false;
      if (!this.#mayPark || spin < CLOCK_EVERY * 64) continue;
      if (this.#members[index - 1].handle.hasEnded?.()) return false;
      this.#park(line, Math.min(left, 50));
    }
    this.#noteTime(control[line + word.begin], control[line + word.microseconds] / 1000);
    return true;
  }

  #noteTime(slice: number, milliseconds: number): void {
    if (slice < this.sliceMilliseconds.length) this.sliceMilliseconds[slice] = milliseconds;
  }

  #park(line: number, milliseconds: number): void {
    const control = this.#control;
    const done = control[line + word.done];
    Atomics.store(control, line + word.callerParked, 1);
    if (Atomics.load(control, line + word.done) !== control[line + word.posted])
      Atomics.wait(control, line + word.done, done, milliseconds);
    Atomics.store(control, line + word.callerParked, 0);
  }

  // Stops waiting for a late worker. The memory to which the worker may still write is not allocated again
  // before the worker has finished its order or its thread has ended.
  #suspend(memberIndex: number, order: number, patience: number): void {
    const member = this.#members[memberIndex];
    member.state = 'late';
    member.lateOrder = order;
    member.lostAt = performance.now() + 4 * patience;
    member.endQuarantine = this.#arena.startQuarantine();
    this.#review(memberIndex);
    const timer: unknown = setTimeout(() => this.#review(memberIndex), 4 * patience + 1);
    // In Node, the timer must not keep the process alive.
    (timer as { unref?(): void }).unref?.();
  }

  // Decides whether a late worker has finished its order, is lost, or is still late.
  #review(memberIndex: number): void {
    const member = this.#members[memberIndex];
    if (member.state !== 'late') return;
    const done = Atomics.load(this.#control, (memberIndex + 1) * LINE_WORDS + word.done);
    if (done === member.lateOrder) {
      member.state = 'serving';
      this.deadlineMilliseconds = Math.min(2 * this.deadlineMilliseconds, MAX_DEADLINE);
      endQuarantine(member);
    } else if (done === ENDED || member.handle.hasEnded?.() || performance.now() > member.lostAt)
      this.#expel(member);
  }

  #expel(member: PoolWorker): void {
    this.#lose(member);
    void end(member);
  }

  #lose(member: PoolWorker): void {
    const { state } = member;
    member.state = 'gone';
    if (state === 'serving' || state === 'late') this.onLost();
  }
}

function endQuarantine(member: PoolWorker): void {
  member.endQuarantine?.();
  member.endQuarantine = undefined;
}

const sliceBegin = (share: number, shares: number, sliceCount: number): number =>
  Math.floor((share * sliceCount) / shares);

// Ends a worker. The `terminate` of a user's handle may fail; it is then unknown whether the thread has
// ended.
async function end({ handle }: PoolWorker): Promise<void> {
  try {
    await handle.terminate();
  } catch {}
}
