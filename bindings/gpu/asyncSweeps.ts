// Sweeps whose caller wants to be told how far they are, or may end them -> exact ones in steps on the CPU, others as a whole.
import type { FeatureContacts, FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { PlacedSweepOptions, Steps, SweepOptions } from '../ccd/sweepOptions.js';
import { FEATURE_SWEEP, PLACED_SWEEP, SWEEP } from '../core/featureOptions.js';
import { abortSignal, callback, type OptionTable } from '../core/optionTable.js';
import type { SweptContacts } from '../ccd/sweptContacts.js';
import type { SyncVerbs } from './syncVerbs.js';

type Stepwise = typeof import('../ccd/sweepInSteps.js');

const STEPS: OptionTable<Steps> = { onProgress: callback, signal: abortSignal };
export const FEATURE_SWEEP_IN_STEPS: OptionTable<FeatureSweepOptions & Steps> = { ...FEATURE_SWEEP, ...STEPS };
export const SWEEP_IN_STEPS: OptionTable<SweepOptions & Steps> = { ...SWEEP, ...STEPS };
export const PLACED_SWEEP_IN_STEPS: OptionTable<PlacedSweepOptions & Steps> = { ...PLACED_SWEEP, ...STEPS };

/** Options -> what the question is, and how its caller is told of it; nothing where the caller asks for neither. */
export function takeSteps<Options extends Steps>({ onProgress, signal, ...options }: Options): { options: Omit<Options, keyof Steps>; steps: Steps | undefined } {
  return { options, steps: onProgress || signal ? { onProgress, signal } : undefined };
}

/** A question that is answered as a whole. @throws what the signal was aborted with before the answer */
export async function asOne<Answer>(steps: Steps | undefined, ask: () => Promise<Answer>): Promise<Answer> {
  steps?.signal?.throwIfAborted();
  const answer = await ask();
  steps?.signal?.throwIfAborted();
  steps?.onProgress?.(1);
  return answer;
}

/** Loads what answers in steps. */
const inSteps = () => import('../ccd/sweepInSteps.js');

/** All contacts of a mesh that deforms. @throws as sweepVertices, and what the signal was aborted with */
export async function sweepVerticesInSteps(...asked: Parameters<Stepwise['sweepVerticesInSteps']>): Promise<SweptContacts> { return (await inSteps()).sweepVerticesInSteps(...asked); }

/** All contacts of two meshes. @throws as sweep, and what the signal was aborted with */
export async function sweepMeshesInSteps(...asked: Parameters<Stepwise['sweepMeshesInSteps']>): Promise<SweptContacts> { return (await inSteps()).sweepMeshesInSteps(...asked); }

/** Contacts of moving features, some thousand after the other. @throws as the engine's sweepFeatures, and what the signal was aborted with */
export async function sweepFeaturesInSteps(verbs: SyncVerbs, kind: 'VF' | 'EE', queries: Float64Array, options: FeatureSweepOptions, steps: Steps): Promise<FeatureContacts> {
  return (await inSteps()).featuresInSteps(queries, steps, (part) => verbs.sweepFeatures(kind, part, options));
}

/** Their times, likewise. */
export async function contactTimesInSteps(verbs: SyncVerbs, kind: 'vf' | 'ee', points: Float64Array, options: FeatureSweepOptions, steps: Steps): Promise<Float64Array> {
  return (await inSteps()).timesInSteps(points, steps, (part) => verbs.contactTimes(kind, part, options));
}
