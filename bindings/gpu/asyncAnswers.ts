// What the engine's methods as promises answer with -> types: answers in memory of their own, and where they
// are from.
import type { SweptBodies } from '../ccd/bodySweeper.js';
import type { ManyPairsCopy, PairsCopy } from '../core/results.js';
import type { SceneStats, SweepStats } from '../core/stats.js';
import type { Contacts } from '../scene/sceneOptions.js';
import type { AsyncStats } from './gpuRunner.js';

/** Pairs in memory of their own, and where they are from. */
export interface AsyncPairs extends PairsCopy {
  /** Where they are from, and how long it took. */
  stats: AsyncStats;
}
/** The same of many placed pairs. */
export interface AsyncManyPairs extends ManyPairsCopy {
  /** Where they are from, and how long it took. */
  stats: AsyncStats;
}

/** What the CPU alone answers, and how long it took. */
export type WithStats<Answer> = Answer & {
  /** Where it is from, and how long it took. */
  stats: AsyncStats;
};

/** What touches in a scene, in memory of its own. */
export interface AsyncContacts extends Omit<Contacts, 'copy' | 'stats'> {
  /** What the frame cost, and who found the triangles: of a frame that asks for none, the boxes. */
  stats: SceneStats & Pick<AsyncStats, 'backend' | 'reason' | 'gpu'>;
}

/** What touches on the way. */
export interface AsyncSweptBodies extends SweptBodies {
  /**
   * What it cost the CPU, and who sorted out the pairs of bodies: from the GPU only those come to the CPU
   * that may be near.
   */
  stats: SweepStats & Pick<AsyncStats, 'backend' | 'reason' | 'gpu'>;
}
