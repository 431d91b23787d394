// Tests that engines leave no threads, handles or memory behind after they are disposed, and that an engine
// that is not disposed does not keep Node alive.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Runs a script in a separate process, which must end by itself. Returns the value that it printed as JSON.
async function runScript(script: string): Promise<any> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', script],
    { cwd: root },
  );
  return JSON.parse(stdout);
}

// The beginning of a script: counts the worker threads that have not ended, in the variable `running`.
const countWorkers = `
  import threads from 'node:worker_threads';
  import { syncBuiltinESMExports } from 'node:module';
  let running = 0;
  threads.Worker = class extends threads.Worker { constructor(...args) { super(...args); running++; this.once('exit', () => { running--; }); } };
  syncBuiltinESMExports();
  const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
`;

const use = `
  const { createEngine } = await import('pfront');
  const { torus, sphere } = await import('pfront/samples');
  async function makeAndUse(options) {
    const engine = await createEngine({ threads: 3, warmUp: 'off', ...options });
    const a = engine.createMesh(torus(300)), b = engine.createMesh(sphere(300));
    if (engine.query(a, b, { parts: 3 }).count === 0) throw new Error('the query found no pair');
    const scene = engine.createScene();
    for (let i = 0; i < 4; i++) scene.add(a);
    if (scene.detect().count === 0) throw new Error('the scene has no contact');
    return engine;
  }
`;

// Makes a script that measures memory and resources twice: after a first group of engines, which fills
// caches, and after `count` more engines.
const manyEngines = (count: number): string => `
  import fs from 'node:fs';
  ${countWorkers}
  ${use}
  async function settle() {
    // On a busy machine, threads may take long to end. A thread that never ends makes the test time out.
    while (running > 0) await pause(10);
    for (let i = 0; i < 10; i++) { gc(); await pause(50); }
    const status = fs.existsSync('/proc/self/status') ? fs.readFileSync('/proc/self/status', 'utf8') : '';
    const field = (name) => Number(new RegExp('^' + name + ':\\\\s*(\\\\d+)', 'm').exec(status)?.[1] ?? 0);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return {
      threads: field('Threads'),
      files: fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd').length : 0,
      // The reserved address space in kilobytes. It includes the address space of WebAssembly memories.
      reserved: field('VmSize'),
      resources: process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout').sort().join(),
      heapUsed,
      arrayBuffers,
    };
  }
  const round = async (count) => {
    for (let i = 0; i < count; i++) (await makeAndUse({ memory: i % 5 === 0 ? 'single' : 'shared' })).dispose();
    return settle();
  };
  const first = await round(20);
  console.log(JSON.stringify([first, await round(${count})]));
`;

for (const [count, register] of [
  [30, test],
  [200, test.proof],
] as const) {
  register(`${count} engines that are used and disposed leave no threads, files or memory`, async () => {
    const [first, last] = await runScript(manyEngines(count));
    const { threads, files, resources } = last;
    assert.equal(
      { threads, files, resources },
      { threads: first.threads, files: first.files, resources: first.resources },
    );
    // V8 reserves 10 GiB of addresses for the memory of each engine, so one leaked memory exceeds this limit.
    assert.ok(last.reserved - first.reserved < 8 * 2 ** 20, `${first.reserved} KiB, then ${last.reserved}`);
    // Compiled code grows a little. Leaked meshes, trees and engines would take more memory than this limit.
    for (const kind of ['heapUsed', 'arrayBuffers'] as const)
      assert.ok(last[kind] - first[kind] < 2e6, `${kind}: ${first[kind]} bytes, then ${last[kind]}`);
  });
}

test('a cluster node that cannot start ends the threads of its engine', async () => {
  // If a thread never ends, the test times out.
  const message = await runScript(`
    ${countWorkers}
    const { makeHub, startNode } = await import('pfront/cluster');
    const message = await startNode(makeHub()(), { cluster: '../x', threads: 3 }).catch((error) => error.message);
    while (running > 0) await pause(10);
    console.log(JSON.stringify(message));
  `);
  assert.match(message, /'\.\.\/x' is not a valid cluster name/);
});

for (const [name, options, more] of [
  ['an idle engine', '{}', ''],
  [
    'an engine with a late worker',
    `{ threads: 2, createWorker }`,
    `engine.context.pool.deadlineMilliseconds = 60;
     const { pool, arena } = engine.context, [worker] = pool.workers, post = worker.post;
     // The caller waits until the worker has taken its first order, even if the worker gets a core late.
     worker.post = (...order) => {
       post.apply(worker, order);
       while (Atomics.load(new Int32Array(arena.memory.buffer), 1) === 0);
     };
     engine.createMesh(torus(20000));
     if (arena.quarantineCount === 0) throw new Error('the worker was not late');`,
  ],
] as const) {
  test(`${name} does not keep Node alive, even if it is not disposed`, async () => {
    // `execFile` waits until the process ends.
    const printed = await runScript(`${use}
      const { Worker } = await import('node:worker_threads');
      const script = 'const { workerData: { controlAt, memory }, parentPort } = require("node:worker_threads");' +
        'const control = new Int32Array(memory.buffer, controlAt);' +
        'parentPort.postMessage("ready");' +
        'for (;;) { const order = control[0]; if (order > 0 && Atomics.compareExchange(control, 1, ~order, order) === ~order) Atomics.store(new Int32Array(memory.buffer), 1, 1); }';
      const createWorker = (workerData) => new Worker(script, { eval: true, workerData, execArgv: [] });
      const engine = await createEngine({ threads: 3, warmUp: 'off', ...${options} });
      ${more}
      globalThis.kept = engine;
      console.log(JSON.stringify(engine.info.threads));
    `);
    assert.ok(printed >= 1);
  });
}

test.run();
