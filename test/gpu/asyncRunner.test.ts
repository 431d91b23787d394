// Tests AsyncRunner with a simulated GPU: how long it tests and times the GPU before the first query, and what
// it does if the GPU has no memory. The CPU computes the answers of the simulated GPU, and each of its runs
// takes a chosen time on a simulated clock.

import * as assert from 'uvu/assert';
import type { EngineHost } from '../../dist/core/module.js';
import type { GpuInfo, Note } from '../../dist/core/note.js';
import { type AsyncAnswer, AsyncRunner, type GpuSupport } from '../../dist/gpu/asyncRunner.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { GpuOutOfMemory, GpuUnfit } from '../../dist/gpu/device/gpuErrors.js';
import type { GpuSystems } from '../../dist/gpu/gpuSystems.js';
import { makeGpuSupport } from '../../dist/gpu/makeGpuSupport.js';
import type { SyncMethods } from '../../dist/gpu/syncMethods.js';
import { createEngine, type EngineOptions } from '../../dist/index.js';
import { test } from '../support/test.js';

const engine = await createEngine({ threads: 1, warmUp: 'off' });
test.after(() => engine.dispose());
const host = (engine as unknown as { host(modules: Map<string, unknown>): EngineHost }).host(new Map());

interface Simulated {
  /** The time in milliseconds. */
  now: number;
  /** How often a test query ran on the GPU, GpuSystems were made, and all buffers were released. */
  runs: number;
  made: number;
  released: number;
  info: { gpu?: GpuInfo; notes: Note[] };
  query(onGpu?: () => string): Promise<AsyncAnswer<string>>;
}

/** millisecondsOf: the time of each run of a test query on the GPU. */
function simulate(
  millisecondsOf: (run: number) => number,
  { backend = 'auto', storage }: Pick<EngineOptions, 'backend' | 'storage'> = {},
): Simulated {
  const systems = {
    sweeps: {
      contactTimes: async (kind: 'VF' | 'EE', points: Float64Array) => {
        simulated.now += millisecondsOf(simulated.runs++);
        return { answer: engine.contactTimes(kind, points) };
      },
    },
  } as unknown as GpuSystems;
  const gpu = {
    device: {},
    dispose: () => {},
    releaseBuffers: () => {
      simulated.released++;
    },
  } as unknown as Gpu;
  const support: GpuSupport = {
    ...makeGpuSupport(host, engine as unknown as SyncMethods),
    acquire: async () => [gpu],
    make: () => {
      simulated.made++;
      return systems;
    },
    dispose: () => {},
  };
  const info: Simulated['info'] = { notes: [] };
  const runner = new AsyncRunner(
    { backend, storage },
    info,
    async () => support,
    () => simulated.now,
  );
  const simulated: Simulated = {
    now: 0,
    runs: 0,
    made: 0,
    released: 0,
    info,
    query: (onGpu = () => 'from the GPU') =>
      runner.run({
        kind: 'sweepFeatures',
        size: 1e9,
        onCpu: () => 'from the CPU',
        onGpu: async () => {
          const found = onGpu();
          return { answer: () => found };
        },
      }),
  };
  return simulated;
}

const crossoverOf = ({ info }: Simulated) => info.gpu?.crossovers?.sweepFeatures;

test('the runner stops testing and timing a slow GPU after two attempts of about a second each, and the CPU answers', async () => {
  const simulated = simulate(() => 300);
  for (const attempt of [1, 2]) {
    const startedAt = simulated.now;
    const { answer, stats } = await simulated.query();
    assert.equal([answer, stats.backend], ['from the CPU', 'wasm']);
    assert.match(stats.reason, /^testing and timing the GPU took more than 1000 ms/);
    // Runs begin at 0, 300, 600 and 900 ms. The last one is not interrupted.
    assert.equal([simulated.runs, simulated.now - startedAt], [4 * attempt, 1200]);
    assert.is(crossoverOf(simulated), attempt === 1 ? undefined : Infinity);
  }
  const { answer, stats } = await simulated.query();
  assert.equal([answer, simulated.runs, simulated.info.notes], ['from the CPU', 8, []]);
  assert.match(stats.reason, /took more than 1000 ms$/);
});

test('if only the compilation of kernels is slow, the second query tests and times the GPU', async () => {
  const simulated = simulate(run => (run === 0 ? 5000 : 1));
  assert.match((await simulated.query()).stats.reason, /took more than 1000 ms/);
  assert.equal([simulated.runs, crossoverOf(simulated)], [1, undefined]);
  assert.not.match((await simulated.query()).stats.reason, /took more/);
  assert.ok(crossoverOf(simulated)! >= 0);
  // Two runs of the self-test; at least three runs for each of two query sizes.
  assert.ok(simulated.runs >= 1 + 2 + 6, `${simulated.runs} runs`);
});

test("with backend 'webgpu', the self-test has no time limit, and nothing is timed", async () => {
  const simulated = simulate(() => 1e6, { backend: 'webgpu' });
  assert.is((await simulated.query()).answer, 'from the GPU');
  assert.is(simulated.runs, 2);
});

test('a GPU that is too slow to be timed is stored as never faster, and later engines do not test it', async () => {
  const texts = new Map<string, string>();
  const storage = {
    getItem: (key: string) => texts.get(key),
    setItem: (key: string, text: string) => texts.set(key, text),
  };
  const first = simulate(() => 300, { storage });
  for (let i = 0; i < 2; i++) await first.query();
  assert.match([...texts.values()].join(), /^\{"sweepFeatures":\{"size":"never","measuredAt":\d+\}\}$/);
  const second = simulate(() => 300, { storage });
  assert.is((await second.query()).answer, 'from the CPU');
  assert.equal([second.runs, crossoverOf(second)], [0, Infinity]);
});

test('if the self-test does not fit on the GPU, the CPU answers all queries; if only the timing does not fit, the GPU answers them', async () => {
  const failAt = (from: number) => (run: number) => {
    if (run >= from) throw new GpuUnfit('too large for this device');
    return 1;
  };
  const untested = simulate(failAt(0));
  for (let i = 0; i < 2; i++) {
    const { answer, stats } = await untested.query();
    assert.equal([answer, stats.reason], ['from the CPU', 'too large for this device']);
  }
  assert.is(untested.runs, 1);
  // The self-test has two runs.
  const untimed = simulate(failAt(2));
  for (let i = 0; i < 2; i++) assert.is((await untimed.query()).answer, 'from the GPU');
  assert.is(untimed.runs, 3);
});

const failAllocation = (): never => {
  throw new GpuOutOfMemory('the GPU is out of memory: no memory');
};

test('if the GPU has no memory for a query, all GPU buffers are released, and the GPU can answer later queries', async () => {
  const simulated = simulate(() => 0, { backend: 'webgpu' });
  for (let iteration = 1; iteration <= 3; iteration++) {
    for (let i = 0; i < 2; i++) {
      const { answer, stats } = await simulated.query(failAllocation);
      assert.equal(
        [answer, stats.backend, stats.reason],
        ['from the CPU', 'wasm', 'the GPU is out of memory: no memory'],
      );
    }
    assert.equal([simulated.released, simulated.made], [2 * iteration, 1 + 2 * iteration]);
    assert.is((await simulated.query()).answer, 'from the GPU');
  }
  assert.equal(simulated.info.notes, []);
});

test('if the GPU runs out of memory in three successive queries, it is disabled', async () => {
  const simulated = simulate(() => 0, { backend: 'webgpu' });
  for (let i = 0; i < 3; i++) {
    assert.equal(simulated.info.notes, []);
    assert.is((await simulated.query(failAllocation)).answer, 'from the CPU');
  }
  assert.equal(
    simulated.info.notes.map(({ code }) => code),
    ['gpu-out-of-memory'],
  );
  assert.is(simulated.info.gpu, undefined);
  const { answer, stats } = await simulated.query();
  assert.equal([answer, stats.reason], ['from the CPU', 'there is no GPU: see info.notes']);
});

test.run();
