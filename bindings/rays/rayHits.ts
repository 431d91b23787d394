// The results of castRays.

import { printAs } from '../core/printing.js';

/** The first hit of each ray. The arrays are copies; later calls do not change them. */
export class RayHits {
  /** Number of rays. */
  readonly rayCount: number;
  /** Number of rays that hit a triangle. */
  readonly count: number;
  /**
   * For each ray, the triangle that it hits first, or -1 if it hits nothing. If the ray meets several triangles
   * at the same point, this is the triangle with the lowest number in the body with the lowest id. Which
   * triangle is first is decided exactly.
   */
  readonly triangle: Int32Array;
  /**
   * For each ray, the parameter t of the hit point origin + t * direction, rounded to the nearest double;
   * Infinity if the ray hits no triangle.
   */
  readonly t: Float64Array;
  /**
   * For scenes, the id of the body that each ray hits first, or 0xffffffff if the ray hits nothing. For meshes,
   * undefined.
   */
  readonly body: Uint32Array | undefined;

  /** @internal */
  constructor(triangle: Int32Array, t: Float64Array, body: Uint32Array | undefined) {
    this.rayCount = triangle.length;
    this.count = triangle.reduce((sum, hit) => sum + (hit >= 0 ? 1 : 0), 0);
    this.triangle = triangle;
    this.t = t;
    this.body = body;
  }
}
printAs(RayHits.prototype, 'RayHits', ['rayCount', 'count', 'triangle', 't', 'body']);

/**
 * All hits of each ray. The hits of ray i are the entries k with offsets[i] <= k < offsets[i + 1], sorted by
 * the exact t, then by body and triangle. The arrays are copies; later calls do not change them.
 */
export class AllRayHits {
  /** Number of rays. */
  readonly rayCount: number;
  /** Number of hits of all rays. */
  readonly count: number;
  /** Index of the first hit of each ray; the last entry is the number of hits. */
  readonly offsets: Uint32Array;
  /** The triangle of each hit. */
  readonly triangle: Int32Array;
  /** The parameter t of each hit, rounded to the nearest double. */
  readonly t: Float64Array;
  /** For scenes, the id of the body of each hit. For meshes, undefined. */
  readonly body: Uint32Array | undefined;

  /** @internal */
  constructor(offsets: Uint32Array, triangle: Int32Array, t: Float64Array, body: Uint32Array | undefined) {
    this.rayCount = offsets.length - 1;
    this.count = triangle.length;
    this.offsets = offsets;
    this.triangle = triangle;
    this.t = t;
    this.body = body;
  }
}
printAs(AllRayHits.prototype, 'AllRayHits', ['rayCount', 'count', 'offsets', 'triangle', 't', 'body']);
