// A placed mesh that meets another -> which of its points lie within the other's solid, part of surface by
// part.

import { pointOf } from './grid.js';
import { holds } from './overlap.js';
import { Joined, shellsOf } from './shells.js';
import type { Surface } from './surface.js';

/**
 * Points of one surface that hang together by triangles which meet nothing: all of them are within the
 * other's solid, or none.
 */
export class Parts {
  readonly #surface: Surface;
  readonly #joined: Joined;
  // Points of a part, one after the other: it begins with the least, which stands for it.
  readonly #next: Int32Array;
  readonly #known = new Map<number, boolean>();

  /** met: triangles that meet the other surface. */
  constructor(surface: Surface, met: ReadonlySet<number>) {
    const {
      mesh: { vertexCount },
      indices,
    } = surface;
    const { points } = shellsOf(surface.mesh);
    const used = new Uint8Array(vertexCount);
    this.#surface = surface;
    this.#joined = new Joined(vertexCount);
    for (let at = 0; at < indices.length; at += 3) {
      const x = points[indices[at]];
      const y = points[indices[at + 1]];
      const z = points[indices[at + 2]];
      used[x] = used[y] = used[z] = 1;
      if (met.has(at / 3)) continue;
      this.#joined.join(x, y);
      this.#joined.join(x, z);
    }
    this.#next = new Int32Array(vertexCount).fill(-1);
    for (let point = vertexCount - 1; point >= 0; point--) {
      const part = this.#joined.of(point);
      if (!used[point] || part === point) continue;
      this.#next[point] = this.#next[part];
      this.#next[part] = point;
    }
  }

  /** The parts that these triangles reach. */
  at(triangles: Iterable<number>): Set<number> {
    const { points } = shellsOf(this.#surface.mesh);
    const found = new Set<number>();
    for (const triangle of triangles)
      for (const vertex of this.#surface.vertices(triangle)) found.add(this.#joined.of(points[vertex]));
    return found;
  }

  /** Whether a part lies within a closed surface that its triangles do not meet. */
  isWithin(part: number, other: Surface): boolean {
    let known = this.#known.get(part);
    if (known === undefined) this.#known.set(part, (known = holds(other, pointOf(this.pointOf(part)))));
    return known;
  }

  /** Three doubles a point. */
  pointsOf(part: number): Float64Array {
    let count = 0;
    for (let point = part; point >= 0; point = this.#next[point]) count++;
    const placed = new Float64Array(3 * count);
    for (let point = part, to = 0; point >= 0; point = this.#next[point], to += 3)
      this.#surface.place(point, placed, to);
    return placed;
  }

  /** One of them. */
  pointOf(part: number): Float64Array {
    const placed = new Float64Array(3);
    this.#surface.place(part, placed, 0);
    return placed;
  }
}
