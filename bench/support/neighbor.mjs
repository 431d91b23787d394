// Runs in a thread of its own and repeats a query on its own engine while it is switched on. It is plain
// JavaScript because Node.js loads it in a worker thread.

import { parentPort, workerData } from 'node:worker_threads';
import { createEngine } from '../../dist/index.js';

const { boxes, options, words, isOn, asking } = workerData;
const engine = await createEngine({ threads: 1 });
for (let i = 0; i < 5; i++) engine.boxPairs(boxes, options);
parentPort.postMessage('ready');
for (;;) {
  Atomics.wait(words, isOn, 0);
  Atomics.add(words, asking, 1);
  Atomics.notify(words, asking);
  while (Atomics.load(words, isOn) === 1) engine.boxPairs(boxes, options);
  Atomics.sub(words, asking, 1);
  Atomics.notify(words, asking);
}
