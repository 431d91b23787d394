// Applies rules to the parts of a model: decides which pairs of parts are tested, so that the search skips
// all others.

import type { ClashClass } from '../../report/clashClasses.js';
import type { PairFilter } from '../findClashes.js';
import { UsageError } from '../usageError.js';
import type { ClashLimits } from './classifyParts.js';
import type { NamedPart, Note } from './readModel.js';
import type { Rule } from './rules.js';

/** A rule with the parts of its sets. */
export interface PairRule {
  name: string;
  textA: string;
  textB: string;
  measures: ClashLimits;
  classes: readonly ClashClass[];
  /** For each part, 1 if it is in the set. */
  inA: Uint8Array;
  inB: Uint8Array;
}

/** Returns whether a rule includes a pair of parts: one part is in set A, and the other part in set B. */
export function includesPair({ inA, inB }: Pick<PairRule, 'inA' | 'inB'>, a: number, b: number): boolean {
  return (inA[a] & inB[b] || inA[b] & inB[a]) === 1;
}

/** Evaluates the selectors of a rule. */
export function selectParts(
  { name, a, b }: Rule,
  parts: readonly NamedPart[],
): Pick<PairRule, 'name' | 'textA' | 'textB' | 'inA' | 'inB'> {
  return {
    name,
    textA: a.text,
    textB: b.text,
    inA: Uint8Array.from(parts, part => Number(a.matches(part))),
    inB: Uint8Array.from(parts, part => Number(b.matches(part))),
  };
}

/**
 * Returns a note for each set that has no part.
 *
 * @throws UsageError if no rule selects a pair of parts, so that the run would test nothing.
 */
export function checkSets(rules: readonly PairRule[]): Note[] {
  const empty = rules.flatMap(({ name, textA, textB, inA, inB }) =>
    [inA.includes(1) ? [] : [textA], inB.includes(1) || textA === textB ? [] : [textB]].flat().map(text => ({
      message: `${name ? `rule "${name}": ` : ''}no part matches "${text}"`,
      fix: /[|&]/.test(text)
        ? 'Compare it with the parts in --json. Each term after & or | needs a key, as in type:IfcWall | type:IfcSlab.'
        : 'Compare it with the names, types and GlobalIds in --json.',
    })),
  );
  if (!rules.every(hasNoPair)) return empty;
  const [{ message, fix }] = [
    ...empty,
    {
      message: `both sets of ${rules[0].name ? `rule "${rules[0].name}"` : '--between'} consist of the same single part`,
      fix: 'Name a set that contains another part.',
    },
  ];
  throw new UsageError(`${message}, so no pair would be tested`, fix);
}

// Returns whether a rule selects no pair: a set is empty, or both sets consist of the same single part.
function hasNoPair({ inA, inB }: PairRule): boolean {
  const [first, second] = [inA, inB].map(set => set.indexOf(1));
  return (
    first < 0 ||
    second < 0 ||
    (first === second && inA.lastIndexOf(1) === first && inB.lastIndexOf(1) === first)
  );
}

// The number of bits in the groups and masks of bodies.
const BITS = 32;

/**
 * Returns the groups and masks with which the search skips pairs that no rule asks for. Each set of each rule
 * has a bit. A part of set A has the bit of A in its group and the bit of B in its mask; a part of set B has
 * the bit of B in its group and the bit of A in its mask. The group of one part and the mask of the other
 * therefore share a bit if and only if a rule asks for the pair. If there are more sets than bits, several
 * rules share bits, and the search tests some pairs that no rule asks for.
 */
export function pairFilter(rules: readonly PairRule[], partCount: number): PairFilter {
  const groups = new Uint32Array(partCount);
  const masks = new Uint32Array(partCount);
  rules.forEach(({ inA, inB }, i) => {
    const bitA = 1 << ((2 * i) % BITS);
    const bitB = 1 << ((2 * i + 1) % BITS);
    for (let part = 0; part < partCount; part++) {
      groups[part] |= (inA[part] && bitA) | (inB[part] && bitB);
      masks[part] |= (inA[part] && bitB) | (inB[part] && bitA);
    }
  });
  return { groups, masks };
}
