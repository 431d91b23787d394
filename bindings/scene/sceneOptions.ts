// Types of the options and results of scenes. The comments of the options state the defaults.

import type { BroadPhaseMethod } from '../broadphase/incremental/createIncrementalBroadPhase.js';
import type { BodyPairs } from '../core/bodyPairs.js';
import type { PartitionOptions } from '../core/queryOptions.js';
import type { SceneStats } from '../core/stats.js';
import type { Transform, Transforms } from '../core/transform.js';
import type { Manifolds } from '../manifolds/manifoldTable.js';
import type { Narrow } from './frame.js';

/** Options of `createScene`. All are optional. */
export interface SceneOptions {
  /**
   * Method that finds the pairs of near bodies. The contacts are the same with every method. Default 'auto'.
   */
  broadPhase?: BroadPhaseMethod;
}

/** Placement and collision filter of a body. All options are optional. */
export interface BodyOptions {
  /** Placement in the common frame: 16 numbers, column-major. Default: the identity. */
  transform?: Transform;
  /** Bits of the groups that the body belongs to. Default 1. */
  group?: number;
  /**
   * Bits of the groups that the body collides with. Two bodies are tested if the group of each body shares a
   * bit with the mask of the other body. Default: all.
   */
  mask?: number;
}

/** The placements at which the motion of the next `detect({ continuous: true })` starts. */
export interface StartOptions {
  /** Placements in the common frame: 16 numbers per slot, column-major, in the order of the slots. */
  from: Transforms;
}

/** Options of `detect`. All are optional. */
export interface DetectOptions extends PartitionOptions {
  /** Which pairs of bodies are contacts, and how much is reported about them. Default 'pairs'. */
  narrow?: Narrow;
  /**
   * With narrow 'counts', receives the completed fraction of the pairs. It must not change the scene or its
   * meshes.
   */
  onProgress?: (done: number) => void;
  /** If true (see ContinuousOptions), finds the contacts during the motion. Default false. */
  continuous?: false;
}

/** The contacts of a frame. The arrays are views that are valid until the scene's next `detect`. */
export interface Contacts extends BodyPairs {
  /** Number of triangle pairs of each contact if narrow is 'counts', 'pairs' or 'contacts', otherwise 0. */
  counts: Uint32Array;
  /**
   * The triangle pairs of contact i are the pairs k of `triangles` with pairsAt[i] <= k < pairsAt[i + 1]. All
   * entries are 0 unless narrow is 'pairs' or 'contacts'.
   */
  pairsAt: Uint32Array;
  /**
   * Triangle pairs: for pair k of contact i, triangle triangles.a[k] of body a[i] intersects triangle
   * triangles.b[k] of body b[i]. The pairs of each contact are sorted.
   */
  triangles: {
    /** Triangles of the bodies in `Contacts.a`. */
    a: Uint32Array;
    /** Triangles of the bodies in `Contacts.b`. */
    b: Uint32Array;
  };
  /** Contact points for physics solvers, if narrow is 'contacts'. */
  manifolds?: Manifolds;
  /** Contacts that the previous `detect` did not find. */
  began: BodyPairs;
  /** Contacts that the previous `detect` found too. */
  persisted: BodyPairs;
  /** Contacts that the previous `detect` found and this one did not. */
  ended: BodyPairs;
  /** Statistics of the frame. */
  stats: SceneStats;
  /** Returns a copy that stays valid. @throws Stale if `detect` has been called again */
  copy(): Omit<Contacts, 'copy'>;
}

/** The contacts of a scene with their contact points for physics solvers. */
export interface ContactsWithPoints extends Contacts {
  /** Contact points for physics solvers. */
  manifolds: Manifolds;
  /** Returns a copy that stays valid. @throws Stale if `detect` has been called again */
  copy(): Omit<ContactsWithPoints, 'copy'>;
}
