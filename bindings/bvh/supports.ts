// Bodies' meshes -> tables of how far they reach along any direction, and boxes of their leaves, once they
// have been asked about often enough to pay for them.

import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BodyRecord, SupportsJob, sceneLimits } from '../records/sceneLayout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import type { Bodies } from '../scene/bodies.js';
import { boxLeaves } from './leafBoxes.js';

/** A table costs about what it saves when this many bodies are asked about: at least, and by vertices. */
const LEAST_BODIES = 64;
const BODIES_A_VERTEX = 0.5;
/** Of a mesh with more, one would notice that a table is made. */
const MOST_VERTICES = 65536;

/**
 * A mesh's table, none at first, and how often bodies of it were asked about since its coordinates changed.
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

  /** job: anyone's, between two jobs. */
  constructor(backend: Backend, job: Buffer) {
    this.#backend = backend;
    this.#job = job;
  }

  /** Counts bodies that have no table, and gives them theirs. @throws Capacity */
  see({ slots, recordsAt }: Bodies): void {
    const { arena } = this.#backend;
    slots.forEach(({ mesh }, slot) => {
      const at = (recordsAt + slot * BodyRecord.size + BodyRecord.at.supportsAt) / 4;
      if (!mesh || arena.u32[at] || mesh.vertexCount > MOST_VERTICES) return;
      const tableAt = this.#tableOf(mesh);
      arena.u32[at] = tableAt;
    });
  }

  dispose(): void {
    for (const { block } of this.#tables.values()) block.dispose();
    this.#tables.clear();
  }

  // Of a mesh that has changed nothing is known: its bodies have been told so. @returns 0 where it has none
  // yet
  #tableOf(mesh: Mesh): number {
    const { version, vertexCount } = mesh;
    let table = this.#tables.get(mesh);
    if (table?.version !== version) {
      table?.block.dispose();
      this.#tables.set(mesh, (table = { block: new Buffer(this.#backend.arena), seen: 0, version }));
    }
    const { block } = table;
    if (!block.at && table.seen++ > LEAST_BODIES + BODIES_A_VERTEX * vertexCount) this.#fill(block, mesh);
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
      // A table that is filled in part would hide contacts.
      block.dispose();
      throw error;
    }
  }
}
