// Runs independent engines of one thread each on threads of their own, which repeat the same query while they
// are switched on: the limit of this machine for threads that share nothing, and so for the threads of one
// engine.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BoxPairsOptions } from '../../dist/index.js';

/** Shared words: whether to run, and how many do. */
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

  /** Returns when all run, or none runs any more. */
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
