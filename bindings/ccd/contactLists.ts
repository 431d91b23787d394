// Keeps one list of contacts per thread in engine memory. The lists are reused between calls. A list that is
// too short grows to 1.25 times the number of contacts that were counted, and the search runs again.

import { BOX_BYTES } from '../broadphase/boxSet.js';
import type { SweepStats } from '../core/stats.js';
import { continuousLimits, SweptFeatures } from '../records/continuousLayout.js';
import { limits } from '../records/layout.js';
import { setWords } from '../records/record.js';
import {
  Contact,
  ContactList,
  FeaturePair,
  RotationPlan,
  SweptMesh,
  sweptLimits,
  TreeDescent,
} from '../records/sweptLayout.js';
import { pairStackBytes } from '../records/treeLimits.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { POINT_BYTES } from './movingMesh.js';

const QUERY_BYTES = 24 * 8;
const FIRST_CAPACITY = 1024;
/** Space for the search of both trees: a TreeDescent and a stack. The search of one tree needs less. */
const STACK_BYTES = TreeDescent.size + pairStackBytes(2 * limits.STACK_DEPTH);

const roundUp = (bytes: number): number => Math.ceil(bytes / 16) * 16;

const COUNTERS = ['found', 'facePairs', 'featureTests', 'searches', 'moments'] as const;
type Counter = (typeof COUNTERS)[number];
/** Counters of sweeps. */
export type SweepCounts = Pick<SweepStats, 'facePairs' | 'featurePairs' | 'searchedPairs' | 'directions'>;
export const NO_COUNTS: SweepCounts = { facePairs: 0, featurePairs: 0, searchedPairs: 0, directions: 0 };
export const sumOfCounts = (a: SweepCounts, b: SweepCounts): SweepCounts => ({
  facePairs: a.facePairs + b.facePairs,
  featurePairs: a.featurePairs + b.featurePairs,
  searchedPairs: a.searchedPairs + b.searchedPairs,
  directions: a.directions + b.directions,
});

interface ListMemory {
  scratch: GrowableBlock;
  contacts: GrowableBlock;
  capacity: number;
}

export class ContactLists {
  count = 0;
  readonly #context: EngineContext;
  readonly #records: GrowableBlock;
  readonly #memories: ListMemory[] = [];

  constructor(context: EngineContext) {
    this.#context = context;
    this.#records = new GrowableBlock(context.arena);
  }

  get at(): number {
    return this.#records.at;
  }

  /**
   * Prepares `count` lists. For pairs of bodies, each list gets memory for meshes with up to the given
   * numbers of vertices and faces.
   * @throws Capacity
   */
  prepare(count: number, { vertexCount, faceCount } = { vertexCount: 0, faceCount: 0 }): void {
    const { arena } = this.#context;
    this.count = count;
    this.#records.reserve(count * ContactList.size);
    const candidatesBytes = sweptLimits.FEATURE_PAIRS * FeaturePair.size;
    const queryBytes = QUERY_BYTES + SweptFeatures.size + continuousLimits.SWEEP_SCRATCH_BYTES;
    const pointsBytes = POINT_BYTES * vertexCount;
    const boxesBytes = roundUp(BOX_BYTES * (faceCount + 3));
    const facesBytes = roundUp(4 * faceCount + 16);
    const bodiesBytes = 2 * (SweptMesh.size + pointsBytes + facesBytes) + 3 * boxesBytes + STACK_BYTES;
    for (let i = 0; i < count; i++) {
      const memory = (this.#memories[i] ??= {
        scratch: new GrowableBlock(arena),
        contacts: new GrowableBlock(arena),
        capacity: 0,
      });
      const candidatesAt = memory.scratch.reserve(
        candidatesBytes + queryBytes + RotationPlan.size + bodiesBytes,
      );
      const queryAt = candidatesAt + candidatesBytes;
      const rotatingAt = queryAt + queryBytes;
      if (memory.capacity === 0) this.#resize(memory, FIRST_CAPACITY);
      setWords(arena.u32, this.#listAt(i), ContactList, {
        candidatesAt,
        queryAt,
        rotatingAt,
        bodiesAt: rotatingAt + RotationPlan.size,
        pointsBytes,
        boxesBytes,
        facesBytes,
      });
    }
  }

  /** Empties all lists. */
  reset(): void {
    const { u32, f64 } = this.#context.arena;
    for (let i = 0; i < this.count; i++) {
      const at = this.#listAt(i);
      const { contacts, capacity } = this.#memories[i];
      setWords(u32, at, ContactList, { contactsAt: contacts.at, capacity, candidateCount: 0, pair: 0 });
      for (const field of COUNTERS) f64[(at + ContactList.at[field]) / 8] = 0;
      f64[(at + ContactList.at.earliest) / 8] = Infinity;
    }
  }

  /**
   * Enlarges the lists that were too short for the contacts that they counted.
   * @returns whether any list was too short, so that the search has to run again
   * @throws Capacity
   */
  grow(): boolean {
    let isShort = false;
    for (let i = 0; i < this.count; i++) {
      const memory = this.#memories[i];
      const found = this.#read(i, 'found');
      if (found <= memory.capacity) continue;
      isShort = true;
      this.#resize(memory, Math.ceil(1.25 * found));
    }
    return isShort;
  }

  #sum(field: Counter): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.#read(i, field);
    return sum;
  }

  /** The sum of each counter over all lists, as reported to users. */
  get counts(): SweepCounts {
    return {
      facePairs: this.#sum('facePairs'),
      featurePairs: this.#sum('featureTests'),
      searchedPairs: this.#sum('searches'),
      directions: this.#sum('moments'),
    };
  }

  /** Byte addresses of all contacts, list after list. */
  get contacts(): Uint32Array<ArrayBuffer> {
    const addresses = new Uint32Array(this.#sum('found'));
    for (let i = 0, to = 0; i < this.count; i++) {
      for (let k = 0, count = this.#read(i, 'found'), { at } = this.#memories[i].contacts; k < count; k++)
        addresses[to++] = at + k * Contact.size;
    }
    return addresses;
  }

  dispose(): void {
    this.#records.dispose();
    for (const { scratch, contacts } of this.#memories) {
      scratch.dispose();
      contacts.dispose();
    }
    this.#memories.length = 0;
  }

  #listAt(i: number): number {
    return this.at + i * ContactList.size;
  }
  #read(i: number, field: Counter): number {
    return this.#context.arena.f64[(this.#listAt(i) + ContactList.at[field]) / 8];
  }

  #resize(memory: ListMemory, capacity: number): void {
    memory.capacity = 0;
    memory.contacts.reserve(capacity * Contact.size);
    memory.capacity = capacity;
  }
}
