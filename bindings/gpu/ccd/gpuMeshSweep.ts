// Two meshes that move straight, or one that deforms -> contacts of their features: pairs whose boxes meet,
// are found on a GPU, which drops those that are apart; the CPU alone tells times. The same bytes as
// meshSweep has.

import type { PairList } from '../../broadphase/pairSort.js';
import type { ContactBuffer } from '../../ccd/contactBuffer.js';
import { decideContacts } from '../../ccd/decideNear.js';
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
import { GREATEST } from './gpuFeatureSweep.js';
import { GpuMovingPoints, type Way } from './gpuMovingPoints.js';
import { GpuPairFilter, type LeftPairs, type PairQuestion } from './gpuPairFilter.js';

const { EDGE_EDGE, FACE_VERTEX } = sweptLimits;
const BOX_FLOATS = 6;

/** As the methods `sweepVertices` and `sweep` have it. */
export type SweepAnswer = SweptContacts | SweptContact | undefined;

/** Keeps its buffers from call to call, so it runs one call at a time. */
export class GpuMeshSweep {
  /** Pairs that the GPU left in the last answer. */
  left = 0;
  readonly #gpu: Gpu;
  readonly #points: GpuMovingPoints;
  readonly #boxPairs: GpuBoxPairs;
  readonly #filters: readonly GpuPairFilter[];
  readonly #own: RetryingScratch<{ cpu: CpuPart }>;

  /** capacity: pairs that the GPU may leave at first; it grows. */
  constructor(gpu: Gpu, context: EngineContext, tables: MeshTables, capacity?: number) {
    this.#gpu = gpu;
    this.#points = new GpuMovingPoints(gpu, context, tables);
    this.#boxPairs = new GpuBoxPairs(gpu, context);
    this.#filters = kindsOf(false).map(() => new GpuPairFilter(gpu, capacity));
    this.#own = new RetryingScratch(() => ({ cpu: new CpuPart(context, tables) }));
  }

  /** from, to: x, y, z of each vertex. @throws Disposed, Capacity, GpuLost, GpuUnfit */
  deform(
    mesh: Mesh,
    from: ArrayLike<number>,
    to: ArrayLike<number>,
    how: SweepSettings,
  ): Promise<SweepAnswer> {
    return this.#run([mesh], how, ({ a }) => a.move(mesh, from, to));
  }

  /** Vertices move straight. @throws as above */
  move(a: Mesh, b: Mesh, { fromA, toA, fromB, toB }: Placements, how: SweepSettings): Promise<SweepAnswer> {
    return this.#run([a, b], how, cpu => {
      cpu.a.place(a, fromA, toA);
      cpu.b.place(b, fromB, toB);
    });
  }

  dispose(): void {
    for (const part of [this.#points, this.#boxPairs, ...this.#filters]) part.dispose();
    this.#own.dispose();
  }

  async #run(
    meshes: readonly Mesh[],
    how: SweepSettings,
    place: (cpu: CpuPart) => void,
  ): Promise<SweepAnswer> {
    const startedAt = performance.now();
    const ways = this.#own.run(({ cpu }): readonly Way[] => {
      place(cpu);
      return meshes.map((mesh, i) => ({ mesh, points: [cpu.a, cpu.b][i].copyPoints() }));
    });
    const starts = await this.#findStarts(ways, how);
    if (how.isFirst && starts.count > 0) return firstOf(starts, starts.addresses);
    await Promise.all(this.#filters.map(filter => filter.prepare()));
    const commands = new Commands(this.#gpu);
    const left: LeftPairs[] = [];
    try {
      this.#points.load(commands, ways);
    } finally {
      await commands.submit();
    }
    for (const [i, kinds] of kindsOf(ways.length === 1).entries())
      left.push(await this.#filter(this.#filters[i], kinds, ways, how));
    this.left = left.reduce((sum, { words }) => sum + words.length / 2, 0);
    return this.#own.run(({ cpu }) => cpu.settle(ways, how, { left, starts, startedAt }));
  }

  // The GPU finds triangles whose boxes meet at the start, the CPU decides them.
  async #findStarts(ways: readonly Way[], how: SweepSettings): Promise<ContactBuffer> {
    const { first, second } = this.#own.run(({ cpu }) => cpu.boxesOf(AT_START, ways, how));
    const pairs = await this.#boxPairs.find(first, { ...(second && { against: second }) });
    return this.#own.run(({ cpu }) => cpu.findStarts(ways, how, pairs));
  }

  // Again with more room until all pairs that are left have some.
  async #filter(
    filter: GpuPairFilter,
    kinds: FeatureKinds,
    ways: readonly Way[],
    how: SweepSettings,
  ): Promise<LeftPairs> {
    const { first, second } = this.#own.run(({ cpu }) => cpu.boxesOf(kinds, ways, how));
    const question = this.#questionOf(kinds, ways, how);
    for (;;) {
      filter.reserve((first.length + (second?.length ?? 0)) / BOX_FLOATS);
      const { count, answers } = await this.#boxPairs.findFor(first, second, (commands, pairs) =>
        filter.record(commands, pairs, question, this.#points.buffers),
      );
      const left = await filter.take(answers, count);
      if (left) return left;
    }
  }

  #questionOf(
    { kind, cornersA, cornersB }: FeatureKinds,
    ways: readonly Way[],
    { separation }: SweepSettings,
  ): PairQuestion {
    const points = this.#points;
    const { grid } = this.#points;
    const second = ways.length - 1;
    const atMost = floatAbove(separation);
    return {
      isEdge: Number(kind === EDGE_EDGE),
      isSwapped: Number(kind === FACE_VERTEX),
      isSelf: Number(second === 0),
      // Beyond these nothing is apart, whatever the separation.
      isSeparated: Number(atMost > 0),
      separation: Math.min(atMost, GREATEST),
      pointError: grid.error,
      unit: grid.unit,
      firstA: points.firstOf(0, cornersA),
      firstB: points.firstOf(second, cornersB),
    };
  }
}

/** What is done in engine memory: boxes, and the times of pairs that are left. */
class CpuPart {
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

  /** Boxes of features over the whole motion, six floats each; of a second set, where there is one. */
  boxesOf(
    kinds: FeatureKinds,
    ways: readonly Way[],
    { margin }: SweepSettings,
  ): { first: Float32Array; second: Float32Array | undefined } {
    const { cornersA, cornersB } = kinds;
    const other = this.#restore(ways);
    const { at, count, secondFrom = count } = this.#boxes.write(kinds, this.a, other, margin);
    const { f32 } = this.#context.arena;
    const boxes = (from: number, end: number): Float32Array =>
      f32.slice(at / 4 + BOX_FLOATS * from, at / 4 + BOX_FLOATS * end);
    return {
      first: boxes(0, secondFrom),
      second: secondFrom < count || other || cornersA !== cornersB ? boxes(secondFrom, count) : undefined,
    };
  }

  /** Contacts at the start among pairs of triangles whose boxes meet there. */
  findStarts(ways: readonly Way[], how: SweepSettings, near: PairsCopy): ContactBuffer {
    const second = this.#restore(ways);
    // StartFaces go with the boxes.
    this.#boxes.write(AT_START, this.a, second, how.margin);
    this.#sweepKinds([AT_START], second, how, () => this.#placePairs(near));
    return this.#sweep.takeStartContacts(this.a, second);
  }

  /** Contacts among the pairs that are left, and those at the start. */
  settle(
    ways: readonly Way[],
    how: SweepSettings,
    { left, starts, startedAt }: { left: readonly LeftPairs[]; starts: ContactBuffer; startedAt: number },
  ): SweepAnswer {
    const sweep = this.#sweep;
    const { arena } = this.#context;
    const second = this.#restore(ways);
    sweep.reset();
    this.#sweepKinds(kindsOf(!second), second, how, i => this.#writePairs(left[i]));
    sweep.count();
    const dropped = left.reduce((sum, { tested, words }) => sum + tested - words.length / 2, 0);
    sweep.counts = { ...sweep.counts, featurePairs: sweep.counts.featurePairs + dropped };
    const { contacts } = sweep.lists;
    const { memory, at } = starts.concat(arena, decideContacts(arena, contacts, how));
    return how.isFirst
      ? firstOf(memory, at)
      : readContacts(memory, at, () => sweep.summarize(startedAt)).contacts;
  }

  dispose(): void {
    for (const part of [this.a, this.b, this.#boxes, this.#sweep, this.#pairs]) part.dispose();
  }

  #restore(ways: readonly Way[]): MovingMesh | undefined {
    ways.forEach(({ mesh, points }, i) => [this.a, this.b][i].restore(mesh, points));
    return ways.length > 1 ? this.b : undefined;
  }

  // As MeshSweep's, of pairs that were found elsewhere: place writes those of kinds[i] into engine memory.
  #sweepKinds(
    kinds: readonly FeatureKinds[],
    second: MovingMesh | undefined,
    how: SweepSettings,
    place: (i: number) => PairList,
  ): void {
    const { lists, clock } = this.#sweep;
    lists.prepare(this.#context.pool.threadCount);
    do {
      lists.reset();
      for (const [i, { kind }] of kinds.entries()) {
        const pairs = place(i);
        clock.end('pairs');
        this.#sweep.sweepPairs(kind, this.a, second, pairs, how);
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

  #writePairs({ words }: LeftPairs): PairList {
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
