// Answers of the CPU -> the same in memory of their own, as engine.async gives them.
import type { AnyQueryManyOptions } from '../core/options.js';
import { copied, type ManyPairsCopy, type TrianglePairs } from '../core/results.js';
import type { Answered } from '../scene/askBodies.js';
import type { Detection } from '../scene/detection.js';
import type { Contacts } from '../scene/sceneOptions.js';

/** Makes what touches now the last frame. @returns it, in memory of its own */
export const finish = (frame: Detection, answered: Answered): ReturnType<Contacts['copy']> =>
  frame.end(answered).copy();

/** Whether only the CPU answers such a question: a clearance, segments, a bitset. */
export const isForCpuAlone = ({ clearance, want }: AnyQueryManyOptions): boolean =>
  clearance !== undefined || want === 'segments' || want === 'bitset';

/** The CPU's answer, in memory of its own. */
export function onCpuAlone(ask: () => TrianglePairs | boolean | Uint32Array): object | boolean {
  const startedAt = performance.now();
  const answer = ask();
  if (typeof answer === 'boolean' || !('copy' in answer)) return answer;
  return {
    __proto__: copied,
    ...answer.copy(),
    stats: {
      backend: 'wasm',
      reason: 'a GPU is not asked for clearances and segments',
      milliseconds: performance.now() - startedAt,
    },
  } as object;
}

/** Which pairs have an entry: 1 or 0 a pair. */
export const haveAny = ({ pairsAt }: ManyPairsCopy): Uint32Array =>
  Uint32Array.from({ length: pairsAt.length - 1 }, (_, i) => (pairsAt[i + 1] > pairsAt[i] ? 1 : 0));
