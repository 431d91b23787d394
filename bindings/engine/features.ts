// What an engine can do besides queries of meshes -> parts of the package that load when an engine is to have
// them.

import type { ContinuousVerbs } from '../ccd/continuous.js';
import { missing, Unsupported } from '../core/errors.js';
import type { EngineHost, Feature, FurtherAnswers } from '../core/feature.js';
import type { GpuVerbs } from '../gpu/gpu.js';
import type { SpheresVerbs } from '../hybrid/spheres.js';
import type { StoredVerbs } from '../mesh/stored.js';
import type { DeformingVerbs } from '../narrowphase/deforming.js';
import type { QuestionsVerbs } from '../proximity/questions.js';
import type { ScenesVerbs } from '../scene/scenes.js';

/** What an engine can do besides queries of meshes. */
export type FeatureName = 'scenes' | 'stored' | 'continuous' | 'deforming' | 'gpu' | 'spheres' | 'questions';

/** What each feature adds to an engine. */
interface VerbsByFeature {
  scenes: ScenesVerbs;
  stored: StoredVerbs;
  continuous: ContinuousVerbs;
  deforming: DeformingVerbs;
  gpu: GpuVerbs;
  spheres: SpheresVerbs;
  questions: QuestionsVerbs;
}

/** What these features add to an engine. 'continuous' brings 'scenes' along. */
export type VerbsOf<Names extends FeatureName> = ('scenes' extends Names
  ? ScenesVerbs
  : 'continuous' extends Names
    ? ScenesVerbs
    : unknown) &
  ('stored' extends Names ? StoredVerbs : unknown) &
  ('continuous' extends Names ? ContinuousVerbs : unknown) &
  ('deforming' extends Names ? DeformingVerbs : unknown) &
  ('gpu' extends Names ? GpuVerbs : unknown) &
  ('questions' extends Names ? QuestionsVerbs : unknown);

/** Any of them. */
export type AnyFeature = Feature<object>;

interface Part<Verbs> {
  verbs: readonly (keyof Verbs)[];
  needs?: readonly FeatureName[];
  load: () => Promise<Feature<Verbs>>;
}

/**
 * A line a feature: its verbs, whose kernels it runs besides its own, and where it lies. Its file of kernels,
 * where it has one, has the same name.
 */
const features: { readonly [Name in FeatureName]: Part<VerbsByFeature[Name]> } = {
  scenes: {
    verbs: ['boxPairs', 'createBroadPhase', 'createScene'],
    load: async () => (await import('../scene/scenes.js')).scenes,
  },
  stored: { verbs: ['loadMesh'], load: async () => (await import('../mesh/stored.js')).stored },
  continuous: {
    verbs: ['sweepVertices', 'sweep', 'sweepFeatures', 'contactTimes', 'edgesOf'],
    needs: ['scenes'],
    load: async () => (await import('../ccd/continuous.js')).continuous,
  },
  deforming: {
    verbs: ['selfQuery'],
    load: async () => (await import('../narrowphase/deforming.js')).deforming,
  },
  spheres: { verbs: [], load: async () => (await import('../hybrid/spheres.js')).spheres },
  questions: {
    verbs: ['distance', 'penetration', 'contains', 'classify', 'queryPoses'],
    load: async () => (await import('../proximity/questions.js')).questions,
  },
  gpu: { verbs: ['async'], load: async () => (await import('../gpu/gpu.js')).gpu },
};

export const featureNames = Object.keys(features) as FeatureName[];

/** These features and those that they need, each once. */
export const withNeeded = (names: readonly FeatureName[]): FeatureName[] =>
  featureNames.filter(name =>
    names.some(wanted => wanted === name || (features[wanted] as Part<object>).needs?.includes(name)),
  );

/** @throws Unsupported when its file cannot be loaded */
export async function loadFeature(name: FeatureName): Promise<AnyFeature> {
  try {
    return await features[name].load();
  } catch (error) {
    throw new Unsupported(
      `feature '${name}' did not load: ${String(error)}`,
      `serve its file too, or leave it out of features`,
    );
  }
}

/** What stands in for a verb whose feature was left out, or for an object with verbs. */
function refusal(verb: string, name: FeatureName): unknown {
  const get = (): never => {
    throw missing(`engine.${verb}`, name);
  };
  return new Proxy(get, { get });
}

/**
 * Gives an engine the verbs of all features; of those that were not loaded, ones that throw. @returns what
 * each has made
 */
export function addVerbs(
  engine: object,
  loaded: ReadonlyMap<FeatureName, AnyFeature>,
  host: EngineHost,
): ReadonlyMap<string, object & { further?: FurtherAnswers }> {
  const all = new Map<string, object>();
  for (const name of featureNames) {
    const made = loaded.get(name)?.makeVerbs(host);
    const to = engine as Record<string, unknown>;
    if (made) all.set(name, made);
    for (const verb of features[name].verbs as readonly string[]) {
      const value = made && (made as Record<string, unknown>)[verb];
      to[verb] = !made ? refusal(verb, name) : typeof value === 'function' ? value.bind(made) : value;
    }
  }
  return all;
}
