// What was asked of a scene in a frame -> what came out, kept for the next one.
import { PairTable } from './contacts.js';
import type { ResultPlace } from './results.js';

/** What counts as contact: overlapping boxes, surfaces that share a point, or those with all their triangle pairs. */
export type Narrow = 'boxes' | 'any' | 'pairs';

/** Candidates by body numbers, and the contacts among them. */
export class Frame {
  readonly candidates = new PairTable();
  readonly contacts = new PairTable();
  /** Of candidate i: its contact's index plus one, or 0. */
  contactOf = new Uint32Array(64);
  pairsAt = new Uint32Array(64);
  readonly triangles = new PairTable();
  narrow: Narrow | undefined;

  clear(narrow: Narrow): void {
    this.candidates.clear();
    this.contacts.clear();
    this.triangles.clear();
    this.narrow = narrow;
  }

  /** First candidate, from `from` on, that is not before (a, b). */
  find(from: number, a: number, b: number): number {
    const { count, a: firsts, b: seconds } = this.candidates;
    while (from < count && (firsts[from]! < a || (firsts[from] === a && seconds[from]! < b))) from++;
    return from;
  }

  has(i: number, a: number, b: number): boolean {
    const { count, a: firsts, b: seconds } = this.candidates;
    return i < count && firsts[i] === a && seconds[i] === b;
  }

  /**
   * Lists the contacts among the candidates. askedOf: each one's place among those asked plus one, or 0 where `last` knows.
   * isHit: whether the one at a place was hit; result: the triangle pairs of those asked.
   */
  list(last: Frame, askedOf: Uint32Array, isHit: (place: number) => boolean, result: ResultPlace | undefined): void {
    const { candidates, contacts, triangles } = this;
    if (this.contactOf.length < candidates.count) this.contactOf = new Uint32Array(2 * candidates.count);
    if (this.pairsAt.length < candidates.count + 1) this.pairsAt = new Uint32Array(2 * candidates.count + 1);
    let known = 0;
    for (let i = 0; i < candidates.count; i++) {
      const a = candidates.a[i]!, b = candidates.b[i]!, place = askedOf[i]!;
      this.contactOf[i] = 0;
      if (place > 0) {
        if (!isHit(place)) continue;
        if (result) triangles.append(result.arena.u32, result.aAt / 4, result.bAt / 4, result.pairsAt[place - 1]!, result.pairsAt[place]!);
      } else if (this.narrow !== 'boxes') {
        known = last.find(known, a, b);
        const contact = last.contactOf[known]!;
        if (contact === 0) continue;
        triangles.appendFrom(last.triangles, last.pairsAt[contact - 1]!, last.pairsAt[contact]!);
      }
      contacts.add(a, b);
      this.contactOf[i] = contacts.count;
      this.pairsAt[contacts.count] = triangles.count;
    }
  }
}
