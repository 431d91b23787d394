// Caches the data that a self-intersection query of a mesh needs in addition to the mesh's tree. The data are
// recomputed when the coordinates or the tree change.

import type { Mesh } from '../mesh/mesh.js';
import { LeafVertices, SelfBoxes, SelfTree } from '../records/deformingLayout.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { runStep } from '../runtime/steps.js';

/**
 * What makes two triangles neighbors: a shared vertex index ('index'), or vertices with equal coordinates
 * ('position').
 */
export type Neighbors = 'index' | 'position';

/** Min number of leaves per thread. Passing fewer leaves to another thread would cost more than it saves. */
const MIN_LEAVES_PER_SLICE = 4096;

/**
 * Cached data of one mesh. `key`: identifies the tree and the kind of neighbors for which the data are valid.
 * `blocks`: the memory of the data. `version`: the mesh version from which the boxes were computed.
 */
interface Entry {
  key: string;
  blocks: BlockGroup;
  treeAt: number;
  version: number;
}

export class SelfTrees {
  readonly #context: EngineContext;
  readonly #entries = new Map<Mesh, Entry>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /**
   * Returns the byte address of the mesh's SelfTree, which is built or updated if the mesh has changed.
   * @throws WorkerLost, Capacity, Disposed; after an error, no data of the mesh is kept.
   */
  prepareTree(mesh: Mesh, neighbors: Neighbors): number {
    const { treeVersion, version } = mesh;
    // Neighbors by index never change, because indices never change. Neighbors by position may change with
    // the coordinates.
    const key = `${neighbors} ${treeVersion} ${neighbors === 'index' ? '' : version}`;
    let entry = this.#entries.get(mesh);
    if (entry?.key !== key || mesh.isDisposed) {
      this.#release(mesh);
      for (const known of this.#entries.keys()) if (known.isDisposed) this.#release(known);
      this.#entries.set(
        mesh,
        (entry = { key, blocks: new BlockGroup(this.#context.arena), treeAt: 0, version: 0 }),
      );
    }
    try {
      if (entry.treeAt === 0) entry.treeAt = this.#link(entry.blocks, mesh, neighbors);
      if (entry.version !== version) runStep(this.#context, 'fillBoxes', entry.treeAt, this.#slicesOf(mesh));
      entry.version = version;
      return entry.treeAt;
    } catch (error) {
      // The data are dropped, because they may be incomplete, and because a lost worker may still write to
      // them.
      this.#release(mesh);
      throw error;
    }
  }

  #release(mesh: Mesh): void {
    this.#entries.get(mesh)?.blocks.releaseAll();
    this.#entries.delete(mesh);
  }

  #slicesOf({ leafCount }: Mesh): number {
    return Math.max(
      1,
      Math.min(this.#context.pool.threadCount, Math.floor(leafCount / MIN_LEAVES_PER_SLICE)),
    );
  }

  // Builds the SelfTree of a mesh, without the boxes, which `fillBoxes` writes. @returns the SelfTree's
  // address.
  #link(blocks: BlockGroup, mesh: Mesh, neighbors: Neighbors): number {
    const context = this.#context;
    const { arena, pool } = this.#context;
    const { recordAt: meshAt, nodeCount, leafCount, vertexCount, triangleCount } = mesh;
    const scratch = new BlockGroup(arena);
    try {
      const at = blocks.take(SelfTree.size);
      const boxesAt = blocks.take((nodeCount + leafCount) * SelfBoxes.size);
      const verticesAt = blocks.take(leafCount * LeafVertices.size);
      const slotsAt = blocks.take(4 * leafCount);
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
      if (neighbors === 'position') this.#weld(at, vertexCount, scratch);
      pool.kernels.listVertices(at, 0, 1);
      runStep(context, 'linkLeaves', at, this.#slicesOf(mesh));
      pool.kernels.listChildren(at, 0, 1);
      return at;
    } finally {
      scratch.releaseAll();
    }
  }

  // Maps every vertex to the first vertex with the same coordinates.
  #weld(at: number, vertexCount: number, scratch: BlockGroup): void {
    const { arena, pool } = this.#context;
    // The table is at most half full.
    const tableBits = Math.ceil(Math.log2(2 * vertexCount + 2));
    const numbersAt = scratch.take(4 * vertexCount);
    const tableAt = scratch.take(4 * 2 ** tableBits);
    arena.u32.fill(limits.NOTHING, tableAt / 4, tableAt / 4 + 2 ** tableBits);
    setWords(arena.u32, at, SelfTree, { numbersAt, tableAt, tableBits });
    pool.kernels.weldVertices(at, 0, 1);
  }
}
