// Bodies in motion -> their contacts: at once, or step by step, so that some steps may be taken elsewhere
// meanwhile.

import type { PairList } from '../broadphase/pairSort.js';
import type { PairsCopy } from '../core/results.js';
import type { BoxPairsStats } from '../core/stats.js';
import type { RetryingScratch } from '../runtime/retry.js';
import { type BodyQuestion, type BodySweep, PAIR_WORD } from './bodySweep.js';
import { readContacts, type SweptContacts } from './sweptContacts.js';

/** Contacts, sorted by their pairs' places in the list, and the slots of each one's bodies. */
export interface MetBodies {
  contacts: SweptContacts;
  slotA: Uint32Array;
  slotB: Uint32Array;
}

/** How bodies in motion are asked about, and what is told of them. */
export interface BodyAsking<Told> {
  /**
   * Of pairs of slots whose boxes meet those that may touch, in the order in which contacts have their
   * bodies.
   */
  choose(near: PairList, boxTests: number): PairList;
  tell(met: MetBodies): Told;
}

/** What lends the system that sweeps, and tries again with another where memory or a worker failed. */
export type OwnSweep = Pick<RetryingScratch<{ system: BodySweep }>, 'run'>;

export class BodyMotion<Told> {
  readonly question: BodyQuestion;
  /** Pairs of slots that may touch, once `choose` has run. */
  pairs: PairsCopy = { count: 0, a: new Uint32Array(0), b: new Uint32Array(0) };
  readonly #own: OwnSweep;
  readonly #asking: BodyAsking<Told>;

  /** own: nobody else's until the answer is there. */
  constructor(own: OwnSweep, question: BodyQuestion, asking: BodyAsking<Told>) {
    this.#own = own;
    this.question = question;
    this.#asking = asking;
  }

  /** All steps at once. @throws Unsupported, Capacity */
  sweep(): Told {
    return this.#own.run(({ system }) => {
      system.begin(this.question);
      const near = system.near(this.question);
      return this.#finish(system, this.#asking.choose(near.list, near.stats.tests));
    });
  }

  /** Boxes over the whole motion, six floats a slot. @throws as sweep */
  copyBoxes(): Float32Array {
    return this.#run(system => system.copyBoxes(this.question));
  }

  /** near: all pairs of slots whose boxes meet, sorted, where they are known. @throws as sweep */
  choose(near?: PairsCopy): void {
    this.pairs = this.#run((system, { arena }) => {
      const found: { list: PairList; stats: Pick<BoxPairsStats, 'tests'> } = near
        ? { list: system.place(near), stats: { tests: 0 } }
        : system.near(this.question);
      const { aAt, bAt, count } = this.#asking.choose(found.list, found.stats.tests);
      const slots = (at: number): Uint32Array => arena.u32.slice(at / 4, at / 4 + count);
      return { count, a: slots(aAt), b: slots(bAt) };
    });
  }

  /** left: those of the chosen pairs, by their places, of which alone contacts may be. @throws as sweep */
  settle(left?: Uint32Array): Told {
    const {
      pairs: { a, b, count },
    } = this;
    const pick = (slots: Uint32Array): Uint32Array => left!.map(pair => slots[pair]);
    return this.#run(system =>
      this.#finish(
        system,
        system.place(left ? { count: left.length, a: pick(a), b: pick(b) } : { count, a, b }),
      ),
    );
  }

  // A system that is made anew begins anew.
  #run<Result>(step: (system: BodySweep, backend: BodySweep['backend']) => Result): Result {
    return this.#own.run(({ system }) => {
      if (system.question !== this.question) system.begin(this.question);
      return step(system, system.backend);
    });
  }

  #finish(system: BodySweep, pairs: PairList): Told {
    const { memory, at } = system.settle(this.question, pairs);
    const { contacts, order } = readContacts(memory, at, () => system.summarise());
    const { u32 } = system.backend.arena;
    const slots = (listAt: number): Uint32Array =>
      Uint32Array.from(order, address => u32[listAt / 4 + memory.u32[address / 4 + PAIR_WORD]]);
    return this.#asking.tell({ contacts, slotA: slots(pairs.aAt), slotB: slots(pairs.bAt) });
  }
}
