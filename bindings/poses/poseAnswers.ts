// What is known of poses -> bits, and what they say: in memory of their own.

import { printAs } from '../core/printing.js';
import { limits } from '../records/layout.js';
import type { PoseQuestion } from './poseQuestion.js';
import type { PoseBits } from './poseSearch.js';

const hasBit = (words: Uint32Array, bit: number): boolean =>
  ((words[Math.floor(bit / 32)] >>> (bit % 32)) & 1) === 1;

function countBits(words: Uint32Array): number {
  let count = 0;
  for (let word of words) for (; word !== 0; word &= word - 1) count++;
  return count;
}

/** In which poses bodies meet: copies, which no later call changes. */
export class PoseAnswers {
  /** Poses that were asked about. */
  readonly poseCount: number;
  /** Poses in which two of the asked bodies share a point. */
  readonly count: number;
  /** Bit i % 32 of word i / 32 is 1 where pose i is one of them: ceil(poseCount / 32) words. */
  readonly hits: Uint32Array;
  /** The asked pairs: pair k is bodies pairs[2 k] and pairs[2 k + 1]. */
  readonly pairs: Uint32Array;
  /**
   * `want: 'first'`: the least number of an asked pair that meets in each pose, or 0xffffffff where none
   * does. Else nothing.
   */
  readonly first: Uint32Array | undefined;
  /**
   * `want: 'pairs-any'`: bit pose * pairCount + pair is 1 where the pair meets in the pose, in words of 32.
   * Else nothing.
   */
  readonly each: Uint32Array | undefined;
  /**
   * How often the boxes of two bodies met, so that their trees were asked; it depends on threads and on what
   * is wanted.
   */
  readonly nearCount: number;

  /** @internal */
  constructor({ poseCount, pairs, want }: PoseQuestion, { hits, first, each, near }: PoseBits) {
    this.poseCount = poseCount;
    this.count = countBits(hits);
    this.hits = hits;
    this.pairs = pairs;
    this.first = want === 'first' ? first : undefined;
    this.each = want === 'pairs-any' ? each : undefined;
    this.nearCount = near;
  }

  /** How many pairs were asked about. */
  get pairCount(): number {
    return this.pairs.length / 2;
  }

  /** Whether two of the asked bodies share a point in a pose. */
  has(pose: number): boolean {
    return pose < this.poseCount && hasBit(this.hits, pose);
  }

  /**
   * The bodies of the first asked pair that meets in a pose; nothing where none does, or it was not asked.
   */
  firstPair(pose: number): [a: number, b: number] | undefined {
    const pair = this.first?.[pose] ?? limits.NOTHING;
    return pair === limits.NOTHING ? undefined : [this.pairs[2 * pair], this.pairs[2 * pair + 1]];
  }

  /** Whether asked pair `pair` meets in a pose, where all of them were asked. */
  meets(pose: number, pair: number): boolean {
    return (
      this.each !== undefined &&
      pose < this.poseCount &&
      pair < this.pairCount &&
      hasBit(this.each, pose * this.pairCount + pair)
    );
  }
}
printAs(PoseAnswers.prototype, 'PoseAnswers', [
  'poseCount',
  'pairCount',
  'count',
  'hits',
  'pairs',
  'first',
  'each',
  'nearCount',
]);
