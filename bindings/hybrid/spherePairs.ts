// Placed pairs of a run -> which of them are walked with spheres, what that needs beside their records, and
// the counters of the walk.

import type { SphereTests } from '../core/stats.js';
import type { Mesh } from '../mesh/mesh.js';
import { PairRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { RelateSpheresJob, SphereCounts, SpherePair } from '../records/spheresLayout.js';
import type { Machine } from '../runtime/backend.js';
import { Blocks } from '../runtime/blocks.js';
import { SphereTrees } from './sphereTrees.js';

const PAIR_WORD = PairRecord.at.pairingAt / 4;
const AT = SpherePair.at;
/** The job of relateSpheres; counters stand behind it, then a SpherePair a pair. */
const JOB_BYTES = 64;

/** Where pair records lie. */
interface PairPlace {
  readonly pairs: { readonly at: number };
}

/** Counters of a run: of each list, of each level. */
interface Counted {
  pairCount: number;
  lists: number;
  levels: number;
}

export class SpherePairs {
  readonly #backend: Machine;
  readonly #trees: SphereTrees;
  readonly #blocks: Blocks;
  #bytes = 0;
  #at = 0;
  #front: PairPlace | undefined;
  #counted: Counted | undefined;

  constructor(backend: Machine) {
    this.#backend = backend;
    this.#trees = new SphereTrees(backend);
    this.#blocks = new Blocks(backend.arena);
  }

  /**
   * Makes a run's pairs ready, whose records are filled: two trees a pair, `lists` lists at most. Pairs of
   * which a tree has no spheres are walked by their boxes. @returns whether any pair is walked with spheres;
   * where none is, nothing is made. @throws WorkerLost, Capacity
   */
  prepare(trees: readonly Mesh[], front: PairPlace, lists: number): boolean {
    this.#counted = undefined;
    const hasSpheres = trees.some((tree, i) => tree.thresholds && trees[i ^ 1].thresholds);
    if (hasSpheres) this.prepareAll(trees, front, lists);
    return hasSpheres;
  }

  /**
   * As prepare, of pairs that are walked by kernels for spheres whether any has some or not: one at least.
   * @throws WorkerLost, Capacity
   */
  prepareAll(trees: readonly Mesh[], front: PairPlace, lists: number): void {
    this.#counted = undefined;
    // Another front: a worker that was lost may still count in what the last one had.
    if (front !== this.#front) this.#release();
    this.#front = front;
    const spheres = new Map<Mesh, number>();
    for (const [i, tree] of trees.entries())
      if (tree.thresholds && trees[i ^ 1].thresholds && !spheres.has(tree))
        spheres.set(tree, this.#trees.of(tree));
    const levels = Math.max(1, ...[...spheres.keys()].map(({ depth }) => depth));
    const counted = { pairCount: trees.length / 2, lists, levels };
    this.#write(trees, spheres, front.pairs.at, counted);
    this.#counted = counted;
  }

  /** Tests of the last run by level; nothing where it had no spheres. */
  read(): SphereTests[] | undefined {
    const counted = this.#counted;
    const front = this.#front;
    const at = this.#at;
    const {
      arena: { u32 },
    } = this.#backend;
    if (!counted || !front) return undefined;
    const listBytes = bytesOf(counted);
    const countsAt = at + JOB_BYTES;
    // Of a run in another way the records lead elsewhere.
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
      const met = sum('met');
      const boxBox = sum('boxBox');
      const boxSphere = sum('boxSphere');
      const sphereBox = sum('sphereBox');
      return {
        apart: sum('tests') - met,
        spheres: met - boxBox - boxSphere - sphereBox,
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
    const { arena, pool } = this.#backend;
    const { pairCount, lists } = counted;
    const listBytes = bytesOf(counted);
    const countsBytes = lists * listBytes;
    const jobAt = this.#reserve(JOB_BYTES + countsBytes + pairCount * SpherePair.size);
    const countsAt = jobAt + JOB_BYTES;
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
    pool.kernels.relateSpheres(jobAt, 0, pairCount);
  }
}

// Whole cache lines: no list counts where another does.
const bytesOf = ({ levels }: Counted): number => 64 * Math.ceil((levels * SphereCounts.size) / 64);
