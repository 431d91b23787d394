// Tests that a web page without a bundler gives the same results as Node, with and without threads, even if
// the worker's script fails.

import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import * as pfront from '../../dist/index.js';
import { kernelNames } from '../../dist/records/kernels.js';
import * as scenes from '../../dist/samples/index.js';
import { type Answers, answers } from '../support/answers.js';
import { closeBrowser, pageTest, root, type Site, withPage } from '../support/pages.js';
import { test } from '../support/test.js';

const {
  outputFiles: [answersFile],
} = await build({
  entryPoints: [`${root}test/support/answers.ts`],
  bundle: true,
  format: 'esm',
  write: false,
});
const made = {
  '/page.html':
    '<!doctype html><meta charset="utf-8"><title>pfront</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
  '/page.js': `import * as pfront from '/dist/index.js';
import * as scenes from '/dist/samples/index.js';
import { answers } from '/answers.js';
Object.assign(globalThis, { pfront, runQueries: (options) => answers(pfront, scenes, options) });`,
  '/answers.js': answersFile!.text,
};
const expected = await answers(pfront, scenes, { threads: 1 });
const everyKernel = [...kernelNames].sort();
/** Kernels that only engines with one thread call. */
const aloneKernels = ['distributeToSlabs', 'computeSmallBoxStatistics'];

declare const runQueries: (options: object) => Promise<Answers>;

/** Opens the page of a site, and returns its results and its console errors. */
const answersOf = (site: Site, options: object = {}): Promise<Answers & { errors: string[] }> =>
  withPage({ made, ...site }, '/page.html', async (page, errors) => {
    await page.waitForFunction('globalThis.runQueries');
    return { ...(await page.evaluate(wanted => runQueries(wanted), options)), errors };
  });

const codes = ({ info }: Answers): string[] => info.notes.map(({ code }) => code);

pageTest(
  'an isolated page has several threads and no note, runs every kernel except those for one thread, and gives the same results',
  async () => {
    const found = await answersOf({}, { threads: 3 });
    assert.equal(found.hashes, expected.hashes);
    assert.is(found.info.threads, 3);
    assert.equal(
      found.kernels,
      everyKernel.filter(name => !aloneKernels.includes(name)),
    );
    assert.equal([codes(found), found.errors], [[], []]);
  },
);

pageTest(
  'without isolation, there is one thread and a note that names the headers, and every kernel runs correctly',
  async () => {
    const found = await answersOf({ isIsolated: false }, { threads: 3 });
    assert.equal(found.hashes, expected.hashes);
    assert.is(found.info.threads, 1);
    assert.equal(found.kernels, everyKernel);
    assert.equal(codes(found), ['not-isolated']);
    assert.match(found.info.notes[0].fix, 'Cross-Origin-Embedder-Policy');
  },
);

pageTest.slow(
  "if the worker's script is missing, workers run from the inlined source, with a note",
  async () => {
    const found = await answersOf({ missing: /worker\.js$/ }, { threads: 3 });
    assert.equal(found.hashes, expected.hashes);
    assert.is(found.info.threads, 3);
    assert.equal(codes(found), ['inlined-worker']);
  },
);

pageTest.slow('under a strict Content-Security-Policy, threads run the worker script', async () => {
  const found = await answersOf(
    {
      policy:
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'",
    },
    { threads: 2 },
  );
  assert.equal(found.hashes, expected.hashes);
  assert.equal([found.info.threads, codes(found)], [2, []]);
});

pageTest.slow(
  'if no worker can start, one thread gives the same results, and a note says why each worker script failed',
  async () => {
    const found = await answersOf(
      { policy: "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'" },
      { threads: 2 },
    );
    assert.equal(found.hashes, expected.hashes);
    assert.equal([found.info.threads, codes(found)], [1, ['no-worker']]);
    assert.match(found.info.notes[0].message, 'worker.js');
    assert.match(found.info.notes[0].message, 'inlined worker');
  },
);

pageTest.slow('the package as one file has several threads and gives the same results', async () => {
  const found = await answersOf(
    {
      made: { ...made, '/page.js': made['/page.js'].replace('/dist/index.js', '/dist/pfront.js') },
      missing: /dist\/(index|engine)\.js$/,
    },
    { threads: 2 },
  );
  assert.equal(found.hashes, expected.hashes);
  assert.equal([found.info.threads, codes(found), found.errors], [2, [], []]);
});

pageTest.slow('modules that are left out are not loaded, and an error names a missing module', async () => {
  await withPage(
    { made, missing: /\/dist\/(scene\/|broadphase\/|wasm\/scenes)/ },
    '/page.html',
    async (page, errors) => {
      await page.waitForFunction('globalThis.runQueries');
      const results = await page.evaluate<unknown[]>(`(async () => {
      const engine = await pfront.createEngine({ threads: 2, modules: [] }), mesh = engine.createMesh({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0) });
      const found = [engine.info.threads, engine.query(mesh, mesh).count];
      try { engine.boxPairs(new Float32Array(6)); } catch ({ code, fix }) { found.push(code, fix); }
      return found;
    })()`);
      assert.equal(results, [2, 1, 'Unsupported', "add 'scenes' to modules, or omit modules"]);
      assert.equal(errors, []);
      const refused = await page.evaluate<string[]>(
        'pfront.createEngine().catch(({ code, message }) => [code, message])',
      );
      assert.is(refused[0], 'Unsupported');
      // Files of several modules are missing. The network decides which module fails first.
      assert.match(refused[1], /module '\w+' could not be loaded/);
    },
  );
});

pageTest.slow('with wasmUrl, wasmModule, workerUrl or createWorker, results are the same', async () => {
  await withPage({ made }, '/page.html', async page => {
    await page.waitForFunction('globalThis.runQueries');
    const found = await page.evaluate<Answers[]>(`(async () => {
      const wasmModule = await WebAssembly.compileStreaming(fetch('/dist/wasm/pfront.wasm'));
      const ways = [
        { wasmUrl: { pfront: '/dist/wasm/pfront.wasm', scenes: '/dist/wasm/scenes.wasm' } }, { wasmModule: { pfront: wasmModule } }, { wasmUrl: '/dist/wasm/pfront.wasm' }, { wasmUrl: '/dist/wasm/pfront.wasm', memory: 'single' }, { wasmModule }, { wasmModule, memory: 'single' },
        { workerUrl: '/dist/runtime/worker.js' }, { createWorker: () => new Worker('/dist/runtime/worker.js', { type: 'module' }) },
      ];
      const results = [];
      for (const way of ways) results.push(await runQueries({ threads: 2, ...way }));
      return results;
    })()`);
    for (const [i, result] of found.entries()) assert.equal(result.hashes, expected.hashes, `way ${i}`);
    assert.equal(
      found.map(({ info }) => info.threads),
      [2, 2, 2, 1, 2, 1, 2, 2],
    );
  });
});

pageTest.slow('the engine ignores messages that it does not expect from a worker', async () => {
  const chatty = {
    ...made,
    '/chatty.js':
      "import '/dist/runtime/worker.js'; postMessage('hello'); setInterval(() => postMessage({ news: 1 }), 5);",
  };
  await withPage({ made: chatty }, '/page.html', async (page, errors) => {
    await page.waitForFunction('globalThis.runQueries');
    const found = await page.evaluate<Answers>(`runQueries({ threads: 3, createWorker: () => {
      const worker = new Worker('/chatty.js', { type: 'module' });
      worker.postMessage('good day');
      return worker;
    } })`);
    assert.equal([found.info.threads, codes(found), found.hashes, errors], [3, [], expected.hashes, []]);
  });
});

pageTest.slow(
  'if memory cannot be sent to workers, there is one thread and a note, and no worker is left behind',
  async () => {
    const before = `globalThis.alive = new Set();
    const end = Worker.prototype.terminate;
    Worker.prototype.postMessage = function () { alive.add(this); throw new DOMException('memory stays here', 'DataCloneError'); };
    Worker.prototype.terminate = function () { alive.delete(this); end.call(this); };`;
    await withPage({ made, before }, '/page.html', async (page, errors) => {
      await page.waitForFunction('globalThis.runQueries');
      const found = await page.evaluate<Answers>('runQueries({ threads: 3 })');
      assert.equal(
        [found.info.threads, codes(found), found.hashes, errors],
        [1, ['no-worker'], expected.hashes, []],
      );
      assert.match(found.info.notes[0].message, 'memory stays here');
      assert.is(await page.evaluate('alive.size'), 0);
    });
  },
);

pageTest.slow('a page of Electron, which has modules of Node, is treated as a page', async () => {
  const before = `globalThis.process = { type: 'renderer', versions: { node: '22.0.0', electron: '33.0.0' }, getBuiltinModule: (name) =>
    name === 'node:os' ? { availableParallelism: () => 2 } : { Worker: class { constructor() { throw new Error('no threads in pages'); } } } };`;
  const found = await answersOf({ before }, { threads: 3 });
  assert.equal([found.info.threads, codes(found), found.hashes, found.errors], [3, [], expected.hashes, []]);
});

// The source of a script whose workers fail: they are terminated while the page is busy or between its calls,
// or they never finish an order (a kernel call for one worker) that they have taken.
const faulty = `
const hash = ({ a, b }) => a.reduce((sum, value, i) => (Math.imul(sum, 31) + value + 7 * b[i]) | 0, a.length);
const boxes = scenes.boxCrowd('uniform', 30000, 5);
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
const hanging = URL.createObjectURL(new Blob([\`onmessage = ({ data: { memory, controlAt, index, lock } }) => navigator.locks.request(lock, () => {
  setTimeout(() => {
    postMessage('ready');
    const words = new Int32Array(memory.buffer, controlAt, 16);
    // The engine never uses the first 64 bytes of its memory.
    const taken = new Int32Array(memory.buffer, 0, 16);
    for (;;) {
      const posted = Atomics.load(words, 0);
      if (posted > 0 && Atomics.compareExchange(words, 1, ~posted, posted) === ~posted) for (taken[index] = 1;;);
    }
  });
  return new Promise(() => {});
});\`]));

/**
 * Runs an engine whose workers fail. @returns the numbers of wrong results, of failed workers that the engine
 * did not notice, and of threads that it reports as lost
 */
async function faults(kind, round, expected) {
  const workers = [];
  let taken;
  const engine = await pfront.createEngine({ threads: 6, warmUp: 'off', createWorker: ({ memory }) => {
    taken ??= new Int32Array(memory.buffer, 0, 16);
    const worker = kind === 'kill' ? new Worker('/dist/runtime/worker.js', { type: 'module' }) : new Worker(hanging);
    workers.push(worker);
    return worker;
  } });
  engine.context.pool.deadlineMilliseconds = 100;
  let wrong = 0;
  const lost = () => engine.info.notes.filter(({ code }) => code === 'lost-thread').length;
  // A hanging worker is noticed only after it has taken an order, for which it needs a core. The time limit
  // only keeps this function from running forever.
  const until = performance.now() + 400_000;
  for (let call = 0; call < 6 || (kind === 'hang' && lost() < 5 && performance.now() < until); call++) {
    if (kind === 'kill' && call < 5) workers[(call + round) % 5].terminate();
    if (hash(engine.boxPairs(boxes)) !== expected) wrong++;
    if (call % 2 === round % 2) await pause(round % 7);
  }
  // A worker that found no free core has not taken an order yet, so it does not hang.
  const due = kind === 'kill' ? 5 : workers.filter((_, i) => taken[i + 1] === 1).length;
  while (lost() < due && performance.now() < until) await pause(50);
  engine.dispose();
  // The engine may also give up a worker that found no free core, because it did not take its orders in time.
  return { wrong, missed: Math.max(0, due - lost()), lost: lost() };
}

globalThis.withFaults = async (kind, rounds) => {
  const alone = await pfront.createEngine({ threads: 1, warmUp: 'off' });
  const expected = hash(alone.boxPairs(boxes));
  alone.dispose();
  const sum = { wrong: 0, missed: 0, lost: 0 };
  const atOnce = kind === 'kill' ? [0, 1, 2, 3, 4] : [0, 1];
  for (let round = 0; round < rounds; round += atOnce.length) {
    for (const { wrong, missed, lost } of await Promise.all(atOnce.map((i) => faults(kind, round + i, expected)))) {
      sum.wrong += wrong;
      sum.missed += missed;
      sum.lost += lost;
    }
  }
  return sum;
};`;

for (const [kind, rounds] of [
  ['kill', 20],
  ['hang', 10],
] as const) {
  pageTest.slow(
    `${5 * rounds} workers that ${kind === 'kill' ? 'die' : 'hang'} are all noticed, change no result, and leave no lock`,
    async () => {
      await withPage(
        { made: { ...made, '/page.js': made['/page.js'] + faulty } },
        '/page.html',
        async (page, errors) => {
          await page.waitForFunction('globalThis.withFaults');
          const { wrong, missed, lost } = await page.evaluate<{
            wrong: number;
            missed: number;
            lost: number;
          }>(`withFaults('${kind}', ${rounds})`);
          assert.equal({ wrong, missed }, { wrong: 0, missed: 0 });
          assert.ok(lost >= 4 * rounds, `${lost} workers were lost`);
          await page.waitForFunction(
            'navigator.locks.query().then(({ held, pending }) => held.length + pending.length === 0)',
          );
          assert.equal(errors, []);
        },
      );
    },
  );
}

pageTest.slow(
  'without locks, memory that a hanging worker may write to is kept for a while, and no failure is missed',
  async () => {
    // The engine waits 5 s for a terminated worker. This script captures the timer and ends the wait itself, so
    // that the result does not depend on the speed of the machine.
    const before = `LockManager.prototype.request = () => Promise.reject(new DOMException('denied', 'SecurityError'));
    globalThis.waits = [];
    globalThis.startTimer = setTimeout;
    globalThis.setTimeout = (run, milliseconds, ...more) => milliseconds === 5000 ? waits.push(run) : startTimer(run, milliseconds, ...more);`;
    const script = `${made['/page.js']}${faulty}Object.assign(globalThis, { hanging, pause, scenes });`;
    await withPage({ made: { ...made, '/page.js': script }, before }, '/page.html', async (page, errors) => {
      await page.waitForFunction('globalThis.scenes');
      const found = await page.evaluate(`(async () => {
      const engine = await pfront.createEngine({ threads: 2, warmUp: 'off', createWorker: () => new Worker(hanging) });
      const { pool, arena } = engine.context;
      pool.deadlineMilliseconds = 100;
      // The worker takes its first order and hangs, even if it gets a core late.
      const [worker] = pool.workers, post = worker.post, taken = new Int32Array(arena.memory.buffer, 0, 16);
      worker.post = (...order) => {
        post.apply(worker, order);
        while (Atomics.load(taken, 1) === 0);
      };
      const meshes = [scenes.sphere(20000), scenes.torus(20000)].map((mesh) => engine.createMesh(mesh));
      while (engine.info.threads > 1) {
        engine.query(...meshes, { parts: 2 });
        await pause(5);
      }
      while (waits.length === 0) await pause(5);
      for (let call = 0; call < 10; call++) {
        engine.query(...meshes, { parts: 2 });
        await pause(5);
      }
      const later = arena.quarantineCount;
      const again = await pfront.createEngine({ threads: 3, warmUp: 'off' });
      const { threads } = again.info;
      again.dispose();
      for (const end of waits.splice(0)) end();
      while (arena.quarantineCount > 0) await pause(5);
      engine.dispose();
      return { lost: engine.info.notes.map(({ code }) => code), later, last: arena.quarantineCount, threads };
    })()`);
      assert.equal([found, errors], [{ lost: ['lost-thread'], later: 1, last: 0, threads: 3 }, []]);
    });
  },
);

test.after(closeBrowser);
test.run();
