// Other questions of two placed meshes, and of many bodies -> what they add to an engine.
import type { EngineHost, Feature } from '../feature.js';
import { ManyPoses, type BitsetOptions } from '../questions/manyPoses.js';
import type { PoseAnswers } from '../questions/poseAnswers.js';
import { PoseSearch } from '../questions/poseSearch.js';
import { Poses, type PosesOptions } from '../questions/poses.js';
import { nameLength, wasmGzipBase64 } from '../wasm/questions.wasm.js';

/** Verbs of other questions. */
export interface QuestionsVerbs {
  distance: unknown; penetration: unknown; contains: unknown; classify: unknown;
  /**
   * In which of many poses of some bodies two of them share a point: exact, the same bits for any number of threads. Poses are shared out to all
   * threads; each stops at its first hit. Synchronous. @throws InvalidTransform naming pose and body, Unsupported, Disposed, Capacity
   */
  queryPoses(options: PosesOptions): PoseAnswers;
}

function makeVerbs(host: EngineHost): QuestionsVerbs {
  const search = new PoseSearch(host), many = new ManyPoses(host, search), poses = new Poses(host, search);
  host.backend.further = {
    query: () => undefined,
    queryMany: (options: BitsetOptions) => many.ask(options),
  };
  return {
    queryPoses: (options) => {
      host.tick();
      return poses.ask(options);
    },
  } as QuestionsVerbs;
}

export const questions: Feature<QuestionsVerbs> = { inlined: { nameLength, wasmGzipBase64 }, makeVerbs };
