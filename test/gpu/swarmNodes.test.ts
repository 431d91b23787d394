// Tests a cluster in which some nodes use a GPU. Swarms (simulations that nodes run together) and jobs must
// give the same results as on CPUs alone, even if a device is lost in the middle of a simulation step. Also
// tests nodes that request a GPU on a machine without one.

import * as assert from 'uvu/assert';
import { Channel, messageHandler } from '../../dist/cluster/channel.js';
import {
  type ClusterNode,
  type Link,
  type MeshPairsJob,
  makeHub,
  type NodeOptions,
  openJobs,
  runSwarm,
  type SwarmWorld,
  startNode,
  stepSingleProcess,
} from '../../dist/cluster/index.js';
import { Presence } from '../../dist/cluster/presence.js';
import { subjectsOf } from '../../dist/cluster/subjects.js';
import { GpuBoxPairs } from '../../dist/gpu/broadphase/gpuBoxPairs.js';
import { GpuBodyPairFilter } from '../../dist/gpu/ccd/gpuBodyPairFilter.js';
import { Gpu } from '../../dist/gpu/device/gpu.js';
import { GpuQueries } from '../../dist/gpu/gpuQueries.js';
import { createEngine, type Engine, Unsupported } from '../../dist/index.js';
import { robotWorld, sphere } from '../../dist/samples/index.js';
import { caughtLater } from '../support/engines.js';
import { gpuTest } from '../support/gpu.js';
import {
  crowdJob,
  hashClashInProcess,
  hashInProcess,
  hashOfClash,
  hashOfPairs,
  tinyPairs,
} from '../support/jobScenes.js';
import { digests } from '../support/swarmHub.js';
import { test } from '../support/test.js';
import { until, within } from '../support/within.js';
import { sharedGpuEngine } from './sharedGpuEngine.js';

const STEPS = 4;
const SECONDS = 1000;
// A small world of 40 robots. Each robot is a sphere of 24 triangles instead of the mesh of robotWorld.
const world: SwarmWorld = { ...robotWorld(40, 'skewed', 3), meshes: [sphere(24)] };
const worlds = (name: string): SwarmWorld | undefined => (name === 'balls' ? world : undefined);

const singleThreaded = await createEngine({ threads: 1 });
const truth = digests([...stepSingleProcess(singleThreaded, world, STEPS)]);
singleThreaded.dispose();
const { engine: gpuEngine, release } = sharedGpuEngine();
test.after(release);

async function withNodes(
  options: readonly NodeOptions[],
  use: (join: () => Link, nodes: readonly ClusterNode[]) => Promise<void>,
): Promise<void> {
  const join = makeHub();
  const nodes: ClusterNode[] = [];
  try {
    for (const each of options) nodes.push(await startNode(join(), { worlds, ...each }));
    await within(100 * SECONDS, 'the test', use(join, nodes));
  } finally {
    for (const node of nodes) await node.close();
  }
}

/** Counts the calls of a method while a function runs. */
async function callsOf<Name extends string>(
  prototype: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  run: () => Promise<void>,
): Promise<number> {
  const own = prototype[name];
  let calls = 0;
  prototype[name] = function (this: unknown, ...args: never[]) {
    calls++;
    return own.apply(this, args);
  };
  try {
    await run();
  } finally {
    prototype[name] = own;
  }
  return calls;
}

async function swarm(link: Link, nodes: number): Promise<void> {
  const { rows } = await runSwarm(link, {
    world: 'balls',
    find: worlds,
    steps: STEPS,
    nodes,
    patience: 60 * SECONDS,
  });
  assert.equal(digests(rows), truth);
  assert.ok(rows.reduce((sum, { contacts }) => sum + contacts, 0) > 5);
}

/** Records the last GPU status that each node reported: a description of its GPU, or '' if it uses none. */
function watchGpus(link: Link): Map<string, string> {
  const statuses = new Map<string, string>();
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  new Channel(link).receive(subjectsOf('pfront').presence, [
    messageHandler(Presence, ({ name, gpu }) => {
      statuses.set(text(name), text(gpu));
    }),
  ]);
  return statuses;
}

gpuTest.slow(
  'a swarm on two nodes, one with a GPU and one without, has the contacts and states of a single process',
  async () => {
    const engine = await gpuEngine();
    await withNodes([{ engine, name: 'gpu' }, { name: 'cpu' }], async join => {
      const statuses = watchGpus(join());
      assert.ok(
        (await callsOf(GpuBodyPairFilter.prototype as never, 'filter', () => swarm(join(), 2))) >= STEPS,
      );
      await until('the status of both nodes', () => statuses.size === 2);
      const { vendor, architecture, description } = engine.info.gpu!;
      assert.match(statuses.get('gpu')!, description || architecture || vendor);
      assert.is(statuses.get('cpu'), '');
    });
  },
);

gpuTest.slow('jobs give the same bytes on a node without a GPU, on one with a GPU, and on both', async () => {
  const engine = await gpuEngine();
  const pairs: MeshPairsJob = { ...tinyPairs(24), pairsPerTask: 6 };
  const crowd = crowdJob(20);
  const near: MeshPairsJob = { ...pairs, clearance: 0.1 };
  const expected = [await hashInProcess(pairs), await hashClashInProcess(crowd)];
  let nearTruth: string | undefined;
  for (const options of [[{}], [{ engine }], [{ engine }, {}]] as const) {
    await withNodes(options, async join => {
      const jobs = await openJobs({ where: 'cluster', link: join() });
      const hasGpu = options.some(each => 'engine' in each);
      let queryCount = 0;
      const boxes = await callsOf(GpuBoxPairs.prototype as never, 'find', async () => {
        queryCount = await callsOf(GpuQueries.prototype as never, 'query', async () => {
          assert.equal(
            [hashOfPairs(await jobs.submit(pairs).wait()), hashOfClash(await jobs.submit(crowd).wait())],
            expected,
          );
          const found = await jobs.submit(near).wait();
          assert.is(
            JSON.stringify([...found.pairsAt, ...found.a, ...found.b, ...found.distances!]),
            (nearTruth ??= JSON.stringify([...found.pairsAt, ...found.a, ...found.b, ...found.distances!])),
          );
        });
      });
      if (options.length === 1)
        assert.equal(
          [boxes > 0, queryCount > 0],
          [hasGpu, hasGpu],
          `${boxes} and ${queryCount} queries on the GPU`,
        );
      await jobs.close();
    });
  }
});

test("without a GPU, a node that requires one reports an error, and a node with 'auto' computes on its CPU", async () => {
  const none = { requestAdapter: async () => null };
  const join = makeHub();
  for (const options of [
    { backend: 'webgpu', gpu: none },
    { backend: 'webgpu', engine: await createEngine({ threads: 1, backend: 'wasm', warmUp: 'off' }) },
    {
      backend: 'webgpu',
      engine: (await createEngine({
        threads: 1,
        modules: ['scenes', 'continuous'],
        warmUp: 'off',
      })) as Engine,
    },
  ] as const) {
    const error = await caughtLater(() => startNode(join(), options));
    assert.instance(error, Unsupported);
    assert.match(error.message, /no GPU/);
    if ('engine' in options) options.engine?.dispose();
  }
  assert.instance(await caughtLater(() => startNode(join(), { backend: 'cpu' as never })), Unsupported);
  await withNodes([{ backend: 'auto', gpu: none, name: 'alone' }], async (link, [node]) => {
    assert.match(node!.engine.info.notes.map(({ code }) => code).join(), /no-gpu/);
    const statuses = watchGpus(link());
    await swarm(link(), 1);
    await until('the status of the node', () => statuses.has('alone'));
    assert.is(statuses.get('alone'), '');
  });
});

// This test destroys the device of the shared engine, so it must be the last test that uses this engine.
gpuTest.slow(
  'if a device is lost in the middle of a step, contacts and states are those of a single process',
  async () => {
    const engine = await gpuEngine();
    const { filter } = GpuBodyPairFilter.prototype;
    const { wait } = Gpu.prototype;
    let step = 0;
    GpuBodyPairFilter.prototype.filter = function (this: GpuBodyPairFilter, motion) {
      step++;
      return filter.call(this, motion);
    };
    Gpu.prototype.wait = function <Value>(this: Gpu, promise: Promise<Value>): Promise<Value> {
      if (step === 2) this.device.destroy();
      return wait.call(this, promise) as Promise<Value>;
    };
    try {
      await withNodes([{ engine, name: 'gpu' }, { name: 'cpu' }], async join => {
        const statuses = watchGpus(join());
        await swarm(join(), 2);
        assert.is(step, 2);
        assert.ok(engine.info.notes.some(({ code }) => code === 'gpu-lost'));
        await until('the report that the node computes on its CPU', () => statuses.get('gpu') === '');
      });
    } finally {
      GpuBodyPairFilter.prototype.filter = filter;
      Gpu.prototype.wait = wait;
    }
  },
);

test.run();
