// Types of the answers of `engine.async`: results in new arrays, with statistics that name the device.
import type { SweptBodies } from '../ccd/bodySweeper.js';
import type { FeatureContacts } from '../ccd/featureSweep.js';
import type { SweptContact, SweptContacts } from '../ccd/sweptContacts.js';
import type { ManyPairsCopy, PairsCopy } from '../core/results.js';
import type { SceneStats, SweepStats } from '../core/stats.js';
import type { Contacts } from '../scene/sceneOptions.js';
import type { AsyncStats } from './asyncRunner.js';
import type { FeatureFilterStats } from './ccd/filterStats.js';

/** Pairs in new arrays, with statistics. */
export interface AsyncPairs extends PairsCopy {
  /** The device that found the pairs, and its computing time. */
  stats: AsyncStats;
}
/** Triangle pairs of many placed pairs of meshes, in new arrays, with statistics. */
export interface AsyncManyPairs extends ManyPairsCopy {
  /** The device that found the pairs, and its computing time. */
  stats: AsyncStats;
}

/** An answer that only the CPU computes, with statistics. */
export type WithStats<Answer> = Answer & {
  /** The device that computed the answer, and its computing time. */
  stats: AsyncStats;
};

/** Contacts of a scene, in new arrays. */
export interface AsyncContacts extends Omit<Contacts, 'copy' | 'stats'> {
  /**
   * Statistics of the scene's frame (time step). `backend` is the device that tested the pairs of near bodies
   * or, if no pair had to be tested, the device that searched for near bodies.
   */
  stats: SceneStats & Pick<AsyncStats, 'backend' | 'reason' | 'gpu'>;
}

/** Contacts during a motion. */
export interface AsyncSweptBodies extends SweptBodies {
  /**
   * The CPU's statistics, and the device that filtered the pairs of bodies or, if no pair had to be swept,
   * the device that searched for near bodies. If the GPU filtered the pairs, the CPU's statistics count only
   * the pairs that the GPU did not drop.
   */
  stats: SweepStats & Pick<AsyncStats, 'backend' | 'reason' | 'gpu'>;
}

/** The device that computed a sweep, and its computing time. */
export interface AsyncSweepStats extends AsyncStats {
  /** Counters of the GPU's filter. Undefined if the CPU alone computed the answer. */
  gpu?: FeatureFilterStats;
}

/** Contacts of moving meshes. */
export interface AsyncSweptContacts extends SweptContacts {
  /** Statistics of the sweep, and the device that filtered the pairs of features. */
  stats: SweepStats & Pick<AsyncSweepStats, 'backend' | 'reason' | 'gpu'>;
}

/** The first contact of moving meshes. */
export interface AsyncSweptContact extends SweptContact {
  /** The device that filtered the pairs of features, and the computing time. */
  stats: AsyncSweepStats;
}

/** Results of a sweep of features. */
export interface AsyncFeatureContacts extends FeatureContacts {
  /** The device that filtered the pairs of features, and the computing time. */
  stats: AsyncSweepStats;
}

/** Times of contact, one per pair of features. */
export interface AsyncContactTimes extends Float64Array {
  /**
   * The device that filtered the pairs of features, and the computing time. This property is not enumerable, so
   * the array is printed and copied like any other.
   */
  readonly stats: AsyncSweepStats;
}
