// Meshes -> the spheres beside their boxes, kept in engine memory and made anew where coordinates or tree
// have changed.

import type { Mesh } from '../mesh/mesh.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { FillSpheresJob, SphereNode } from '../records/spheresLayout.js';
import type { Machine } from '../runtime/backend.js';
import { Blocks } from '../runtime/blocks.js';
import { runStep } from '../runtime/steps.js';

/** Fewer leaves than this a thread are not worth a hand-off. */
const LEAVES_A_SLICE = 256;
/** Where the farthest corner goes. */
const FARTHEST_BYTES = 16;

/** Spheres of a mesh as it was in a version of it. */
interface Kept {
  blocks: Blocks;
  at: number;
  version: number;
}

export class SphereTrees {
  readonly #backend: Machine;
  readonly #kept = new Map<Mesh, Kept>();

  constructor(backend: Machine) {
    this.#backend = backend;
  }

  /**
   * @returns byte address of the mesh's spheres as it is now, a SphereNode a node; 0 where it has none.
   * @throws WorkerLost, Capacity, Disposed; nothing is kept of the mesh then.
   */
  of(mesh: Mesh): number {
    const { thresholds, version } = mesh;
    if (!thresholds) return 0;
    const known = this.#kept.get(mesh);
    if (known?.version === version && !mesh.isGone) return known.at;
    this.#release(mesh);
    for (const other of this.#kept.keys()) if (other.isGone) this.#release(other);
    const blocks = new Blocks(this.#backend.arena);
    const kept: Kept = { blocks, at: 0, version };
    try {
      kept.at = blocks.take(mesh.nodeCount * SphereNode.size);
      this.#fill(mesh, thresholds, kept.at);
    } catch (error) {
      // A worker that was lost may still write there.
      blocks.releaseAll();
      throw error;
    }
    this.#kept.set(mesh, kept);
    return kept.at;
  }

  #release(mesh: Mesh): void {
    this.#kept.get(mesh)?.blocks.releaseAll();
    this.#kept.delete(mesh);
  }

  #fill({ recordAt: meshAt, leafCount }: Mesh, thresholds: readonly number[], spheresAt: number): void {
    const backend = this.#backend;
    const { arena, pool } = this.#backend;
    const scratch = new Blocks(arena);
    const sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(leafCount / LEAVES_A_SLICE)));
    try {
      const jobAt = scratch.take(FillSpheresJob.size);
      const thresholdsAt = scratch.take(4 * thresholds.length);
      const scratchBytes = 64 * Math.ceil((FARTHEST_BYTES + 4 * leafCount) / 64);
      const scratchAt = scratch.take(sliceCount * scratchBytes);
      arena.f32.set(thresholds, thresholdsAt / 4);
      setWords(arena.u32, jobAt, FillSpheresJob, {
        meshAt,
        spheresAt,
        thresholdsAt,
        thresholdCount: thresholds.length,
        scratchAt,
        scratchBytes,
        sliceCount,
      });
      runStep(backend, 'fillSpheres', jobAt, sliceCount);
    } finally {
      scratch.releaseAll();
    }
  }
}

/** Thresholds of a mesh: one a level at most. */
export const MOST_LEVELS: number = limits.STACK_DEPTH;
