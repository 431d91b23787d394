// The candidates and contacts of one frame (time step) of a scene. They are kept for the next frame.
import { PairTable } from '../core/bodyPairs.js';
import type { ResultLocation } from '../core/results.js';
import type { ManifoldTable } from '../manifolds/manifoldTable.js';
import type { StartingFront } from '../narrowphase/startingFront.js';

/**
 * Which pairs of bodies are contacts, and how much is reported about them. 'boxes': pairs whose boxes
 * overlap. 'any': pairs whose surfaces share a point. 'counts': as 'any', and reports the number of
 * intersecting triangle pairs. 'pairs': as 'any', and reports all intersecting triangle pairs. 'contacts': as
 * 'pairs', and reports contact points for physics solvers.
 */
export type Narrow = 'boxes' | 'any' | 'counts' | 'pairs' | 'contacts';

/**
 * The candidates of a frame, which are near pairs of bodies, and the contacts among them. Both are pairs of
 * ids.
 */
export class Frame {
  readonly candidates = new PairTable();
  readonly contacts = new PairTable();
  /** For candidate i: the index of its contact plus one, or 0 if it is not a contact. */
  contactOf = new Uint32Array(64);
  /**
   * counts[i]: number of triangle pairs of contact i, or 0 if narrow is 'boxes' or 'any'. pairsAt[i]: index of
   * its first triangle pair.
   */
  counts = new Uint32Array(64);
  pairsAt = new Uint32Array(64);
  readonly triangles = new PairTable();
  /**
   * For candidate i: its starting front, from which the traversal of the trees of its two bodies starts. If the
   * pair is a candidate again in the next frame, its front is passed on. The list is empty if no front was
   * ever made.
   */
  readonly fronts: (StartingFront | undefined)[] = [];
  narrow: Narrow | undefined;
  /** The manifolds of all contacts, if narrow is 'contacts'. */
  manifolds: ManifoldTable | undefined;

  get frontBytes(): number {
    return this.fronts.reduce((sum, front) => sum + (front?.bytes ?? 0), 0);
  }

  clear(narrow: Narrow): void {
    this.fronts.length = 0;
    this.candidates.clear();
    this.contacts.clear();
    this.triangles.clear();
    this.manifolds?.clear();
    this.narrow = narrow;
  }

  /** Returns the index of the first candidate, from index `from` on, that equals (a, b) or comes after it. */
  find(from: number, a: number, b: number): number {
    const { count, a: firsts, b: seconds } = this.candidates;
    while (from < count && (firsts[from] < a || (firsts[from] === a && seconds[from] < b))) from++;
    return from;
  }

  has(i: number, a: number, b: number): boolean {
    const { count, a: firsts, b: seconds } = this.candidates;
    return i < count && firsts[i] === a && seconds[i] === b;
  }

  /**
   * Stores the fronts of the tested pairs. testedIndex: one plus each candidate's index among the tested pairs,
   * or 0 if the candidate was not tested.
   */
  takeFronts(testedIndex: Uint32Array, tested: readonly (StartingFront | undefined)[]): void {
    if (tested.length === 0) return;
    for (let i = 0; i < this.candidates.count; i++)
      this.fronts[i] = testedIndex[i] > 0 ? tested[testedIndex[i] - 1] : this.fronts[i];
  }

  /**
   * Lists the contacts among the candidates. testedIndex: one plus each candidate's index among the tested
   * pairs, or 0 if the candidate was not tested. If narrow is 'boxes', every candidate is a contact. Otherwise,
   * the result of a candidate that was not tested is taken from `last`. triangleCounts: number of triangle
   * pairs of each tested pair. result: the triangle pairs. tested: the manifolds of the tested pairs, if narrow
   * is 'contacts'.
   */
  listContacts(
    last: Frame,
    testedIndex: Uint32Array,
    triangleCounts: Uint32Array,
    result: ResultLocation | undefined,
    tested: ManifoldTable | undefined,
  ): void {
    const { candidates, contacts, triangles } = this;
    const manifolds = this.narrow === 'contacts' ? this.manifolds : undefined;
    this.#reserve(candidates.count);
    let lastIndex = 0;
    for (let i = 0; i < candidates.count; i++) {
      const a = candidates.a[i];
      const b = candidates.b[i];
      const testedAt = testedIndex[i];
      let count = 0;
      this.contactOf[i] = 0;
      if (testedAt > 0) {
        count = triangleCounts[testedAt - 1];
        if (count === 0) continue;
        if (result)
          triangles.append(
            result.arena.u32,
            result.aAt / 4,
            result.bAt / 4,
            result.pairsAt[testedAt - 1],
            result.pairsAt[testedAt],
          );
        manifolds?.beginOwner();
        manifolds?.addFrom(tested!, testedAt - 1);
      } else if (this.narrow !== 'boxes') {
        lastIndex = last.find(lastIndex, a, b);
        const contact = last.contactOf[lastIndex];
        if (contact === 0) continue;
        count = last.counts[contact - 1];
        triangles.appendFrom(last.triangles, last.pairsAt[contact - 1], last.pairsAt[contact]);
        manifolds?.beginOwner();
        manifolds?.addFrom(last.manifolds!, contact - 1);
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
