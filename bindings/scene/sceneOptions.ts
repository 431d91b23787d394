// Types of the options and results of scenes; their comments state the defaults.

import type { BroadPhaseMethod } from '../broadphase/incremental/createIncrementalBroadPhase.js';
import type { BodyPairs } from '../core/bodyPairs.js';
import type { PartitionOptions } from '../core/queryOptions.js';
import type { SceneStats } from '../core/stats.js';
import type { Transform, Transforms } from '../core/transform.js';
import type { Narrow } from './frame.js';

/** Options of `createScene`. All are optional. */
export interface SceneOptions {
  /**
   * Method that finds the pairs of near bodies; the contacts are the same with all methods. Default 'auto'.
   */
  broadPhase?: BroadPhaseMethod;
}

/** Placement and collision filter of a body. All are optional. */
export interface BodyOptions {
  /** Placement: a column-major 4x4 matrix. Default: the identity. */
  transform?: Transform;
  /** Bits of the groups that the body belongs to. Default 1. */
  group?: number;
  /**
   * Bits of the groups that the body collides with: two bodies are tested if the group of each shares a bit
   * with the mask of the other. Default: all.
   */
  mask?: number;
}

/** Start placements of the next continuous detect. */
export interface StartOptions {
  /** Column-major 4x4 matrices, 16 numbers per slot. */
  from: Transforms;
}

/** Options of `detect`. All are optional. */
export interface DetectOptions extends PartitionOptions {
  /** What a contact is, and how much is reported about it. Default 'pairs'. */
  narrow?: Narrow;
  /**
   * With narrow 'counts', receives the completed fraction of the pairs. It must not change the scene or its
   * meshes.
   */
  onProgress?: (done: number) => void;
  /** With true (see ContinuousOptions), finds the contacts during the motion. Default false. */
  continuous?: false;
}

/** The contacts of a frame: views, valid until the scene's next detect. */
export interface Contacts extends BodyPairs {
  /** Number of triangle pairs of each contact if narrow is 'counts' or 'pairs', otherwise 0. */
  counts: Uint32Array;
  /** Contact i has the triangle pairs pairsAt[i] <= k < pairsAt[i + 1]; all 0 unless narrow is 'pairs'. */
  pairsAt: Uint32Array;
  /** Triangle triangles.a[k] of body `a` intersects triangles.b[k] of body `b`; sorted within a contact. */
  triangles: {
    /** Triangles of the bodies in `a`. */
    a: Uint32Array;
    /** Triangles of the bodies in `b`. */
    b: Uint32Array;
  };
  /** Contacts that the previous detect did not have. */
  began: BodyPairs;
  /** Contacts that the previous detect had too. */
  persisted: BodyPairs;
  /** Contacts that the previous detect had and this one does not. */
  ended: BodyPairs;
  /** Statistics of the frame. */
  stats: SceneStats;
  /** Returns a copy that stays valid. @throws Stale if the scene has detected again */
  copy(): Omit<Contacts, 'copy'>;
}
