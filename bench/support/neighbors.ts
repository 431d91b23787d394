// Runs independent single-threaded engines, each on its own thread. While they are switched on, they all
// repeat the same query. They share no memory, so their speed is an upper limit for the threads of one engine
// on this machine.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BoxPairsOptions } from '../../dist/index.js';

/** Indices of the shared words: whether to run, and how many threads are running. */
const ON_WORD = 0;
const RUNNING_WORD = 1;

export class Neighbors {
  private constructor(
    private readonly words: Int32Array,
    private readonly workers: readonly Worker[],
  ) {}

  static async start(count: number, boxes: Float32Array, options: BoxPairsOptions): Promise<Neighbors> {
    const words = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { boxes, options, words, onWord: ON_WORD, runningWord: RUNNING_WORD };
    const workers = Array.from(
      { length: count },
      () => new Worker(new URL('./neighbor.mjs', import.meta.url), { workerData }),
    );
    await Promise.all(workers.map(worker => once(worker, 'message')));
    return new Neighbors(words, workers);
  }

  /**
   * Switches all engines on or off. Returns when all of them are running, or when none of them is running.
   */
  setRunning(isOn: boolean): void {
    const { words, workers } = this;
    const expected = isOn ? workers.length : 0;
    Atomics.store(words, ON_WORD, Number(isOn));
    Atomics.notify(words, ON_WORD);
    for (
      let now = Atomics.load(words, RUNNING_WORD);
      now !== expected;
      now = Atomics.load(words, RUNNING_WORD)
    )
      Atomics.wait(words, RUNNING_WORD, now);
  }

  async end(): Promise<void> {
    await Promise.all(this.workers.map(worker => worker.terminate()));
  }
}
