// Starts an engine with a GPU for the mesh scenes of `pfront bench`, and reports the counters of the GPU's
// queries.

import { formatCount } from '../../cli/terminal.js';
import { UsageError } from '../../cli/usageError.js';
import type { AsyncPairs } from '../../gpu/asyncResults.js';
import type { GpuFrontStats } from '../../gpu/narrowphase/gpuFront.js';
import { CollisionError, createEngine, type Engine } from '../../index.js';
import type { Setup } from './scene.js';

const COUNTERS: readonly (readonly [keyof GpuFrontStats, string])[] = [
  ['frontNodes', 'front nodes'],
  ['passes', 'passes below the front'],
  ['boxTests', 'box pairs tested'],
  ['leafPairs', 'leaf pairs'],
  ['exactTests', 'triangle pairs decided by the CPU'],
];

/**
 * If the backend is 'webgpu', creates an engine on the GPU, calls `use` with the engine, and then disposes
 * the engine. With any other backend, calls `use` without an engine.
 * @throws UsageError if there is no GPU
 */
export async function withGpuEngine<Result>(
  { backend, size }: Setup,
  use: (engine?: Engine) => Promise<Result>,
): Promise<Result> {
  if (backend !== 'webgpu') return use();
  const engine = await createEngine({ threads: 1, backend, warmUp: size === 'quick' ? 'off' : 'on' }).catch(
    (error: unknown) => {
      throw asMissing(error);
    },
  );
  try {
    return await use(engine);
  } finally {
    engine.dispose();
  }
}

/**
 * Returns remarks for the report: which GPU was used, the average counters of its answers, how many frames
 * the CPU answered instead, and the engine's notes.
 */
export function gpuRemarks({ info: { gpu, notes } }: Engine, answers: readonly AsyncPairs[]): string[] {
  const gpuAnswers = answers.filter(({ stats }) => stats.backend === 'gpu');
  const others = answers.filter(({ stats }) => stats.backend !== 'gpu');
  const mean = (counter: keyof GpuFrontStats): string =>
    formatCount(
      Math.round(
        gpuAnswers.reduce((sum, { stats }) => sum + (stats.gpu as GpuFrontStats)[counter], 0) /
          gpuAnswers.length,
      ),
    );
  return [
    ...(gpu
      ? [
          `GPU: ${[gpu.vendor, gpu.architecture, gpu.description].filter(Boolean).join(', ')}; times from the query to the result list, including readback.`,
        ]
      : []),
    ...(gpuAnswers.length > 0
      ? [`On average per frame: ${COUNTERS.map(([counter, text]) => `${mean(counter)} ${text}`).join(', ')}.`]
      : []),
    ...(others.length > 0
      ? [`${others.length} of ${answers.length} frames were answered by the CPU: ${others[0].stats.reason}.`]
      : []),
    ...notes.map(({ message }) => `GPU engine: ${message}.`),
  ];
}

function asMissing(error: unknown): unknown {
  if (!(error instanceof CollisionError && error.code === 'Unsupported')) return error;
  return new UsageError(
    `--backend webgpu: ${error.message.replace(/^backend is 'webgpu', but /, '')}`,
    "Install the package webgpu (npm install webgpu) and the GPU's driver (on Linux, one for Vulkan), or omit --backend.",
  );
}
