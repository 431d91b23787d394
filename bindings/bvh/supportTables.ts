// Builds and keeps a table of support values for each mesh whose bodies are queried often. Also builds the
// boxes of the mesh's leaves (see leafBoxes.ts). With support values, a query finds planes that separate two
// bodies (see assembly/bvh/supports.ts). The table and the boxes are built when the bodies of the mesh have
// been queried often enough: see MIN_BODIES.

import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BodyRecord, SupportsJob, sceneLimits } from '../records/sceneLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import type { Bodies } from '../scene/bodies.js';
import { boxLeaves } from './leafBoxes.js';

/**
 * A mesh gets a table after its bodies have been queried more than MIN_BODIES + BODIES_PER_VERTEX *
 * vertexCount times. Building a table takes about as much time as a table saves in this many queries.
 */
const MIN_BODIES = 64;
const BODIES_PER_VERTEX = 0.5;
/** Meshes with more vertices get no table: building it would cause a noticeable pause. */
const MAX_VERTICES = 65536;

/**
 * A mesh's table (its block is empty at first), and how often bodies of the mesh were queried since its
 * coordinates changed.
 */
interface Table {
  block: GrowableBlock;
  queryCount: number;
  version: number;
}

export class SupportTables {
  readonly #context: EngineContext;
  readonly #job: GrowableBlock;
  readonly #tables = new Map<Mesh, Table>();

  /** job: a scratch block, which may be shared by jobs that do not run at the same time. */
  constructor(context: EngineContext, job: GrowableBlock) {
    this.#context = context;
    this.#job = job;
  }

  /**
   * Counts one query of the mesh for each body that has no table. If the mesh has a table, or now gets one,
   * assigns the table to the body.
   * @throws Capacity
   */
  update({ slots, recordsAt }: Bodies): void {
    const { arena } = this.#context;
    slots.forEach(({ mesh }, slot) => {
      const at = (recordsAt + slot * BodyRecord.size + BodyRecord.at.supportsAt) / 4;
      // The vertices of a mesh with doubles are rounded. Support tables do not allow for this rounding.
      if (!mesh || arena.u32[at] || mesh.vertexCount > MAX_VERTICES || mesh.hasDoubles) return;
      const tableAt = this.#tableOf(mesh);
      arena.u32[at] = tableAt;
    });
  }

  dispose(): void {
    for (const { block } of this.#tables.values()) block.dispose();
    this.#tables.clear();
  }

  // Counts a query, and returns the address of the mesh's table, or 0 if it has none yet. A table of old
  // coordinates is released. No body's record refers to the released table, because the records were reset
  // when the mesh changed.
  #tableOf(mesh: Mesh): number {
    const { version, vertexCount } = mesh;
    let table = this.#tables.get(mesh);
    if (table?.version !== version) {
      table?.block.dispose();
      this.#tables.set(
        mesh,
        (table = { block: new GrowableBlock(this.#context.arena), queryCount: 0, version }),
      );
    }
    const { block } = table;
    if (!block.at && table.queryCount++ > MIN_BODIES + BODIES_PER_VERTEX * vertexCount)
      this.#fill(block, mesh);
    return block.at;
  }

  #fill(block: GrowableBlock, mesh: Mesh): void {
    const { recordAt, vertexCount } = mesh;
    for (const [other, table] of this.#tables)
      if (other.isDisposed && this.#tables.delete(other)) table.block.dispose();
    const { arena, pool } = this.#context;
    const jobAt = this.#job.reserve(SupportsJob.size);
    const tableAt = block.reserve(sceneLimits.SUPPORT_BYTES);
    setWords(arena.u32, jobAt, SupportsJob, {
      positionsAt: arena.u32[(recordAt + MeshRecord.at.positionsAt) / 4],
      vertexCount,
      tableAt,
    });
    try {
      pool.kernels.fillSupportTable(jobAt, 0, 1);
      boxLeaves(this.#context, mesh);
    } catch (error) {
      // A partly filled table would hide contacts.
      block.dispose();
      throw error;
    }
  }
}
