// Other questions of two placed meshes -> what they add to an engine.
import type { EngineHost, Feature } from '../feature.js';
import { makeSolidVerbs, type SolidVerbs } from '../questions/classify.js';

/** Verbs of other questions. */
export interface QuestionsVerbs extends SolidVerbs {
  distance: unknown; queryPoses: unknown;
}

function makeVerbs(host: EngineHost): QuestionsVerbs {
  return { ...makeSolidVerbs(host, () => NaN) } as QuestionsVerbs;
}

export const questions: Feature<QuestionsVerbs> = { makeVerbs };
