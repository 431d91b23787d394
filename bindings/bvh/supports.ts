// Keeps tables of support values (see assembly/bvh/supports.ts) and leaf boxes for the meshes of bodies. A
// mesh gets them when its bodies have been queried often enough to pay for them.

import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BodyRecord, SupportsJob, sceneLimits } from '../records/sceneLayout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import type { Bodies } from '../scene/bodies.js';
import { boxLeaves } from './leafBoxes.js';

/** A table costs about what it saves in queries of this many bodies: a minimum, and a number per vertex. */
const MIN_BODIES = 64;
const BODIES_PER_VERTEX = 0.5;
/** Meshes with more vertices get no table: building it would cause a noticeable pause. */
const MAX_VERTICES = 65536;

/**
 * A mesh's table (no block at first), and how often its bodies were queried since its coordinates changed.
 */
interface Table {
  block: Buffer;
  seen: number;
  version: number;
}

export class Supports {
  readonly #backend: Backend;
  readonly #job: Buffer;
  readonly #tables = new Map<Mesh, Table>();

  /** job: a scratch block, which may be shared by jobs that do not run at the same time. */
  constructor(backend: Backend, job: Buffer) {
    this.#backend = backend;
    this.#job = job;
  }

  /**
   * Counts the bodies without a table, and assigns tables to those whose mesh has one or gets one.
   * @throws Capacity
   */
  see({ slots, recordsAt }: Bodies): void {
    const { arena } = this.#backend;
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

  // Returns the address of a mesh's table, 0 if it has none yet. A table of old coordinates is dropped; the
  // bodies' records were reset when the mesh changed.
  #tableOf(mesh: Mesh): number {
    const { version, vertexCount } = mesh;
    let table = this.#tables.get(mesh);
    if (table?.version !== version) {
      table?.block.dispose();
      this.#tables.set(mesh, (table = { block: new Buffer(this.#backend.arena), seen: 0, version }));
    }
    const { block } = table;
    if (!block.at && table.seen++ > MIN_BODIES + BODIES_PER_VERTEX * vertexCount) this.#fill(block, mesh);
    return block.at;
  }

  #fill(block: Buffer, mesh: Mesh): void {
    const { recordAt, vertexCount } = mesh;
    for (const [other, table] of this.#tables)
      if (other.isGone && this.#tables.delete(other)) table.block.dispose();
    const { arena, pool } = this.#backend;
    const jobAt = this.#job.reserve(SupportsJob.size);
    const tableAt = block.reserve(sceneLimits.SUPPORT_BYTES);
    setWords(arena.u32, jobAt, SupportsJob, {
      positionsAt: arena.u32[(recordAt + MeshRecord.at.positionsAt) / 4],
      vertexCount,
      tableAt,
    });
    try {
      pool.kernels.listSupports(jobAt, 0, 1);
      boxLeaves(this.#backend, mesh);
    } catch (error) {
      // A partly filled table would hide contacts.
      block.dispose();
      throw error;
    }
  }
}
