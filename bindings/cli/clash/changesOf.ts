// Tells how the clashes of a run compare with a baseline, in the form in which reports and BCF files show it.
import type { ReportChange } from '../../report/changes.js';
import type { Comparison } from './compareWithBaseline.js';
import { statusOf } from './statusOf.js';

/** Returns how each of the findings compares with the baseline; nothing if the run has no baseline. */
export function changesOf<Found extends { class: string }, Before extends { class: string }>(
  comparison: Comparison<Found, Before> | undefined,
  findings: readonly Found[],
): ReadonlyMap<Found, ReportChange> {
  if (!comparison) return new Map();
  return new Map(
    findings.map(finding => {
      const before = comparison.previous.get(finding)?.class;
      const previousClass = before === finding.class ? undefined : before;
      return [
        finding,
        { change: statusOf(comparison, finding)!, ...(previousClass === undefined ? {} : { previousClass }) },
      ];
    }),
  );
}
