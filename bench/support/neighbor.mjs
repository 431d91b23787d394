// A worker thread of neighbors.ts. It has its own engine and repeats a query while the shared word at
// `onWord` is 1. This file is plain JavaScript because Node.js loads it in the worker.

import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from '../../dist/index.js';

const { boxes, options, words, onWord, runningWord } = workerData;
const engine = await createEngine({ threads: 1 });
for (let i = 0; i < 5; i++) engine.boxPairs(boxes, options);
parentPort.postMessage('ready');
for (;;) {
  Atomics.wait(words, onWord, 0);
  Atomics.add(words, runningWord, 1);
  Atomics.notify(words, runningWord);
  while (Atomics.load(words, onWord) === 1) engine.boxPairs(boxes, options);
  Atomics.sub(words, runningWord, 1);
  Atomics.notify(words, runningWord);
}
