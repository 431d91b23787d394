// Types of the answers of `engine.async`: results in new arrays, with statistics that name the device.
import type { SweptBodies } from '../ccd/bodySweeper.js';
import type { ManyPairsCopy, PairsCopy } from '../core/results.js';
import type { SceneStats, SweepStats } from '../core/stats.js';
import type { Contacts } from '../scene/sceneOptions.js';
import type { AsyncStats } from './asyncRunner.js';

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
