// Finds the contacts of moving bodies, either in one call or in steps. Between two steps, other code can do
// part of the work, for example find the pairs of bodies on the GPU.

import type { PairList } from '../broadphase/pairSort.js';
import type { PairsCopy } from '../core/results.js';
import type { BoxPairsStats } from '../core/stats.js';
import type { RetryingScratch } from '../runtime/retry.js';
import { type BodySweep, type BodySweepQuery, PAIR_WORD } from './bodySweep.js';
import { readContacts, type SweptContacts } from './sweptContacts.js';

/**
 * Contacts, sorted by the index of their pair in the list of swept pairs, and the slots of both bodies of
 * each contact.
 */
export interface BodyContacts {
  contacts: SweptContacts;
  slotA: Uint32Array;
  slotB: Uint32Array;
}

/**
 * Functions that the caller provides: they select the pairs of bodies to sweep, and convert contacts to a
 * result.
 */
export interface BodySweepCallbacks<Outcome> {
  /**
   * Receives the pairs of slots whose boxes overlap, and selects those that may touch. The order of a pair's
   * slots decides which body is A and which is B in its contacts.
   */
  filterPairs(near: PairList, boxTests: number): PairList;
  makeResult(bodyContacts: BodyContacts): Outcome;
}

/**
 * Runs an action on the sweep system, which is a BodySweep. After an error, a new system replaces the old one.
 * If the error was a lost worker, the action then runs again.
 */
export type SweepScratch = Pick<RetryingScratch<{ system: BodySweep }>, 'run'>;

export class BodySweepRun<Outcome> {
  readonly query: BodySweepQuery;
  /** Pairs of slots that may touch; empty until `findPairs` has run. */
  pairs: PairsCopy = { count: 0, a: new Uint32Array(0), b: new Uint32Array(0) };
  readonly #scratch: SweepScratch;
  readonly #callbacks: BodySweepCallbacks<Outcome>;

  /**
   * @param scratch the sweep system; nothing else may use it until the result is complete
   */
  constructor(scratch: SweepScratch, query: BodySweepQuery, callbacks: BodySweepCallbacks<Outcome>) {
    this.#scratch = scratch;
    this.query = query;
    this.#callbacks = callbacks;
  }

  /** Runs all steps. @throws Unsupported, Capacity */
  sweep(): Outcome {
    return this.#scratch.run(({ system }) => {
      system.begin(this.query);
      const near = system.findPairs(this.query);
      return this.#finish(system, this.#callbacks.filterPairs(near.list, near.stats.tests));
    });
  }

  /**
   * Returns for each slot a box, six floats, that contains the body during the whole motion. @throws as sweep
   */
  copyBoxes(): Float32Array {
    return this.#run(system => system.copyBoxes(this.query));
  }

  /**
   * Finds the pairs of slots that may touch.
   * @param near all pairs of slots whose boxes overlap, sorted, if they are already known
   * @throws as sweep
   */
  findPairs(near?: PairsCopy): void {
    this.pairs = this.#run((system, { arena }) => {
      const found: { list: PairList; stats: Pick<BoxPairsStats, 'tests'> } = near
        ? { list: system.writePairs(near), stats: { tests: 0 } }
        : system.findPairs(this.query);
      const { aAt, bAt, count } = this.#callbacks.filterPairs(found.list, found.stats.tests);
      const slots = (at: number): Uint32Array => arena.u32.slice(at / 4, at / 4 + count);
      return { count, a: slots(aAt), b: slots(bAt) };
    });
  }

  /**
   * Finds the contacts of the pairs that `findPairs` found.
   * @param selected indices of the pairs that can have contacts; all pairs if omitted
   * @throws as sweep
   */
  findContacts(selected?: Uint32Array): Outcome {
    const {
      pairs: { a, b, count },
    } = this;
    const pick = (slots: Uint32Array): Uint32Array => selected!.map(pair => slots[pair]);
    return this.#run(system =>
      this.#finish(
        system,
        system.writePairs(selected ? { count: selected.length, a: pick(a), b: pick(b) } : { count, a, b }),
      ),
    );
  }

  // Runs a step. An error replaces the sweep system by a new one, for which `begin` must be called again.
  #run<Result>(step: (system: BodySweep, context: BodySweep['context']) => Result): Result {
    return this.#scratch.run(({ system }) => {
      if (system.query !== this.query) system.begin(this.query);
      return step(system, system.context);
    });
  }

  #finish(system: BodySweep, pairs: PairList): Outcome {
    const { memory, at } = system.findContacts(this.query, pairs);
    const { contacts, order } = readContacts(memory, at, () => system.summarize());
    const { u32 } = system.context.arena;
    const slots = (listAt: number): Uint32Array =>
      Uint32Array.from(order, address => u32[listAt / 4 + memory.u32[address / 4 + PAIR_WORD]]);
    return this.#callbacks.makeResult({ contacts, slotA: slots(pairs.aAt), slotB: slots(pairs.bAt) });
  }
}
