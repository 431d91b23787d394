// A device -> what the engine asks of it, the answers that it must know first, and from which size on it is
// quicker than the CPU.

import type { EngineHost } from '../core/module.js';
import { crossoverOf, type Timed } from './crossover.js';
import { acquireGpus } from './device/acquire.js';
import type { GpuPart } from './gpuRunner.js';
import { type Pose, selfTestPoses } from './gpuSelfTest.js';
import { type GpuSystems, makeSystems, type QuestionKind } from './gpuSystems.js';
import type { SyncMethods } from './syncMethods.js';

/**
 * Squares along a side of the sheets that are asked about: to see whether answers are right, and how long
 * they take.
 */
const CHECKED = 14;
const SMALL = 8;
const LARGE = 64;

export function gpuPart(host: EngineHost, methods: SyncMethods): GpuPart {
  const posed = <Result>(
    kind: QuestionKind,
    systems: GpuSystems,
    squares: number,
    use: (pose: Pose) => Promise<Result>,
  ): Promise<Result> => selfTestPoses[kind]({ host, methods, systems }, squares, use);
  return {
    acquire: acquireGpus,
    make: gpus => makeSystems(host, methods, gpus),
    dispose: systems => systems.dispose(),
    check: (kind, systems) =>
      posed(kind, systems, CHECKED, async ({ questions }) => {
        for (const { onGpu, onCpu } of questions) expectSame(kind, await onGpu(), onCpu());
      }),
    measure: async (kind, systems) => {
      const timed = (squares: number): Promise<Timed> =>
        posed(kind, systems, squares, async ({ size, questions }) => {
          const { onGpu, onCpu } = questions.at(-1)!;
          return { size, cpu: await medianOf(onCpu), gpu: await medianOf(onGpu) };
        });
      return crossoverOf(await timed(SMALL), await timed(LARGE));
    },
  };
}

function expectSame(
  kind: string,
  found: readonly ArrayLike<number>[],
  known: readonly ArrayLike<number>[],
): void {
  const isSame = known.every(
    (list, i) =>
      list.length === found[i].length &&
      Array.prototype.every.call(list, (value: number, k: number) => Object.is(value, found[i][k])),
  );
  if (!isSame) throw new Error(`the GPU answered a question (${kind}) whose answer is known otherwise`);
}

/** Milliseconds after which nothing is repeated. */
const LONG = 50;

async function medianOf(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0, all = 0; i < 4 && (i < 2 || all < LONG); i++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
    all += times[i];
  }
  // The first run is a different one: buffers grow, machines translate.
  const rest = times.slice(1).sort((a, b) => a - b);
  return rest[rest.length >> 1];
}
