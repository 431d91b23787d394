// The bodies of a scene in engine memory: adds, moves and removes bodies, and keeps their placements and
// boxes.

import { BOX_BYTES } from '../broadphase/boxSet.js';
import { isFloatArray } from '../core/checkOptions.js';
import { Disposed, describe, Unsupported } from '../core/errors.js';
import { readTransform, type Transforms } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import { writeBodyMesh } from '../records/bodyMesh.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { BodyRecord, PlaceBodiesJob } from '../records/sceneLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { retry, WorkerLost } from '../runtime/retry.js';
import { sliceCountOf } from '../runtime/sliceCount.js';
import { runStep } from '../runtime/steps.js';
import { checkMatrices, describeMatrices, readRows } from './bodyMatrices.js';
import { BodyStarts } from './bodyStarts.js';

const AT = BodyRecord.at;
/**
 * Minimum number of bodies per slice, if there are several slices. Passing fewer bodies to another thread
 * would cost more than it saves.
 */
const MIN_BODIES_PER_SLICE = 1024;
const GENERATIONS = 4096;
const MAX_SLOTS = 2 ** 20;
const IDENTITY_ROWS = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/**
 * Returns the slot of a body id. An id is 4096 times the slot, plus the number of bodies that were in the
 * slot before (modulo 4096). So ids ascend with slots, and the id of a removed body is not reused soon.
 */
export const slotOf = (id: number): number => Math.floor(id / GENERATIONS);

interface Slot {
  id: number;
  mesh: Mesh | undefined;
  version: number;
}

export class Bodies {
  /** All slots; a slot without a mesh is empty. */
  readonly slots: Slot[] = [];
  /** Maximum tree depth of all meshes that were ever added. */
  depth = 0;
  readonly #context: EngineContext;
  readonly #records: GrowableBlock;
  readonly #boxes: GrowableBlock;
  /** A copy of the matrices that the caller passed to `placeAll`, if they were not in engine memory. */
  readonly #copiedMatrices: GrowableBlock;
  /** The matrices behind `matrixView`. */
  readonly #viewMatrices: GrowableBlock;
  readonly #rows = new Float64Array(12);
  /**
   * For each body, the placement at which its motion in the next continuous detect starts. It was set by the
   * last call of `placeFrom`, `markUnmoved` or `recordStarts`. If the body was added after that call, it is
   * the placement with which the body was added.
   */
  readonly starts = new BodyStarts();
  readonly #job: GrowableBlock;
  readonly #emptySlots: number[] = [];
  #capacity = 0;
  /** Whether a kernel failed while it wrote boxes. All boxes are then rewritten before they are used. */
  #hasStaleBoxes = false;

  constructor(context: EngineContext) {
    this.#context = context;
    const { arena } = context;
    this.#records = new GrowableBlock(arena);
    this.#boxes = new GrowableBlock(arena);
    this.#copiedMatrices = new GrowableBlock(arena);
    this.#viewMatrices = new GrowableBlock(arena);
    this.#job = new GrowableBlock(arena);
  }

  get recordsAt(): number {
    return this.#records.at;
  }
  get boxesAt(): number {
    return this.#boxes.at;
  }

  /**
   * Adds a body. rows: its placement, three rows of four numbers. @returns its id. @throws Unsupported,
   * Disposed, Capacity
   */
  add(mesh: Mesh, group: number, mask: number, rows: Float64Array = IDENTITY_ROWS): number {
    // Everything that can throw comes before the first change, except #updateBox. If #updateBox throws, the
    // body is removed again. Reading `recordAt` throws if the mesh is disposed.
    void mesh.recordAt;
    const slot = this.#emptySlots.at(-1) ?? this.slots.length;
    if (slot >= MAX_SLOTS)
      throw new Unsupported(`a scene can have at most ${MAX_SLOTS} bodies`, 'use several scenes');
    if (slot >= this.#capacity) this.#grow(Math.max(64, 2 * this.#capacity));
    const { arena } = this.#context;
    const at = this.recordsAt + slot * BodyRecord.size;
    const previous = this.slots[slot];
    this.#emptySlots.pop();
    arena.f64.set(rows, (at + AT.rows) / 8);
    const id = previous ? slot * GENERATIONS + ((previous.id + 1) % GENERATIONS) : slot * GENERATIONS;
    this.slots[slot] = { id, mesh, version: mesh.version };
    setWords(arena.u32, at, BodyRecord, { group, mask });
    this.#writeMeshFields(slot, mesh);
    this.starts.copyRows(slot, rows, 0);
    try {
      this.#updateBox(slot);
    } catch (error) {
      // The caller does not get the id, so it could not remove the body.
      this.#empty(slot);
      throw error;
    }
    return id;
  }

  /** Returns the slot of a body. @throws Unsupported if there is no body with this id */
  find(id: number): number {
    const entry = typeof id === 'number' ? this.slots[slotOf(id)] : undefined;
    if (!entry?.mesh || entry.id !== id)
      throw new Unsupported(
        `there is no body ${describe(id)} in the scene`,
        'pass the id that add returned for a body that has not been removed',
      );
    return slotOf(id);
  }

  remove(id: number): void {
    const slot = this.find(id);
    this.#empty(slot);
    this.#updateBox(slot);
  }

  /**
   * Moves one body. rows: its placement, three rows of four numbers. @throws Unsupported if there is no body
   * with this id
   */
  place(id: number, rows: Float64Array): void {
    const slot = this.find(id);
    this.#context.arena.f64.set(rows, (this.recordsAt + slot * BodyRecord.size + AT.rows) / 8);
    this.#setWord(slot, 'moved', 1);
    this.#updateBox(slot);
  }

  /**
   * Moves all bodies. matrices: 16 numbers per slot; matrices in engine memory are read without a copy.
   * @throws Unsupported, or InvalidTransform that names the matrix; in both cases nothing has changed
   */
  placeAll(matrices: Transforms): void {
    const { arena } = this.#context;
    checkMatrices(
      matrices,
      this.slots.length,
      'slots',
      'pass 16 numbers per slot (see scene.slotOf); adding a body or growing memory invalidates the array that transformView() returned: call transformView() again',
    );
    let at = matrices.byteOffset;
    if (matrices.buffer !== arena.memory.buffer) {
      at = this.#copiedMatrices.reserve(matrices.byteLength);
      (matrices instanceof Float32Array ? arena.f32 : arena.f64).set(
        matrices,
        at / matrices.BYTES_PER_ELEMENT,
      );
    }
    const isDouble = matrices instanceof Float64Array;
    const bad = this.#run(0, this.slots.length, at, isDouble, 'check');
    // Reads the invalid matrix again, which throws an error that names the matrix.
    if (bad !== undefined)
      readTransform(`slot ${bad}: matrix`, matrices.subarray(16 * bad, 16 * bad + 16), this.#rows, 0);
    this.#run(0, this.slots.length, at, isDouble);
  }

  /**
   * Moves some bodies. ids: as returned by `copyIds`. matrices: 16 numbers per body, in the order of `ids`.
   * @throws Unsupported, or InvalidTransform that names the body; in both cases nothing has changed
   */
  placeSome(ids: ArrayLike<number>, matrices: Transforms): void {
    if (ids.length === 0) return;
    const slots = new Uint32Array(ids.length);
    for (let i = 0; i < ids.length; i++) slots[i] = this.find(ids[i]);
    const rows = readRows(ids, matrices);
    const { f64, u32 } = this.#context.arena;
    let first = slots[0];
    let last = first;
    for (let i = 0, from = 0; i < slots.length; i++) {
      const slot = slots[i];
      const at = this.recordsAt + slot * BodyRecord.size;
      const to = (at + AT.rows) / 8;
      let hasChanged = false;
      for (let k = to; k < to + 12; k++, from++) {
        const value = rows[from];
        if (f64[k] === value) continue;
        hasChanged = true;
        f64[k] = value;
      }
      if (hasChanged) u32[(at + AT.moved) / 4] = 1;
      first = Math.min(first, slot);
      last = Math.max(last, slot);
    }
    this.#run(first, last - first + 1, 0, false);
  }

  /**
   * Returns a view of engine memory with 16 float32 per slot. `placeAll` reads matrices in this view without
   * a copy.
   */
  matrixView(): Float32Array {
    const at = this.#viewMatrices.reserve(64 * Math.max(1, this.slots.length));
    return this.#context.arena.f32.subarray(at / 4, at / 4 + 16 * this.slots.length);
  }

  /**
   * Updates the bodies whose meshes have changed since the last call. @throws Disposed if a mesh was disposed
   */
  refresh(): void {
    if (this.#hasStaleBoxes) {
      for (let slot = 0; slot < this.slots.length; slot++) this.#setWord(slot, 'moved', 1);
      this.#run(0, this.slots.length, 0, false);
      this.#hasStaleBoxes = false;
    }
    for (let slot = 0; slot < this.slots.length; slot++) {
      const entry = this.slots[slot];
      const { mesh } = entry;
      if (!mesh) continue;
      if (mesh.isDisposed)
        throw new Disposed(
          `the mesh of body ${entry.id} was disposed`,
          'remove the body before you dispose of its mesh',
        );
      if (mesh.version === entry.version) continue;
      entry.version = mesh.version;
      this.#writeMeshFields(slot, mesh);
      this.#updateBox(slot);
    }
  }

  /**
   * Checks that no mesh has changed since `refresh`. @throws Unsupported if a mesh has changed or was
   * disposed
   */
  checkMeshes(): void {
    for (const { id, mesh, version } of this.slots) {
      if (mesh && (mesh.isDisposed || mesh.version !== version))
        throw new Unsupported(
          `the mesh of body ${id} changed during detect`,
          'change meshes after detect has returned, not in onProgress',
        );
    }
  }

  /**
   * Returns whether, since the last `markUnmoved`, any body was moved, added or removed, or had its mesh
   * changed.
   */
  haveMoved(): boolean {
    return this.slots.some((_, slot) => this.hasMoved(slot));
  }
  hasMoved(slot: number): boolean {
    return this.#context.arena.u32[(this.recordsAt + slot * BodyRecord.size + AT.moved) / 4] !== 0;
  }
  /**
   * Marks all bodies as unmoved, and records their current placements as the start of their next motion. A
   * single pass does both, because most of the time is spent on reading the records.
   */
  markUnmoved(): void {
    const { starts, slots, recordsAt } = this;
    const {
      arena: { f64, u32 },
    } = this.#context;
    for (let slot = 0, at = recordsAt; slot < slots.length; slot++, at += BodyRecord.size) {
      const moved = (at + AT.moved) / 4;
      if (starts.areOverridden || u32[moved] !== 0) starts.copyRows(slot, f64, (at + AT.rows) / 8);
      u32[moved] = 0;
    }
    starts.areOverridden = false;
  }

  /** Records the current placements of all bodies as the start of their next motion. */
  recordStarts(): void {
    const { f64 } = this.#context.arena;
    for (let slot = 0; slot < this.slots.length; slot++)
      this.starts.copyRows(slot, f64, (this.recordsAt + slot * BodyRecord.size + AT.rows) / 8);
  }

  /**
   * Moves all bodies to `matrices`, and records `from` as the start of their motion to `matrices`. Both arrays
   * have 16 numbers per slot.
   * @throws Unsupported, or InvalidTransform that names the matrix; in both cases nothing has changed
   */
  placeFrom(from: Transforms, matrices: Transforms): void {
    if (!isFloatArray(from) || from.length !== 16 * this.slots.length)
      throw new Unsupported(
        `setTransforms received ${describeMatrices(from)} in { from }, not 16 numbers for each of ${this.slots.length} slots`,
        'pass 16 numbers per slot (see scene.slotOf)',
      );
    const rows = this.starts.read(from, slot => this.slots[slot].mesh !== undefined);
    this.placeAll(matrices);
    this.starts.set(rows);
  }

  /**
   * Returns the slots of bodies that were moved, added or removed, or whose mesh changed, since the last
   * `markUnmoved`.
   */
  movedSlots(): Uint32Array {
    const moved = new Uint32Array(this.slots.length);
    let count = 0;
    for (let slot = 0; slot < moved.length; slot++) {
      moved[count] = slot;
      count += this.hasMoved(slot) ? 1 : 0;
    }
    return moved.subarray(0, count);
  }

  /** Returns copies of the boxes of the given slots, or of all slots: six floats per box. */
  copyBoxes(slots?: Uint32Array): Float32Array {
    const { f32 } = this.#context.arena;
    const from = this.boxesAt / 4;
    if (!slots || slots.length === this.slots.length) return f32.slice(from, from + 6 * this.slots.length);
    const boxes = new Float32Array(6 * slots.length);
    slots.forEach((slot, k) => {
      for (let i = 0; i < 6; i++) boxes[6 * k + i] = f32[from + 6 * slot + i];
    });
    return boxes;
  }

  /** Returns a body's placement as a column-major 4x4 matrix. */
  matrixOf(slot: number): Float64Array {
    const rows = (this.recordsAt + slot * BodyRecord.size + AT.rows) / 8;
    const { f64 } = this.#context.arena;
    return Float64Array.from({ length: 16 }, (_, i) =>
      i % 4 === 3 ? (i === 15 ? 1 : 0) : f64[rows + (i % 4) * 4 + (i >> 2)],
    );
  }

  dispose(): void {
    for (const buffer of [this.#records, this.#boxes, this.#copiedMatrices, this.#viewMatrices, this.#job])
      buffer.dispose();
  }

  #writeMeshFields(slot: number, mesh: Mesh): void {
    this.depth = Math.max(this.depth, mesh.depth);
    const { arena } = this.#context;
    const at = this.recordsAt + slot * BodyRecord.size;
    writeBodyMesh(arena, at, mesh);
    setWords(arena.u32, at, BodyRecord, { moved: 1, supportsAt: 0 });
  }

  #empty(slot: number): void {
    this.slots[slot].mesh = undefined;
    this.#emptySlots.push(slot);
    this.#setWord(slot, 'presence', limits.ABSENT);
    this.#setWord(slot, 'moved', 1);
  }

  #updateBox(slot: number): void {
    this.#run(slot, 1, 0, false);
  }

  // Places bodies, or only checks their matrices. @returns the first slot whose matrix is invalid, if any
  #run(
    first: number,
    count: number,
    matricesAt: number,
    isDouble: boolean,
    mode: 'check' | 'place' = 'place',
  ): number | undefined {
    return retry(
      () => this.#runOnce(first, count, matricesAt, isDouble, mode),
      error => {
        if (!(error instanceof WorkerLost)) {
          this.#hasStaleBoxes = true;
          return;
        }
        this.#renew();
        // The failed run may have written placements without their boxes, so the boxes of all bodies
        // are recomputed.
        for (let slot = 0; slot < this.slots.length; slot++) this.#updateBox(slot);
      },
    );
  }

  #runOnce(
    first: number,
    count: number,
    matricesAt: number,
    isDouble: boolean,
    mode: 'check' | 'place',
  ): number | undefined {
    const { pool, arena } = this.#context;
    const sliceCount = sliceCountOf(pool.threadCount, count, MIN_BODIES_PER_SLICE);
    const jobAt = this.#job.reserve(PlaceBodiesJob.size + 4 * pool.threadCount);
    const firstInvalidAt = jobAt + PlaceBodiesJob.size;
    setWords(arena.u32, jobAt, PlaceBodiesJob, {
      bodiesAt: this.recordsAt + first * BodyRecord.size,
      bodyCount: count,
      sliceCount,
      matricesAt,
      isDouble: isDouble ? 1 : 0,
      boxesAt: this.boxesAt + first * BOX_BYTES,
      firstInvalidAt,
      isCheck: mode === 'check' ? 1 : 0,
    });
    runStep(this.#context, 'placeBodies', jobAt, sliceCount);
    for (let slice = 0; slice < sliceCount; slice++) {
      const bad = arena.u32[firstInvalidAt / 4 + slice];
      if (bad !== limits.NOTHING) return bad;
    }
    return undefined;
  }

  #setWord(slot: number, field: 'presence' | 'moved', value: number): void {
    this.#context.arena.u32[(this.recordsAt + slot * BodyRecord.size + AT[field]) / 4] = value;
  }

  #grow(capacity: number): void {
    this.#records.growKeeping(capacity * BodyRecord.size, this.slots.length * BodyRecord.size);
    this.#boxes.growKeeping(capacity * BOX_BYTES + 16, this.slots.length * BOX_BYTES);
    this.#capacity = capacity;
  }

  // Moves records and boxes to new memory that a lost worker cannot write to. All bodies count as moved.
  #renew(): void {
    this.#records.replace(this.#capacity * BodyRecord.size, this.slots.length * BodyRecord.size);
    this.#boxes.replace(this.#capacity * BOX_BYTES + 16, this.slots.length * BOX_BYTES);
    this.#job.dispose();
    for (let slot = 0; slot < this.slots.length; slot++) this.#setWord(slot, 'moved', 1);
  }
}
