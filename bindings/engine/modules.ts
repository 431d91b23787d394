// Lists the modules of the package: what they add to an engine besides queries of meshes, and how they are
// loaded on demand.

import type { ContinuousVerbs } from '../ccd/continuous.js';
import { missing, Unsupported } from '../core/errors.js';
import type { EngineHost, EngineModule, FurtherAnswers } from '../core/module.js';
import type { GpuVerbs } from '../gpu/gpu.js';
import type { SpheresVerbs } from '../hybrid/spheres.js';
import type { StoredVerbs } from '../mesh/stored.js';
import type { DeformingVerbs } from '../narrowphase/deforming.js';
import type { QuestionsVerbs } from '../proximity/questions.js';
import type { ScenesVerbs } from '../scene/scenes.js';

/** What an engine can do in addition to queries of meshes. */
export type ModuleName = 'scenes' | 'stored' | 'continuous' | 'deforming' | 'gpu' | 'spheres' | 'questions';

/** The methods that each module adds to an engine. */
interface VerbsByModule {
  scenes: ScenesVerbs;
  stored: StoredVerbs;
  continuous: ContinuousVerbs;
  deforming: DeformingVerbs;
  gpu: GpuVerbs;
  spheres: SpheresVerbs;
  questions: QuestionsVerbs;
}

/** The methods that these modules add to an engine. 'continuous' includes 'scenes'. */
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

/** Any module. */
export type AnyModule = EngineModule<object>;

interface Part<Verbs> {
  verbs: readonly (keyof Verbs)[];
  needs?: readonly ModuleName[];
  load: () => Promise<EngineModule<Verbs>>;
}

/**
 * One line per module: its methods, the modules whose kernels it needs, and where it is loaded from. Its
 * kernel file, if any, has the same name.
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

/** Returns these modules and the modules that they need, each once. */
export const withNeeded = (names: readonly ModuleName[]): ModuleName[] =>
  moduleNames.filter(name =>
    names.some(requested => requested === name || (modules[requested] as Part<object>).needs?.includes(name)),
  );

/** Loads a module. @throws Unsupported if its file cannot be loaded */
export async function loadModule(name: ModuleName): Promise<AnyModule> {
  try {
    return await modules[name].load();
  } catch (error) {
    throw new Unsupported(
      `module '${name}' did not load: ${String(error)}`,
      `serve its file too, or omit it from modules`,
    );
  }
}

/**
 * Returns a substitute that throws, for a method of a module that was left out, or for an object with
 * methods.
 */
function missingMethod(verb: string, name: ModuleName): unknown {
  const get = (): never => {
    throw missing(`engine.${verb}`, name);
  };
  return new Proxy(get, { get });
}

/**
 * Adds the methods of all modules to an engine. Methods of modules that were not loaded throw. Returns the
 * object that each module has made.
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
      to[verb] = !made ? missingMethod(verb, name) : typeof value === 'function' ? value.bind(made) : value;
    }
  }
  return all;
}
