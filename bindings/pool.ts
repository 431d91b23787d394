// A kernel, a job and a number of slices -> all slices done, by the caller and its workers, whatever happens to a worker.
import { LINE_BYTES, LINE_WORDS, STOP, word } from './control.js';
import { kernelNames, type KernelName, type Kernels } from './kernels.js';
import type { Arena } from './memory.js';
import type { StartWorker, WorkerHandle } from './transport.js';

const CLOCK_EVERY = 64;
const SPIN_MICROSECONDS = 80;

interface Member { handle: WorkerHandle; alive: boolean }

/** Worker 0 is the caller. Orders go through shared words: no message, no allocation. */
export class Pool {
  readonly kernels: Kernels;
  /** Slices that a worker failed to do and the caller did. */
  redoneCount = 0;
  deadlineMilliseconds = 2000;
  private readonly arena: Arena;
  private readonly controlAt: number;
  private readonly members: Member[] = [];
  private readonly kernelIndex = new Map(kernelNames.map((name, index) => [name, index]));
  private control: Int32Array;
  private order = 0;
  private readonly mayPark: boolean;

  constructor(kernels: Kernels, arena: Arena, mostWorkers: number, mayPark: boolean) {
    this.kernels = kernels;
    this.arena = arena;
    this.mayPark = mayPark;
    this.controlAt = arena.allocate((mostWorkers + 1) * LINE_BYTES);
    this.control = new Int32Array(arena.memory.buffer, this.controlAt, (mostWorkers + 1) * LINE_WORDS);
    this.control.fill(0);
  }

  /** Threads that take part, the caller included. */
  get threadCount(): number { return 1 + this.members.filter((member) => member.alive).length; }

  /** Starts `count` workers. @returns how many answered within `withinMilliseconds`. */
  async start(start: StartWorker, module: WebAssembly.Module, count: number, spin: 'spin' | 'park', withinMilliseconds = 3000): Promise<number> {
    const handles: WorkerHandle[] = [];
    for (let index = 1; index <= count; index++) {
      this.control[index * LINE_WORDS + word.spinMicroseconds] = spin === 'spin' ? SPIN_MICROSECONDS : 0;
      handles.push(start({ module, memory: this.arena.memory, controlAt: this.controlAt, index }));
    }
    const ready = await Promise.all(handles.map((handle) => within(handle.ready, withinMilliseconds)));
    handles.forEach((handle, i) => {
      const member = { handle, alive: ready[i]! };
      this.members.push(member);
      handle.onExit(() => { member.alive = false; });
      if (!member.alive) void handle.terminate();
    });
    return ready.filter(Boolean).length;
  }

  /**
   * Runs slices 0 <= i < sliceCount of a kernel's job on all threads. A slice whose worker never began it is done by the caller.
   * @returns false when a worker began and did not end in time: it may still write to the job's memory, so the caller
   * must release all of that (it is held back until the thread has ended) and start over in fresh memory.
   */
  run(kernel: KernelName, jobAt: number, sliceCount: number): boolean {
    const members = this.members;
    const shares = Math.min(sliceCount, this.threadCount);
    if (shares <= 1) { this.kernels[kernel](jobAt, 0, sliceCount); return true; }
    const order = this.order = (this.order + 1) | 0;
    let share = 1;
    for (let i = 0; i < members.length && share < shares; i++) {
      if (members[i]!.alive) this.post(i + 1, order, kernel, jobAt, sliceBegin(share, shares, sliceCount), sliceBegin(++share, shares, sliceCount));
    }
    const startedAt = performance.now();
    this.kernels[kernel](jobAt, 0, sliceBegin(1, shares, sliceCount));
    const ownMilliseconds = performance.now() - startedAt;
    const deadline = startedAt + ownMilliseconds + Math.max(this.deadlineMilliseconds, 20 * shares * ownMilliseconds);
    let whole = true;
    for (let i = 0; i < members.length; i++) {
      if (this.control[(i + 1) * LINE_WORDS + word.posted] === order && !this.await(i + 1, order, deadline, kernel, jobAt)) whole = false;
    }
    return whole;
  }

  /** Ends all workers. Resolves when none can write to memory any more. */
  async dispose(): Promise<void> {
    const order = this.order = (this.order + 1) | 0;
    this.members.forEach((member, i) => { if (member.alive) this.post(i + 1, order, STOP, 0, 0, 0); });
    await Promise.all(this.members.map((member) => member.handle.terminate()));
  }

  private post(index: number, order: number, kernel: KernelName | typeof STOP, jobAt: number, begin: number, end: number): void {
    const { control } = this;
    const line = index * LINE_WORDS;
    control[line + word.kernel] = kernel === STOP ? STOP : this.kernelIndex.get(kernel)!;
    control[line + word.jobAt] = jobAt;
    control[line + word.begin] = begin;
    control[line + word.end] = end;
    // A worker claims by exchanging the number it saw last; that number is whatever was posted before.
    control[line + word.before] = control[line + word.claimed] = control[line + word.posted]!;
    Atomics.store(control, line + word.posted, order);
    if (Atomics.load(control, line + word.parked) === 1) Atomics.notify(control, line + word.posted);
  }

  private await(index: number, order: number, deadline: number, kernel: KernelName, jobAt: number): boolean {
    const { control } = this;
    const line = index * LINE_WORDS;
    for (let turn = 1; Atomics.load(control, line + word.done) !== order; turn++) {
      if (turn % CLOCK_EVERY !== 0) continue;
      const now = performance.now();
      if (now > deadline) return this.takeBack(index, order, kernel, jobAt);
      if (this.mayPark && turn > CLOCK_EVERY * 64) this.park(line, Math.min(deadline - now, 50));
    }
    return true;
  }

  private park(line: number, milliseconds: number): void {
    const { control } = this;
    const done = control[line + word.done]!;
    Atomics.store(control, line + word.callerParked, 1);
    if (Atomics.load(control, line + word.done) === control[line + word.posted]) return;
    Atomics.wait(control, line + word.done, done, milliseconds);
    Atomics.store(control, line + word.callerParked, 0);
  }

  private takeBack(index: number, order: number, kernel: KernelName, jobAt: number): boolean {
    const { control } = this;
    const line = index * LINE_WORDS;
    const before = control[line + word.before]!;
    const neverBegan = Atomics.compareExchange(control, line + word.claimed, before, order) === before;
    const begin = control[line + word.begin]!, end = control[line + word.end]!;
    this.redoneCount += end - begin;
    this.expel(index - 1);
    if (neverBegan) this.kernels[kernel](jobAt, begin, end);
    return neverBegan;
  }

  // What a late worker may still write to is not given out again before its thread has ended.
  private expel(memberIndex: number): void {
    const member = this.members[memberIndex]!;
    member.alive = false;
    const letGo = this.arena.holdFreed();
    void member.handle.terminate().then(letGo, letGo);
  }
}

const sliceBegin = (share: number, shares: number, sliceCount: number): number => Math.floor((share * sliceCount) / shares);

async function within(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => { timer = setTimeout(() => resolve(false), milliseconds); });
  const inTime = await Promise.race([promise.then(() => true, () => false), late]);
  clearTimeout(timer);
  return inTime;
}
