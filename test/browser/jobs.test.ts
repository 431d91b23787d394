// Tests jobs that a page runs on its own thread or in a worker. With and without cross-origin isolation, they
// give the same bytes as in Node. If the worker is terminated, its jobs end with an error.

import * as assert from 'uvu/assert';
import { type ClashJob, openJobs } from '../../dist/cluster/index.js';
import { boxCrowd } from '../../dist/samples/index.js';
import { hashBytes } from '../support/hash.js';
import { crowdJob, hashOfClash, hashOfPairs, type TinyPairs, tinyPairs } from '../support/jobScenes.js';
import { closeBrowser, pageTest, type Site, withPage } from '../support/pages.js';
import { test } from '../support/test.js';

const made = {
  '/page.html':
    '<!doctype html><meta charset="utf-8"><title>jobs</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
  '/page.js': `import { openJobs } from '/dist/cluster/index.js';
const hashOf = async (...arrays) => {
  const bytes = new Uint8Array(await new Blob(arrays).arrayBuffer()), hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
const mesh = ({ positions, indices }) => ({ positions: Float32Array.from(positions), indices: Uint32Array.from(indices) });
const typed = ({ meshes, pairs, ...job }) => ({ ...job, meshes: meshes.map(mesh), pairs: pairs.map(({ a, b, transformB }) => ({ a, b, transformB: Float64Array.from(transformB) })) });
globalThis.runJobs = async (options, { pairs, crowd, boxes }) => {
  const jobs = await openJobs(options);
  try {
    const submitted = [
      jobs.submit(typed(pairs)),
      jobs.submit({ kind: 'clash', bodies: crowd.map(({ transform, ...body }) => ({ ...body, mesh: mesh(body.mesh), ...(transform ? { transform: Float64Array.from(transform) } : {}) })) }),
      jobs.submit({ kind: 'boxPairs', boxes: Float32Array.from(boxes) }),
    ];
    const [found, clashes, boxPairs] = await Promise.all(submitted.map((job) => job.wait()));
    return { isDone: submitted.every(({ finished }) => finished), hashes: [
      await hashOf(found.pairsAt, found.a, found.b), await hashOf(clashes.a, clashes.b, clashes.counts, clashes.pairsAt, clashes.triangles.a, clashes.triangles.b), await hashOf(boxPairs.a, boxPairs.b),
    ] };
  } finally {
    await jobs.close();
  }
};
globalThis.lose = async ({ pairs }) => {
  const { pairs: some, ...rest } = typed(pairs);
  // The job takes so long that it cannot end before the worker is terminated, even if the page gets a core
  // late.
  const jobs = await openJobs({ where: 'threads', threads: 1 }), job = jobs.submit({ ...rest, pairs: Array.from({ length: 40 }, () => some).flat() });
  while (job.progress.done === 0) await new Promise((resolve) => { setTimeout(resolve, 1); });
  workers.find(({ address }) => address.endsWith('threadMain.js')).worker.terminate();
  const fieldsOf = ({ code, message, fix }) => ({ code, message, fix }), answer = await job.wait().then(() => 'an answer', fieldsOf);
  let again = 'taken';
  try { jobs.submit({ kind: 'meshPairs', meshes: [], pairs: [] }); } catch (error) { again = fieldsOf(error); }
  await jobs.close();
  return { answer, again };
};
`,
};
// Records all workers that a page starts, so that the test can find and terminate them.
const before =
  'globalThis.workers = []; const Real = Worker; globalThis.Worker = class extends Real { constructor(address, options) { super(address, options); workers.push({ address: String(address), worker: this }); } };';

interface JobInputs {
  pairs: object;
  crowd: object[];
  boxes: number[];
}
interface Refusal {
  code: string;
  message: string;
  fix: string;
}
declare const runJobs: (options: object, inputs: JobInputs) => Promise<{ isDone: boolean; hashes: string[] }>;
declare const lose: (inputs: JobInputs) => Promise<{ answer: Refusal; again: Refusal }>;

const plainMesh = ({
  positions,
  indices,
}: {
  positions: ArrayLike<number>;
  indices?: ArrayLike<number>;
}): object => ({ positions: Array.from(positions), indices: Array.from(indices!) });
const plainPairs = ({ meshes, pairs }: TinyPairs, pairsPerTask: number): object => ({
  kind: 'meshPairs',
  pairsPerTask,
  meshes: meshes.map(plainMesh),
  pairs: pairs.map(({ a, b, transformB }) => ({ a, b, transformB: [...transformB] })),
});
const plainBodies = ({ bodies }: ClashJob): object[] =>
  bodies.map(({ mesh, transform, ...rest }) => ({
    ...rest,
    mesh: plainMesh(mesh),
    ...(transform ? { transform: Array.from(transform as Float64Array) } : {}),
  }));

const pairs = tinyPairs(80);
const crowd = crowdJob(40);
const boxes = boxCrowd('nested', 400, 4);
const inputs: JobInputs = { pairs: plainPairs(pairs, 4), crowd: plainBodies(crowd), boxes: [...boxes] };
let expected: string[];

test.before(async () => {
  const jobs = await openJobs({ where: 'here' });
  const [found, clashes, boxPairs] = await Promise.all([
    jobs.submit(pairs).wait(),
    jobs.submit(crowd).wait(),
    jobs.submit({ kind: 'boxPairs', boxes }).wait(),
  ]);
  expected = [hashOfPairs(found), hashOfClash(clashes), hashBytes(boxPairs.a, boxPairs.b)];
  assert.ok(found.count > 100 && clashes.count > 10 && boxPairs.count > 100);
  await jobs.close();
});
test.after(closeBrowser);

const onPage = <T>(site: Site, use: Parameters<typeof withPage<T>>[2]): Promise<T> =>
  withPage({ made, before, ...site }, '/page.html', async (page, ...rest) => {
    await page.waitForFunction('globalThis.lose');
    return use(page, ...rest);
  });

for (const [name, isIsolated, options] of [
  ['here', true, { where: 'here' }],
  ['threads', true, { where: 'threads', threads: 2 }],
  ['threads', false, { where: 'threads', threads: 2 }],
] as const) {
  (name === 'here' ? pageTest : pageTest.slow)(
    `${name}, ${isIsolated ? 'isolated' : 'not isolated'}: the same bytes as in Node`,
    () =>
      onPage({ isIsolated }, async (page, errors) => {
        const found = await page.evaluate(([how, what]) => runJobs(how, what), [options, inputs] as const);
        assert.equal(found, { isDone: true, hashes: expected });
        assert.is(
          await page.evaluate<boolean>("workers.some(({ address }) => address.endsWith('threadMain.js'))"),
          name === 'threads',
        );
        assert.equal(errors, []);
      }),
  );
}

pageTest('if the worker thread of jobs is terminated, its job fails, and new jobs are refused', () =>
  onPage({}, async page => {
    const long = tinyPairs(1000);
    const { answer, again } = await page.evaluate(what => lose(what), {
      ...inputs,
      pairs: plainPairs(long, 2),
    });
    for (const { code, message, fix } of [answer, again]) {
      assert.is(code, 'Cluster');
      assert.match(message, /the worker thread of the jobs has ended/);
      assert.match(fix, /openJobs/);
    }
  }),
);

test.run();
