// Runs independent single-threaded engines, each on its own thread, which repeat the same query while they
// are switched on. Their speed is this machine's limit for threads that share nothing, and therefore for the
// threads of one engine.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BoxPairsOptions } from '../../dist/index.js';

/** Indices of the shared words: whether to run, and how many threads are running. */
const IS_ON = 0;
const ASKING = 1;

export class Neighbors {
  private constructor(
    private readonly words: Int32Array,
    private readonly workers: readonly Worker[],
  ) {}

  static async start(count: number, boxes: Float32Array, options: BoxPairsOptions): Promise<Neighbors> {
    const words = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { boxes, options, words, isOn: IS_ON, asking: ASKING };
    const workers = Array.from(
      { length: count },
      () => new Worker(new URL('./neighbor.mjs', import.meta.url), { workerData }),
    );
    await Promise.all(workers.map(worker => once(worker, 'message')));
    return new Neighbors(words, workers);
  }

  /** Switches all on or off; returns when all are running, or when none is. */
  set(isOn: boolean): void {
    const { words, workers } = this;
    const expected = isOn ? workers.length : 0;
    Atomics.store(words, IS_ON, Number(isOn));
    Atomics.notify(words, IS_ON);
    for (let now = Atomics.load(words, ASKING); now !== expected; now = Atomics.load(words, ASKING))
      Atomics.wait(words, ASKING, now);
  }

  async end(): Promise<void> {
    await Promise.all(this.workers.map(worker => worker.terminate()));
  }
}
