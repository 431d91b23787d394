// Tests a scene's pairs of bodies on a GPU. A pair fits the GPU if floats are precise enough for its
// placement; the CPU tests the pairs that do not fit. If there are many pairs, and backend is not 'webgpu',
// the CPU also tests some of the pairs that fit, at the same time as the GPU.

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
import { LoadSplit, runTogether } from './loadSplit.js';
import type { MeshWatch } from './meshWatch.js';
import { fitsGpu } from './narrowphase/fillGpuPair.js';

/**
 * Triangle pairs of some pairs of bodies. The triangle pairs of the pair of bodies with index indices[i] are
 * the entries of a and b from pairsAt[i] up to, but not including, pairsAt[i + 1].
 */
interface PartialResult {
  indices: readonly number[];
  pairsAt: Uint32Array;
  a: Uint32Array;
  b: Uint32Array;
}

export class GpuBodyPairs {
  readonly #host: EngineHost;
  readonly #queries: GpuQueries;
  readonly #split = new LoadSplit();

  constructor(host: EngineHost, queries: GpuQueries) {
    this.#host = host;
    this.#queries = queries;
  }

  /**
   * Finds the intersecting triangles of the pairs of bodies that a detection has chosen to test. isGpuOnly:
   * the CPU tests only the pairs that do not fit the GPU. @throws GpuLost, Capacity; GpuUnfit if no pair fits
   * the GPU, or as GpuQueries.find; the errors of MeshWatch.check
   */
  async test(
    { tester, bodies, request }: Detection,
    isGpuOnly: boolean,
    watch?: MeshWatch,
  ): Promise<{ answer: BodyPairResults; stats: object }> {
    const {
      context: { arena },
    } = this.#host;
    const { narrow } = request;
    const { count, triangleCounts } = tester;
    const records = new BlockGroup(arena);
    try {
      const { written, fitting, rest } = this.#write(
        tester,
        bodies,
        records,
        isGpuOnly ? count : this.#split.gpuCount(count),
      );
      if (fitting.length === 0) throw new GpuUnfit('floats are too imprecise for every pair of bodies');
      const onGpu = this.#queries.find(
        written,
        { coherence: request.coherence, want: narrow === 'any' ? narrow : 'pairs' },
        watch,
      );
      const [{ stats, ...hits }, cpuShare] =
        rest.length === 0
          ? [await onGpu]
          : await runTogether(this.#split, onGpu, () => {
              watch?.check();
              this.#host.beginCall();
              const { queries, found, result } = tester.testSome(rest, bodies, narrow, request);
              // The result is copied, because the engine's next call reuses its memory and may come before the
              // GPU is done.
              return { queries, found, copy: result && copyOfResult(rest, result) };
            });
      fitting.forEach((index, i) => {
        triangleCounts[index] = hits.pairsAt[i + 1] - hits.pairsAt[i];
      });
      cpuShare?.found.subarray(0, rest.length).forEach((value, i) => {
        triangleCounts[rest[i]] = value;
      });
      const results: PartialResult[] = [{ ...hits, indices: fitting }];
      if (cpuShare?.copy) results.push(cpuShare.copy);
      return {
        answer: {
          queries: cpuShare?.queries ?? [],
          result: narrow === 'pairs' ? mergeResults(count, results) : undefined,
        },
        stats: { ...stats, pairs: fitting.length },
      };
    } finally {
      if (!arena.isClosed) records.releaseAll();
    }
  }

  // Writes the PairRecords of the tester's first `count` pairs. Then drops the records of pairs that do not
  // fit the GPU, so that the other records follow each other without gaps. fitting: the indices, in the
  // tester's list, of the pairs whose records remain. rest: the indices of all other pairs in this list.
  #write(
    tester: BodyPairTester,
    bodies: Bodies,
    records: BlockGroup,
    count: number,
  ): { written: WrittenPairs; fitting: number[]; rest: number[] } {
    const {
      context: { arena },
      writer,
    } = this.#host;
    const fitting: number[] = [];
    const rest: number[] = [];
    const pairs = { at: 0 };
    const destination = { pairs, reservePairs: () => pairs.at, noteDepth: () => {} };
    try {
      const trees = retry(() => {
        // A lost worker may still write to the memory of the previous attempt, so new memory is taken.
        records.releaseAll();
        pairs.at = records.take(count * PairRecord.size);
        return tester.pairs.write(destination, bodies, { count, a: tester.a, b: tester.b });
      });
      const fittingTrees: Mesh[] = [];
      const swapped = new Uint8Array(count);
      for (let i = 0; i < tester.count; i++) {
        const at = pairs.at + i * PairRecord.size;
        if (i >= count || !fitsGpu(arena, at)) {
          rest.push(i);
          continue;
        }
        arena.u8.copyWithin(pairs.at + fitting.length * PairRecord.size, at, at + PairRecord.size);
        swapped[fitting.length] = tester.pairs.swapped[i];
        fittingTrees.push(trees[2 * i], trees[2 * i + 1]);
        fitting.push(i);
      }
      return { written: { pairs, trees: fittingTrees, swapped }, fitting, rest };
    } finally {
      // Releases the writer's copies of meshes. Only pairs that do not fit the GPU need such copies.
      writer.release();
    }
  }
}

function copyOfResult(
  indices: readonly number[],
  { arena: { u32 }, aAt, bAt, count, pairsAt }: ResultLocation,
): PartialResult {
  return {
    indices,
    pairsAt: pairsAt.slice(),
    a: u32.slice(aAt / 4, aAt / 4 + count),
    b: u32.slice(bAt / 4, bAt / 4 + count),
  };
}

// Merges the results into one list in the order of the pairs.
function mergeResults(count: number, results: readonly PartialResult[]): ResultLocation {
  const pairsAt = new Uint32Array(count + 1);
  for (const { indices, pairsAt: at } of results)
    indices.forEach((index, i) => {
      pairsAt[index + 1] = at[i + 1] - at[i];
    });
  for (let i = 0; i < count; i++) pairsAt[i + 1] += pairsAt[i];
  const total = pairsAt[count];
  const u32 = new Uint32Array(2 * total);
  for (const { indices, pairsAt: at, a, b } of results) {
    indices.forEach((index, i) => {
      u32.set(a.subarray(at[i], at[i + 1]), pairsAt[index]);
      u32.set(b.subarray(at[i], at[i + 1]), total + pairsAt[index]);
    });
  }
  return { arena: { u32 }, aAt: 0, bAt: 4 * total, count: total, pairsAt };
}
