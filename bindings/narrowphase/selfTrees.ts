// Meshes -> what pairs within each need beside its tree, kept in engine memory and made anew where
// coordinates or tree have changed.

import type { Mesh } from '../mesh/mesh.js';
import { LeafVertices, SelfBoxes, SelfTree } from '../records/deformingLayout.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import type { Backend } from '../runtime/backend.js';
import { Blocks } from '../runtime/blocks.js';
import { runStep } from '../runtime/steps.js';

/** Triangles that share a vertex are neighbours: one of the same index, or one of the same coordinates. */
export type Neighbours = 'index' | 'position';

/** Fewer leaves than this a thread are not worth a hand-off. */
const LEAVES_A_SLICE = 4096;

/** What there is of a mesh: what it is of, its memory, and the version whose boxes it has. */
interface Kept {
  shape: string;
  blocks: Blocks;
  treeAt: number;
  version: number;
}

export class SelfTrees {
  readonly #backend: Backend;
  readonly #kept = new Map<Mesh, Kept>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /**
   * @returns byte address of the mesh's SelfTree as the mesh is now. @throws WorkerLost, Capacity, Disposed;
   * nothing is kept of the mesh then.
   */
  of(mesh: Mesh, neighbours: Neighbours): number {
    const { treeVersion, version } = mesh;
    // Indices never change; coordinates may tell other neighbours in every version.
    const shape = `${neighbours} ${treeVersion} ${neighbours === 'index' ? '' : version}`;
    let kept = this.#kept.get(mesh);
    if (kept?.shape !== shape || mesh.isGone) {
      this.#release(mesh);
      for (const known of this.#kept.keys()) if (known.isGone) this.#release(known);
      this.#kept.set(
        mesh,
        (kept = { shape, blocks: new Blocks(this.#backend.arena), treeAt: 0, version: 0 }),
      );
    }
    try {
      if (kept.treeAt === 0) kept.treeAt = this.#link(kept.blocks, mesh, neighbours);
      if (kept.version !== version) runStep(this.#backend, 'fillBoxes', kept.treeAt, this.#slicesOf(mesh));
      kept.version = version;
      return kept.treeAt;
    } catch (error) {
      // A worker that was lost may still write there.
      this.#release(mesh);
      throw error;
    }
  }

  #release(mesh: Mesh): void {
    this.#kept.get(mesh)?.blocks.releaseAll();
    this.#kept.delete(mesh);
  }

  #slicesOf({ leafCount }: Mesh): number {
    return Math.max(1, Math.min(this.#backend.pool.threadCount, Math.floor(leafCount / LEAVES_A_SLICE)));
  }

  // @returns where the SelfTree is.
  #link(kept: Blocks, mesh: Mesh, neighbours: Neighbours): number {
    const backend = this.#backend;
    const { arena, pool } = this.#backend;
    const { recordAt: meshAt, nodeCount, leafCount, vertexCount, triangleCount } = mesh;
    const scratch = new Blocks(arena);
    try {
      const at = kept.take(SelfTree.size);
      const boxesAt = kept.take((nodeCount + leafCount) * SelfBoxes.size);
      const verticesAt = kept.take(leafCount * LeafVertices.size);
      const slotsAt = kept.take(4 * leafCount);
      const startsAt = scratch.take(4 * (vertexCount + 1));
      const entriesAt = scratch.take(12 * triangleCount);
      setWords(arena.u32, at, SelfTree, {
        meshAt,
        boxesAt,
        verticesAt,
        slotsAt,
        startsAt,
        entriesAt,
        numbersAt: 0,
        sliceCount: this.#slicesOf(mesh),
      });
      if (neighbours === 'position') this.#weld(at, vertexCount, scratch);
      pool.kernels.listVertices(at, 0, 1);
      runStep(backend, 'linkLeaves', at, this.#slicesOf(mesh));
      pool.kernels.listChildren(at, 0, 1);
      return at;
    } finally {
      scratch.releaseAll();
    }
  }

  // For every vertex the least one of the same coordinates.
  #weld(at: number, vertexCount: number, scratch: Blocks): void {
    const { arena, pool } = this.#backend;
    // At most half full.
    const tableBits = Math.ceil(Math.log2(2 * vertexCount + 2));
    const numbersAt = scratch.take(4 * vertexCount);
    const tableAt = scratch.take(4 * 2 ** tableBits);
    arena.u32.fill(limits.NOTHING, tableAt / 4, tableAt / 4 + 2 ** tableBits);
    setWords(arena.u32, at, SelfTree, { numbersAt, tableAt, tableBits });
    pool.kernels.weldVertices(at, 0, 1);
  }
}
