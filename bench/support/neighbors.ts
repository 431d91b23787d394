// Engines of one thread each on threads of their own -> the same question asked over and over while they are
// on: what a machine allows threads that share nothing, and so the most that threads of one engine can reach
// on it.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BoxPairsOptions } from '../../dist/index.js';

/** Words that all share: whether to ask, and how many do. */
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

  /** Returns when all ask, or none asks any more. */
  set(isOn: boolean): void {
    const { words, workers } = this;
    const wanted = isOn ? workers.length : 0;
    Atomics.store(words, IS_ON, Number(isOn));
    Atomics.notify(words, IS_ON);
    for (let now = Atomics.load(words, ASKING); now !== wanted; now = Atomics.load(words, ASKING))
      Atomics.wait(words, ASKING, now);
  }

  async end(): Promise<void> {
    await Promise.all(this.workers.map(worker => worker.terminate()));
  }
}
