// Defines the plan of a tree, which is the result of the first stage of both builders (surface area heuristic
// and Morton codes). A plan has ranges of triangles, and the binary tree above these ranges. In the second
// stage, one thread builds the subtree of each range.

import { SliceBox } from '../records/layout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { boundReferenced, isStoredBox, type MeshStatistics, setFrame } from './normalize.js';

/**
 * Maximum number of triangles of a range. The records of such a range and the scratch memory of its build fit
 * in a core's cache.
 */
export const SUBTREE_TRIANGLES = 8192;
/** Number of words in SubtreeRange.boxes. */
export const BOX_WORDS = 16;

/** A range of triangles for which one thread builds a subtree. */
export interface SubtreeRange {
  begin: number;
  end: number;
  depth: number;
  /**
   * Minimum and maximum of the range's box, then minimum and maximum of its doubled centroids (min + max of
   * each triangle's box): four words each.
   */
  boxes: Float32Array;
  /** Address of the triangle records, or of the sorted codes. */
  recordsAt: number;
  /** Address of the memory for the subtree's shape: 32 bytes per triangle. */
  shapesAt: number;
  /** In the Morton builder, the address of the triangle numbers: one per code at recordsAt. Otherwise 0. */
  idsAt: number;
}

/** The two sides of a split above the ranges. */
export interface TopSplit {
  weight: number;
  left: Top;
  right: Top;
}

export type Top = TopSplit | SubtreeRange;

export const isTopSplit = (top: Top): top is TopSplit => 'left' in top;

/**
 * bounds: bounds of the mesh in the user's units. top: the top of the tree; undefined for a mesh without
 * triangles.
 */
export interface Plan {
  bounds: Float32Array;
  top: Top | undefined;
}

/** Returns SubtreeRange.boxes for a range with this box. Twice the box contains all doubled centroids. */
export function boxesOf(box: ArrayLike<number>): Float32Array {
  const boxes = new Float32Array(BOX_WORDS);
  for (let axis = 0; axis < 3; axis++) {
    boxes[axis] = box[axis];
    boxes[4 + axis] = box[axis + 3];
    boxes[8 + axis] = 2 * box[axis];
    boxes[12 + axis] = 2 * box[axis + 3];
  }
  return boxes;
}

/**
 * Sets the mesh's coordinate frame from the bounds of all vertices. If vertices that no triangle uses extend
 * these bounds, the frame is set again from the other vertices, so that unused vertices cost no precision.
 * @param measure receives bounds in the user's units, and returns the minimum and maximum x, y, z of all
 * triangles in stored coordinates
 */
export function frameMesh(
  context: EngineContext,
  meshAt: number,
  statistics: MeshStatistics,
  measure: (bounds: Float32Array) => Float32Array,
): { bounds: Float32Array; box: Float32Array } {
  setFrame(context, meshAt, statistics.bounds, statistics.minMagnitude);
  const box = measure(statistics.bounds);
  if (isStoredBox(context, meshAt, statistics.bounds, box)) return { bounds: statistics.bounds, box };
  const bounds = boundReferenced(context, meshAt);
  setFrame(context, meshAt, bounds, statistics.minMagnitude);
  return { bounds, box: measure(bounds) };
}

/** Returns the union of `sliceCount` SliceBoxes. */
export function foldBoxes({ arena }: EngineContext, boxesAt: number, sliceCount: number): Float32Array {
  const box = new Float32Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  for (let slice = 0; slice < sliceCount; slice++) {
    const at = (boxesAt + slice * SliceBox.size) / 4;
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(box[axis], arena.f32[at + axis]);
      box[axis + 3] = Math.max(box[axis + 3], arena.f32[at + 4 + axis]);
    }
  }
  return box;
}
