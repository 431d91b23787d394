// Mesh pairs frame by frame, asked on a GPU -> a contender of `pfront bench`, and what its questions cost
// there.

import { grouped } from '../../cli/terminal.js';
import { UsageError } from '../../cli/usageError.js';
import type { AsyncPairs } from '../../gpu/asyncAnswers.js';
import type { GpuFrontStats } from '../../gpu/narrowphase/gpuFront.js';
import { CollisionError, createEngine, type Engine } from '../../index.js';
import type { Setup } from './scene.js';

const COUNTERS: readonly (readonly [keyof GpuFrontStats, string])[] = [
  ['frontNodes', 'nodes of the front'],
  ['passes', 'passes below it'],
  ['boxTests', 'pairs of boxes tested'],
  ['leafPairs', 'pairs of leaves'],
  ['exactTests', 'triangle pairs left to the CPU'],
];

/**
 * An engine that asks a GPU, ended when `use` is done; none where the backend is another. @throws UsageError
 * where there is no GPU
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

/** Who answered, and counters of the GPU's answers, in the mean. */
export function gpuRemarks({ info: { gpu, notes } }: Engine, answers: readonly AsyncPairs[]): string[] {
  const own = answers.filter(({ stats }) => stats.backend === 'gpu');
  const others = answers.filter(({ stats }) => stats.backend !== 'gpu');
  const mean = (counter: keyof GpuFrontStats): string =>
    grouped(
      Math.round(own.reduce((sum, { stats }) => sum + (stats.gpu as GpuFrontStats)[counter], 0) / own.length),
    );
  return [
    ...(gpu
      ? [
          `GPU: ${[gpu.vendor, gpu.architecture, gpu.description].filter(Boolean).join(', ')}; times from the question to the list, with what is read back.`,
        ]
      : []),
    ...(own.length > 0
      ? [
          `In a frame, in the mean: ${COUNTERS.map(([counter, text]) => `${mean(counter)} ${text}`).join(', ')}.`,
        ]
      : []),
    ...(others.length > 0
      ? [`${others.length} of ${answers.length} frames were answered by the CPU: ${others[0].stats.reason}.`]
      : []),
    ...notes.map(({ message }) => `GPU's engine: ${message}.`),
  ];
}

function asMissing(error: unknown): unknown {
  if (!(error instanceof CollisionError && error.code === 'Unsupported')) return error;
  return new UsageError(
    `--backend webgpu: ${error.message.replace(/^backend is 'webgpu', but /, '')}`,
    "Install the package webgpu (npm install webgpu) and the GPU's driver, on Linux one for Vulkan; or leave --backend out.",
  );
}
