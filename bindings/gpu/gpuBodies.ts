// Pairs of bodies that a scene asks about -> what each has, found on a GPU; those that do not fit it, and a
// part of very many, by the CPU meanwhile.

import type { EngineHost } from '../core/module.js';
import type { ResultLocation } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';
import { PairRecord } from '../records/layout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { retry } from '../runtime/retry.js';
import type { Bodies } from '../scene/bodies.js';
import type { BodyPairResults, BodyPairTester } from '../scene/bodyPairTester.js';
import type { Detection } from '../scene/detection.js';
import { GpuUnfit } from './device/gpuErrors.js';
import type { GpuQueries, WrittenPairs } from './gpuQueries.js';
import { LoadSplit, together } from './loadSplit.js';
import type { MeshWatch } from './meshWatch.js';
import { fitsGpu } from './narrowphase/gpuPairs.js';

/** Triangle pairs of some of a list: those of places[i] are pairsAt[i] <= k < pairsAt[i + 1]. */
interface Part {
  places: readonly number[];
  pairsAt: Uint32Array;
  a: Uint32Array;
  b: Uint32Array;
}

export class GpuBodies {
  readonly #host: EngineHost;
  readonly #queries: GpuQueries;
  readonly #split = new LoadSplit();

  constructor(host: EngineHost, queries: GpuQueries) {
    this.#host = host;
    this.#queries = queries;
  }

  /**
   * Finds what the chosen pairs of a frame have in common. isAlone: the CPU gets only pairs that do not fit the
   * GPU. @throws GpuLost; GpuUnfit if no pair fits; as MeshWatch.check
   */
  async ask(
    { tester: asker, bodies, request: asking }: Detection,
    isAlone: boolean,
    watch?: MeshWatch,
  ): Promise<{ answer: BodyPairResults; stats: object }> {
    const {
      context: { arena },
    } = this.#host;
    const { narrow } = asking;
    const { count, found } = asker;
    const records = new BlockGroup(arena);
    try {
      const { written, own, rest } = this.#write(
        asker,
        bodies,
        records,
        isAlone ? count : this.#split.of(count),
      );
      if (own.length === 0) throw new GpuUnfit("no placement fits a GPU's floats");
      const asked = this.#queries.find(
        written,
        { coherence: asking.coherence, want: narrow === 'any' ? narrow : 'pairs' },
        watch,
      );
      const [{ stats, ...hits }, some] =
        rest.length === 0
          ? [await asked]
          : await together(this.#split, asked, () => {
              watch?.check();
              this.#host.beginCall();
              const { queries, found, result } = asker.testSome(rest, bodies, narrow, asking);
              // Copied: the next call of the engine reuses the memory, and may come before the GPU is done.
              return { queries, found, part: result && partOf(rest, result) };
            });
      own.forEach((place, i) => {
        found[place] = hits.pairsAt[i + 1] - hits.pairsAt[i];
      });
      some?.found.subarray(0, rest.length).forEach((value, i) => {
        found[rest[i]] = value;
      });
      const parts: Part[] = [{ ...hits, places: own }];
      if (some?.part) parts.push(some.part);
      return {
        answer: {
          queries: some?.queries ?? [],
          result: narrow === 'pairs' ? joined(count, parts) : undefined,
        },
        stats: { ...stats, pairs: own.length },
      };
    } finally {
      if (!arena.isClosed) records.releaseAll();
    }
  }

  // Records of those of the first `count` pairs that fit, one behind the other. own: their places in the
  // list; rest: all others.
  #write(
    asker: BodyPairTester,
    bodies: Bodies,
    records: BlockGroup,
    count: number,
  ): { written: WrittenPairs; own: number[]; rest: number[] } {
    const {
      context: { arena },
      writer,
    } = this.#host;
    const own: number[] = [];
    const rest: number[] = [];
    const pairs = { at: 0 };
    const room = { pairs, reservePairs: () => pairs.at, noteDepth: () => {} };
    try {
      const trees = retry(() => {
        // What a lost worker may still write to is not used again.
        records.releaseAll();
        pairs.at = records.take(count * PairRecord.size);
        return asker.pairs.write(room, bodies, { count, a: asker.a, b: asker.b });
      });
      const kept: Mesh[] = [];
      const swapped = new Uint8Array(count);
      for (let i = 0; i < asker.count; i++) {
        const at = pairs.at + i * PairRecord.size;
        if (i >= count || !fitsGpu(arena, at)) {
          rest.push(i);
          continue;
        }
        arena.u8.copyWithin(pairs.at + own.length * PairRecord.size, at, at + PairRecord.size);
        swapped[own.length] = asker.pairs.swapped[i];
        kept.push(trees[2 * i], trees[2 * i + 1]);
        own.push(i);
      }
      return { written: { pairs, trees: kept, swapped }, own, rest };
    } finally {
      // Copies of meshes serve pairs that do not fit.
      writer.release();
    }
  }
}

function partOf(
  places: readonly number[],
  { arena: { u32 }, aAt, bAt, count, pairsAt }: ResultLocation,
): Part {
  return {
    places,
    pairsAt: pairsAt.slice(),
    a: u32.slice(aAt / 4, aAt / 4 + count),
    b: u32.slice(bAt / 4, bAt / 4 + count),
  };
}

// One list, as if all had been asked at once.
function joined(count: number, parts: readonly Part[]): ResultLocation {
  const pairsAt = new Uint32Array(count + 1);
  for (const { places, pairsAt: at } of parts)
    places.forEach((place, i) => {
      pairsAt[place + 1] = at[i + 1] - at[i];
    });
  for (let i = 0; i < count; i++) pairsAt[i + 1] += pairsAt[i];
  const total = pairsAt[count];
  const u32 = new Uint32Array(2 * total);
  for (const { places, pairsAt: at, a, b } of parts) {
    places.forEach((place, i) => {
      u32.set(a.subarray(at[i], at[i + 1]), pairsAt[place]);
      u32.set(b.subarray(at[i], at[i + 1]), total + pairsAt[place]);
    });
  }
  return { arena: { u32 }, aAt: 0, bAt: 4 * total, count: total, pairsAt };
}
