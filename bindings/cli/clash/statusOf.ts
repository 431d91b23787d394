// Returns the status of a clash in the comparison with a baseline.
import type { Comparison } from './compareWithBaseline.js';

/** Returns whether a finding is new or still open; undefined if the run has no baseline. */
export function statusOf<Found>(
  comparison: Pick<Comparison<Found>, 'isNew'> | undefined,
  finding: Found,
): 'new' | 'open' | undefined {
  return comparison && (comparison.isNew.has(finding) ? 'new' : 'open');
}
