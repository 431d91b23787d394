// Tests that engine.async gives the same results on a page as in Node. The page uses its GPU, or the CPU if
// there is no GPU or the GPU is lost.

import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import * as pfront from '../../dist/index.js';
import * as scenes from '../../dist/samples/index.js';
import { hashOf } from '../support/answers.js';
import { withoutBusyCodes } from '../support/busyMachine.js';
import { closeBrowser, pageTest, root, type Site, withPage } from '../support/pages.js';
import { test } from '../support/test.js';
import { type GpuAnswers, gpuAnswers } from './gpuResults.js';

const {
  outputFiles: [answersFile],
} = await build({
  entryPoints: [`${root}test/browser/gpuResults.ts`],
  bundle: true,
  format: 'esm',
  write: false,
});
const made = {
  '/page.html':
    '<!doctype html><meta charset="utf-8"><title>pfront</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
  '/page.js': `import * as pfront from '/dist/index.js';
import * as scenes from '/dist/samples/index.js';
import { gpuAnswers } from '/answers.js';

/** Destroys the device after its next submit. */
function loseDevice() {
  const { submit } = GPUQueue.prototype;
  GPUQueue.prototype.submit = function (...steps) {
    submit.apply(this, steps);
    devices.at(-1).destroy();
    GPUQueue.prototype.submit = submit;
  };
}
Object.assign(globalThis, { pfront, runQueries: (options, lostAt) => gpuAnswers(pfront, scenes, options, (number) => { if (number === lostAt) loseDevice(); }) });`,
  '/answers.js': answersFile!.text,
};
const keepDevices = `globalThis.devices = [];
const { requestDevice } = GPUAdapter.prototype;
GPUAdapter.prototype.requestDevice = async function (...wanted) {
  const device = await requestDevice.apply(this, wanted);
  devices.push(device);
  return device;
};`;
const expected = await gpuAnswers(pfront, scenes, { threads: 1, backend: 'wasm' });

declare const runQueries: (options: object, lostAt?: number) => Promise<GpuAnswers>;

/**
 * Opens the page of a site, and returns its results and its console errors. lostAt: number of the query
 * during which the GPU device is destroyed; by default, it is not destroyed.
 */
const answersOf = (
  site: Site,
  options: object,
  lostAt?: number,
): Promise<GpuAnswers & { codes: string[]; errors: string[] }> =>
  withPage({ made, ...site }, '/page.html', async (page, errors) => {
    await page.waitForFunction('globalThis.runQueries');
    const found = await page.evaluate(
      ([wanted, number]) => runQueries(wanted as object, number as number | undefined),
      [options, lostAt],
    );
    return { ...found, codes: withoutBusyCodes(found.info.notes.map(({ code }) => code)), errors };
  });

const from = (backend: 'gpu' | 'wasm'): string[] => expected.backends.map(() => backend);

test('the queries find pairs', () => {
  assert.equal(expected.backends, from('wasm'));
  const empty = hashOf(new Uint32Array(0));
  assert.equal(
    Object.entries(expected.hashes).filter(([, hash]) => hash === empty),
    [],
  );
});

for (const isIsolated of [true, false]) {
  (isIsolated ? pageTest : pageTest.slow)(
    `${isIsolated ? '' : 'not '}isolated: the same results as in Node, all from the GPU`,
    async () => {
      const found = await answersOf({ hasGpu: true, isIsolated }, { threads: 2, backend: 'webgpu' });
      assert.equal(found.hashes, expected.hashes);
      assert.equal(found.backends, from('gpu'));
      assert.is(found.info.backend, 'webgpu');
      assert.match(found.info.gpu!.vendor + found.info.gpu!.description, /./);
      assert.equal([found.codes, found.errors], [isIsolated ? [] : ['not-isolated'], []]);
    },
  );
}

pageTest.slow(
  'without WebGPU, or without an adapter, the CPU gives the same results, and ready() adds a note',
  async () => {
    for (const before of ['', 'delete Navigator.prototype.gpu;']) {
      const found = await answersOf({ before }, { threads: 2 });
      assert.equal(found.hashes, expected.hashes);
      assert.equal(found.backends, from('wasm'));
      // Small queries do not request a GPU; `ready` does.
      assert.equal([found.codes, found.info.gpu, found.errors], [[], undefined, []]);
      await withPage({ made, before }, '/page.html', async page => {
        await page.waitForFunction('globalThis.runQueries');
        const codes = await page.evaluate<string[]>(`(async () => {
        const engine = await pfront.createEngine({ threads: 2 });
        await engine.async.ready();
        return engine.info.notes.map(({ code }) => code);
      })()`);
        assert.equal(withoutBusyCodes(codes), ['no-gpu']);
      });
    }
  },
);

pageTest.slow(
  'if the device is destroyed during a query, the results are the same, with a note, and the CPU is used from then on',
  async () => {
    const found = await answersOf(
      { hasGpu: true, before: keepDevices },
      { threads: 2, backend: 'webgpu' },
      2,
    );
    assert.equal(found.hashes, expected.hashes);
    assert.equal(
      found.backends,
      from('wasm').map((backend, i) => (i < 2 ? 'gpu' : backend)),
    );
    assert.equal([found.codes, found.info.gpu, found.errors], [['gpu-lost'], undefined, []]);
  },
);

test.after(closeBrowser);
test.run();
