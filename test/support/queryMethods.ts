// Gives the query methods of an engine and of `engine.async` the same parameters, so that tests can run the
// same queries on the CPU and on a GPU. Also finds out whether the GPU took part in a query.

import type * as Pfront from '../../dist/index.js';

const methodNames = [
  'query',
  'queryMany',
  'selfQuery',
  'boxPairs',
  'sweep',
  'sweepVertices',
  'sweepFeatures',
  'contactTimes',
] as const;
/** Methods of `engine.async`. */
export type Methods = Pick<Pfront.AsyncEngine, (typeof methodNames)[number] | 'detect'>;
/** Returns the synchronous methods of an engine, with the parameters of the methods of `engine.async`. */
export function methodsOf(engine: Pfront.Engine): Methods {
  const all: Record<string, unknown> = {
    detect: (scene: Pfront.Scene, options?: Pfront.DetectOptions) => scene.detect(options),
  };
  for (const name of methodNames) all[name] = engine[name].bind(engine);
  return all as unknown as Methods;
}

/** A GPU, and the number of command lists that were submitted to it. */
interface CountedGpu {
  source: object;
  submitCount: number;
}

/** Wraps an object like `navigator.gpu`, to count the command lists that are submitted to its devices. */
export function countSubmits(gpu: GPU): CountedGpu {
  const counted: CountedGpu = {
    source: {
      async requestAdapter(options?: GPURequestAdapterOptions): Promise<GPUAdapter | null> {
        const adapter = await gpu.requestAdapter(options);
        const requestDevice = adapter?.requestDevice.bind(adapter);
        if (adapter)
          adapter.requestDevice = async wanted => {
            const device = await requestDevice!(wanted);
            const { queue } = device;
            const submit = queue.submit.bind(queue);
            queue.submit = lists => {
              counted.submitCount++;
              submit(lists);
            };
            return device;
          };
        return adapter;
      },
    },
    submitCount: 0,
  };
  return counted;
}

/**
 * Returns the methods of `engine.async`, and a function that returns whether the GPU took part in the last
 * call: whether the call submitted command lists, and the statistics of the result, if it has any, name the
 * GPU as the backend. The first call of each kind also submits the command lists of the engine's self-test;
 * later calls do not.
 */
export function watchGpu(
  engine: Pfront.Engine,
  gpu: CountedGpu,
): { methods: Methods; usedGpu: () => boolean } {
  let usedGpu = false;
  const watched = [...methodNames, 'detect'] as const;
  const methods = Object.fromEntries(
    watched.map(name => [
      name,
      async (...words: unknown[]) => {
        const before = gpu.submitCount;
        const found = await (engine.async[name] as (...all: unknown[]) => Promise<unknown>)(...words);
        const stats = (found as { stats?: { backend?: string } } | undefined)?.stats;
        usedGpu = gpu.submitCount > before && (stats?.backend ?? 'gpu') === 'gpu';
        return found;
      },
    ]),
  ) as unknown as Methods;
  return { methods, usedGpu: () => usedGpu };
}
