// Runs the slices of a kernel's job on the calling thread and its workers. `run` also returns if a worker hangs
// or dies, and reports whether the job is complete.

import type { Kernel, KernelName, Kernels } from '../records/kernels.js';
import type { Arena } from './memory.js';
import type { WorkerHandle } from './transport.js';

/** The interface of a worker that a pool uses. `PoolWorker` implements it. */
export interface PoolMember {
  readonly handle: WorkerHandle;
  /**
   * 'starting': the worker is not ready yet. 'serving': the worker gets orders. 'late': the caller no longer
   * waits for the worker's last order, which the worker may still finish. 'gone': the worker gets no more
   * orders.
   */
  readonly state: 'starting' | 'serving' | 'late' | 'gone';
  /**
   * Gives the worker an order: to run the slices i of a job with begin <= i < end. order: the number of the
   * order. kernel: the number of the job's kernel.
   */
  post(order: number, kernel: number, jobAt: number, begin: number, end: number): void;
  /** Takes an order back if the worker has not begun it. Returns whether the order was taken back. */
  takeBack(order: number): boolean;
  /**
   * Runs an order that was taken back, on the calling thread. Ends the worker if it has died, or has noticed
   * no order for more than twice the pool's deadline. now: start time of the job.
   */
  redo(kernel: Kernel, now: number): void;
  /**
   * Waits until the worker has finished an order that it has begun. Returns false if the worker has ended, or
   * has not finished within `patience` milliseconds from `now`. The worker then gets no more orders, unless it
   * finishes this order later.
   */
  finishes(order: number, now: number, patience: number): boolean;
  /** Wakes the worker if it sleeps. A worker that does not spin is not woken: see `Pool.wake`. */
  wake(): void;
  /** Decides whether a late worker has finished its order, is lost, or is still late. */
  review(): void;
  /** Ends the worker, which counts as lost if it was running. */
  expel(): void;
  /**
   * Ends the worker with the order STOP. Resolves when the worker can no longer write to memory. order: the
   * number of the order.
   */
  stop(order: number): Promise<void>;
}

/**
 * A pool of threads: the calling thread (the caller) and its workers. Orders (the shares of a job) are passed
 * through words of shared memory, without messages or allocations.
 */
export class Pool {
  readonly kernels: Kernels;
  readonly arena: Arena;
  /** Whether the caller may sleep while it waits for a worker. */
  readonly mayPark: boolean;
  /** All workers whose threads may still run, including those that get no orders. */
  readonly workers: PoolMember[] = [];
  /** Number of threads, including the caller, if none is late or lost. */
  wantedThreads = 1;
  /** Number of workers that were ever added. */
  addedCount = 0;
  /** Number of workers in a row that ended before they noticed an order. */
  failedStarts = 0;
  /**
   * How long the caller waits for a live worker, in milliseconds. The wait begins when the caller has no more
   * slices to run. If the caller has worked for longer than this time, it waits as long as it has worked. The
   * value is doubled, up to 16,000, whenever a late worker finishes.
   */
  deadlineMilliseconds = 1000;
  /** Whether the present call uses only the calling thread. */
  usesOneThread = false;
  /**
   * Decides which threads the present call uses: see `CallThreads.begin`. By default, every call uses all
   * threads. At the end of a synchronous call that has a kind, `endCall` is called, unless the call fails.
   */
  chooseThreads: (kind?: string, size?: number) => void = () => {};
  /** Ends the call for which `chooseThreads` was called last. Later work uses all threads. */
  endCall: () => void = () => {};
  /** Called when a running worker is late or lost, and when a thread has ended. May start other workers. */
  onMissing: () => void = () => {};
  /** Called when a running worker is lost: it died or hung. */
  onLost: () => void = () => {};
  /** Time of each share of the last `run` in milliseconds, at the index of the share's first slice. */
  readonly sliceMilliseconds: Float64Array;
  readonly #kernelIndex: ReadonlyMap<string, number>;
  #order = 0;

  /** maxThreads: maximum of `threadCount`. */
  constructor(kernels: Kernels, arena: Arena, maxThreads: number, mayPark: boolean) {
    this.kernels = kernels;
    this.#kernelIndex = new Map(Object.keys(kernels).map((name, index) => [name, index]));
    this.arena = arena;
    this.mayPark = mayPark;
    this.sliceMilliseconds = new Float64Array(maxThreads);
  }

  /** Number of threads that the present call may use, including the caller. */
  get threadCount(): number {
    return this.usesOneThread ? 1 : this.runningCount;
  }

  /** Number of running threads, including the caller. */
  get runningCount(): number {
    return this.workers.filter(({ state }) => state === 'serving').length + 1;
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
    const { workers } = this;
    for (const worker of workers) worker.review();
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
    for (const worker of workers) {
      if (share < shares && worker.state === 'serving')
        worker.post(
          order,
          this.#kernelIndex.get(kernel)!,
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
    for (const worker of workers) {
      if (!worker.takeBack(order) || trap) continue;
      try {
        worker.redo(this.kernels[kernel], startedAt);
      } catch (error) {
        trap = error;
      }
    }
    const now = performance.now();
    const patience = Math.max(this.deadlineMilliseconds, now - startedAt);
    let isComplete = true;
    for (const worker of workers) if (!worker.finishes(order, now, patience)) isComplete = false;
    if (trap) throw trap;
    return isComplete;
  }

  /**
   * Expels the workers that are known to have died. Returns whether there were any. While the calling thread
   * is blocked, it receives no events, so only `hasEnded` of a worker's handle tells whether the worker has
   * died.
   */
  expelDead(): boolean {
    let hasDied = false;
    for (const worker of this.workers) {
      if (worker.state !== 'serving' || !worker.handle.hasEnded?.()) continue;
      worker.expel();
      hasDied = true;
    }
    return hasDied;
  }

  /**
   * Wakes sleeping workers before an order is sent, so that they are ready when it arrives. Workers that do
   * not spin are not woken, because they would sleep again at once.
   */
  wake(): void {
    for (const worker of this.workers) worker.wake();
  }

  /** Ends all workers. Resolves when none can write to memory any more. */
  async dispose(): Promise<void> {
    const order = this.#nextOrder();
    this.wantedThreads = 0;
    await Promise.all(this.workers.map(worker => worker.stop(order)));
  }

  // Order numbers are 1..2^31-1. They are never 0, since the complement of 0 is TAKEN_BACK.
  #nextOrder(): number {
    return (this.#order = (this.#order % 0x7fffffff) + 1);
  }
}

const sliceBegin = (share: number, shares: number, sliceCount: number): number =>
  Math.floor((share * sliceCount) / shares);
