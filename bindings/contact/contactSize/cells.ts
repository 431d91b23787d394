// Gives each cell of a mesh (each triangle and each edge) a number as its name. Triangles whose corners have
// the same positions are one cell with one name, and so are edges whose ends have the same positions.

import { shellsOf } from '../shells.js';
import type { Surface } from '../surface.js';

/**
 * All names are less than this: the entries of two maps are numbered consecutively, and a map has at most 2^24
 * entries. Two names have at most 52 bits together, so a double holds both exactly.
 */
const SPAN = 2 ** 26;

/** Returns a key that identifies two names in this order. */
export const keyOf = (one: number, other: number): number => one * SPAN + other;

/** Gives the cells of a mesh their names when these are first needed. */
export class Cells {
  readonly #corners: (triangle: number) => [number, number, number];
  readonly #triangles = new Map<number, number>();
  // #pairs has the names of edges. The key of an edge consists of its two vertices. #triples has the names of
  // triangles. The key of a triangle consists of the name of the edge between its two vertices with the lowest
  // numbers, and of its third vertex. #nameOf computes the keys.
  readonly #pairs = new Map<number, number>();
  readonly #triples = new Map<number, number>();
  // For the name of each cell: the names of the triangles, among those passed to `addAround`, that are this
  // cell or have it as an edge.
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

  /** Returns the name of the edge from corner `corner` of a triangle to the next corner. */
  ofEdge(triangle: number, corner: number): number {
    const corners = this.#corners(triangle);
    const [from, to] = [corners[corner], corners[(corner + 1) % 3]];
    return from < to ? this.#edgeName(from, to) : this.#edgeName(to, from);
  }

  /** Adds a triangle to those that `around` returns for the triangle itself and for its edges. */
  addAround(triangle: number): void {
    const name = this.ofTriangle(triangle);
    for (const cell of [name, ...[0, 1, 2].map(corner => this.ofEdge(triangle, corner))]) {
      const known = this.#around.get(cell);
      if (known) known.add(name);
      else this.#around.set(cell, new Set([name]));
    }
  }

  /**
   * Returns the names of the triangles, among those passed to `addAround`, that are this cell or have it as an
   * edge.
   */
  around(cell: number): Iterable<number> {
    return this.#around.get(cell) ?? [];
  }

  #edgeName(low: number, high: number): number {
    return this.#nameOf(this.#pairs, low, high);
  }

  // Returns the name of an edge or a triangle, and gives it a new name if it has none. first: the lower vertex
  // of the edge, or the name of the edge between the two lower vertices of the triangle. vertex: the highest
  // vertex.
  #nameOf(names: Map<number, number>, first: number, vertex: number): number {
    const key = first * this.#vertexCount + vertex;
    let name = names.get(key);
    if (name === undefined) names.set(key, (name = this.#count++));
    return name;
  }
}
