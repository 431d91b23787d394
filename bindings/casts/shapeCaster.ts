// Runs casts and overlap tests of shapes against a mesh or the bodies of a scene.

import { Unsupported } from '../core/errors.js';
import type { EngineHost, QueryResources } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
import { cornersOf, findScene, writeBodyTarget, writeMeshTarget } from '../rays/castTargets.js';
import { CastTarget } from '../records/castTargetLayout.js';
import { limits, PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BodyRecord } from '../records/sceneLayout.js';
import {
  LocalShape,
  MovingFrame,
  ShapeBodiesJob,
  ShapeJob,
  shapeLimits,
} from '../records/shapeCastLayout.js';
import { pairStackBytes } from '../records/treeLimits.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import type { Scene } from '../scene/scene.js';
import { overlapExactly } from './exactOverlap.js';
import { IDENTITY_ROWS, placedBox, writeMovingFrame } from './movingMesh.js';
import { boundsOf, type ShapeNumbers, writeShape } from './shapes.js';

const { SHAPE_ANY, SHAPE_ALL, SHAPE_FIRST, SHAPE_STACK_BYTES } = shapeLimits;
const WANTS = { first: SHAPE_FIRST, any: SHAPE_ANY, all: SHAPE_ALL } as const;
const FIRST_CAPACITY = 256;
/** Bytes of a pair of words (target, triangle). */
const HIT_BYTES = 8;
/** Bytes of a placement. */
const ROWS_BYTES = 96;
const NO_MOTION = [0, 0, 0];

/** Which bodies of a scene a shape can hit. */
export interface BodyFilter {
  readonly group?: number;
  readonly mask?: number;
  readonly exclude?: number;
}

/** A triangle that a shape hits. body: id of the body, if the shape was tested against a scene. */
export interface HitTriangle {
  readonly triangle: number;
  readonly body: number | undefined;
}

/** The first contact of a moving shape, as the kernel finds it. */
export interface FirstContact extends HitTriangle {
  /** The triangle of the moving mesh, if the shape is a mesh. */
  readonly movingTriangle: number | undefined;
  readonly t: number;
  readonly separation: number;
  readonly point: [number, number, number];
  readonly normal: [number, number, number];
}

export class ShapeCaster {
  readonly #host: EngineHost;
  /** The job, the local shape, a PairRecord for exact tests, and a ShapeBodiesJob, one after another. */
  readonly #records: BlockGroup;
  #jobAt = 0;
  readonly #targets: GrowableBlock;
  readonly #stack: GrowableBlock;
  readonly #hits: GrowableBlock;
  readonly #undecided: GrowableBlock;
  readonly #slots: GrowableBlock;
  readonly #frames: GrowableBlock;
  /** count: the number of targets. depth: the max depth of their trees. */
  #prepared = { count: 0, depth: 0 };
  #exact: QueryResources | undefined;

  constructor(host: EngineHost) {
    this.#host = host;
    const { arena } = host.context;
    this.#records = new BlockGroup(arena);
    [this.#targets, this.#stack, this.#hits, this.#undecided, this.#slots, this.#frames] = Array.from(
      { length: 6 },
      () => new GrowableBlock(arena),
    );
  }

  /**
   * Returns the first contact of a moving sphere or capsule with a mesh or a scene; undefined if there is none.
   * @throws Unsupported, Disposed, Capacity
   */
  first(
    at: Mesh | Scene,
    shape: ShapeNumbers,
    motion: readonly number[],
    filter: BodyFilter,
    ignoresSeparating: boolean,
  ): FirstContact | undefined {
    const scene = this.#prepare(at, shape, motion, filter);
    this.#run(shape, motion, 'first', ignoresSeparating);
    return this.#readFirst(scene);
  }

  /**
   * Returns the first contact of a moving mesh with a mesh or a scene; undefined if there is none. rows: the
   * placement of the moving mesh, 12 numbers.
   * @throws as `first`
   */
  firstOfMesh(
    at: Mesh | Scene,
    moving: Mesh,
    rows: Float64Array | undefined,
    motion: readonly number[],
    filter: BodyFilter,
    ignoresSeparating: boolean,
  ): FirstContact | undefined {
    const { arena } = this.#host.context;
    const shape = placedBox(arena, moving.recordAt, rows ?? IDENTITY_ROWS);
    const scene = this.#prepare(at, shape, motion, filter);
    const { count, depth } = this.#prepared;
    if (moving.triangleCount === 0) return undefined;
    const framesAt = this.#frames.reserve(Math.max(1, count) * MovingFrame.size + ROWS_BYTES);
    const placementAt = framesAt + count * MovingFrame.size;
    // Each iteration of the search pops one entry and pushes at most 16.
    const stackAt = this.#stack.reserve(pairStackBytes(depth + moving.depth));
    arena.f64.set(rows ?? IDENTITY_ROWS, placementAt / 8);
    for (let i = 0; i < count; i++)
      writeMovingFrame(
        arena,
        framesAt + i * MovingFrame.size,
        this.#targets.at + i * CastTarget.size,
        moving.recordAt,
        rows ?? IDENTITY_ROWS,
      );
    writeShape(arena.f64, arena.u32, this.#jobAt, shape, motion);
    setWords(arena.u32, this.#jobAt, ShapeJob, {
      want: SHAPE_FIRST,
      ignoresSeparating: ignoresSeparating ? 1 : 0,
      movingAt: moving.recordAt,
      movingPlacementAt: rows ? placementAt : 0,
      framesAt,
      stackAt,
    });
    this.#call('castMesh', this.#jobAt);
    return this.#readFirst(scene);
  }

  #readFirst(scene: Scene | undefined): FirstContact | undefined {
    const { f64, u32 } = this.#host.context.arena;
    const triangle = u32[(this.#jobAt + ShapeJob.at.bestTriangle) / 4];
    if (triangle === limits.NOTHING) return undefined;
    const read = (field: keyof typeof ShapeJob.at, i = 0): number =>
      f64[(this.#jobAt + ShapeJob.at[field]) / 8 + i];
    return {
      t: read('bestTime'),
      triangle,
      movingTriangle: this.#read('kind') === shapeLimits.SHAPE_MESH ? this.#read('bestMoving') : undefined,
      body: scene && this.#bodyOf(u32[(this.#jobAt + ShapeJob.at.bestTarget) / 4]),
      point: [read('bestPoint', 0), read('bestPoint', 1), read('bestPoint', 2)],
      normal: [read('bestNormal', 0), read('bestNormal', 1), read('bestNormal', 2)],
      separation: read('bestSeparation'),
    };
  }

  /** Returns whether a shape overlaps a triangle of a mesh or a scene. @throws as `first` */
  any(at: Mesh | Scene, shape: ShapeNumbers, filter: BodyFilter): boolean {
    this.#prepare(at, shape, NO_MOTION, filter);
    this.#run(shape, NO_MOTION, 'any', false);
    return this.#read('hitCount') > 0 || this.#decide(shape, true).length > 0;
  }

  /**
   * Returns all triangles of a mesh or a scene that a shape overlaps, sorted by body, then by triangle.
   * @throws as `first`
   */
  all(at: Mesh | Scene, shape: ShapeNumbers, filter: BodyFilter): HitTriangle[] {
    const scene = this.#prepare(at, shape, NO_MOTION, filter);
    this.#run(shape, NO_MOTION, 'all', false);
    const found = [
      ...this.#readList(this.#hits.at, this.#read('hitCount')),
      ...this.#decide(shape, false),
    ].map(([target, triangle]) => ({ triangle, body: scene && this.#bodyOf(target) }));
    return found.sort((one, two) => (one.body ?? 0) - (two.body ?? 0) || one.triangle - two.triangle);
  }

  /** Releases the memory. */
  dispose(): void {
    this.#records.releaseAll();
    this.#jobAt = 0;
    for (const block of [this.#targets, this.#stack, this.#hits, this.#undecided, this.#slots, this.#frames])
      block.dispose();
  }

  // Writes the targets: the mesh, or the bodies whose boxes overlap the box of the motion. Returns the scene,
  // if any.
  #prepare(
    at: Mesh | Scene,
    shape: ShapeNumbers,
    motion: readonly number[],
    { group, mask, exclude }: BodyFilter,
  ): Scene | undefined {
    const { arena } = this.#host.context;
    this.#jobAt ||= this.#records.take(
      ShapeJob.size + LocalShape.size + PairRecord.size + ShapeBodiesJob.size,
    );
    const scene = findScene(this.#host, at, 'the target is');
    if (!scene) {
      if (group !== undefined || mask !== undefined || exclude !== undefined)
        throw new Unsupported(
          'group, mask or exclude was given together with a mesh',
          'omit them, or pass a scene',
        );
      const mesh = at as Mesh;
      writeMeshTarget(arena, this.#targets.reserve(CastTarget.size), mesh);
      this.#setTargets(mesh.triangleCount > 0 ? 1 : 0, mesh.depth);
      return undefined;
    }
    const { slots, recordsAt, boxesAt } = scene.beginCast();
    const slotsAt = this.#slots.reserve(4 * Math.max(1, slots.length));
    const jobAt = this.#jobAt + ShapeJob.size + LocalShape.size + PairRecord.size;
    arena.f64.set(boundsOf(shape, motion), (jobAt + ShapeBodiesJob.at.box) / 8);
    setWords(arena.u32, jobAt, ShapeBodiesJob, {
      recordsAt,
      boxesAt,
      slotCount: slots.length,
      group: (group ?? 1) >>> 0,
      mask: (mask ?? 0xffffffff) >>> 0,
      slotsAt,
    });
    this.#call('listShapeBodies', jobAt);
    const found = arena.u32[(jobAt + ShapeBodiesJob.at.chosenCount) / 4];
    const targetsAt = this.#targets.reserve(Math.max(1, found) * CastTarget.size);
    let depth = 0;
    let count = 0;
    for (let i = 0; i < found; i++) {
      const slot = arena.u32[slotsAt / 4 + i];
      const { id, mesh } = slots[slot];
      if (id === exclude) continue;
      depth = Math.max(depth, mesh!.depth);
      const targetAt = targetsAt + count++ * CastTarget.size;
      writeBodyTarget(arena, targetAt, recordsAt + slot * BodyRecord.size, mesh!, id);
    }
    this.#setTargets(count, depth);
    return scene;
  }

  #setTargets(targetCount: number, depth: number): void {
    this.#prepared = { count: targetCount, depth };
    // Each iteration of the search pops one entry and pushes at most four.
    const stackAt = this.#stack.reserve(SHAPE_STACK_BYTES * (3 * depth + 8));
    setWords(this.#host.context.arena.u32, this.#jobAt, ShapeJob, {
      targetsAt: this.#targets.at,
      targetCount,
      localAt: this.#jobAt + ShapeJob.size,
      stackAt,
    });
  }

  // Runs the kernel. If a list was too small, enlarges the lists and runs the kernel again.
  #run(
    shape: ShapeNumbers,
    motion: readonly number[],
    want: keyof typeof WANTS,
    ignoresSeparating: boolean,
  ): void {
    const { arena } = this.#host.context;
    let capacity = FIRST_CAPACITY;
    for (;;) {
      const isOverlap = want !== 'first';
      const hitsAt = isOverlap ? this.#hits.reserve(capacity * HIT_BYTES) : 0;
      const undecidedAt = isOverlap ? this.#undecided.reserve(capacity * HIT_BYTES) : 0;
      writeShape(arena.f64, arena.u32, this.#jobAt, shape, motion);
      setWords(arena.u32, this.#jobAt, ShapeJob, {
        want: WANTS[want],
        ignoresSeparating: ignoresSeparating ? 1 : 0,
        hitsAt,
        hitCapacity: capacity,
        undecidedAt,
        undecidedCapacity: capacity,
      });
      this.#call('castShape', this.#jobAt);
      const needed = Math.max(this.#read('hitCount'), this.#read('undecidedCount'));
      if (needed <= capacity) return;
      capacity = needed;
    }
  }

  #call(kernel: 'castShape' | 'castMesh' | 'listShapeBodies', jobAt: number): void {
    runStep(this.#host.context, kernel, jobAt, 1);
  }

  // Returns the undecided triangles that overlap the shape. isAny: stops after the first one.
  #decide(shape: ShapeNumbers, isAny: boolean): [target: number, triangle: number][] {
    const { arena } = this.#host.context;
    const overlapping: [number, number][] = [];
    for (const [target, triangle] of this.#readList(this.#undecided.at, this.#read('undecidedCount'))) {
      this.#exact ??= this.#host.makeQueryResources();
      const pairAt = this.#jobAt + ShapeJob.size + LocalShape.size;
      const targetAt = this.#targets.at + target * CastTarget.size;
      const corners = cornersOf(arena, this.#exact, pairAt, targetAt, triangle);
      if (overlapExactly(shape, corners)) overlapping.push([target, triangle]);
      if (isAny && overlapping.length > 0) break;
    }
    return overlapping;
  }

  #readList(at: number, count: number): [target: number, triangle: number][] {
    const { u32 } = this.#host.context.arena;
    return Array.from({ length: count }, (_, i) => [u32[at / 4 + 2 * i], u32[at / 4 + 2 * i + 1]]);
  }

  #read(field: keyof typeof ShapeJob.at): number {
    return this.#host.context.arena.u32[(this.#jobAt + ShapeJob.at[field]) / 4];
  }

  #bodyOf(target: number): number {
    const at = this.#targets.at + target * CastTarget.size + CastTarget.at.body;
    return this.#host.context.arena.u32[at / 4];
  }
}
