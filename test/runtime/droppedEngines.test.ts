// Tests engines that an application drops without dispose(): their threads end once the engines are
// garbage-collected. Engines that are still reachable keep their threads.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { test } from '../support/test.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Runs in a separate process, which can collect garbage on demand. Counts the threads that start and end.
const script = `
  import threads from 'node:worker_threads';
  import { syncBuiltinESMExports } from 'node:module';
  let started = 0, ended = 0;
  threads.Worker = class extends threads.Worker { constructor(...args) { super(...args); started++; this.once('exit', () => { ended++; }); } };
  syncBuiltinESMExports();
  const { createEngine } = await import('pfront');
  const { box, translation } = await import('pfront/samples');
  const pause = () => new Promise((resolve) => { setTimeout(resolve, 20); });
  const collectUntil = async (isOver) => { while (!isOver()) { gc(); await pause(); } };

  async function use(isOwn) {
    const made = {};
    const createWorker = (workerData) => {
      made.count = 1 + (made.count ?? 0);
      return new threads.Worker(new URL(import.meta.resolve('pfront/worker')), { workerData, execArgv: [] });
    };
    const engine = await createEngine({ threads: 3, warmUp: 'off', ...(isOwn ? { createWorker } : {}) });
    // Threads are counted, so no worker may count as lost and be replaced, even on a busy machine.
    engine.context.pool.deadlineMilliseconds = 600_000;
    // The function that starts workers references the engine.
    made.engine = engine;
    const a = engine.createMesh(box(), { deformable: true }), b = engine.createMesh(box()), scene = engine.createScene();
    engine.query(a, b);
    engine.distance(a, b);
    for (let i = 0; i < 4; i++) scene.add(a, { transform: translation([i, 0, 0]) });
    scene.detect();
    await engine.async.detect(scene, { continuous: true });
    return { engine, a, scene };
  }
  const keep = async (name) => ({ held: (await use(false))[name], from: started });
  for (let i = 0; i < 6; i++) await use(i % 2 === 1);
  const mesh = await keep('a'), scene = await keep('scene'), engine = await keep('engine');
  const dropped = 6 * 2;
  await collectUntil(() => ended >= dropped);
  for (let i = 0; i < 20; i++) { gc(); await pause(); }
  const whileHeld = [started, ended];
  mesh.held.update(box().positions);
  const answers = [scene.held.detect().count > 0, engine.held.info.threads, engine.held.info.notes.length];
  engine.held.dispose();
  delete engine.held; delete mesh.held; delete scene.held;
  await collectUntil(() => ended === started);
  console.log(JSON.stringify({ whileHeld, answers, atLast: ended }));
`;

test('threads of dropped engines end, and a reachable mesh, scene or engine keeps its threads', () => {
  const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.equal(JSON.parse(output), { whileHeld: [18, 12], answers: [true, 3, 0], atLast: 18 });
});

test.run();
