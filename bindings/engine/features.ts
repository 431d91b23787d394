// What an engine can do besides queries of meshes -> parts of the package that load when an engine is to have them.
import { missing, Unsupported } from '../core/errors.js';
import type { EngineHost, Feature } from '../core/feature.js';
import type { ContinuousVerbs } from '../ccd/continuous.js';
import type { DeformingVerbs } from '../narrowphase/deforming.js';
import type { GpuVerbs } from '../gpu/gpu.js';
import type { QuestionsVerbs } from '../proximity/questions.js';
import type { ScenesVerbs } from '../scene/scenes.js';
import type { SpheresVerbs } from '../hybrid/spheres.js';
import type { StoredVerbs } from '../mesh/stored.js';

/** What an engine can do besides queries of meshes. */
export type FeatureName = 'scenes' | 'stored' | 'continuous' | 'deforming' | 'gpu' | 'spheres' | 'questions';

/** What all features add to an engine. */
export type FeatureVerbs = ScenesVerbs & StoredVerbs & ContinuousVerbs & DeformingVerbs & GpuVerbs & SpheresVerbs & QuestionsVerbs;

/** Any of them. */
export type AnyFeature = Feature<Partial<FeatureVerbs>>;

interface Part { verbs: readonly (keyof FeatureVerbs)[]; needs?: readonly string[]; load: () => Promise<unknown> }

/** A line a feature: its verbs, whose kernels it runs besides its own, and where it lies. Its file of kernels, where it has one, has the same name. */
const features: { readonly [Name in FeatureName]: Part } = {
  scenes: { verbs: ['boxPairs', 'createBroadPhase', 'createScene'], load: async () => (await import('../scene/scenes.js')).scenes },
  stored: { verbs: ['loadMesh'], load: async () => (await import('../mesh/stored.js')).stored },
  continuous: { verbs: ['sweepVertices', 'sweep', 'sweepFeatures', 'contactTimes', 'edgesOf'], needs: ['scenes'], load: async () => (await import('../ccd/continuous.js')).continuous },
  deforming: { verbs: ['selfQuery'], load: async () => (await import('../narrowphase/deforming.js')).deforming },
  spheres: { verbs: [], load: async () => (await import('../hybrid/spheres.js')).spheres },
  questions: { verbs: ['distance', 'penetration', 'contains', 'classify', 'queryPoses'], load: async () => (await import('../proximity/questions.js')).questions },
  gpu: { verbs: ['async'], load: async () => (await import('../gpu/gpu.js')).gpu },
};

export const featureNames = Object.keys(features) as FeatureName[];

/** These features and those that they need, each once. */
export const withNeeded = (names: readonly FeatureName[]): FeatureName[] => featureNames.filter((name) => names.some((wanted) => wanted === name || features[wanted].needs?.includes(name)));

/** @throws Unsupported when its file cannot be loaded */
export async function loadFeature(name: FeatureName): Promise<AnyFeature> {
  try {
    return await features[name].load() as AnyFeature;
  } catch (error) {
    throw new Unsupported(`feature '${name}' did not load: ${String(error)}`, `serve its file too, or leave it out of features`);
  }
}

/** What stands in for a verb whose feature was left out, or for an object with verbs. */
function refusal(verb: string, name: FeatureName): unknown {
  const get = (): never => {
    throw missing(`engine.${verb}`, name);
  };
  return new Proxy(get, { get });
}

/** The verbs of all features; of those that were not loaded, ones that throw. */
export function verbsOf(loaded: ReadonlyMap<FeatureName, AnyFeature>, host: EngineHost): FeatureVerbs {
  const all = featureNames.map((name) => loaded.get(name)?.makeVerbs(host) ?? Object.fromEntries(features[name].verbs.map((verb) => [verb, refusal(verb, name)])));
  return Object.assign({}, ...all);
}
