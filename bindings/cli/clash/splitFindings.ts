// Splits the classified clashes (findings) into listed, allowed and hidden ones, and decides whether the run
// of `pfront clash` fails.

import { type ClashClass, countClasses, type Finding } from '../../report/clashClasses.js';
import type { AllowList, PatternTarget } from './allowList.js';

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
 * Returns whether the run fails. If `failOn` is 'any', any listed clash fails the run. Otherwise, any listed
 * or hidden clash of one of the classes in `failOn` fails the run. Allowed clashes never fail a run.
 */
export function isFailure({ listed, hidden }: SplitFindings, failOn: 'any' | readonly ClashClass[]): boolean {
  return failOn === 'any'
    ? listed.length > 0
    : [...listed, ...hidden].some(finding => failOn.includes(finding.class));
}

/** Returns the number of findings of each class as text, such as `3 hard, 12 touch`. */
export function classCounts(findings: readonly { class: ClashClass }[]): string {
  return countClasses(findings)
    .map(([kind, count]) => `${count.toLocaleString('en-US')} ${kind}`)
    .join(', ');
}
