// Finds the contacts of two meshes in linear or rigid motion, or of one deforming mesh with itself.

import { BoxPairFinder } from '../broadphase/boxPairs.js';
import type { Mesh } from '../mesh/mesh.js';
import { setWords } from '../records/record.js';
import { PlanRotationJob, RotatingBody, RotationPlan, SweepQuery } from '../records/sweptLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import { ContactBuffer, type ContactRefs } from './contactBuffer.js';
import { decideContacts } from './decideContacts.js';
import { FeatureBoxes, type FeatureKinds } from './featureBoxes.js';
import {
  AT_START,
  FeaturePairSweep,
  kindsOf,
  type RotationSubstep,
  writeSweepQuery,
} from './featurePairSweep.js';
import type { MeshTables } from './meshTables.js';
import { IDENTITY, MovingMesh } from './movingMesh.js';
import type { SweepSettings } from './sweepOptions.js';
import { writeRotatingBody } from './writeRotatingBody.js';

/**
 * Placements of two meshes at the start and at the end, each as three rows of four numbers. If both placements
 * of a mesh are undefined, the mesh's own coordinates are used.
 */
export interface Placements {
  fromA?: Float64Array | undefined;
  toA?: Float64Array | undefined;
  fromB?: Float64Array | undefined;
  toB?: Float64Array | undefined;
}

const ROWS = 12;

export class MeshSweep {
  readonly sweep: FeaturePairSweep;
  readonly #context: EngineContext;
  readonly #finder: BoxPairFinder;
  readonly #boxes: FeatureBoxes;
  readonly #a: MovingMesh;
  readonly #b: MovingMesh;
  readonly #rotating: GrowableBlock;

  constructor(context: EngineContext, tables: MeshTables) {
    this.#context = context;
    this.#finder = new BoxPairFinder(context);
    this.#a = new MovingMesh(context, tables);
    this.#b = new MovingMesh(context, tables);
    this.#rotating = new GrowableBlock(context.arena);
    this.#boxes = new FeatureBoxes(context);
    this.sweep = new FeaturePairSweep(context);
  }

  /**
   * Sweeps a deforming mesh against itself. from, to: x, y, z of each vertex.
   * @throws WorkerLost, Capacity
   */
  deform(mesh: Mesh, from: ArrayLike<number>, to: ArrayLike<number>, options: SweepSettings): ContactRefs {
    this.#a.move(mesh, from, to);
    this.sweep.clock.end('place');
    return this.#run(undefined, options);
  }

  /** Sweeps two meshes whose vertices move linearly. @throws WorkerLost, Capacity */
  move(a: Mesh, b: Mesh, { fromA, toA, fromB, toB }: Placements, options: SweepSettings): ContactRefs {
    this.#a.place(a, fromA, toA);
    this.#b.place(b, fromB, toB);
    this.sweep.clock.end('place');
    return this.#run(this.#b, options);
  }

  /**
   * Sweeps two meshes that move and rotate as rigid bodies. The step is divided into substeps, which are swept
   * one after another. If only the first contact is requested, the sweep ends after a substep in which it has
   * found a contact earlier than the start of the next substep.
   * @throws Unsupported, WorkerLost, Capacity
   */
  rotate(
    a: Mesh,
    b: Mesh,
    { fromA = IDENTITY, toA = fromA, fromB = IDENTITY, toB = fromB }: Placements,
    options: SweepSettings,
  ): ContactRefs {
    const context = this.#context;
    const { arena } = this.#context;
    const bodyA = this.#rotating.reserve(
      2 * RotatingBody.size + RotationPlan.size + SweepQuery.size + PlanRotationJob.size,
    );
    const bodyB = bodyA + RotatingBody.size;
    const rotatingAt = bodyB + RotatingBody.size;
    const sweepQueryAt = rotatingAt + RotationPlan.size;
    const jobAt = sweepQueryAt + SweepQuery.size;
    writeRotatingBody(context, bodyA, 'A', a, fromA, toA);
    writeRotatingBody(context, bodyB, 'B', b, fromB, toB);
    const buffer = new ContactBuffer();
    for (let substep = 0, substepCount = 1; substep < substepCount; substep++) {
      writeSweepQuery(arena, sweepQueryAt, options, false);
      setWords(arena.u32, jobAt, PlanRotationJob, { sweepQueryAt, bodyA, bodyB, substep, rotatingAt });
      runStep(context, 'planRotation', jobAt, 1);
      substepCount = 2 ** arena.u32[(rotatingAt + RotationPlan.at.coarse) / 4];
      const rows = (rotatingAt + RotationPlan.at.rows) / 8;
      const placed = [0, 1, 2, 3].map(i => arena.f64.slice(rows + ROWS * i, rows + ROWS * (i + 1)));
      const margin = arena.f64[(rotatingAt + RotationPlan.at.sweepQuery + SweepQuery.at.margin) / 8];
      this.#a.place(a, placed[0], placed[1]);
      this.#b.place(b, placed[2], placed[3]);
      this.sweep.clock.end('place');
      if (substep === 0) {
        this.#sweepKinds([AT_START], this.#b, options);
        const { memory, at } = this.sweep.takeStartContacts(this.#a, this.#b).all;
        buffer.append(memory, at);
        if (options.isFirst && buffer.count > 0) break;
      }
      this.#sweepKinds(kindsOf(false), this.#b, { ...options, margin }, { bodyA, bodyB, substep });
      this.sweep.addCounts();
      const { contacts } = this.sweep.lists;
      buffer.append(arena, contacts);
      if (options.isFirst && contacts.some(address => arena.f64[address / 8] < (substep + 1) / substepCount))
        break;
    }
    return buffer.all;
  }

  dispose(): void {
    for (const resource of [this.#finder, this.#boxes, this.#a, this.#b, this.#rotating, this.sweep])
      resource.dispose();
  }

  // Computes boxes around the features of each kind, finds the overlapping pairs, and tests them. The
  // contacts stay in the lists of `sweep`. If they do not fit, the lists are enlarged and all kinds are swept
  // again.
  #sweepKinds(
    kinds: readonly FeatureKinds[],
    b: MovingMesh | undefined,
    options: SweepSettings,
    rotation?: RotationSubstep,
  ): void {
    const { sweep } = this;
    const { lists, clock } = sweep;
    lists.prepare(this.#context.pool.wantedThreads);
    do {
      lists.reset();
      for (const each of kinds) {
        const { at, count, secondFrom } = this.#boxes.write(each, this.#a, b, options.margin);
        clock.end('bound');
        const { list } = this.#finder.findAt(at, count, { order: 'any', secondFrom });
        clock.end('pairs');
        sweep.sweepPairs(each.kind, this.#a, b, list, options, rotation);
      }
    } while (lists.grow());
  }

  #run(b: MovingMesh | undefined, options: SweepSettings): ContactRefs {
    this.#sweepKinds([AT_START], b, options);
    const starts = this.sweep.takeStartContacts(this.#a, b);
    if (options.isFirst && starts.count > 0) return starts.all;
    this.#sweepKinds(kindsOf(!b), b, options);
    this.sweep.addCounts();
    const { arena } = this.#context;
    const { contacts } = this.sweep.lists;
    return (
      options.defer?.(arena, contacts, starts) ??
      starts.concat(arena, decideContacts(arena, contacts, options))
    );
  }
}
