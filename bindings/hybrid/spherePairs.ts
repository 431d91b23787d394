// Prepares a traversal of pairs of trees whose nodes have spheres in addition to boxes, and reads the counters
// of this traversal. The traversal tests the spheres first.

import type { SphereTests } from '../core/stats.js';
import type { Mesh } from '../mesh/mesh.js';
import { PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { RelateSpheresJob, SphereCounts, SpherePair } from '../records/spheresLayout.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import type { KernelContext } from '../runtime/engineContext.js';
import { SphereTrees } from './sphereTrees.js';

const PAIR_WORD = PairRecord.at.pairingAt / 4;
const AT = SpherePair.at;
/**
 * Bytes reserved for the job of computeSphereStretch. The counters follow the job, and one SpherePair per
 * pair follows the counters.
 */
const JOB_STRIDE = 64;

/** The address of the pair records. */
interface PairPlace {
  readonly pairs: { readonly at: number };
}

/** The counters of a run consist of one SphereCounts per list and level of the trees. */
interface Counted {
  pairCount: number;
  lists: number;
  levels: number;
}

export class SpherePairs {
  readonly #context: KernelContext;
  readonly #trees: SphereTrees;
  readonly #blocks: BlockGroup;
  #bytes = 0;
  #at = 0;
  #front: PairPlace | undefined;
  #counted: Counted | undefined;

  constructor(context: KernelContext) {
    this.#context = context;
    this.#trees = new SphereTrees(context);
    this.#blocks = new BlockGroup(context.arena);
  }

  /**
   * Prepares the pairs of a run. Their PairRecords must be filled. trees: two per pair. lists: the max number
   * of lists into which the front is divided. If one of the two trees of a pair has no spheres, the pair is
   * traversed with boxes only.
   * @returns whether any pair is traversed with spheres; if none is, nothing is prepared.
   * @throws WorkerLost, Capacity
   */
  prepare(trees: readonly Mesh[], front: PairPlace, lists: number): boolean {
    this.#counted = undefined;
    const hasSpheres = trees.some((tree, i) => tree.thresholds && trees[i ^ 1].thresholds);
    if (hasSpheres) this.prepareAll(trees, front, lists);
    return hasSpheres;
  }

  /**
   * Prepares the pairs of a run (at least one) for the sphere kernels, even if no pair has spheres.
   * @throws WorkerLost, Capacity
   */
  prepareAll(trees: readonly Mesh[], front: PairPlace, lists: number): void {
    this.#counted = undefined;
    // If `front` is a new object, the old one may have been replaced because a worker was lost. That worker may
    // still write to the old counters, so new memory is used.
    if (front !== this.#front) this.#release();
    this.#front = front;
    const spheres = new Map<Mesh, number>();
    for (const [i, tree] of trees.entries())
      if (tree.thresholds && trees[i ^ 1].thresholds && !spheres.has(tree))
        spheres.set(tree, this.#trees.of(tree));
    const levels = [...spheres.keys()].reduce((max, { depth }) => Math.max(max, depth), 1);
    const counted = { pairCount: trees.length / 2, lists, levels };
    this.#write(trees, spheres, front.pairs.at, counted);
    this.#counted = counted;
  }

  /** Returns the numbers of tests of the last run, by tree level; undefined if the run used no spheres. */
  readStats(): SphereTests[] | undefined {
    const counted = this.#counted;
    const front = this.#front;
    const at = this.#at;
    const {
      arena: { u32 },
    } = this.#context;
    if (!counted || !front) return undefined;
    const listBytes = bytesOf(counted);
    const countsAt = at + JOB_STRIDE;
    // If a run in another mode has taken place since, the PairRecords no longer point to the SpherePairs that
    // follow these counters in memory.
    if (u32[front.pairs.at / 4 + PAIR_WORD] !== countsAt + counted.lists * listBytes) return undefined;
    return Array.from({ length: counted.levels }, (_, level) => {
      const sum = (field: keyof typeof SphereCounts.at): number => {
        let total = 0;
        for (let list = 0; list < counted.lists; list++) {
          const word = (countsAt + list * listBytes + level * SphereCounts.size + SphereCounts.at[field]) / 4;
          total += u32[word] + 2 ** 32 * u32[word + 1];
        }
        return total;
      };
      const passed = sum('passed');
      const boxBox = sum('boxBox');
      const boxSphere = sum('boxSphere');
      const sphereBox = sum('sphereBox');
      return {
        apart: sum('tests') - passed,
        spheres: passed - boxBox - boxSphere - sphereBox,
        boxBox,
        boxSphere,
        sphereBox,
      };
    });
  }

  #reserve(bytes: number): number {
    if (bytes <= this.#bytes) return this.#at;
    this.#release();
    this.#at = this.#blocks.take(bytes);
    this.#bytes = bytes;
    return this.#at;
  }

  #release(): void {
    this.#blocks.releaseAll();
    this.#at = this.#bytes = 0;
  }

  #write(
    trees: readonly Mesh[],
    spheres: ReadonlyMap<Mesh, number>,
    pairsAt: number,
    counted: Counted,
  ): void {
    const { arena, pool } = this.#context;
    const { pairCount, lists } = counted;
    const listBytes = bytesOf(counted);
    const countsBytes = lists * listBytes;
    const jobAt = this.#reserve(JOB_STRIDE + countsBytes + pairCount * SpherePair.size);
    const countsAt = jobAt + JOB_STRIDE;
    const tableAt = countsAt + countsBytes;
    const { u32 } = arena;
    u32.fill(0, countsAt / 4, tableAt / 4);
    for (let i = 0, word = tableAt / 4; i < pairCount; i++, word += SpherePair.size / 4) {
      const a = spheres.get(trees[2 * i]);
      const b = spheres.get(trees[2 * i + 1]);
      u32[word + AT.spheresA / 4] = a && b ? a : 0;
      u32[word + AT.spheresB / 4] = a && b ? b : 0;
      u32[word + AT.countsAt / 4] = countsAt;
      u32[word + AT.listBytes / 4] = listBytes;
      u32[(pairsAt + i * PairRecord.size) / 4 + PAIR_WORD] = 4 * word;
    }
    setWords(u32, jobAt, RelateSpheresJob, { pairsAt });
    pool.kernels.computeSphereStretch(jobAt, 0, pairCount);
  }
}

// Returns the bytes of the counters of one list, in whole cache lines, to avoid false sharing between lists.
const bytesOf = ({ levels }: Counted): number => 64 * Math.ceil((levels * SphereCounts.size) / 64);
