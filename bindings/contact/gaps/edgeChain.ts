// The open edges of a triangle mesh, as a set of directed edges that can be divided into loops.
import { lengthOf, minus, type Vector } from '../overlapDepth/piece.js';

/** Returns the position of a vertex. */
export type PointOf = (vertex: number) => Vector;

/** A directed edge, and how often it is used. */
export interface Edge {
  from: number;
  to: number;
  count: number;
}

/**
 * Directed edges between vertices: how often each edge is used from its first to its last vertex, minus how
 * often it is used in the other direction. At each vertex, as many edges end as begin.
 */
export class EdgeChain {
  readonly #uses = new Map<number, Map<number, number>>();

  /** Adds an edge `count` times; removes it if `count` is below 0. */
  add(from: number, to: number, count: number): void {
    if (from === to) return;
    this.#addOneWay(from, to, count);
    this.#addOneWay(to, from, -count);
  }

  #addOneWay(from: number, to: number, count: number): void {
    const ends = this.#uses.get(from) ?? new Map<number, number>();
    const sum = (ends.get(to) ?? 0) + count;
    if (sum === 0) ends.delete(to);
    else ends.set(to, sum);
    if (ends.size > 0) this.#uses.set(from, ends);
    else this.#uses.delete(from);
  }

  /** The vertices at which edges begin or end. */
  get vertices(): number[] {
    return [...this.#uses.keys()];
  }

  /** Lists the edges, each in the direction in which its count is above 0. */
  edges(): Edge[] {
    return [...this.#uses].flatMap(([from, ends]) =>
      [...ends].filter(([, count]) => count > 0).map(([to, count]) => ({ from, to, count })),
    );
  }

  /**
   * Removes all edges, as closed loops that visit no vertex twice. At a vertex with several edges, a loop
   * continues to the vertex nearest to where it came from, so that loops around narrow gaps stay narrow.
   */
  takeLoops(pointOf: PointOf): number[][] {
    const loops: number[][] = [];
    for (const start of this.vertices) {
      const path = [start];
      const placeOf = new Map([[start, 0]]);
      for (;;) {
        const at = path[path.length - 1];
        const next = this.#nextAfter(at, path[path.length - 2] ?? at, pointOf);
        // As many edges end at a vertex as begin there, so the path has no end but its start.
        if (next === undefined) break;
        this.add(at, next, -1);
        const place = placeOf.get(next);
        if (place === undefined) {
          placeOf.set(next, path.push(next) - 1);
          continue;
        }
        const loop = path.splice(place + 1);
        for (const vertex of loop) placeOf.delete(vertex);
        loops.push([next, ...loop]);
      }
    }
    return loops;
  }

  #nextAfter(at: number, before: number, pointOf: PointOf): number | undefined {
    const ends = [...(this.#uses.get(at) ?? [])].filter(([, count]) => count > 0).map(([to]) => to);
    if (ends.length < 2) return ends[0];
    const origin = pointOf(before);
    const lengths = ends.map(end => lengthOf(minus(pointOf(end), origin)));
    return ends[lengths.indexOf(Math.min(...lengths))];
  }
}
