// Splits the classified clashes (findings) into listed, allowed, related and hidden ones, and decides which of
// them fail the run of `pfront clash`.

import { formatCount } from '../../formats/formatCount.js';
import { type ClashClass, countClasses, type Finding } from '../../report/clashClasses.js';
import type { AllowList } from './allowList.js';
import type { Comparison } from './compareWithBaseline.js';
import type { NamedPart } from './readModel.js';
import { type Relation, relationOf } from './relatedPairs.js';

export interface SplitFindings {
  /**
   * Findings of the classes to list, except allowed and related ones. This list and all others are sorted by a,
   * then b.
   */
  listed: Finding[];
  /** Findings of any class that the list of allowed pairs allows. */
  allowed: Finding[];
  /**
   * Findings whose two elements are related in their IFC file, each with this relation. They may be of any
   * class; allowed findings are excluded.
   */
  related: ReadonlyMap<Finding, Relation>;
  /** Whether --include-related lists related findings with the others; `related` is then empty. */
  includesRelated: boolean;
  /** Findings of the classes that are not listed, except allowed and related ones. */
  hidden: Finding[];
  /** Notes about lines of the list of allowed pairs that match no clash. */
  unusedLines: { message: string; fix: string }[];
}

/**
 * Splits findings by the classes to list, by the list of allowed pairs and by the relations of IFC elements.
 *
 * @param isListed - Returns whether the class of a finding is listed.
 */
export function splitFindings(
  findings: Finding[],
  parts: NamedPart[],
  isListed: (finding: Finding) => boolean,
  allowList: AllowList | undefined,
  includesRelated: boolean,
): SplitFindings {
  const { isAllowed, unused } = allowList?.apply(parts, findings) ?? { isAllowed: [], unused: [] };
  const notAllowed = findings.filter((_, i) => !isAllowed[i]);
  const related = new Map<Finding, Relation>();
  for (const finding of includesRelated ? [] : notAllowed) {
    const relation = relationOf(parts[finding.a], parts[finding.b]);
    if (relation !== undefined) related.set(finding, relation);
  }
  const rest = notAllowed.filter(finding => !related.has(finding));
  return {
    listed: rest.filter(isListed),
    hidden: rest.filter(finding => !isListed(finding)),
    allowed: findings.filter((_, i) => isAllowed[i]),
    related,
    includesRelated,
    unusedLines: unused,
  };
}

/**
 * Returns the findings that fail the run: all listed clashes if `failOn` is 'any', otherwise the listed
 * clashes of the classes in `failOn`. Allowed and related clashes never fail a run. If the run was compared
 * with a baseline, only new clashes fail it.
 */
export function failingFindings<Found extends { class: string }>(
  { listed, comparison }: { listed: Found[]; comparison?: Pick<Comparison<Found>, 'isNew'> },
  failOn: 'any' | readonly Found['class'][],
): Found[] {
  const failing = failOn === 'any' ? listed : listed.filter(finding => failOn.includes(finding.class));
  return comparison ? failing.filter(finding => comparison.isNew.has(finding)) : failing;
}

/** Returns the number of findings of each class as text, such as `3 hard, 12 touch`. */
export function classCounts(findings: readonly { class: ClashClass }[]): string {
  return countClasses(findings)
    .map(([kind, count]) => `${formatCount(count)} ${kind}`)
    .join(', ');
}
