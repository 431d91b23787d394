// What was asked of a scene in a frame -> what came out, kept for the next one.
import { PairTable } from '../core/contacts.js';
import type { ResultPlace } from '../core/results.js';
import type { StartingFront } from '../narrowphase/startingFront.js';

/**
 * What counts as contact: overlapping boxes, surfaces that share a point, those with the number of their
 * triangle pairs, or with all of them.
 */
export type Narrow = 'boxes' | 'any' | 'counts' | 'pairs';

/** Candidates by body numbers, and the contacts among them. */
export class Frame {
  readonly candidates = new PairTable();
  readonly contacts = new PairTable();
  /** Of candidate i: its contact's index plus one, or 0. */
  contactOf = new Uint32Array(64);
  /** Of contact i: how many triangle pairs it has, and where they begin. */
  counts = new Uint32Array(64);
  pairsAt = new Uint32Array(64);
  readonly triangles = new PairTable();
  /** Of candidate i: its starting front; none at all where none was ever made. They go with the pair. */
  readonly fronts: (StartingFront | undefined)[] = [];
  narrow: Narrow | undefined;

  get frontBytes(): number {
    return this.fronts.reduce((sum, front) => sum + (front?.bytes ?? 0), 0);
  }

  clear(narrow: Narrow): void {
    this.fronts.length = 0;
    this.candidates.clear();
    this.contacts.clear();
    this.triangles.clear();
    this.narrow = narrow;
  }

  /** First candidate, from `from` on, that is not before (a, b). */
  find(from: number, a: number, b: number): number {
    const { count, a: firsts, b: seconds } = this.candidates;
    while (from < count && (firsts[from] < a || (firsts[from] === a && seconds[from] < b))) from++;
    return from;
  }

  has(i: number, a: number, b: number): boolean {
    const { count, a: firsts, b: seconds } = this.candidates;
    return i < count && firsts[i] === a && seconds[i] === b;
  }

  /** Takes the fronts of those that were asked. askedOf: each candidate's place among them plus one, or 0. */
  takeFronts(askedOf: Uint32Array, asked: readonly (StartingFront | undefined)[]): void {
    if (asked.length === 0) return;
    for (let i = 0; i < this.candidates.count; i++)
      this.fronts[i] = askedOf[i] > 0 ? asked[askedOf[i] - 1] : this.fronts[i];
  }

  /**
   * Lists the contacts among the candidates. askedOf: each one's place among those asked plus one, or 0 where
   * `last` knows. found: triangle pairs of each one asked; result: these themselves.
   */
  list(last: Frame, askedOf: Uint32Array, found: Uint32Array, result: ResultPlace | undefined): void {
    const { candidates, contacts, triangles } = this;
    this.#reserve(candidates.count);
    let known = 0;
    for (let i = 0; i < candidates.count; i++) {
      const a = candidates.a[i];
      const b = candidates.b[i];
      const place = askedOf[i];
      let count = 0;
      this.contactOf[i] = 0;
      if (place > 0) {
        count = found[place - 1];
        if (count === 0) continue;
        if (result)
          triangles.append(
            result.arena.u32,
            result.aAt / 4,
            result.bAt / 4,
            result.pairsAt[place - 1],
            result.pairsAt[place],
          );
      } else if (this.narrow !== 'boxes') {
        known = last.find(known, a, b);
        const contact = last.contactOf[known];
        if (contact === 0) continue;
        count = last.counts[contact - 1];
        triangles.appendFrom(last.triangles, last.pairsAt[contact - 1], last.pairsAt[contact]);
      }
      this.counts[contacts.count] = this.narrow === 'any' ? 0 : count;
      contacts.add(a, b);
      this.contactOf[i] = contacts.count;
      this.pairsAt[contacts.count] = triangles.count;
    }
  }

  #reserve(candidateCount: number): void {
    if (this.contactOf.length < candidateCount) this.contactOf = new Uint32Array(2 * candidateCount);
    if (this.pairsAt.length < candidateCount + 1)
      [this.pairsAt, this.counts] = [
        new Uint32Array(2 * candidateCount + 1),
        new Uint32Array(2 * candidateCount),
      ];
  }
}
