// Collects segments and points in a triangle's plane that may reach into the triangle. Duplicate segments are
// collected only once.
import { projectionAxes } from './orientation.js';

const HASH = 0x9e3779b1;
const key = new Float64Array(6);
const words = new Int32Array(key.buffer);

/** Keeps only segments and points that overlap the bounding box of the triangle's projection. */
export class ProjectedBoxFilter {
  /** Six doubles for each segment, or three for each point. */
  readonly found: number[] = [];
  readonly #across: readonly [number, number];
  // Minimum and maximum of both coordinates of the triangle's projection.
  readonly #box: readonly number[];
  // For each hash: the number of the last segment with this hash.
  readonly #last = new Map<number, number>();
  // For each segment: the number of the previous segment with the same hash, or -1.
  readonly #previousWithHash: number[] = [];

  constructor(corners: Float64Array, axis: number) {
    const across = (this.#across = projectionAxes(axis));
    this.#box = across.flatMap(u => [
      Math.min(corners[u], corners[3 + u], corners[6 + u]),
      Math.max(corners[u], corners[3 + u], corners[6 + u]),
    ]);
  }

  /** Adds points that lie strictly inside the box. */
  addPoints(points: readonly number[]): void {
    const { found } = this;
    const [u, v] = this.#across;
    const box = this.#box;
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i + u];
      const y = points[i + v];
      if (x > box[0] && x < box[1] && y > box[2] && y < box[3])
        found.push(points[i], points[i + 1], points[i + 2]);
    }
  }

  /**
   * Adds segments that overlap the box. A segment and its reverse count as one; segments whose projection is a
   * point are left out.
   */
  addSegments(segments: readonly number[]): void {
    const [u, v] = this.#across;
    const box = this.#box;
    for (let i = 0; i < segments.length; i += 6) {
      const x = segments[i + u];
      const y = segments[i + v];
      const endX = segments[i + 3 + u];
      const endY = segments[i + 3 + v];
      if (
        Math.max(x, endX) <= box[0] ||
        Math.min(x, endX) >= box[1] ||
        Math.max(y, endY) <= box[2] ||
        Math.min(y, endY) >= box[3]
      )
        continue;
      if (x !== endX || y !== endY) this.#addSegment(segments, i);
    }
  }

  #addSegment(segments: readonly number[], at: number): void {
    const { found } = this;
    const last = this.#last;
    const before = this.#previousWithHash;
    const isReversed = comesAfter(segments, at);
    // Adding 0 turns -0 into 0, so that equal segments have the same hash.
    for (let i = 0; i < 6; i++) key[i] = segments[at + (isReversed ? (i + 3) % 6 : i)] + 0;
    let hash = 0;
    for (const word of words) hash = Math.imul(hash ^ word, HASH) ^ (hash >>> 15);
    const latest = last.get(hash) ?? -1;
    for (let other = latest; other >= 0; other = before[other])
      if (key.every((value, i) => value === found[6 * other + i])) return;
    last.set(hash, before.push(latest) - 1);
    found.push(...key);
  }
}

// Returns whether a segment's first end comes after its second end in the order of x, then y, then z.
function comesAfter(segments: readonly number[], at: number): boolean {
  for (let i = at; i < at + 3; i++) if (segments[i] !== segments[i + 3]) return segments[i] > segments[i + 3];
  return false;
}
