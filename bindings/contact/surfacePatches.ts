// Finds which points (welded vertices) of a placed mesh lie inside another mesh's solid. The points are grouped
// into connected patches, and one point of each patch is tested.

import { gridPointAt } from './gridPoint.js';
import { containsPoint } from './overlapWithoutCrossing.js';
import { shellsOf, UnionFind } from './shells.js';
import type { Surface } from './surface.js';

/**
 * Groups a surface's points into patches. A patch is a set of points that are connected by triangles that do
 * not intersect the other surface. Either all points of a patch lie inside the other surface's solid, or none
 * does. A point on the other surface is a patch of its own. A patch is identified by its smallest point number.
 */
export class SurfacePatches {
  readonly #surface: Surface;
  readonly #joined: UnionFind;
  // Linked list of the points of each patch; it begins with the smallest point number, which identifies the
  // patch.
  readonly #next: Int32Array;
  readonly #known = new Map<number, boolean>();

  /** @param intersecting Triangles that intersect the other surface. */
  constructor(surface: Surface, intersecting: ReadonlySet<number>) {
    const {
      mesh: { vertexCount },
      indices,
    } = surface;
    const { weldedVertices } = shellsOf(surface.mesh);
    const used = new Uint8Array(vertexCount);
    this.#surface = surface;
    this.#joined = new UnionFind(vertexCount);
    for (let i = 0; i < indices.length; i += 3) {
      const x = weldedVertices[indices[i]];
      const y = weldedVertices[indices[i + 1]];
      const z = weldedVertices[indices[i + 2]];
      used[x] = used[y] = used[z] = 1;
      if (intersecting.has(i / 3)) continue;
      this.#joined.union(x, y);
      this.#joined.union(x, z);
    }
    this.#next = new Int32Array(vertexCount).fill(-1);
    for (let point = vertexCount - 1; point >= 0; point--) {
      const patch = this.#joined.find(point);
      if (!used[point] || patch === point) continue;
      this.#next[point] = this.#next[patch];
      this.#next[patch] = point;
    }
  }

  /** Returns the patches that contain a corner of at least one of these triangles. */
  at(triangles: Iterable<number>): Set<number> {
    const { weldedVertices } = shellsOf(this.#surface.mesh);
    const found = new Set<number>();
    for (const triangle of triangles)
      for (const vertex of this.#surface.vertices(triangle))
        found.add(this.#joined.find(weldedVertices[vertex]));
    return found;
  }

  /** Returns the patch of a point; the point is given as the number of a welded vertex. */
  patchOf(point: number): number {
    return this.#joined.find(point);
  }

  /**
   * Returns whether a patch lies inside the closed surface `other`; if the patch is a point on `other`, the
   * result may be true or false. The constructor's `intersecting` must be the triangles that intersect `other`.
   * Results are cached by patch, so every call must pass the same `other`.
   */
  isInside(patch: number, other: Surface): boolean {
    let known = this.#known.get(patch);
    if (known === undefined)
      this.#known.set(patch, (known = containsPoint(other, gridPointAt(this.pointOf(patch)))));
    return known;
  }

  /** Returns all points of a patch, three doubles each. */
  pointsOf(patch: number): Float64Array {
    let count = 0;
    for (let point = patch; point >= 0; point = this.#next[point]) count++;
    const placed = new Float64Array(3 * count);
    for (let point = patch, to = 0; point >= 0; point = this.#next[point], to += 3)
      this.#surface.place(point, placed, to);
    return placed;
  }

  /** Returns one point of a patch. */
  pointOf(patch: number): Float64Array {
    const placed = new Float64Array(3);
    this.#surface.place(patch, placed, 0);
    return placed;
  }
}
