// Splits the classified clashes (findings) into listed, allowed and hidden ones, and decides which of them
// fail the run of `pfront clash`.

import { type ClashClass, countClasses, type Finding } from '../../report/clashClasses.js';
import type { AllowList, PatternTarget } from './allowList.js';
import type { Comparison } from './compareWithBaseline.js';

export interface SplitFindings {
  /**
   * Findings of the classes to list, except allowed ones. Each of the three arrays is sorted by a, then b.
   */
  listed: Finding[];
  /** Findings of any class that the list of allowed pairs allows. */
  allowed: Finding[];
  /** Findings of the classes that are not listed, except allowed ones. */
  hidden: Finding[];
  /** Notes about lines of the list of allowed pairs that match no clash. */
  unusedLines: { message: string; fix: string }[];
}

/** Splits findings by the classes to list and by the list of allowed pairs. */
export function splitFindings(
  findings: Finding[],
  parts: PatternTarget[],
  classes: readonly ClashClass[],
  allowList: AllowList | undefined,
): SplitFindings {
  const { isAllowed, unused } = allowList?.apply(parts, findings) ?? { isAllowed: [], unused: [] };
  const notAllowed = findings.filter((_, i) => !isAllowed[i]);
  return {
    listed: notAllowed.filter(finding => classes.includes(finding.class)),
    hidden: notAllowed.filter(finding => !classes.includes(finding.class)),
    allowed: findings.filter((_, i) => isAllowed[i]),
    unusedLines: unused,
  };
}

/**
 * Returns the findings that fail the run. If `failOn` is 'any', these are the listed clashes; otherwise the
 * listed and hidden clashes of the classes in `failOn`. Allowed clashes never fail a run. If the run was
 * compared with a baseline, only new clashes fail it.
 */
export function failingFindings(
  {
    listed,
    hidden,
    comparison,
  }: Pick<SplitFindings, 'listed' | 'hidden'> & { comparison?: Pick<Comparison, 'isNew'> },
  failOn: 'any' | readonly ClashClass[],
): Finding[] {
  const failing =
    failOn === 'any' ? listed : [...listed, ...hidden].filter(finding => failOn.includes(finding.class));
  return comparison ? failing.filter(finding => comparison.isNew.has(finding)) : failing;
}

/** Returns the number of findings of each class as text, such as `3 hard, 12 touch`. */
export function classCounts(findings: readonly { class: ClashClass }[]): string {
  return countClasses(findings)
    .map(([kind, count]) => `${count.toLocaleString('en-US')} ${kind}`)
    .join(', ');
}
