// Computes how often a closed mesh winds around each vertex of another mesh, after mesh A has moved by an
// infinitesimal vector (see generalPosition.ts).

import { shellsOf } from '../shells.js';
import type { Surface } from '../surface.js';
import { SurfacePatches } from '../surfacePatches.js';
import { movedWinding } from './generalPosition.js';

/**
 * The winding numbers of `other` around the vertices of `own`. A ray is cast for one vertex of each connected
 * piece of `own`. From there, the winding number changes only where an edge crosses `other`.
 */
export class PatchWindings {
  readonly #own: Surface;
  readonly #patches: SurfacePatches;
  readonly #weldedVertices: Uint32Array;
  readonly #windings = new Map<number, number>();

  /**
   * @param sign 1 if `own` is mesh A, which moves; -1 if `own` is mesh B.
   * @param intersecting Triangles of `own` that intersect `other`.
   * @param jumps By how much the winding number changes along an edge: entry 3 t + i belongs to the edge of
   * triangle t from corner i to corner i + 1. Edges that do not cross `other` have no entry.
   */
  constructor(
    own: Surface,
    other: Surface,
    sign: 1 | -1,
    intersecting: ReadonlySet<number>,
    jumps: ReadonlyMap<number, number>,
  ) {
    this.#own = own;
    this.#patches = new SurfacePatches(own, intersecting);
    this.#weldedVertices = shellsOf(own.mesh).weldedVertices;
    const steps = this.#stepsOf(intersecting, jumps);
    const windings = this.#windings;
    const { indices } = own;
    for (let i = 0; i < indices.length; i++) {
      const first = this.patchOf(indices[i]);
      if (windings.has(first)) continue;
      windings.set(first, movedWinding(other, this.#patches.pointOf(first), sign));
      const open = [first];
      for (let patch = open.pop(); patch !== undefined; patch = open.pop()) {
        const winding = windings.get(patch)!;
        for (const { to, jump } of steps.get(patch) ?? []) {
          if (windings.has(to)) continue;
          windings.set(to, winding + jump);
          open.push(to);
        }
      }
    }
  }

  /** Returns the winding numbers around the three corners of a triangle. */
  at(triangle: number): [number, number, number] {
    const [x, y, z] = this.#own.vertices(triangle);
    const at = (vertex: number): number => this.#windings.get(this.patchOf(vertex))!;
    return [at(x), at(y), at(z)];
  }

  /** Returns the patch of a vertex (see SurfacePatches). */
  patchOf(vertex: number): number {
    return this.#patches.patchOf(this.#weldedVertices[vertex]);
  }

  // Lists for each patch the patches to which edges of intersecting triangles lead, with the change of the
  // winding number.
  #stepsOf(
    intersecting: ReadonlySet<number>,
    jumps: ReadonlyMap<number, number>,
  ): Map<number, { to: number; jump: number }[]> {
    const steps = new Map<number, { to: number; jump: number }[]>();
    const add = (from: number, to: number, jump: number): void => {
      const known = steps.get(from);
      if (known) known.push({ to, jump });
      else steps.set(from, [{ to, jump }]);
    };
    for (const triangle of intersecting) {
      const corners = Array.from(this.#own.vertices(triangle), vertex => this.patchOf(vertex));
      for (let i = 0; i < 3; i++) {
        const [from, to] = [corners[i], corners[(i + 1) % 3]];
        if (from === to) continue;
        const jump = jumps.get(3 * triangle + i) ?? 0;
        add(from, to, jump);
        add(to, from, -jump);
      }
    }
    return steps;
  }
}
