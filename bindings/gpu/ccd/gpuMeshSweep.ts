// Sweeps two meshes in linear motion, or one deforming mesh, with the help of a GPU. The GPU finds pairs of
// features with overlapping boxes, and drops the pairs that stay apart. The CPU computes the contact times of
// the other pairs. The results are the same, byte for byte, as the results of ccd/meshSweep.ts, which uses only
// the CPU.

import type { PairList } from '../../broadphase/pairSort.js';
import type { ContactBuffer } from '../../ccd/contactBuffer.js';
import { decideContacts } from '../../ccd/decideContacts.js';
import { FeatureBoxes, type FeatureKinds } from '../../ccd/featureBoxes.js';
import { AT_START, FeaturePairSweep, kindsOf } from '../../ccd/featurePairSweep.js';
import type { Placements } from '../../ccd/meshSweep.js';
import type { MeshTables } from '../../ccd/meshTables.js';
import { MovingMesh } from '../../ccd/movingMesh.js';
import type { SweepSettings } from '../../ccd/sweepOptions.js';
import { firstOf, readContacts, type SweptContact, type SweptContacts } from '../../ccd/sweptContacts.js';
import { floatAbove } from '../../core/floats.js';
import type { PairsCopy } from '../../core/results.js';
import type { Mesh } from '../../mesh/mesh.js';
import { sweptLimits } from '../../records/sweptLayout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GrowableBlock } from '../../runtime/memory.js';
import { RetryingScratch } from '../../runtime/retry.js';
import { GpuBoxPairs } from '../broadphase/gpuBoxPairs.js';
import { Commands } from '../device/commands.js';
import type { Gpu } from '../device/gpu.js';
import { type Filtered, filterStats } from './filterStats.js';
import { MAX_SEPARATION } from './gpuFeatureSweep.js';
import { GpuMovingPoints, type MeshMotion } from './gpuMovingPoints.js';
import { GpuPairFilter, type PairFilterSettings, type RemainingPairs } from './gpuPairFilter.js';

const { EDGE_EDGE, FACE_VERTEX } = sweptLimits;
const BOX_FLOATS = 6;

/** The result of `sweepVertices` and `sweep`. */
export type SweepResult = SweptContacts | SweptContact | undefined;

/** The sweep of meshes. All calls use the same buffers, so calls must not overlap. */
export class GpuMeshSweep {
  readonly #gpu: Gpu;
  readonly #points: GpuMovingPoints;
  readonly #boxPairs: GpuBoxPairs;
  readonly #filters: readonly GpuPairFilter[];
  readonly #scratch: RetryingScratch<{ cpu: CpuShare }>;

  /** capacity: initial capacity of the lists of remaining pairs. */
  constructor(gpu: Gpu, context: EngineContext, tables: MeshTables, capacity?: number) {
    this.#gpu = gpu;
    this.#points = new GpuMovingPoints(gpu, context, tables);
    this.#boxPairs = new GpuBoxPairs(gpu, context);
    this.#filters = kindsOf(false).map(() => new GpuPairFilter(gpu, capacity));
    this.#scratch = new RetryingScratch(() => ({ cpu: new CpuShare(context, tables) }));
  }

  /**
   * Sweeps a deforming mesh. from, to: x, y, z of each vertex at the start and at the end. @throws Disposed,
   * Capacity, GpuLost, GpuUnfit
   */
  deform(
    mesh: Mesh,
    from: ArrayLike<number>,
    to: ArrayLike<number>,
    settings: SweepSettings,
  ): Promise<Filtered<SweepResult>> {
    return this.#run([mesh], settings, ({ a }) => a.move(mesh, from, to));
  }

  /** Sweeps two meshes whose vertices move linearly. @throws as above */
  move(
    a: Mesh,
    b: Mesh,
    { fromA, toA, fromB, toB }: Placements,
    settings: SweepSettings,
  ): Promise<Filtered<SweepResult>> {
    return this.#run([a, b], settings, cpu => {
      cpu.a.place(a, fromA, toA);
      cpu.b.place(b, fromB, toB);
    });
  }

  dispose(): void {
    for (const resource of [this.#points, this.#boxPairs, ...this.#filters]) resource.dispose();
    this.#scratch.dispose();
  }

  async #run(
    meshes: readonly Mesh[],
    settings: SweepSettings,
    place: (cpu: CpuShare) => void,
  ): Promise<Filtered<SweepResult>> {
    const startedAt = performance.now();
    const motions = this.#scratch.run(({ cpu }): readonly MeshMotion[] => {
      place(cpu);
      return meshes.map((mesh, i) => ({ mesh, points: [cpu.a, cpu.b][i].copyPoints() }));
    });
    const starts = await this.#findStarts(motions, settings);
    if (settings.isFirst && starts.count > 0)
      return { answer: firstOf(starts, starts.addresses), stats: filterStats(0, 0) };
    await Promise.all(this.#filters.map(filter => filter.prepare()));
    const commands = new Commands(this.#gpu);
    const left: RemainingPairs[] = [];
    try {
      this.#points.load(commands, motions);
    } finally {
      await commands.submit();
    }
    for (const [i, kinds] of kindsOf(motions.length === 1).entries())
      left.push(await this.#filter(this.#filters[i], kinds, motions, settings));
    const sum = (of: (pairs: RemainingPairs) => number): number =>
      left.reduce((total, pairs) => total + of(pairs), 0);
    return {
      answer: this.#scratch.run(({ cpu }) =>
        cpu.findContacts(motions, settings, { left, starts, startedAt }),
      ),
      stats: filterStats(
        sum(({ tested }) => tested),
        sum(({ words }) => words.length / 2),
      ),
    };
  }

  // Finds the pairs of triangles that share a point at the start: the GPU finds the pairs whose boxes
  // overlap, and the CPU tests these pairs.
  async #findStarts(motions: readonly MeshMotion[], settings: SweepSettings): Promise<ContactBuffer> {
    const { first, second } = this.#scratch.run(({ cpu }) => cpu.boxesOf(AT_START, motions, settings));
    const pairs = await this.#boxPairs.find(first, { ...(second && { against: second }) });
    return this.#scratch.run(({ cpu }) => cpu.findStarts(motions, settings, pairs));
  }

  // Finds the pairs of features that may touch. Repeats the search with a longer list until all of them fit.
  async #filter(
    filter: GpuPairFilter,
    kinds: FeatureKinds,
    motions: readonly MeshMotion[],
    settings: SweepSettings,
  ): Promise<RemainingPairs> {
    const { first, second } = this.#scratch.run(({ cpu }) => cpu.boxesOf(kinds, motions, settings));
    const filterSettings = this.#filterSettingsOf(kinds, motions, settings);
    for (;;) {
      filter.reserve((first.length + (second?.length ?? 0)) / BOX_FLOATS);
      const { count, answers } = await this.#boxPairs.findFor(first, second, (commands, pairs) =>
        filter.record(commands, pairs, filterSettings, this.#points.buffers),
      );
      const left = await filter.take(answers, count);
      if (left) return left;
    }
  }

  #filterSettingsOf(
    { kind, cornersA, cornersB }: FeatureKinds,
    motions: readonly MeshMotion[],
    { separation }: SweepSettings,
  ): PairFilterSettings {
    const points = this.#points;
    const { grid } = this.#points;
    const second = motions.length - 1;
    const separationAbove = floatAbove(separation);
    return {
      isEdge: Number(kind === EDGE_EDGE),
      isSwapped: Number(kind === FACE_VERTEX),
      isSelf: Number(second === 0),
      // The separation is clamped. The filter drops no pair at MAX_SEPARATION or above.
      isSeparated: Number(separationAbove > 0),
      separation: Math.min(separationAbove, MAX_SEPARATION),
      pointError: grid.error,
      unit: grid.unit,
      firstA: points.firstOf(0, cornersA),
      firstB: points.firstOf(second, cornersB),
    };
  }
}

/**
 * The CPU's part of a sweep, with data in engine memory: it computes boxes of features, and the contact times
 * of remaining pairs.
 */
class CpuShare {
  readonly a: MovingMesh;
  readonly b: MovingMesh;
  readonly #context: EngineContext;
  readonly #boxes: FeatureBoxes;
  readonly #sweep: FeaturePairSweep;
  readonly #pairs: GrowableBlock;

  constructor(context: EngineContext, tables: MeshTables) {
    this.#context = context;
    [this.a, this.b] = [new MovingMesh(context, tables), new MovingMesh(context, tables)];
    this.#boxes = new FeatureBoxes(context);
    this.#sweep = new FeaturePairSweep(context);
    this.#pairs = new GrowableBlock(context.arena);
  }

  /**
   * Returns the boxes of one or two sets of features, six floats each. A box contains its feature during the
   * whole motion; for AT_START, only at the start.
   */
  boxesOf(
    kinds: FeatureKinds,
    motions: readonly MeshMotion[],
    { margin }: SweepSettings,
  ): { first: Float32Array; second: Float32Array | undefined } {
    const { cornersA, cornersB } = kinds;
    const other = this.#restore(motions);
    const { at, count, secondFrom = count } = this.#boxes.write(kinds, this.a, other, margin);
    const { f32 } = this.#context.arena;
    const boxes = (from: number, end: number): Float32Array =>
      f32.slice(at / 4 + BOX_FLOATS * from, at / 4 + BOX_FLOATS * end);
    return {
      first: boxes(0, secondFrom),
      second: secondFrom < count || other || cornersA !== cornersB ? boxes(secondFrom, count) : undefined,
    };
  }

  /** Finds the contacts at the start. near: the pairs of triangles whose boxes overlap at the start. */
  findStarts(motions: readonly MeshMotion[], settings: SweepSettings, near: PairsCopy): ContactBuffer {
    const second = this.#restore(motions);
    // `write` also writes the StartFace records (triangles at the start, in floats), which `#sweepKinds` needs.
    this.#boxes.write(AT_START, this.a, second, settings.margin);
    this.#sweepKinds([AT_START], second, settings, () => this.#placePairs(near));
    return this.#sweep.takeStartContacts(this.a, second);
  }

  /** Finds the contacts of the remaining pairs, and adds the contacts at the start. */
  findContacts(
    motions: readonly MeshMotion[],
    settings: SweepSettings,
    {
      left,
      starts,
      startedAt,
    }: { left: readonly RemainingPairs[]; starts: ContactBuffer; startedAt: number },
  ): SweepResult {
    const sweep = this.#sweep;
    const { arena } = this.#context;
    const second = this.#restore(motions);
    sweep.reset();
    this.#sweepKinds(kindsOf(!second), second, settings, i => this.#writePairs(left[i]));
    sweep.addCounts();
    const dropped = left.reduce((sum, { tested, words }) => sum + tested - words.length / 2, 0);
    sweep.counts = { ...sweep.counts, featurePairs: sweep.counts.featurePairs + dropped };
    const { contacts } = sweep.lists;
    const { memory, at } = starts.concat(arena, decideContacts(arena, contacts, settings));
    return settings.isFirst
      ? firstOf(memory, at)
      : readContacts(memory, at, () => sweep.summarize(startedAt)).contacts;
  }

  dispose(): void {
    for (const resource of [this.a, this.b, this.#boxes, this.#sweep, this.#pairs]) resource.dispose();
  }

  #restore(motions: readonly MeshMotion[]): MovingMesh | undefined {
    motions.forEach(({ mesh, points }, i) => [this.a, this.b][i].restore(mesh, points));
    return motions.length > 1 ? this.b : undefined;
  }

  // Sweeps pairs of features as ccd/meshSweep.ts does, but the GPU has already found the pairs. `place(i)`
  // writes the pairs of kinds[i] to engine memory.
  #sweepKinds(
    kinds: readonly FeatureKinds[],
    second: MovingMesh | undefined,
    settings: SweepSettings,
    place: (i: number) => PairList,
  ): void {
    const { lists, clock } = this.#sweep;
    lists.prepare(this.#context.pool.wantedThreads);
    do {
      lists.reset();
      for (const [i, { kind }] of kinds.entries()) {
        const pairs = place(i);
        clock.end('pairs');
        this.#sweep.sweepPairs(kind, this.a, second, pairs, settings);
      }
    } while (lists.grow());
  }

  #placePairs({ count, a, b }: PairsCopy): PairList {
    const aAt = this.#pairs.reserve(8 * count + 16);
    const bAt = aAt + 4 * count;
    const { u32 } = this.#context.arena;
    u32.set(a, aAt / 4);
    u32.set(b, bAt / 4);
    return { aAt, bAt, count };
  }

  #writePairs({ words }: RemainingPairs): PairList {
    const count = words.length / 2;
    const aAt = this.#pairs.reserve(4 * words.length + 16);
    const bAt = aAt + 4 * count;
    const { u32 } = this.#context.arena;
    for (let i = 0, to = aAt / 4; i < words.length; i += 2, to++) {
      u32[to] = words[i];
      u32[to + count] = words[i + 1];
    }
    return { aAt, bAt, count };
  }
}
