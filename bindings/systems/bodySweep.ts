// Bodies that move from where they were to where they are -> the contacts of each pair of them (Du, Liu and Suzumura, Alg. 1).
import type { Backend } from '../backend.js';
import { Buffer } from '../memory.js';
import type { Mesh } from '../mesh.js';
import { setWords } from '../record.js';
import { StageClock } from '../stageClock.js';
import type { SweepStage, SweepStats } from '../stats.js';
import { runStep } from '../steps.js';
import { BoundMovingJob, Contact, MovingBody, SweepBodiesJob, SweepQuestion } from '../sweptLayout.js';
import type { Bodies } from './bodies.js';
import { BOX_BYTES } from './boxSet.js';
import { ContactLists } from './contactLists.js';
import { writeQuestion, type FaceSweepOptions, type FindBoxPairs } from './faceSweep.js';
import type { MeshTables } from './meshTables.js';
import type { PairList } from './pairSort.js';

const BODIES_A_SLICE = 1024;

export class BodySweep {
  readonly lists: ContactLists;
  readonly clock = new StageClock<SweepStage>();
  private readonly backend: Backend;
  private readonly tables: MeshTables;
  private readonly findPairs: FindBoxPairs;
  private readonly moving: Buffer;
  private readonly boxes: Buffer;
  private readonly job: Buffer;

  constructor(backend: Backend, tables: MeshTables, findPairs: FindBoxPairs) {
    this.backend = backend;
    this.tables = tables;
    this.findPairs = findPairs;
    this.lists = new ContactLists(backend);
    const make = (): Buffer => new Buffer(backend.arena);
    [this.moving, this.boxes, this.job] = [make(), make(), make()];
  }

  /**
   * Contacts stay in the lists, each with the number of its pair. from: where bodies were, 12 numbers a slot. choose: those of the
   * pairs of slots that may touch. @returns these pairs. @throws LostSlice, Capacity
   */
  run(bodies: Bodies, from: Float64Array, options: FaceSweepOptions, choose: (near: PairList) => PairList): PairList {
    const { arena, pool } = this.backend, bodyCount = bodies.slots.length;
    const { vertexCount, faceCount } = this.writeMoving(bodies, from);
    this.clock.end('place');
    const boxesAt = this.boxes.reserve(BOX_BYTES * bodyCount + 16);
    this.bound(bodies, boxesAt, bodyCount, options.margin);
    this.clock.end('bound');
    const pairs = choose(this.findPairs(boxesAt, bodyCount, undefined));
    this.clock.end('bodies');
    const jobAt = this.job.reserve(SweepBodiesJob.size + SweepQuestion.size), questionAt = jobAt + SweepBodiesJob.size;
    writeQuestion(arena, questionAt, options, false);
    const listCount = Math.max(1, Math.min(pool.threadCount, pairs.count));
    this.lists.prepare(listCount, { vertexCount, faceCount });
    do {
      this.lists.reset();
      setWords(arena.u32, jobAt, SweepBodiesJob, {
        questionAt, bodiesAt: bodies.recordsAt, movingAt: this.moving.at, boxesAt, pairsAAt: pairs.aAt, pairsBAt: pairs.bAt, pairCount: pairs.count, cursor: 0, listsAt: this.lists.at,
      });
      runStep(this.backend, 'sweepBodies', jobAt, listCount);
    } while (this.lists.grow());
    this.clock.end('features');
    return pairs;
  }

  /** What has been done since, with collecting the contacts. */
  summarise(startedAt: number): SweepStats {
    this.clock.end('collect');
    return { ...this.lists.counts, milliseconds: this.clock.last - startedAt, stages: this.clock.stages };
  }

  dispose(): void {
    this.lists.dispose();
    for (const buffer of [this.moving, this.boxes, this.job]) buffer.dispose();
  }

  // @returns most vertices, and most faces, of a mesh.
  private writeMoving(bodies: Bodies, from: Float64Array): { vertexCount: number; faceCount: number } {
    const { slots } = bodies, known = new Map<Mesh, readonly [number, number, number, number, number, number]>();
    let vertexCount = 0, faceCount = 0;
    // What meshes keep may take memory: before any view of it is used.
    for (const { mesh } of slots) {
      if (!mesh || known.has(mesh)) continue;
      const { facesAt, edgesAt } = this.tables.of(mesh), { x, y, z, radius } = this.tables.sphereOf(mesh);
      known.set(mesh, [facesAt, edgesAt, x, y, z, radius]);
      vertexCount = Math.max(vertexCount, mesh.vertexCount);
      faceCount = Math.max(faceCount, mesh.triangleCount);
    }
    const at = this.moving.reserve(MovingBody.size * slots.length), { f64, u32 } = this.backend.arena;
    f64.fill(0, at / 8, (at + MovingBody.size * slots.length) / 8);
    for (let slot = 0; slot < slots.length; slot++) {
      const { mesh } = slots[slot]!, to = at + slot * MovingBody.size;
      if (!mesh) continue;
      const [facesAt, edgesAt, ...sphere] = known.get(mesh)!;
      for (let i = 0; i < 12; i++) f64[to / 8 + i] = from[12 * slot + i]!;
      for (let i = 0; i < 4; i++) f64[(to + MovingBody.at.center) / 8 + i] = sphere[i]!;
      u32[(to + MovingBody.at.facesAt) / 4] = facesAt;
      u32[(to + MovingBody.at.edgesAt) / 4] = edgesAt;
    }
    return { vertexCount, faceCount };
  }

  private bound(bodies: Bodies, boxesAt: number, bodyCount: number, margin: number): void {
    const { arena, pool } = this.backend, sliceCount = Math.max(1, Math.min(pool.threadCount, Math.floor(bodyCount / BODIES_A_SLICE)));
    const jobAt = this.job.reserve(Math.max(BoundMovingJob.size, SweepBodiesJob.size + SweepQuestion.size));
    setWords(arena.u32, jobAt, BoundMovingJob, { bodiesAt: bodies.recordsAt, movingAt: this.moving.at, bodyCount, sliceCount, boxesAt });
    arena.f64[(jobAt + BoundMovingJob.at.margin) / 8] = margin;
    runStep(this.backend, 'boundMoving', jobAt, sliceCount);
  }
}

/** Words of a Contact's pair number. */
export const PAIR_WORD = Contact.at.pair / 4;
