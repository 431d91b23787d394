// Collects the results of chunks of rays, and decides exactly whether rays hit the triangles that the kernel
// has deferred.

import { limits } from '../records/layout.js';
import { raysLimits } from '../records/raysLayout.js';
import { compareExact, type ExactTime, exactHit, toNearest } from './exactHit.js';
import type { RayChunk, RayTriangle } from './rayChunk.js';
import { AllRayHits, RayHits } from './rayHits.js';
import type { RayCast } from './rayOptions.js';

/** A hit whose parameter is known exactly. */
interface ExactRayHit extends RayTriangle {
  readonly time: ExactTime;
}

/** The hits of a chunk with `want: 'all'`. */
interface ChunkHits {
  readonly triangle: Int32Array;
  readonly t: Float64Array;
  readonly body: Uint32Array;
}

export class RayResults {
  readonly #cast: RayCast;
  readonly #hasBodies: boolean;
  readonly #triangle: Int32Array;
  readonly #t: Float64Array;
  readonly #body: Uint32Array;
  /** The number of hits of each ray. With `want: 'any'`, 1 if the ray hits anything, otherwise 0. */
  readonly #counts: Uint32Array;
  readonly #chunks: ChunkHits[] = [];

  constructor(cast: RayCast, hasBodies: boolean) {
    const { count, want } = cast;
    this.#cast = cast;
    this.#hasBodies = hasBodies;
    const closestCount = want === 'closest' ? count : 0;
    this.#triangle = new Int32Array(closestCount).fill(-1);
    this.#t = new Float64Array(closestCount).fill(Infinity);
    this.#body = new Uint32Array(hasBodies ? closestCount : 0).fill(limits.NOTHING);
    this.#counts = new Uint32Array(want === 'closest' ? 0 : count);
  }

  /**
   * Adds the results of the `count` rays that the chunk has just cast. first: number of the first of these
   * rays.
   */
  add(chunk: RayChunk, first: number, count: number): void {
    const { want } = this.#cast;
    if (want === 'closest') this.#addClosest(chunk, first, count);
    else {
      this.#counts.set(chunk.counts(count), first);
      if (want === 'all') this.#addAll(chunk, first, count);
      else this.#addCounts(chunk, first);
    }
  }

  /** Returns the result of the call. */
  finish(): RayHits | AllRayHits | Uint8Array | Uint32Array {
    const { want, count } = this.#cast;
    if (want === 'any') return Uint8Array.from(this.#counts);
    if (want === 'count') return this.#counts;
    if (want === 'closest')
      return new RayHits(this.#triangle, this.#t, this.#hasBodies ? this.#body : undefined);
    const offsets = new Uint32Array(count + 1);
    for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i] + this.#counts[i];
    const triangle = new Int32Array(offsets[count]);
    const t = new Float64Array(offsets[count]);
    const body = new Uint32Array(this.#hasBodies ? offsets[count] : 0);
    let at = 0;
    for (const hits of this.#chunks) {
      triangle.set(hits.triangle, at);
      t.set(hits.t, at);
      if (this.#hasBodies) body.set(hits.body, at);
      at += hits.t.length;
    }
    return new AllRayHits(offsets, triangle, t, this.#hasBodies ? body : undefined);
  }

  #addClosest(chunk: RayChunk, first: number, count: number): void {
    const { triangle, body, t } = chunk.closest(count);
    this.#triangle.set(triangle, first);
    this.#t.set(t, first);
    if (this.#hasBodies)
      for (let i = 0; i < count; i++)
        this.#body[first + i] = triangle[i] < 0 ? limits.NOTHING : chunk.bodyOf(body[i]);
    for (const [ray, deferred] of chunk.undecided()) {
      if (triangle[ray] >= 0) deferred.push({ target: body[ray], triangle: triangle[ray] });
      const [hit] = this.#decide(chunk, first + ray, deferred);
      if (!hit) continue;
      this.#triangle[first + ray] = hit.triangle;
      this.#t[first + ray] = toNearest(hit.time);
      if (this.#hasBodies) this.#body[first + ray] = chunk.bodyOf(hit.target);
    }
  }

  #addCounts(chunk: RayChunk, first: number): void {
    const isAny = this.#cast.want === 'any';
    for (const [ray, deferred] of chunk.undecided()) {
      if (isAny && this.#counts[first + ray] > 0) continue;
      const { length } = this.#decide(chunk, first + ray, deferred);
      this.#counts[first + ray] = isAny ? Math.min(1, length) : this.#counts[first + ray] + length;
    }
  }

  #addAll(chunk: RayChunk, first: number, count: number): void {
    const undecided = chunk.undecided();
    const counts = chunk.counts(count).slice();
    const triangle: number[] = [];
    const t: number[] = [];
    const body: number[] = [];
    const append = (hit: RayTriangle, time: number): void => {
      triangle.push(hit.triangle);
      t.push(time);
      if (this.#hasBodies) body.push(chunk.bodyOf(hit.target));
    };
    for (let from = 0; from < count; from += raysLimits.RAY_BLOCK) {
      const end = Math.min(count, from + raysLimits.RAY_BLOCK);
      const total = counts.subarray(from, end).reduce((sum, one) => sum + one, 0);
      let ray = from;
      let left = counts[ray];
      let decided: RayTriangle[] = [];
      // Finishes the current ray if all its hits from the kernel have been visited, and then each following ray
      // that has no such hits. If a ray has deferred triangles, tests them and the ray's hits from the kernel
      // exactly, and appends the triangles that the ray hits.
      const complete = (): void => {
        while (ray < end && left === 0) {
          const deferred = undecided.get(ray);
          if (deferred) {
            const hits = this.#decide(chunk, first + ray, [...decided, ...deferred]);
            for (const hit of hits) append(hit, toNearest(hit.time));
            this.#counts[first + ray] = hits.length;
          }
          decided = [];
          ray++;
          left = counts[ray];
        }
      };
      complete();
      chunk.forEachHit(from / raysLimits.RAY_BLOCK, total, (hit, time) => {
        if (undecided.has(ray)) decided.push(hit);
        else append(hit, time);
        left--;
        complete();
      });
    }
    this.#chunks.push({
      triangle: Int32Array.from(triangle),
      t: Float64Array.from(t),
      body: Uint32Array.from(body),
    });
  }

  // Tests each of the given triangles exactly. Returns the triangles that the ray hits, sorted by the exact
  // parameter, then by body and triangle.
  #decide(chunk: RayChunk, ray: number, triangles: readonly RayTriangle[]): ExactRayHit[] {
    const { origins, directions, max, side } = this.#cast;
    const numbers = Float64Array.of(
      ...origins.subarray(3 * ray, 3 * ray + 3),
      ...directions.subarray(3 * ray, 3 * ray + 3),
    );
    const limit = typeof max === 'number' ? max : max[ray];
    const distinct = new Map(triangles.map(one => [`${one.target} ${one.triangle}`, one]));
    return [...distinct.values()]
      .flatMap(one => {
        const time = exactHit(numbers, chunk.cornersOf(one), limit, side);
        return time ? [{ ...one, time }] : [];
      })
      .sort(
        (a, b) =>
          compareExact(a.time, b.time) ||
          chunk.bodyOf(a.target) - chunk.bodyOf(b.target) ||
          a.triangle - b.triangle,
      );
  }
}
