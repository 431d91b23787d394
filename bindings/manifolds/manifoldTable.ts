// Stores the contact manifolds of the body pairs of a frame. The arrays are reused from frame to frame. New
// ones are allocated only if more body pairs, manifolds or points are stored than ever before.

import { printAs } from '../core/printing.js';
import { Manifold } from '../records/manifoldLayout.js';

/**
 * Contact manifolds: regions in which two bodies touch, each with a normal and up to four points. Bodies that
 * are not in contact have none.
 */
export interface Manifolds {
  /** Number of manifolds. */
  count: number;
  /** Number of points of all manifolds. */
  pointCount: number;
  /**
   * The manifolds of a scene's contact i have the indices from manifoldsAt[i] up to, but not including,
   * manifoldsAt[i + 1]. In the result of `engine.contacts(a, b)`, the entries are 0 and `count`.
   */
  manifoldsAt: Uint32Array;
  /**
   * The points of manifold m have the indices from pointsAt[m] up to, but not including, pointsAt[m + 1]. Each
   * manifold has one to four points.
   */
  pointsAt: Uint32Array;
  /**
   * The normal of each manifold in the common frame: a unit vector from the first body to the second, three
   * numbers.
   */
  normals: Float64Array;
  /**
   * The position of each point, three numbers, in the common frame. The surface of the first body is half the
   * depth away in the direction of the normal. The surface of the second body is half the depth away in the
   * opposite direction.
   */
  points: Float64Array;
  /**
   * How deep the bodies overlap at each point, along the normal, in units of the common frame; at least 0.
   */
  depths: Float64Array;
  /**
   * For each point, a number that identifies the feature that made it: a vertex, or a pair of edges. The number
   * stays the same from frame to frame, so a solver can start from the last impulses of the same point.
   */
  features: Uint32Array;
}

const printed = printAs({} as Manifolds, 'Manifolds', [
  'count',
  'pointCount',
  'manifoldsAt',
  'pointsAt',
  'normals',
  'points',
  'depths',
  'features',
]);

export class ManifoldTable {
  #ownerCount = 0;
  #count = 0;
  #pointCount = 0;
  #manifoldsAt = new Uint32Array(64);
  #pointsAt = new Uint32Array(64);
  #normals = new Float64Array(3 * 64);
  #points = new Float64Array(3 * 64);
  #depths = new Float64Array(64);
  #features = new Uint32Array(64);

  clear(): void {
    this.#ownerCount = this.#count = this.#pointCount = 0;
    this.#manifoldsAt[0] = this.#pointsAt[0] = 0;
  }

  /** Begins the manifolds of the next body pair. */
  beginOwner(): void {
    if (this.#ownerCount + 2 > this.#manifoldsAt.length) this.#manifoldsAt = larger(this.#manifoldsAt);
    this.#manifoldsAt[this.#ownerCount++] = this.#count;
    this.#manifoldsAt[this.#ownerCount] = this.#count;
  }

  /** Appends a Manifold record at byte address `at` to the manifolds of the current body pair. */
  add({ u32, f64 }: { u32: Uint32Array; f64: Float64Array }, at: number): void {
    const count = u32[(at + Manifold.at.count) / 4];
    const from = (at + Manifold.at.points) / 8;
    this.#reserve(1, count);
    for (let axis = 0; axis < 3; axis++) this.#normals[3 * this.#count + axis] = f64[at / 8 + axis];
    for (let i = 0; i < count; i++) {
      for (let axis = 0; axis < 3; axis++)
        this.#points[3 * this.#pointCount + axis] = f64[from + 3 * i + axis];
      this.#depths[this.#pointCount] = f64[(at + Manifold.at.depths) / 8 + i];
      this.#features[this.#pointCount++] = u32[(at + Manifold.at.features) / 4 + i];
    }
    this.#pointsAt[++this.#count] = this.#pointCount;
    this.#manifoldsAt[this.#ownerCount] = this.#count;
  }

  /** Appends the manifolds of one body pair of another table to the current body pair. */
  addFrom(other: ManifoldTable, owner: number): void {
    const begin = other.#manifoldsAt[owner];
    const end = other.#manifoldsAt[owner + 1];
    const from = other.#pointsAt[begin];
    const to = other.#pointsAt[end];
    this.#reserve(end - begin, to - from);
    for (let m = begin; m <= end; m++)
      this.#pointsAt[this.#count + m - begin] = this.#pointCount + other.#pointsAt[m] - from;
    this.#normals.set(other.#normals.subarray(3 * begin, 3 * end), 3 * this.#count);
    this.#points.set(other.#points.subarray(3 * from, 3 * to), 3 * this.#pointCount);
    this.#depths.set(other.#depths.subarray(from, to), this.#pointCount);
    this.#features.set(other.#features.subarray(from, to), this.#pointCount);
    this.#pointCount += to - from;
    this.#count += end - begin;
    this.#manifoldsAt[this.#ownerCount] = this.#count;
  }

  /** Returns views of the lists, which are valid until the table is changed. */
  view(): Manifolds {
    return {
      __proto__: printed,
      count: this.#count,
      pointCount: this.#pointCount,
      manifoldsAt: this.#manifoldsAt.subarray(0, this.#ownerCount + 1),
      pointsAt: this.#pointsAt.subarray(0, this.#count + 1),
      normals: this.#normals.subarray(0, 3 * this.#count),
      points: this.#points.subarray(0, 3 * this.#pointCount),
      depths: this.#depths.subarray(0, this.#pointCount),
      features: this.#features.subarray(0, this.#pointCount),
    } as Manifolds;
  }

  copy(): Manifolds {
    const view = this.view();
    for (const [name, value] of Object.entries(view))
      if (ArrayBuffer.isView(value))
        (view as unknown as Record<string, unknown>)[name] = (value as Float64Array).slice();
    return view;
  }

  // Makes room for this many more manifolds and points.
  #reserve(manifoldCount: number, pointCount: number): void {
    while (this.#count + manifoldCount + 1 > this.#pointsAt.length) {
      this.#pointsAt = larger(this.#pointsAt);
      this.#normals = larger(this.#normals);
    }
    while (this.#pointCount + pointCount > this.#depths.length) {
      this.#points = larger(this.#points);
      this.#depths = larger(this.#depths);
      this.#features = larger(this.#features);
    }
  }
}

function larger<List extends Uint32Array | Float64Array>(list: List): List {
  const copy = new (list.constructor as new (length: number) => List)(2 * list.length);
  copy.set(list);
  return copy;
}
