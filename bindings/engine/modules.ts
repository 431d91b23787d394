// What an engine can do besides queries of meshes -> parts of the package that load when an engine is to have
// them.

import type { ContinuousVerbs } from '../ccd/continuous.js';
import { missing, Unsupported } from '../core/errors.js';
import type { EngineHost, EngineModule, FurtherAnswers } from '../core/module.js';
import type { GpuVerbs } from '../gpu/gpu.js';
import type { SpheresVerbs } from '../hybrid/spheres.js';
import type { StoredVerbs } from '../mesh/stored.js';
import type { DeformingVerbs } from '../narrowphase/deforming.js';
import type { QuestionsVerbs } from '../proximity/questions.js';
import type { ScenesVerbs } from '../scene/scenes.js';

/** What an engine can do besides queries of meshes. */
export type ModuleName = 'scenes' | 'stored' | 'continuous' | 'deforming' | 'gpu' | 'spheres' | 'questions';

/** What each module adds to an engine. */
interface VerbsByModule {
  scenes: ScenesVerbs;
  stored: StoredVerbs;
  continuous: ContinuousVerbs;
  deforming: DeformingVerbs;
  gpu: GpuVerbs;
  spheres: SpheresVerbs;
  questions: QuestionsVerbs;
}

/** What these modules add to an engine. 'continuous' brings 'scenes' along. */
export type VerbsOf<Names extends ModuleName> = ('scenes' extends Names
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
export type AnyModule = EngineModule<object>;

interface Part<Verbs> {
  verbs: readonly (keyof Verbs)[];
  needs?: readonly ModuleName[];
  load: () => Promise<EngineModule<Verbs>>;
}

/**
 * A line a module: its verbs, whose kernels it runs besides its own, and where it lies. Its file of kernels,
 * where it has one, has the same name.
 */
const modules: { readonly [Name in ModuleName]: Part<VerbsByModule[Name]> } = {
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

export const moduleNames = Object.keys(modules) as ModuleName[];

/** These modules and those that they need, each once. */
export const withNeeded = (names: readonly ModuleName[]): ModuleName[] =>
  moduleNames.filter(name =>
    names.some(wanted => wanted === name || (modules[wanted] as Part<object>).needs?.includes(name)),
  );

/** @throws Unsupported when its file cannot be loaded */
export async function loadModule(name: ModuleName): Promise<AnyModule> {
  try {
    return await modules[name].load();
  } catch (error) {
    throw new Unsupported(
      `module '${name}' did not load: ${String(error)}`,
      `serve its file too, or leave it out of modules`,
    );
  }
}

/** What stands in for a verb whose module was left out, or for an object with verbs. */
function refusal(verb: string, name: ModuleName): unknown {
  const get = (): never => {
    throw missing(`engine.${verb}`, name);
  };
  return new Proxy(get, { get });
}

/**
 * Gives an engine the verbs of all modules; of those that were not loaded, ones that throw. @returns what
 * each has made
 */
export function addVerbs(
  engine: object,
  loaded: ReadonlyMap<ModuleName, AnyModule>,
  host: EngineHost,
): ReadonlyMap<string, object & { further?: FurtherAnswers }> {
  const all = new Map<string, object>();
  for (const name of moduleNames) {
    const made = loaded.get(name)?.makeVerbs(host);
    const to = engine as Record<string, unknown>;
    if (made) all.set(name, made);
    for (const verb of modules[name].verbs as readonly string[]) {
      const value = made && (made as Record<string, unknown>)[verb];
      to[verb] = !made ? refusal(verb, name) : typeof value === 'function' ? value.bind(made) : value;
    }
  }
  return all;
}
