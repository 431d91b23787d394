// Finds the contacts of two moving meshes, or of one deforming mesh with itself, for linear and rigid motion.

import { BoxPairFinder } from '../broadphase/boxPairs.js';
import type { Mesh } from '../mesh/mesh.js';
import { setWords } from '../records/record.js';
import { SweepQuestion, Turning, TurningBody, TurnPairJob } from '../records/sweptLayout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { decideFor } from './decideNear.js';
import { AT_START, FaceSweep, kindsOf, type TurningPiece, writeQuestion } from './faceSweep.js';
import { FeatureBoxes, type FeatureKinds } from './featureBoxes.js';
import { type FoundContacts, KeptContacts } from './keptContacts.js';
import type { MeshTables } from './meshTables.js';
import type { SweepHow } from './sweepOptions.js';
import { IDENTITY, MovingMesh } from './sweptMesh.js';
import { writeTurningBody } from './turningBody.js';

/**
 * Placements of two meshes at the start and the end: three rows of four. If undefined, the mesh's own
 * coordinates are used.
 */
export interface Placements {
  fromA?: Float64Array | undefined;
  toA?: Float64Array | undefined;
  fromB?: Float64Array | undefined;
  toB?: Float64Array | undefined;
}

const ROWS = 12;

export class MeshSweep {
  readonly sweep: FaceSweep;
  readonly #backend: Backend;
  readonly #finder: BoxPairFinder;
  readonly #boxes: FeatureBoxes;
  readonly #a: MovingMesh;
  readonly #b: MovingMesh;
  readonly #turning: Buffer;

  constructor(backend: Backend, tables: MeshTables) {
    this.#backend = backend;
    this.#finder = new BoxPairFinder(backend);
    this.#a = new MovingMesh(backend, tables);
    this.#b = new MovingMesh(backend, tables);
    this.#turning = new Buffer(backend.arena);
    this.#boxes = new FeatureBoxes(backend);
    this.sweep = new FaceSweep(backend);
  }

  /**
   * Sweeps a deforming mesh against itself.
   * from, to: x, y, z of each vertex.
   * @throws WorkerLost, Capacity
   */
  deform(mesh: Mesh, from: ArrayLike<number>, to: ArrayLike<number>, options: SweepHow): FoundContacts {
    this.#a.move(mesh, from, to);
    this.sweep.clock.end('place');
    return this.#run(undefined, options);
  }

  /** Sweeps two meshes whose vertices move linearly. @throws WorkerLost, Capacity */
  move(a: Mesh, b: Mesh, { fromA, toA, fromB, toB }: Placements, options: SweepHow): FoundContacts {
    this.#a.place(a, fromA, toA);
    this.#b.place(b, fromB, toB);
    this.sweep.clock.end('place');
    return this.#run(this.#b, options);
  }

  /**
   * Sweeps two rotating meshes, piece by piece. If only the first contact is wanted, stops once a contact
   * comes before the next piece.
   * @throws Unsupported, WorkerLost, Capacity
   */
  turn(
    a: Mesh,
    b: Mesh,
    { fromA = IDENTITY, toA = fromA, fromB = IDENTITY, toB = fromB }: Placements,
    options: SweepHow,
  ): FoundContacts {
    const backend = this.#backend;
    const { arena } = this.#backend;
    const bodyA = this.#turning.reserve(
      2 * TurningBody.size + Turning.size + SweepQuestion.size + TurnPairJob.size,
    );
    const bodyB = bodyA + TurningBody.size;
    const turningAt = bodyB + TurningBody.size;
    const questionAt = turningAt + Turning.size;
    const jobAt = questionAt + SweepQuestion.size;
    writeTurningBody(backend, bodyA, 'A', a, fromA, toA);
    writeTurningBody(backend, bodyB, 'B', b, fromB, toB);
    const buffer = new KeptContacts();
    for (let piece = 0, pieceCount = 1; piece < pieceCount; piece++) {
      writeQuestion(arena, questionAt, options, false);
      setWords(arena.u32, jobAt, TurnPairJob, { questionAt, bodyA, bodyB, piece, turningAt });
      runStep(backend, 'turnPair', jobAt, 1);
      pieceCount = 2 ** arena.u32[(turningAt + Turning.at.coarse) / 4];
      const rows = (turningAt + Turning.at.rows) / 8;
      const placed = [0, 1, 2, 3].map(i => arena.f64.slice(rows + ROWS * i, rows + ROWS * (i + 1)));
      const margin = arena.f64[(turningAt + Turning.at.question + SweepQuestion.at.margin) / 8];
      this.#a.place(a, placed[0], placed[1]);
      this.#b.place(b, placed[2], placed[3]);
      this.sweep.clock.end('place');
      if (piece === 0) {
        this.#sweepKinds([AT_START], this.#b, options);
        const { memory, at } = this.sweep.takeStarts(this.#a, this.#b).found;
        buffer.take(memory, at);
        if (options.isFirst && buffer.count > 0) break;
      }
      this.#sweepKinds(kindsOf(false), this.#b, { ...options, margin }, { bodyA, bodyB, piece });
      this.sweep.count();
      const { contacts } = this.sweep.lists;
      buffer.take(arena, contacts);
      if (options.isFirst && contacts.some(address => arena.f64[address / 8] < (piece + 1) / pieceCount))
        break;
    }
    return buffer.found;
  }

  dispose(): void {
    for (const part of [this.#finder, this.#boxes, this.#a, this.#b, this.#turning, this.sweep])
      part.dispose();
  }

  // Computes boxes around the features of each kind, finds the overlapping pairs, and tests them. The
  // contacts stay in the lists, which are enlarged until all contacts fit.
  #sweepKinds(
    kinds: readonly FeatureKinds[],
    b: MovingMesh | undefined,
    options: SweepHow,
    turning?: TurningPiece,
  ): void {
    const { sweep } = this;
    const { lists, clock } = sweep;
    lists.prepare(this.#backend.pool.threadCount);
    do {
      lists.reset();
      for (const each of kinds) {
        const { at, count, secondFrom } = this.#boxes.write(each, this.#a, b, options.margin);
        clock.end('bound');
        const { list } = this.#finder.findAt(at, count, { order: 'any', secondFrom });
        clock.end('pairs');
        sweep.sweepPairs(each.kind, this.#a, b, list, options, turning);
      }
    } while (lists.grow());
  }

  #run(b: MovingMesh | undefined, options: SweepHow): FoundContacts {
    this.#sweepKinds([AT_START], b, options);
    const starts = this.sweep.takeStarts(this.#a, b);
    if (options.isFirst && starts.count > 0) return starts.found;
    this.#sweepKinds(kindsOf(!b), b, options);
    this.sweep.count();
    const { arena } = this.#backend;
    const { contacts } = this.sweep.lists;
    return (
      options.later?.(arena, contacts, starts) ?? starts.join(arena, decideFor(arena, contacts, options))
    );
  }
}
