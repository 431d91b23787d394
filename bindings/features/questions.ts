// Other questions of two placed meshes -> what they add to an engine.
import type { EngineHost, Feature } from '../feature.js';

/** Verbs of other questions. */
export interface QuestionsVerbs {
  distance: unknown; penetration: unknown; contains: unknown; classify: unknown; queryPoses: unknown;
}

function makeVerbs(_host: EngineHost): QuestionsVerbs {
  return {} as QuestionsVerbs;
}

export const questions: Feature<QuestionsVerbs> = { makeVerbs };
