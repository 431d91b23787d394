// Options of scenes and what scenes answer: types whose comments state the defaults.

import type { KeptMethod } from '../broadphase/incremental/makeKeeper.js';
import type { BodyPairs } from '../core/contacts.js';
import type { PartitionOptions } from '../core/options.js';
import type { SceneStats } from '../core/stats.js';
import type { Transform, Transforms } from '../core/transform.js';
import type { Narrow } from './frame.js';

/** What createScene may be asked for; all may be left out. */
export interface SceneOptions {
  /** How pairs of bodies that are near are found; the contacts are the same. Default 'auto'. */
  broadPhase?: KeptMethod;
}

/** Where a body is, and what it may touch; all may be left out. */
export interface BodyOptions {
  /** Where it is: 16 numbers, column-major. Default: the identity. */
  transform?: Transform;
  /** Bits of the groups it belongs to. Default 1. */
  group?: number;
  /**
   * Bits of the groups it may touch: two bodies are asked about when each one's group meets the other's mask.
   * Default: all.
   */
  mask?: number;
}

/** Where the next continuous detect has bodies begin. */
export interface StartOptions {
  /** 16 numbers a slot, column-major. */
  from: Transforms;
}

/** What detect may be asked for; all may be left out. */
export interface DetectOptions extends PartitionOptions {
  /** What counts as contact. Default 'pairs'. */
  narrow?: Narrow;
  /** 'counts' tells what part of the pairs is done. The scene and its meshes may not be changed meanwhile. */
  onProgress?: (done: number) => void;
  /** true: what touches on the way, with ContinuousOptions. Default false. */
  continuous?: false;
}

/** A frame's contacts: views that hold until the scene's next detect. */
export interface Contacts extends BodyPairs {
  /** Contact i has counts[i] triangle pairs, where narrow is 'counts' or 'pairs'; else 0. */
  counts: Uint32Array;
  /** Contact i owns the triangle pairs pairsAt[i] <= k < pairsAt[i + 1]; all 0 unless narrow is 'pairs'. */
  pairsAt: Uint32Array;
  /** Triangle triangles.a[k] of the one body meets triangles.b[k] of the other; sorted within a contact. */
  triangles: {
    /** Triangles of the bodies in `a`. */
    a: Uint32Array;
    /** Triangles of the bodies in `b`. */
    b: Uint32Array;
  };
  /** Contacts that the last detect had not. */
  began: BodyPairs;
  /** Contacts that it had, too. */
  persisted: BodyPairs;
  /** Contacts that it had and this one has not. */
  ended: BodyPairs;
  /** What the frame cost. */
  stats: SceneStats;
  /** The same in memory of its own. @throws Stale */
  copy(): Omit<Contacts, 'copy'>;
}
