// Meshes -> what pairs within each need beside its tree, kept in engine memory and made anew where coordinates or tree have changed.
import type { Backend } from '../backend.js';
import { Blocks } from '../blocks.js';
import { LeafVertices, SelfBoxes, SelfTree } from '../deformingLayout.js';
import { limits } from '../layout.js';
import { Buffer } from '../memory.js';
import type { Mesh } from '../mesh.js';
import { setWords } from '../record.js';
import { runStep } from '../steps.js';

/** Triangles that share a vertex are neighbours: one of the same index, or one of the same coordinates. */
export type Neighbours = 'index' | 'position';

/** Fewer leaves than this a thread are not worth a hand-off. */
const LEAVES_A_SLICE = 4096;

class Kept {
  /** What the links are of, and what the boxes are of. */
  shape = '';
  version = 0;
  readonly tree: Buffer;
  readonly boxes: Buffer;
  readonly vertices: Buffer;
  readonly slots: Buffer;

  constructor({ arena }: Backend) { [this.tree, this.boxes, this.vertices, this.slots] = [new Buffer(arena), new Buffer(arena), new Buffer(arena), new Buffer(arena)]; }

  dispose(): void { for (const buffer of [this.tree, this.boxes, this.vertices, this.slots]) buffer.dispose(); }
}

export class SelfTrees {
  private readonly backend: Backend;
  private readonly kept = new Map<Mesh, Kept>();

  constructor(backend: Backend) { this.backend = backend; }

  /** @returns byte address of the mesh's SelfTree as the mesh is now. @throws LostSlice, Capacity, Disposed; nothing is kept of the mesh then. */
  of(mesh: Mesh, neighbours: Neighbours): number {
    let kept = this.kept.get(mesh);
    if (!kept || mesh.isGone) {
      this.releaseGone();
      this.kept.set(mesh, kept = new Kept(this.backend));
    }
    try {
      // Indices never change; coordinates may tell other neighbours in every version.
      const shape = `${neighbours} ${mesh.treeVersion} ${neighbours === 'index' ? '' : mesh.version}`;
      if (kept.shape !== shape) this.link(kept, mesh, neighbours);
      kept.shape = shape;
      if (kept.version !== mesh.version) runStep(this.backend, 'fillBoxes', kept.tree.at, this.slicesOf(mesh));
      kept.version = mesh.version;
      return kept.tree.at;
    } catch (error) {
      // A worker that was lost may still write there.
      kept.dispose();
      this.kept.delete(mesh);
      throw error;
    }
  }

  private slicesOf({ leafCount }: Mesh): number { return Math.max(1, Math.min(this.backend.pool.threadCount, Math.floor(leafCount / LEAVES_A_SLICE))); }

  private link(kept: Kept, mesh: Mesh, neighbours: Neighbours): void {
    const { backend, backend: { arena, pool } } = this, { recordAt: meshAt, nodeCount, leafCount, vertexCount, triangleCount } = mesh;
    const scratch = new Blocks(arena);
    kept.version = 0;
    try {
      const at = kept.tree.reserve(SelfTree.size), boxesAt = kept.boxes.reserve((nodeCount + leafCount) * SelfBoxes.size);
      const verticesAt = kept.vertices.reserve(leafCount * LeafVertices.size), slotsAt = kept.slots.reserve(4 * leafCount);
      const startsAt = scratch.take(4 * (vertexCount + 1)), entriesAt = scratch.take(12 * triangleCount);
      setWords(arena.u32, at, SelfTree, { meshAt, boxesAt, verticesAt, slotsAt, startsAt, entriesAt, numbersAt: 0, sliceCount: this.slicesOf(mesh) });
      if (neighbours === 'position') this.weld(at, vertexCount, scratch);
      pool.kernels.listVertices(at, 0, 1);
      runStep(backend, 'linkLeaves', at, this.slicesOf(mesh));
      pool.kernels.listChildren(at, 0, 1);
    } finally {
      scratch.releaseAll();
    }
  }

  // For every vertex the least one of the same coordinates.
  private weld(at: number, vertexCount: number, scratch: Blocks): void {
    const { arena, pool } = this.backend;
    // At most half full.
    const tableBits = Math.ceil(Math.log2(2 * vertexCount + 2));
    const numbersAt = scratch.take(4 * vertexCount), tableAt = scratch.take(4 * 2 ** tableBits);
    arena.u32.fill(limits.NOTHING, tableAt / 4, tableAt / 4 + 2 ** tableBits);
    setWords(arena.u32, at, SelfTree, { numbersAt, tableAt, tableBits });
    pool.kernels.weldVertices(at, 0, 1);
  }

  private releaseGone(): void {
    for (const [mesh, kept] of this.kept) {
      if (!mesh.isGone) continue;
      kept.dispose();
      this.kept.delete(mesh);
    }
  }
}
