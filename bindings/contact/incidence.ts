// Lists the triangles at the vertices of a mesh. Vertices at the same position count as one.

import { perMesh } from './perMesh.js';
import { weldedCornersOf } from './shells.js';
import { Surface } from './surface.js';

/** Which triangles have which welded vertices. */
export class Incidence {
  // Three welded vertices for each triangle.
  readonly #corners: Uint32Array;
  // The triangles at welded vertex v are #triangles[i] with #firstAt[v] <= i < #firstAt[v + 1].
  readonly #firstAt: Uint32Array;
  readonly #triangles: Uint32Array;

  constructor(corners: Uint32Array, vertexCount: number) {
    this.#corners = corners;
    this.#firstAt = new Uint32Array(vertexCount + 1);
    for (const vertex of corners) this.#firstAt[vertex + 1]++;
    for (let vertex = 0; vertex < vertexCount; vertex++) this.#firstAt[vertex + 1] += this.#firstAt[vertex];
    this.#triangles = new Uint32Array(corners.length);
    const next = this.#firstAt.slice();
    corners.forEach((vertex, i) => {
      this.#triangles[next[vertex]++] = Math.floor(i / 3);
    });
  }

  /** Returns the welded vertices of triangles, three for each. */
  cornersOf(triangles: Iterable<number>): number[] {
    const corners: number[] = [];
    for (const triangle of triangles)
      for (let i = 3 * triangle; i < 3 * triangle + 3; i++) corners.push(this.#corners[i]);
    return corners;
  }

  /** Returns the other triangles that share a vertex with the given ones. */
  neighborsOf(triangles: readonly number[]): Set<number> {
    const found = new Set<number>();
    for (const vertex of this.cornersOf(triangles))
      for (let i = this.#firstAt[vertex]; i < this.#firstAt[vertex + 1]; i++) found.add(this.#triangles[i]);
    for (const triangle of triangles) found.delete(triangle);
    return found;
  }
}

/** Returns the incidence of a mesh. It is kept until the mesh's coordinates change. @throws Disposed */
export const incidenceOf = /* @__PURE__ */ perMesh(
  mesh => new Incidence(weldedCornersOf(new Surface(mesh)), mesh.vertexCount),
);
