// Returns the status of a clash in the comparison with a baseline.
import type { Finding } from '../../report/clashClasses.js';
import type { Comparison } from './compareWithBaseline.js';

/** Returns whether a finding is new or still open; undefined if the run has no baseline. */
export function statusOf(
  comparison: Pick<Comparison, 'isNew'> | undefined,
  finding: Finding,
): 'new' | 'open' | undefined {
  return comparison && (comparison.isNew.has(finding) ? 'new' : 'open');
}
