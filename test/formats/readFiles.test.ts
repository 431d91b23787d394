// Tests that files that are read at the same time give the same parts, notes and errors as files that are read
// one after another.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import type { FileContents } from '../../dist/formats/readFiles.js';
import { readFiles } from '../../dist/formats/readFiles.js';
import { InvalidFile } from '../../dist/formats/readParts.js';
import { StepClock } from '../../dist/formats/watchedReader.js';
import { test } from '../support/test.js';
import { changed, TWO_TRIANGLES } from './refusal.js';
import { binaryStl, squarePly, text } from './smallFiles.js';
import { beam, ifc } from './smallIfc.js';

const folder = mkdtempSync(join(tmpdir(), 'read-files-'));
test.after(() => rmSync(folder, { recursive: true }));

const file = (name: string, bytes: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};

// The same mesh at two nodes, and an animation of one of them.
const animated = changed(json => {
  json.nodes.push({ mesh: 0, translation: [5, 0, 0], name: 'second' });
  json.scenes[0].nodes.push(json.nodes.length - 1);
});
const paths = [
  file('first.glb', animated),
  file('frame.ifc', ifc([beam('a', [0, 0, 0], [1, 1, 1]), beam('b', [3, 0, 0], [1, 1, 1])])),
  file('square.stl', binaryStl(TWO_TRIANGLES)),
  file('square.ply', squarePly()),
  file('square.obj', text('v 0 0 0', 'v 1 0 0', 'v 1 1 0', 'v 0 1 0', 'g', 'f 1 2 3 4', 'l 1 2')),
];
const long = file(
  'long.obj',
  `${'v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n'.repeat(100_000)}f 1 2 999999999\n`,
);
const missing = join(folder, 'missing.obj');

// Calls `run`, which reads files. Returns its result, and the max number of workers that ran at the same time.
// Workers that other workers started are not counted.
async function countWorkers<Result>(
  run: () => Promise<Result>,
): Promise<{ result: Result; maxRunning: number }> {
  let [running, maxRunning] = [0, 0];
  const onWorker = (worker: Worker): void => {
    maxRunning = Math.max(maxRunning, ++running);
    worker.once('exit', () => running--);
  };
  process.on('worker', onWorker);
  try {
    return { result: await run(), maxRunning };
  } finally {
    process.off('worker', onWorker);
  }
}

const sharing = ({ parts }: FileContents): number[] =>
  parts.map(({ positions }) => parts.findIndex(part => part.positions === positions));

test('the contents are the same, however many files are read at the same time', async () => {
  const options = { withScenes: true, withProperties: true };
  const oneByOne = await countWorkers(() => readFiles(paths, 1, options));
  assert.equal(
    oneByOne.result.map(({ parts }) => parts.length),
    [2, 2, 1, 1, 1],
  );
  assert.equal(sharing(oneByOne.result[0]), [0, 0], 'the nodes share one mesh');
  assert.is(oneByOne.result[0].scene?.nodes.length, 2);
  assert.ok(oneByOne.result[4].notes.length > 0, 'the line is left out with a warning');
  for (const jobs of [2, 5, 64]) {
    const { result, maxRunning } = await countWorkers(() => readFiles(paths, jobs, options));
    assert.equal(result, oneByOne.result);
    assert.equal(result.map(sharing), oneByOne.result.map(sharing));
    assert.is(maxRunning, Math.min(jobs, paths.length));
  }
});

test('large files are read one after another', async () => {
  const { result, maxRunning } = await countWorkers(() => readFiles(paths, 5, {}, undefined, 100));
  assert.is(result.length, paths.length);
  assert.is(maxRunning, 1);
});

test('packed files and .gltf files count as much larger than they are', async () => {
  const packed = [1, 2].map(i =>
    file(`packed${i}.obj.gz`, gzipSync(text('v 0 0 0', 'v 1 0 0', 'v 0 1 0', 'f 1 2 3'))),
  );
  const once = await countWorkers(() => readFiles(packed, 5, {}, undefined, 1000));
  assert.is(once.maxRunning, 1);
  const { maxRunning } = await countWorkers(() => readFiles(packed, 5, {}, undefined, 10_000));
  assert.is(maxRunning, 2);
  const gltf = [1, 2].map(i => file(`small${i}.gltf`, 'no JSON'));
  const refused = await countWorkers(() => readFiles([paths[2], gltf[0]], 5, {}).catch(error => error));
  assert.match(refused.result.message, /small1\.gltf/);
  assert.is(refused.maxRunning, 1);
});

test('the processor time since the last step is divided equally among the files that are being read', () => {
  const clock = new StepClock();
  assert.is(clock.advance(0, 5, 1), 0);
  assert.is(clock.advance(0, 4, 1), 4);
  assert.is(clock.advance(0, 6, 3), 6);
  assert.is(clock.advance(1, 6, 3), 0);
  assert.is(clock.advance(1, 3, 0), 3);
});

test('the error is that of the first unreadable file, whichever fails first', async () => {
  for (const jobs of [1, 3]) {
    const failure = await readFiles([paths[2], long, missing, paths[3]], jobs, {}).catch(error => error);
    assert.instance(failure, InvalidFile);
    assert.match(failure.message, /^long\.obj: /);
    assert.ok(failure.fix.length > 0);
    const empty = file('points.obj', 'v 0 0 0\n');
    const none = await readFiles([empty, missing], jobs, {}).catch(error => error);
    assert.match(none.message, /points\.obj: contains no triangles/);
  }
});

test('an error in one file ends the reading of the files after it', async () => {
  // On a busy machine, the second file may be read before the first file fails. This is rare, so the test then
  // tries again, up to five times in total.
  let isEnded = false;
  for (let trial = 0; trial < 5 && !isEnded; trial++) {
    const outputs: unknown[] = [];
    let begun = 0;
    const onWorker = (worker: Worker): void => {
      begun++;
      worker.on('message', (message: unknown) => {
        if (typeof message === 'object') outputs.push(message);
      });
    };
    process.on('worker', onWorker);
    const failure = await readFiles([missing, long, long, paths[2]], 2, {}).catch(error => error);
    process.off('worker', onWorker);
    assert.match(failure.message, /missing\.obj: does not exist/);
    isEnded = begun === 2 && outputs.length === 1;
  }
  assert.ok(isEnded);
});

test('the reported progress grows to 1', async () => {
  const shares: number[] = [];
  await readFiles(paths, 2, {}, done => shares.push(done));
  assert.ok(shares.every((share, i) => i === 0 || share >= shares[i - 1] - 1e-12));
  assert.is(Math.round(1e9 * shares.at(-1)!), 1e9);
});

test.run();
