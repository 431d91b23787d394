// Runs the package's own worker with one fault, which workerData describes. Most kinds of faults occur before
// or after the worker takes its n-th job. The script recognizes that moment by intercepting
// Atomics.compareExchange and Atomics.store: the worker takes a job by a compareExchange of its control word
// `claimed`, and reports the end of the job by a store to `done`.

import { parentPort, workerData } from 'node:worker_threads';
import { ListRecord, TraverseJob } from '../../dist/records/layout.js';
import { LINE_WORDS, word } from '../../dist/runtime/control.js';
import { instantiateKernels } from '../../dist/runtime/instantiate.js';

const { fault, modules, memory, controlAt, hits } = workerData;
const line = new Int32Array(memory.buffer, controlAt, LINE_WORDS);
const kernelNames = Object.keys(instantiateKernels(modules, memory));
const original = Atomics.compareExchange;
let orderCount = 0;
let takenCount = 0;

const sleep = milliseconds => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

function spin() {
  for (;;) {
    /* until terminated */
  }
}

// Overwrites the records and the output of the work lists in this worker's job, until the worker is
// terminated.
function scribble() {
  const u32 = new Uint32Array(memory.buffer);
  const lists = u32[(line[word.jobAt] + TraverseJob.at.listsAt) / 4];
  const [begin, end] = [line[word.begin], line[word.end]];
  const ranges = [];
  for (let list = begin; list < end; list++) {
    const at = lists + list * ListRecord.size;
    const [a, b, capacity] = ['pairsAAt', 'pairsBAt', 'pairsCapacity'].map(
      field => u32[(at + ListRecord.at[field]) / 4],
    );
    ranges.push([at, ListRecord.size / 4], [a, capacity], [b, capacity]);
  }
  for (;;) for (const [at, words] of ranges) u32.fill(0xdeadbeef, at / 4, at / 4 + words);
}

const failures = {
  spin,
  scribble,
  sleep: () => (fault.milliseconds === undefined ? Atomics.wait(hits, 1, 0) : sleep(fault.milliseconds)),
  exit: () => process.exit(1),
  throw: () => {
    throw new Error('a fault that a test requested');
  },
};

// `scribble` overwrites the output of a traversal, so this fault waits until the worker has a job of the
// kernel `traverse`.
const kernel = fault.kernel ?? (fault.kind === 'scribble' ? 'traverse' : undefined);
const isTime = count =>
  count >= fault.order && (kernel === undefined || kernelNames[line[word.kernel]] === kernel);

let hasFailed = false;
function fail() {
  hasFailed = true;
  Atomics.add(hits, 0, 1);
  failures[fault.kind]();
}

Atomics.compareExchange = (array, at, expected, replacement) => {
  if (array.byteOffset !== controlAt || at !== word.claimed)
    return original(array, at, expected, replacement);
  if (fault.when === 'before' && !hasFailed && isTime(++orderCount)) fail();
  const value = original(array, at, expected, replacement);
  if (fault.when === 'after' && value === expected && !hasFailed && isTime(++takenCount)) fail();
  return value;
};

const originalStore = Atomics.store;
Atomics.store = (array, at, value) => {
  const isDone = array.byteOffset === controlAt && at === word.done && value > 0;
  if (fault.when === 'finished' && isDone && !hasFailed && isTime(++takenCount)) fail();
  return originalStore(array, at, value);
};

if (fault.kind === 'never ready') parentPort.on('message', () => {});
else if (fault.kind === 'ends at once') process.exit(1);
else if (fault.kind === 'spins at once') spin();
else void import('../../dist/runtime/worker.js');
