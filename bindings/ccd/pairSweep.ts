// Finds the first contact of two moving meshes. They are swept as two bodies: the trees of both are descended
// together, so most pairs of features are never tested.

import type { Mesh } from '../mesh/mesh.js';
import { writeBodyMesh } from '../records/bodyMesh.js';
import { BodyRecord } from '../records/sceneLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { BodySweep } from './bodySweep.js';
import type { Placements } from './meshSweep.js';
import type { MeshTables } from './meshTables.js';
import { IDENTITY } from './movingMesh.js';
import type { Motion, SweepSettings } from './sweepOptions.js';
import { firstOf, type SweptContact } from './sweptContacts.js';

const FIRST = /* @__PURE__ */ Uint32Array.of(0);
const SECOND = /* @__PURE__ */ Uint32Array.of(1);

export class PairSweep {
  readonly #context: EngineContext;
  readonly #sweep: BodySweep;
  readonly #records: GrowableBlock;

  constructor(context: EngineContext, tables: MeshTables) {
    this.#context = context;
    this.#sweep = new BodySweep(context, tables);
    this.#records = new GrowableBlock(context.arena);
  }

  /** Returns the first contact, or undefined if there is none. @throws Unsupported, WorkerLost, Capacity */
  findFirst(
    a: Mesh,
    b: Mesh,
    { fromA = IDENTITY, toA = fromA, fromB = IDENTITY, toB = fromB }: Placements,
    settings: SweepSettings,
    motion: Motion,
  ): SweptContact | undefined {
    const { arena } = this.#context;
    const recordsAt = this.#records.reserve(2 * BodyRecord.size);
    const from = new Float64Array(24);
    [
      { mesh: a, start: fromA, end: toA },
      { mesh: b, start: fromB, end: toB },
    ].forEach(({ mesh, start, end }, i) => {
      const at = recordsAt + i * BodyRecord.size;
      writeBodyMesh(arena, at, mesh);
      arena.f64.set(end, (at + BodyRecord.at.rows) / 8);
      from.set(start, 12 * i);
    });
    const slots = [
      { mesh: a, id: 'A' },
      { mesh: b, id: 'B' },
    ];
    const query = { bodies: { slots, recordsAt }, from, settings, motion };
    this.#sweep.begin(query);
    const { memory, at } = this.#sweep.findContacts(
      query,
      this.#sweep.writePairs({ count: 1, a: FIRST, b: SECOND }),
    );
    return firstOf(memory, at);
  }

  dispose(): void {
    this.#sweep.dispose();
    this.#records.dispose();
  }
}
