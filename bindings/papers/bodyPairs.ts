// Numbers the pairs of bodies (i, j), i < j, by i and then by j. Joins the triangle pairs that several threads
// found in one step.

import type { BodyAnswer } from './bodyMessages.js';

/**
 * The triangle pairs of all pairs of bodies in one step. The entries of body pair k are from index pairsAt[k]
 * up to, but not including, pairsAt[k + 1].
 */
export interface StepPairs {
  pairsAt: Uint32Array;
  a: Uint32Array;
  b: Uint32Array;
}

export const pairCountOf = (bodyCount: number): number => (bodyCount * (bodyCount - 1)) / 2;

const firstPairOf = (i: number, bodyCount: number): number => (i * (2 * bodyCount - i - 1)) / 2;

/** Returns the pair of bodies whose number is `index`. */
export function pairOfIndex(index: number, bodyCount: number): [i: number, j: number] {
  let i = 0;
  while (firstPairOf(i + 1, bodyCount) <= index) i++;
  return [i, i + 1 + index - firstPairOf(i, bodyCount)];
}

/**
 * Joins answers for different pairs of bodies. A pair of bodies that is in no answer gets no triangle pairs.
 */
export function joinAnswers(answers: readonly BodyAnswer[], bodyCount: number): StepPairs {
  const pairsAt = new Uint32Array(pairCountOf(bodyCount) + 1);
  const forEachPair = (visit: (answer: BodyAnswer, k: number, pair: number) => void): void => {
    for (const answer of answers)
      for (let k = 0; k < answer.bodiesA.length; k++) {
        const [i, j] = [answer.bodiesA[k], answer.bodiesB[k]];
        visit(answer, k, firstPairOf(i, bodyCount) + j - i - 1);
      }
  };
  forEachPair((answer, k, pair) => {
    pairsAt[pair + 1] = answer.pairsAt[k + 1] - answer.pairsAt[k];
  });
  for (let pair = 1; pair < pairsAt.length; pair++) pairsAt[pair] += pairsAt[pair - 1];
  const total = pairsAt[pairsAt.length - 1];
  const [a, b] = [new Uint32Array(total), new Uint32Array(total)];
  forEachPair((answer, k, pair) => {
    const [from, to] = [answer.pairsAt[k], answer.pairsAt[k + 1]];
    a.set(answer.a.subarray(from, to), pairsAt[pair]);
    b.set(answer.b.subarray(from, to), pairsAt[pair]);
  });
  return { pairsAt, a, b };
}
