// Findings -> those to list, those that are allowed, those of classes that are not to be listed; and whether
// the run fails.

import { type ClashClass, countClasses, type Finding } from '../../report/classes.js';
import type { AllowList, NamedThing } from './allowList.js';

export interface SortedOut {
  /** All three by a, then b. */
  listed: Finding[];
  allowed: Finding[];
  hidden: Finding[];
  /** Lines of the list of allowed pairs that are about nothing. */
  idle: { message: string; fix: string }[];
}

export function sortOut(
  findings: Finding[],
  parts: NamedThing[],
  classes: readonly ClashClass[],
  allowList: AllowList | undefined,
): SortedOut {
  const { isAllowed, idle } = allowList?.apply(parts, findings) ?? { isAllowed: [], idle: [] };
  const open = findings.filter((_, i) => !isAllowed[i]);
  return {
    listed: open.filter(finding => classes.includes(finding.class)),
    hidden: open.filter(finding => !classes.includes(finding.class)),
    allowed: findings.filter((_, i) => isAllowed[i]),
    idle,
  };
}

/**
 * failOn: classes of which one clash is enough, listed or not; 'any': one that is listed. What is allowed
 * never fails.
 */
export function isFailure({ listed, hidden }: SortedOut, failOn: 'any' | readonly ClashClass[]): boolean {
  return failOn === 'any'
    ? listed.length > 0
    : [...listed, ...hidden].some(finding => failOn.includes(finding.class));
}

/** `3 hard, 12 touch`. */
export function classCounts(findings: readonly { class: ClashClass }[]): string {
  return countClasses(findings)
    .map(([kind, count]) => `${count.toLocaleString('en-US')} ${kind}`)
    .join(', ');
}
