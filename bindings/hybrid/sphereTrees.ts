// Keeps the spheres of meshes in engine memory and recomputes them when the coordinates or the tree change.

import type { Mesh } from '../mesh/mesh.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { FillSpheresJob, SphereNode } from '../records/spheresLayout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { KernelContext } from '../runtime/engineContext.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';

/** Min number of leaves per thread. Passing fewer leaves to another thread would cost more than it saves. */
const MIN_LEAVES_PER_SLICE = 256;
/**
 * Bytes at the beginning of a thread's scratch memory, for the vector from a sphere's center to the farthest
 * corner.
 */
const FARTHEST_BYTES = 16;

/** Spheres of a mesh in one of its versions. */
interface Entry {
  blocks: BlockGroup;
  at: number;
  version: number;
}

export class SphereTrees {
  readonly #context: KernelContext;
  readonly #entries = new Map<Mesh, Entry>();

  constructor(context: KernelContext) {
    this.#context = context;
  }

  /**
   * Returns the byte address of the mesh's spheres for its current version, one SphereNode per node; 0 if the
   * mesh has no spheres.
   * @throws WorkerLost, Capacity, Disposed; after an error, no spheres of the mesh are kept.
   */
  of(mesh: Mesh): number {
    const { thresholds, version } = mesh;
    if (!thresholds) return 0;
    const known = this.#entries.get(mesh);
    if (known?.version === version && !mesh.isDisposed) return known.at;
    this.#release(mesh);
    for (const other of this.#entries.keys()) if (other.isDisposed) this.#release(other);
    const blocks = new BlockGroup(this.#context.arena);
    const entry: Entry = { blocks, at: 0, version };
    try {
      entry.at = blocks.take(mesh.nodeCount * SphereNode.size);
      this.#fill(mesh, thresholds, entry.at);
    } catch (error) {
      // The spheres are incomplete. A lost worker may still write to this memory, but the arena does not
      // reuse the memory before that worker has finished its order or ended.
      blocks.releaseAll();
      throw error;
    }
    this.#entries.set(mesh, entry);
    return entry.at;
  }

  #release(mesh: Mesh): void {
    this.#entries.get(mesh)?.blocks.releaseAll();
    this.#entries.delete(mesh);
  }

  #fill({ recordAt: meshAt, leafCount }: Mesh, thresholds: readonly number[], spheresAt: number): void {
    const context = this.#context;
    const { arena, pool } = this.#context;
    const scratch = new BlockGroup(arena);
    const sliceCount = sliceCountOf(pool.threadCount, leafCount, MIN_LEAVES_PER_SLICE);
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
      runStep(context, 'fillSpheres', jobAt, sliceCount);
    } finally {
      scratch.releaseAll();
    }
  }
}

/** Max number of thresholds: one per level. */
export const MAX_LEVELS: number = limits.STACK_DEPTH;
