// Names the cells of a mesh: its triangles and edges, by the positions of their corners. Two triangles with the same
// corners are one cell, and so are edges with the same ends.

import { shellsOf } from '../shells.js';
import type { Surface } from '../surface.js';

/** Names of cells are below this: maps have at most 2^24 entries. So one double can hold two names. */
const SPAN = 2 ** 26;

/** Returns a key for two names of cells. */
export const keyOf = (one: number, other: number): number => one * SPAN + other;

/** Names cells of a mesh when they are first needed. */
export class Cells {
  readonly #corners: (triangle: number) => [number, number, number];
  readonly #triangles = new Map<number, number>();
  // The names of pairs of vertices, and of a pair with a third vertex.
  readonly #pairs = new Map<number, number>();
  readonly #triples = new Map<number, number>();
  // The names of the added triangles that are a cell or have it as an edge, by the name of the cell.
  readonly #around = new Map<number, Set<number>>();
  readonly #vertexCount: number;
  #count = 0;

  constructor(surface: Surface) {
    this.#vertexCount = surface.mesh.vertexCount;
    const { weldedVertices } = shellsOf(surface.mesh);
    const { indices } = surface;
    this.#corners = triangle => [
      weldedVertices[indices[3 * triangle]],
      weldedVertices[indices[3 * triangle + 1]],
      weldedVertices[indices[3 * triangle + 2]],
    ];
  }

  /** Returns the name of a triangle. */
  ofTriangle(triangle: number): number {
    let known = this.#triangles.get(triangle);
    if (known === undefined) {
      const [low, middle, high] = this.#corners(triangle).sort((x, y) => x - y);
      known = this.#nameOf(this.#triples, this.#edgeName(low, middle), high);
      this.#triangles.set(triangle, known);
    }
    return known;
  }

  /** Returns the name of the edge from corner `corner` of a triangle to the next one. */
  ofEdge(triangle: number, corner: number): number {
    const corners = this.#corners(triangle);
    const [from, to] = [corners[corner], corners[(corner + 1) % 3]];
    return from < to ? this.#edgeName(from, to) : this.#edgeName(to, from);
  }

  /** Adds a triangle to those that `around` returns. */
  addAround(triangle: number): void {
    const name = this.ofTriangle(triangle);
    for (const cell of [name, ...[0, 1, 2].map(corner => this.ofEdge(triangle, corner))]) {
      const known = this.#around.get(cell);
      if (known) known.add(name);
      else this.#around.set(cell, new Set([name]));
    }
  }

  /** Returns the names of the added triangles that are this cell or have it as an edge. */
  around(cell: number): Iterable<number> {
    return this.#around.get(cell) ?? [];
  }

  #edgeName(low: number, high: number): number {
    return this.#nameOf(this.#pairs, low, high);
  }

  // Returns the name of a number together with a vertex.
  #nameOf(names: Map<number, number>, first: number, vertex: number): number {
    const key = first * this.#vertexCount + vertex;
    let name = names.get(key);
    if (name === undefined) names.set(key, (name = this.#count++));
    return name;
  }
}
