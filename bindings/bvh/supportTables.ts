// Keeps tables of support values (see assembly/bvh/supports.ts) and leaf boxes for the meshes of bodies. A
// mesh gets them when its bodies have been queried often enough to pay for them.

import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BodyRecord, SupportsJob, sceneLimits } from '../records/sceneLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import type { Bodies } from '../scene/bodies.js';
import { boxLeaves } from './leafBoxes.js';

/**
 * A table pays for itself after queries of about MIN_BODIES + BODIES_PER_VERTEX * vertexCount bodies.
 */
const MIN_BODIES = 64;
const BODIES_PER_VERTEX = 0.5;
/** Meshes with more vertices get no table: building it would cause a noticeable pause. */
const MAX_VERTICES = 65536;

/**
 * A mesh's table (no block at first), and how often its bodies were queried since its coordinates changed.
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
   * Counts the bodies without a table, and assigns tables to those whose mesh has one or gets one.
   * @throws Capacity
   */
  update({ slots, recordsAt }: Bodies): void {
    const { arena } = this.#context;
    slots.forEach(({ mesh }, slot) => {
      const at = (recordsAt + slot * BodyRecord.size + BodyRecord.at.supportsAt) / 4;
      if (!mesh || arena.u32[at] || mesh.vertexCount > MAX_VERTICES) return;
      const tableAt = this.#tableOf(mesh);
      arena.u32[at] = tableAt;
    });
  }

  dispose(): void {
    for (const { block } of this.#tables.values()) block.dispose();
    this.#tables.clear();
  }

  // Returns the address of a mesh's table, or 0 if it has none yet. A table of old coordinates is released.
  // The bodies' records do not refer to it, because they were reset when the mesh changed.
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
