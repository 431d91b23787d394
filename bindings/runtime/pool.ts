// A kernel, a job and a number of slices -> all slices done, by the caller and its workers, whatever happens
// to a worker.

import type { KernelName, Kernels } from '../records/kernels.js';
import { LINE_BYTES, LINE_WORDS, STOP, word } from './control.js';
import type { Arena } from './memory.js';
import type { StartWorker, WorkerHandle, WorkerStart } from './transport.js';

const CLOCK_EVERY = 64;
const SPIN_MICROSECONDS = 80;
const TAKEN_BACK = -1;
/** Milliseconds. */
const WAIT_STEP = 50;

interface Member {
  handle: WorkerHandle;
  state: 'starting' | 'serving' | 'gone';
  /** The last order that it had seen when the caller first took one back from it, and when that was. */
  seen: number;
  missedAt: number;
}

/** Worker 0 is the caller. Orders go through shared words: no message, no allocation. */
export class Pool {
  readonly kernels: Kernels;
  /** How long a worker may take longer than the caller before it is given up. */
  deadlineMilliseconds = 2000;
  /** Called when a worker that served is gone: dead, hung or late. */
  onLost: () => void = () => {};
  /** Of the last `run`: milliseconds of the share that began at each slice. */
  readonly shareMilliseconds: Float64Array;
  /** Why the first worker that did not start failed, where it said so. */
  startError: unknown;
  readonly #arena: Arena;
  readonly #controlAt: number;
  readonly #members: Member[] = [];
  readonly #kernelIndex: ReadonlyMap<string, number>;
  #control: Int32Array;
  #order = 0;
  readonly #mayPark: boolean;

  constructor(kernels: Kernels, arena: Arena, mostWorkers: number, mayPark: boolean) {
    this.kernels = kernels;
    this.#kernelIndex = new Map(Object.keys(kernels).map((name, index) => [name, index]));
    this.#arena = arena;
    this.#mayPark = mayPark;
    this.shareMilliseconds = new Float64Array(mostWorkers + 1);
    this.#controlAt = arena.allocate((mostWorkers + 1) * LINE_BYTES);
    this.#control = new Int32Array(arena.memory.buffer, this.#controlAt, (mostWorkers + 1) * LINE_WORDS);
    this.#control.fill(0);
  }

  /** Threads that take part, the caller included. */
  get threadCount(): number {
    let count = 1;
    for (let i = 0; i < this.#members.length; i++) if (this.#members[i].state === 'serving') count++;
    return count;
  }

  /**
   * Starts `count` more workers, of all that ever start at most `mostWorkers`. @returns how many of them
   * answered within `withinMilliseconds`.
   */
  async start(
    start: StartWorker,
    modules: readonly WebAssembly.Module[],
    count: number,
    spin: 'spin' | 'park',
    withinMilliseconds = 3000,
  ): Promise<number> {
    // One that did not start may do so later: its words are nobody else's.
    const first = this.#members.length + 1;
    for (let index = first; index < first + count; index++) {
      this.#control[index * LINE_WORDS + word.spinMicroseconds] = spin === 'spin' ? SPIN_MICROSECONDS : 0;
      const member: Member = {
        handle: attempt(start, { modules, memory: this.#arena.memory, controlAt: this.#controlAt, index }),
        state: 'starting',
        seen: -1,
        missedAt: 0,
      };
      member.handle.onExit(() => this.#lose(member));
      this.#members.push(member);
    }
    const added = this.#members.slice(first - 1);
    await Promise.all(
      added.map(async member => {
        const isReady = await within(member.handle.ready, withinMilliseconds).catch((error: unknown) => {
          this.startError ??= error;
        });
        if (isReady && member.state === 'starting') member.state = 'serving';
        if (member.state === 'serving') return;
        member.state = 'gone';
        void end(member);
      }),
    );
    return added.filter(({ state }) => state === 'serving').length;
  }

  /**
   * Runs slices 0 <= i < sliceCount of a kernel's job on all threads. What no worker has begun when the
   * caller is done with its own share, the caller does too: nobody waits for a thread that sleeps, and a dead
   * one costs no time. meanwhile: what the caller does before its own share, for which the others' slices may
   * wait.
   * @returns false when a worker began and did not end in time: it may still write to the job's memory, so
   * the caller must release all of that (it is held back until the thread has ended) and start over in fresh
   * memory.
   */
  run(kernel: KernelName, jobAt: number, sliceCount: number, meanwhile?: () => void): boolean {
    const members = this.#members;
    const shares = Math.min(sliceCount, this.threadCount);
    const startedAt = performance.now();
    if (shares <= 1) {
      meanwhile?.();
      this.kernels[kernel](jobAt, 0, sliceCount);
      this.shareMilliseconds[0] = performance.now() - startedAt;
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
    // A trap here must not leave workers writing to memory that the caller then gives back: they are waited
    // for all the same.
    let trap: unknown;
    try {
      meanwhile?.();
      this.kernels[kernel](jobAt, 0, sliceBegin(1, shares, sliceCount));
    } catch (error) {
      trap = error;
    }
    const ownMilliseconds = (this.shareMilliseconds[0] = performance.now() - startedAt);
    for (let i = 0; i < members.length; i++) {
      if (!this.#takeBack(i + 1, order) || trap) continue;
      try {
        this.#redo(i + 1, kernel, jobAt, startedAt);
      } catch (error) {
        trap = error;
      }
    }
    const deadline =
      startedAt + ownMilliseconds + Math.max(this.deadlineMilliseconds, 20 * shares * ownMilliseconds);
    let whole = true;
    for (let i = 0; i < members.length; i++) {
      if (this.#control[(i + 1) * LINE_WORDS + word.claimed] !== order || this.#await(i + 1, order, deadline))
        continue;
      this.#expel(i);
      whole = false;
    }
    if (trap) throw trap;
    return whole;
  }

  /** Wakes sleeping workers ahead of an order, so that they need not be waited for when it comes. */
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

  // 1..2^31-1: never 0, whose complement is TAKEN_BACK.
  #nextOrder(): number {
    return (this.#order = (this.#order % 0x7fffffff) + 1);
  }

  // Whoever exchanges ~order first has the slice.
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
    } else if (now - member.missedAt > this.deadlineMilliseconds) this.#expel(index - 1);
  }

  #await(index: number, order: number, deadline: number): boolean {
    const control = this.#control;
    const line = index * LINE_WORDS;
    for (let turn = 1; Atomics.load(control, line + word.done) !== order; turn++) {
      if (turn % CLOCK_EVERY !== 0) continue;
      const now = performance.now();
      if (now > deadline) return false;
      if (this.#mayPark && turn > CLOCK_EVERY * 64) this.#park(line, Math.min(deadline - now, 50));
    }
    this.#noteTime(control[line + word.begin], control[line + word.microseconds] / 1000);
    return true;
  }

  #noteTime(slice: number, milliseconds: number): void {
    if (slice < this.shareMilliseconds.length) this.shareMilliseconds[slice] = milliseconds;
  }

  #park(line: number, milliseconds: number): void {
    const control = this.#control;
    const done = control[line + word.done];
    Atomics.store(control, line + word.callerParked, 1);
    if (Atomics.load(control, line + word.done) !== control[line + word.posted])
      Atomics.wait(control, line + word.done, done, milliseconds);
    Atomics.store(control, line + word.callerParked, 0);
  }

  // What a late worker may still write to is not given out again before its thread has ended.
  #expel(memberIndex: number): void {
    const member = this.#members[memberIndex];
    this.#lose(member);
    const letGo = this.#arena.holdFreed();
    void end(member).then(hasEnded => {
      if (hasEnded) letGo();
    });
  }

  #lose(member: Member): void {
    const { state } = member;
    member.state = 'gone';
    if (state === 'serving') this.onLost();
  }
}

const sliceBegin = (share: number, shares: number, sliceCount: number): number =>
  Math.floor((share * sliceCount) / shares);

// A createWorker of the user's may throw: that worker does not start.
function attempt(start: StartWorker, what: WorkerStart): WorkerHandle {
  try {
    return start(what);
  } catch (error) {
    return { ready: Promise.reject(error), onExit: () => {}, terminate: async () => {} };
  }
}

// False where it is not known that the thread has ended: a handle of the user's may fail.
async function end({ handle }: Member): Promise<boolean> {
  try {
    await handle.terminate();
    return true;
  } catch {
    return false;
  }
}

// False when late; rejects as the promise does. Waits step by step: what has come while this thread was busy
// is heard first.
async function within(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += WAIT_STEP) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(() => resolve(false), WAIT_STEP);
    });
    try {
      if (await Promise.race([promise.then(() => true), late])) return true;
    } finally {
      clearTimeout(timer);
    }
  }
  return false;
}
