// The data of the page of a motion search, which the script of the page reads.
import type { StoredFrame } from '../motion/storedMotion.js';
import type { SceneContent, SceneHeader, ScenePair } from './content.js';

/** A part that a motion places. Parts without an entry stay where their file places them. */
export interface PlacedPart {
  part: number;
  /** Index of the frame to which the part is attached; undefined if it does not move. */
  frame?: number;
  /**
   * The transform from the part's mesh to its frame, or to the scene if there is no frame: 16 doubles,
   * column-major.
   */
  local: number[];
}

export interface StoredMotion {
  name: string;
  /** First and last time, in seconds. */
  start: number;
  end: number;
  /** A parent precedes its children. */
  frames: StoredFrame[];
  placed: PlacedPart[];
}

/** The time at which two parts first meet in an interval, or the time of their min clearance. */
export interface Moment extends ScenePair {
  /** The interval, in seconds. */
  from: number;
  to: number;
  /** The time in the motion for which the contact was computed, in seconds. */
  time: number;
  /**
   * A time inside the smooth piece of the motion to which the shown poses belong. If a part jumps at `time`,
   * `inside` decides whether the poses before or after the jump are shown: see KeyedValue in motion/keys.ts.
   */
  inside: number;
  /**
   * Whether the parts share a point at this time. Otherwise, the contact is the line between their nearest
   * points.
   */
  isTouching: boolean;
}

/** A pair of parts that meets during a motion: a row of the timeline. */
export interface MotionPair {
  a: number;
  b: number;
  class: string;
  /** Index of the motion. */
  motion: number;
  /** When the parts first meet and for how long, or their min clearance. */
  summary: string;
  /** The range of the pair's moments: the index of the first moment, and the index after the last moment. */
  moments: [begin: number, end: number];
  /** The moment that is shown if the pair is selected. */
  first: number;
}

export interface MotionHeader extends SceneHeader {
  motions: StoredMotion[];
  /** The classes of pairs, worst first. */
  classes: readonly string[];
  /** In the order of the rows. */
  pairs: MotionPair[];
  /**
   * The moments of all pairs, to which `MotionPair.moments` refers. They are named `clashes` because the 3D
   * view reads the field `clashes` of any SceneHeader.
   */
  clashes: Moment[];
  doubles: number[];
}

/** The content of the page. `doubles` are the keys of the motions. */
export interface MotionContent extends SceneContent {
  header: MotionHeader;
  doubles: Float64Array[];
}
