// Placed pairs of meshes -> their triangle pairs, found on a GPU, decided where floats left them open, in memory of their own.
import type { Backend } from './backend.js';
import { Disposed, Stale } from './errors.js';
import { Joiner } from './joinLists.js';
import { PairRecord } from './layout.js';
import { Buffer } from './memory.js';
import type { Mesh } from './mesh.js';
import { PairWriter, type PlacedMeshes } from './pairWriter.js';
import type { ManyPairsCopy } from './results.js';
import { decideUnsure } from './systems/decideUnsure.js';
import { GpuFront, type GpuFrontStats } from './systems/gpuFront.js';
import type { Neighbours } from './systems/selfTrees.js';
import { GpuUnfit, type Gpu } from './webgpu/gpu.js';

/** How it is asked. neighbours: each pair is one mesh with itself, and pairs are of triangles that share no vertex. */
export interface GpuQueryOptions { order?: 'sorted' | 'any'; coherence?: 'on' | 'off'; neighbours?: Neighbours }
/** Of placed pair i: entries pairsAt[i] <= k < pairsAt[i + 1]. */
export interface GpuQueryAnswer extends ManyPairsCopy { stats: GpuFrontStats }

/** One query after the other: its records and lists are those of the query that runs. */
export class GpuQueries {
  private readonly backend: Backend;
  private readonly front: GpuFront;
  private readonly writer: PairWriter;
  private readonly pairs: Buffer;

  /** known: the engine's meshes. capacity: entries that lists have room for at first. */
  constructor(backend: Backend, gpu: Gpu, known: { has(mesh: Mesh): boolean }, capacity?: number) {
    this.backend = backend;
    this.front = new GpuFront(backend.arena, gpu, capacity);
    this.writer = new PairWriter(backend, known);
    this.pairs = new Buffer(backend.arena);
  }

  /** @throws GpuLost, GpuUnfit, what `query` throws of bad pairs, Stale and Disposed where a mesh changed or went meanwhile */
  async ask(asked: readonly PlacedMeshes[], { order = 'sorted', coherence = 'on', neighbours }: GpuQueryOptions = {}): Promise<GpuQueryAnswer> {
    const { backend, front, pairs } = this, writer = this.writer;
    try {
      const trees = writer.write({ pairs, reservePairs: (count) => pairs.reserve(count * PairRecord.size), noteDepth: () => {} }, asked);
      if (writer.hasCopies) throw new GpuUnfit('a placement is too ill-conditioned for floats');
      const swapped = writer.swapped.slice(), versions = trees.map(({ version }) => version);
      const { sure, unsure, stats } = await front.run({ pairsAt: pairs.at, trees, coherence, neighbours });
      checkUnchanged(trees, versions);
      const verdicts = decideUnsure(backend, pairs.at, unsure);
      return { ...this.join(sure, unsure.filter((_, i) => verdicts[Math.floor(i / 3)] === 1), asked.length, swapped, order), stats };
    } finally {
      writer.release();
    }
  }

  dispose(): void {
    this.front.dispose();
    if (!this.backend.arena.isClosed) this.pairs.dispose();
  }

  private join(sure: Uint32Array, decided: Uint32Array, pairCount: number, swapped: Uint8Array, order: 'sorted' | 'any'): ManyPairsCopy {
    const extra = new Uint32Array(sure.length + decided.length), joiner = new Joiner(this.backend);
    extra.set(sure);
    extra.set(decided, sure.length);
    try {
      const { aAt, bAt, count, pairsAt } = joiner.join({ parts: 0, extra, pairs: this.pairs, lists: { read: () => 0 } }, pairCount, swapped, order);
      const { u32 } = this.backend.arena;
      return { count, a: u32.slice(aAt / 4, aAt / 4 + count), b: u32.slice(bAt / 4, bAt / 4 + count), pairsAt: pairsAt.slice() };
    } finally {
      joiner.dispose();
    }
  }
}

// The GPU's trees are those of the call; points that floats left open are read afterwards.
function checkUnchanged(trees: readonly Mesh[], versions: readonly number[]): void {
  trees.forEach((mesh, i) => {
    if (mesh.isGone) throw new Disposed(`mesh ${mesh.id} or its engine was disposed while it was asked about`, 'await the answer before disposing of meshes');
    if (mesh.version !== versions[i]) throw new Stale(`mesh ${mesh.id} changed while it was asked about`, 'await the answer before updating meshes');
  });
}
