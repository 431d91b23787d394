// Holds the bodies that reach into a node's columns of the ground during a step, including bodies that
// another node owns. Finds the contacts between these bodies. A pair of bodies has one reference point, and
// only the node in whose columns this point lies tests the pair.

import type { PairList } from '../../broadphase/pairSort.js';
import { BodySweep } from '../../ccd/bodySweep.js';
import { BodySweepRun } from '../../ccd/bodySweepRun.js';
import { MeshTables, type Sphere } from '../../ccd/meshTables.js';
import { readSweepOptions } from '../../ccd/sweepOptions.js';
import type { SweepStats } from '../../core/stats.js';
import type { Engine } from '../../engine/engine.js';
import type { AsyncEngine } from '../../gpu/asyncEngine.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { RetryingScratch } from '../../runtime/retry.js';
import { Bodies, slotOf } from '../../scene/bodies.js';
import { REACH_LENGTH } from './reach.js';
import type { SwarmContacts } from './rows.js';
import type { SwarmWorld } from './world.js';

/**
 * The contacts that a node found in a step, and their number. slotA, slotB: for each contact, the slots
 * of its bodies (see LocalBodies).
 */
export interface FoundContacts extends SwarmContacts {
  count: number;
  slotA: Uint32Array;
  slotB: Uint32Array;
  /** Pairs whose boxes overlap and whose reference point lies in this node's columns. */
  tested: number;
  /** Box tests in the broad phase. */
  boxTests: number;
  stats: SweepStats;
}

/** Returns whether this node tests the pairs with a given reference point. */
type IsOurs = (x: number, y: number, z: number) => boolean;

export class LocalBodies {
  /**
   * For each slot: the id of its body in the swarm, the body's placement at the start of the step (12 numbers),
   * and the body's reach (REACH_LENGTH numbers).
   */
  ids = new Uint32Array(64);
  from = new Float64Array(12 * 64);
  reaches = new Float64Array(REACH_LENGTH * 64);
  readonly spheres: readonly Sphere[];
  private readonly world: SwarmWorld;
  private readonly meshes: Mesh[];
  private readonly context: EngineContext;
  private readonly bodies: Bodies;
  private readonly tables: MeshTables;
  private readonly scratch: RetryingScratch<{ system: BodySweep }>;
  private readonly gpu: AsyncEngine | undefined;
  private readonly slots = new Map<number, number>();
  private matrices = new Float64Array(16 * 64);
  /**
   * For each slot: the step in which it was last used, and the number of its body in the list `bodies` of this
   * node.
   */
  private stamps = new Uint32Array(64);
  private numbers = new Float64Array(64);
  private stamp = 0;

  /** gpu: the asynchronous methods of the engine, if the engine's GPU is used, too. */
  constructor(engine: Engine, world: SwarmWorld, gpu?: AsyncEngine) {
    this.gpu = gpu;
    this.world = world;
    this.context = engine.context;
    this.meshes = world.meshes.map(mesh => engine.createMesh(mesh));
    this.bodies = new Bodies(this.context);
    this.tables = new MeshTables(this.context);
    this.spheres = this.meshes.map(mesh => this.tables.sphereOf(mesh));
    this.scratch = new RetryingScratch(() => ({ system: new BodySweep(this.context, this.tables) }));
  }

  get count(): number {
    return this.slots.size;
  }

  /** Begins a step. If a body is not added again before the next `sweep`, that `sweep` removes it. */
  begin(): void {
    this.stamp++;
  }

  /**
   * Adds a body for this step, or updates it if the previous step had it, too. from: an array that has the
   * body's placement at the start of the step, from index `fromAt` on. to: an array that has the placement at
   * the end, from index `toAt` on.
   * @throws Unsupported, Capacity
   */
  addBody(
    body: number,
    from: Float64Array,
    fromAt: number,
    to: Float64Array,
    toAt: number,
    reach: Float64Array,
  ): void {
    let slot = this.slots.get(body);
    if (slot === undefined) {
      const number = this.bodies.add(this.meshes[this.world.meshOf(body)], 1, 0xffffffff);
      slot = slotOf(number);
      this.grow(slot + 1);
      this.slots.set(body, slot);
      this.ids[slot] = body;
      this.numbers[slot] = number;
    }
    this.stamps[slot] = this.stamp;
    for (let i = 0; i < 12; i++) this.from[12 * slot + i] = from[fromAt + i];
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 4; column++)
        this.matrices[16 * slot + 4 * column + row] = to[toAt + 4 * row + column];
    this.matrices[16 * slot + 15] = 1;
    this.reaches.set(reach, REACH_LENGTH * slot);
  }

  /** Finds the contacts of the bodies of this step. @throws InvalidTransform, Unsupported, Capacity */
  async sweep(isOurs: IsOurs): Promise<FoundContacts> {
    for (const [body, slot] of this.slots) {
      if (this.stamps[slot] === this.stamp) continue;
      this.bodies.remove(this.numbers[slot]);
      this.slots.delete(body);
    }
    this.bodies.placeAll(this.matrices.subarray(0, 16 * this.bodies.slots.length));
    const found = this.motionOf(isOurs);
    const { gpu } = this;
    return gpu ? (await gpu.sweepBodies(found)).answer : found.sweep();
  }

  /** Returns the coordinate of a body's origin on an axis, at the end of the step. */
  originOn(slot: number, axis: number): number {
    return this.matrices[16 * slot + 12 + axis];
  }

  dispose(): void {
    this.scratch.dispose();
    this.bodies.dispose();
    this.tables.dispose();
    for (const mesh of this.meshes) mesh.dispose();
  }

  private motionOf(isOurs: IsOurs): BodySweepRun<FoundContacts> {
    const idOf = (slot: number): number => this.ids[slot];
    let tested = 0;
    let boxTests = 0;
    return new BodySweepRun<FoundContacts>(
      this.scratch,
      { bodies: this.bodies, from: this.from, settings: readSweepOptions({}, 0), motion: 'linear' },
      {
        filterPairs: (near, tests) => {
          const chosen = this.choose(near, isOurs);
          [tested, boxTests] = [chosen.count, tests];
          return chosen;
        },
        makeResult: ({ contacts, slotA, slotB }) => ({
          ...contacts,
          a: slotA.map(idOf),
          b: slotB.map(idOf),
          slotA,
          slotB,
          tested,
          boxTests,
        }),
      },
    );
  }

  // Filters the list in place: keeps only the pairs whose reference point lies in this node's columns. The
  // reference point is the minimum corner of the overlap of the two bodies' boxes. The body with the lower
  // id (see `ids`) becomes A on every node, because the result depends on which body is A.
  private choose(near: PairList, isOurs: IsOurs): PairList {
    const { u32 } = this.context.arena;
    const { ids, reaches } = this;
    const a = near.aAt / 4;
    const b = near.bAt / 4;
    let count = 0;
    for (let i = 0; i < near.count; i++) {
      const slotA = u32[a + i];
      const slotB = u32[b + i];
      const atA = REACH_LENGTH * slotA;
      const atB = REACH_LENGTH * slotB;
      if (
        !isOurs(
          Math.max(reaches[atA], reaches[atB]),
          Math.max(reaches[atA + 1], reaches[atB + 1]),
          Math.max(reaches[atA + 2], reaches[atB + 2]),
        )
      )
        continue;
      const isAscending = ids[slotA] < ids[slotB];
      u32[a + count] = isAscending ? slotA : slotB;
      u32[b + count++] = isAscending ? slotB : slotA;
    }
    return { aAt: near.aAt, bAt: near.bAt, count };
  }

  private grow(slots: number): void {
    if (slots <= this.ids.length) return;
    const length = 2 * slots;
    this.ids = grown(this.ids, new Uint32Array(length));
    this.stamps = grown(this.stamps, new Uint32Array(length));
    this.numbers = grown(this.numbers, new Float64Array(length));
    this.from = grown(this.from, new Float64Array(12 * length));
    this.matrices = grown(this.matrices, new Float64Array(16 * length));
    this.reaches = grown(this.reaches, new Float64Array(REACH_LENGTH * length));
  }
}

function grown<Values extends Uint32Array | Float64Array>(values: Values, larger: Values): Values {
  larger.set(values as never);
  return larger;
}
