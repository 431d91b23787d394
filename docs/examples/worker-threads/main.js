// Posts transforms to the worker that owns the engine, and prints what the worker finds.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { mat4d } from 'wgpu-matrix';

const worker = new Worker(new URL('./queries.js', import.meta.url));
for (const x of [0.9, 1.5, 4]) {
  worker.postMessage(mat4d.translation([x, 0, 0]));
  const [{ count, a, b }] = await once(worker, 'message');
  console.log(count > 0 ? `x = ${x}: ${count} pairs, first ${a[0]} and ${b[0]}` : `x = ${x}: no pairs`);
}
await worker.terminate();
