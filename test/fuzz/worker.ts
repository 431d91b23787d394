// The worker thread in which a reader is fuzzed. It copies each input to shared memory before reading it. If
// an input takes too much time or memory, the parent thread ends the worker and finds the input in the shared
// memory.
import { parentPort, workerData } from 'node:worker_threads';
import { coverageOf } from './coverage.js';
import { fuzz } from './fuzzer.js';
import type { FuzzOutput, FuzzTask } from './supervise.js';
import { targetNamed } from './targets/index.js';

const { name, seed, mutants, corpus, progress, input } = workerData as FuzzTask;
const target = targetNamed(name);
const coverage = coverageOf(target.covers);
const result = await fuzz(target, {
  seed,
  mutants,
  corpus,
  coverage,
  onInput(bytes) {
    input.set(bytes);
    Atomics.store(progress, 1, bytes.length);
    Atomics.add(progress, 0, 1);
  },
});
parentPort!.postMessage({ ...result, ...coverage.counts() } satisfies FuzzOutput);
