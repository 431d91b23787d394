// Finds the contacts of each pair of bodies while the bodies move from their previous to their present
// placements (Du, Liu and Suzumura 2017, algorithm 1).

import { BoxPairFinder } from '../broadphase/boxPairs.js';
import { BOX_BYTES } from '../broadphase/boxSet.js';
import type { PairList } from '../broadphase/pairSort.js';
import type { PairsCopy } from '../core/results.js';
import { StageClock } from '../core/stageClock.js';
import type { BoxPairsStats, SweepStage, SweepStats } from '../core/stats.js';
import type { Mesh } from '../mesh/mesh.js';
import { setWords } from '../records/record.js';
import { BodyRecord } from '../records/sceneLayout.js';
import {
  BoundMovingJob,
  Contact,
  MovingBody,
  RotatingBody,
  SweepBodiesJob,
  SweepQuery,
} from '../records/sweptLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import { ContactBuffer, type ContactRefs } from './contactBuffer.js';
import { ContactLists, sumOfCounts } from './contactLists.js';
import { decideFirst, decideUndecided } from './decideContacts.js';
import { writeSweepQuery } from './featurePairSweep.js';
import { MeshSweep } from './meshSweep.js';
import type { MeshTables } from './meshTables.js';
import { type PlacedBody, placeFeatures } from './placeFeatures.js';
import type { Motion, SweepSettings } from './sweepOptions.js';
import { firstOfEach, groupByPair } from './sweptContacts.js';
import { writeRotatingBody } from './writeRotatingBody.js';

const BODIES_PER_SLICE = 1024;

/** Bodies to sweep. recordsAt: byte address of the BodyRecords of all slots. */
export interface SweptBodySlots {
  readonly slots: readonly { readonly mesh: Mesh | undefined; readonly id: number | string }[];
  readonly recordsAt: number;
}

/**
 * A sweep of bodies: their previous placements (12 numbers per slot), the settings, and the type of motion to
 * the present placements.
 */
export interface BodySweepQuery {
  bodies: SweptBodySlots;
  from: Float64Array;
  settings: SweepSettings;
  motion: Motion;
}

export class BodySweep {
  /** The query of the last call of `begin`; undefined if there was none or that call failed. */
  query: BodySweepQuery | undefined;
  readonly context: EngineContext;
  readonly #lists: ContactLists;
  readonly #clock = new StageClock<SweepStage>();
  #startedAt = 0;
  #maxCounts = { vertexCount: 0, faceCount: 0 };
  readonly #tables: MeshTables;
  readonly #finder: BoxPairFinder;
  /** Sweeps the large pairs, which the kernel `sweepBodies` skips: see `#sweep`. */
  readonly #meshes: MeshSweep;
  readonly #moving: GrowableBlock;
  readonly #rotating: GrowableBlock;
  readonly #boxes: GrowableBlock;
  readonly #pairs: GrowableBlock;
  readonly #largeFlags: GrowableBlock;
  readonly #job: GrowableBlock;

  constructor(context: EngineContext, tables: MeshTables) {
    this.context = context;
    this.#tables = tables;
    this.#finder = new BoxPairFinder(context);
    this.#meshes = new MeshSweep(context, tables);
    this.#lists = new ContactLists(context);
    const make = (): GrowableBlock => new GrowableBlock(context.arena);
    [this.#moving, this.#rotating, this.#boxes, this.#pairs, this.#largeFlags, this.#job] = [
      make(),
      make(),
      make(),
      make(),
      make(),
      make(),
    ];
  }

  /**
   * Copies the previous placements and computes for each body a box over its whole motion. For rigid motion,
   * the present placements are copied, too.
   * @throws Unsupported, WorkerLost, Capacity
   */
  begin(query: BodySweepQuery): void {
    const { bodies, from, settings, motion } = query;
    this.query = undefined;
    this.#clock.start();
    this.#startedAt = this.#clock.last;
    this.#meshes.sweep.reset();
    this.#maxCounts = this.#writeMoving(bodies, from);
    if (motion === 'rigid') this.#writeRotating(bodies, from);
    this.#clock.end('place');
    this.#boxes.reserve(BOX_BYTES * bodies.slots.length + 16);
    this.#bound(bodies, motion === 'rigid' ? this.#rotating.at : 0, settings);
    this.#clock.end('bound');
    this.query = query;
  }

  /** Returns for each slot a box, six floats, that contains the body during the whole motion. */
  copyBoxes({ bodies }: BodySweepQuery): Float32Array {
    return this.context.arena.f32.slice(this.#boxes.at / 4, this.#boxes.at / 4 + 6 * bodies.slots.length);
  }

  /** Returns the pairs of slots whose boxes overlap. @throws WorkerLost, Capacity */
  findPairs({ bodies }: BodySweepQuery): { list: PairList; stats: BoxPairsStats } {
    return this.#finder.findAt(this.#boxes.at, bodies.slots.length, { order: 'sorted' });
  }

  /** Copies pairs of slots to engine memory. @throws Capacity */
  writePairs({ count, a, b }: PairsCopy): PairList {
    const aAt = this.#pairs.reserve(8 * count + 16);
    const bAt = aAt + 4 * count;
    const { u32 } = this.context.arena;
    u32.set(a, aAt / 4);
    u32.set(b, bAt / 4);
    return { aAt, bAt, count };
  }

  /**
   * Returns the contacts of pairs of slots. Each contact stores the index of its pair.
   * @throws WorkerLost, Capacity
   */
  findContacts(query: BodySweepQuery, pairs: PairList): ContactRefs {
    this.#clock.end('bodies');
    this.#sweep(query, pairs);
    const found = this.#collect(query, pairs);
    this.#clock.end('features');
    return found;
  }

  /** Returns the statistics since `begin`, including the time for collecting the contacts. */
  summarize(): SweepStats {
    this.#clock.end('collect');
    return {
      ...sumOfCounts(this.#lists.counts, this.#meshes.sweep.counts),
      milliseconds: this.#clock.last - this.#startedAt,
      stages: this.#clock.stages,
    };
  }

  dispose(): void {
    for (const resource of [
      this.#finder,
      this.#meshes,
      this.#lists,
      this.#moving,
      this.#rotating,
      this.#boxes,
      this.#pairs,
      this.#largeFlags,
      this.#job,
    ])
      resource.dispose();
  }

  // Runs the kernel, which writes contacts to the lists. The kernel skips some pairs and marks each of them as
  // large. There are three reasons: too many faces of the pair are near each other for one thread, coordinates
  // are too large for floats, or the kernel cannot decide whether faces intersect at the start.
  #sweep({ bodies, settings, motion }: BodySweepQuery, pairs: PairList): void {
    const { arena, pool } = this.context;
    const jobAt = this.#job.reserve(JOB_BYTES);
    const largeAt = this.#largeFlags.reserve(4 * pairs.count);
    const sweepQueryAt = jobAt + SweepBodiesJob.size;
    writeSweepQuery(arena, sweepQueryAt, settings, false);
    arena.u32[(sweepQueryAt + SweepQuery.at.atStart) / 4] = 1;
    const listCount = Math.max(1, Math.min(pool.threadCount, pairs.count));
    this.#lists.prepare(listCount, this.#maxCounts);
    do {
      this.#lists.reset();
      setWords(arena.u32, jobAt, SweepBodiesJob, {
        sweepQueryAt,
        bodiesAt: bodies.recordsAt,
        movingAt: this.#moving.at,
        rotatingAt: motion === 'rigid' ? this.#rotating.at : 0,
        largeAt,
        boxesAt: this.#boxes.at,
        pairsAAt: pairs.aAt,
        pairsBAt: pairs.bAt,
        pairCount: pairs.count,
        cursor: 0,
        listsAt: this.#lists.at,
      });
      runStep(this.context, 'sweepBodies', jobAt, listCount);
    } while (this.#lists.grow());
  }

  // Returns the contacts of the lists and of the large pairs, which `#sweep` has marked. Large pairs are swept
  // one after another, each on all threads. With `isExact`, undecided contacts are decided exactly.
  #collect({ bodies, from, settings, motion }: BodySweepQuery, pairs: PairList): ContactRefs {
    const { arena } = this.context;
    const large = [
      ...arena.u32.subarray(this.#largeFlags.at / 4, this.#largeFlags.at / 4 + pairs.count).keys(),
    ].filter(pair => arena.u32[this.#largeFlags.at / 4 + pair] === 1);
    const placed = (slot: number): PlacedBody => ({
      bodyAt: bodies.recordsAt + slot * BodyRecord.size,
      movingAt: this.#moving.at + slot * MovingBody.size,
    });
    const slotsOf = (pair: number): [number, number] => [
      arena.u32[pairs.aAt / 4 + pair],
      arena.u32[pairs.bAt / 4 + pair],
    ];
    const queryOf = (address: number): Float64Array => {
      const [a, b] = slotsOf(arena.u32[address / 4 + PAIR_WORD]);
      return placeFeatures(arena, address, placed(a), placed(b));
    };
    const found = this.#lists.contacts;
    const at = !settings.isExact
      ? found
      : settings.isFirst
        ? Uint32Array.from(
            groupByPair(arena, found).flatMap(group => [...decideFirst(arena, group, queryOf)]),
          )
        : decideUndecided(arena, found, queryOf);
    if (large.length === 0) return { memory: arena, at };
    const buffer = new ContactBuffer();
    buffer.append(arena, at);
    for (const pair of large) {
      const [a, b] = slotsOf(pair);
      const rows = (slot: number): Float64Array =>
        arena.f64.slice(
          (placed(slot).bodyAt + BodyRecord.at.rows) / 8,
          (placed(slot).bodyAt + BodyRecord.at.rows) / 8 + 12,
        );
      const placements = {
        fromA: from.slice(12 * a, 12 * a + 12),
        toA: rows(a),
        fromB: from.slice(12 * b, 12 * b + 12),
        toB: rows(b),
      };
      const found = this.#meshes[motion === 'rigid' ? 'rotate' : 'move'](
        bodies.slots[a].mesh!,
        bodies.slots[b].mesh!,
        placements,
        settings,
      );
      buffer.append(found.memory, found.at, pair);
    }
    return {
      memory: buffer,
      at: settings.isFirst ? firstOfEach(buffer, buffer.addresses) : buffer.addresses,
    };
  }

  // Writes the RotatingBody of every body.
  #writeRotating(bodies: SweptBodySlots, from: Float64Array): void {
    const { slots } = bodies;
    const at = this.#rotating.reserve(RotatingBody.size * slots.length);
    const { f64 } = this.context.arena;
    const to = (bodies.recordsAt + BodyRecord.at.rows) / 8;
    slots.forEach(({ id, mesh }, slot) => {
      const rows = to + (slot * BodyRecord.size) / 8;
      if (mesh)
        writeRotatingBody(
          this.context,
          at + slot * RotatingBody.size,
          typeof id === 'string' ? id : `body ${id}`,
          mesh,
          from.subarray(12 * slot, 12 * slot + 12),
          f64.subarray(rows, rows + 12),
        );
    });
  }

  // Writes the MovingBody of every body. Returns the largest vertex count and the largest face count of all
  // meshes.
  #writeMoving(bodies: SweptBodySlots, from: Float64Array): { vertexCount: number; faceCount: number } {
    const { slots } = bodies;
    const tablesOf = new Map<Mesh, readonly [number, number, number, number, number, number]>();
    let vertexCount = 0;
    let faceCount = 0;
    // Creating the tables of a mesh may allocate memory, which invalidates views. So the tables are created
    // before the views.
    for (const { mesh } of slots) {
      if (!mesh || tablesOf.has(mesh)) continue;
      const { facesAt, edgesAt } = this.#tables.of(mesh);
      const { x, y, z, radius } = this.#tables.sphereOf(mesh);
      tablesOf.set(mesh, [facesAt, edgesAt, x, y, z, radius]);
      vertexCount = Math.max(vertexCount, mesh.vertexCount);
      faceCount = Math.max(faceCount, mesh.triangleCount);
    }
    const at = this.#moving.reserve(MovingBody.size * slots.length);
    const { f64, u32 } = this.context.arena;
    f64.fill(0, at / 8, (at + MovingBody.size * slots.length) / 8);
    for (let slot = 0; slot < slots.length; slot++) {
      const { mesh } = slots[slot];
      const to = at + slot * MovingBody.size;
      if (!mesh) continue;
      const [facesAt, edgesAt, ...sphere] = tablesOf.get(mesh)!;
      for (let i = 0; i < 12; i++) f64[to / 8 + i] = from[12 * slot + i];
      for (let i = 0; i < 4; i++) f64[(to + MovingBody.at.center) / 8 + i] = sphere[i];
      u32[(to + MovingBody.at.facesAt) / 4] = facesAt;
      u32[(to + MovingBody.at.edgesAt) / 4] = edgesAt;
    }
    return { vertexCount, faceCount };
  }

  #bound(bodies: SweptBodySlots, rotatingAt: number, { margin, tolerance }: SweepSettings): void {
    const { arena, pool } = this.context;
    const bodyCount = bodies.slots.length;
    const sliceCount = sliceCountOf(pool.threadCount, bodyCount, BODIES_PER_SLICE);
    const jobAt = this.#job.reserve(JOB_BYTES);
    setWords(arena.u32, jobAt, BoundMovingJob, {
      bodiesAt: bodies.recordsAt,
      movingAt: this.#moving.at,
      rotatingAt,
      bodyCount,
      sliceCount,
      boxesAt: this.#boxes.at,
    });
    // Contacts of rotating bodies are accurate only to the tolerance, so the boxes are grown by the tolerance,
    // too.
    arena.f64[(jobAt + BoundMovingJob.at.margin) / 8] = rotatingAt ? margin + tolerance : margin;
    runStep(this.context, 'boundMoving', jobAt, sliceCount);
  }
}

const JOB_BYTES = Math.max(BoundMovingJob.size, SweepBodiesJob.size + SweepQuery.size);
/** Offset of the field `pair` in a Contact, in words. */
export const PAIR_WORD = Contact.at.pair / 4;
