// Converts the comparison with a baseline to the form in which the HTML report stores it.
import { basename } from 'node:path';
import type { EarlierClash, ReportComparison } from '../../report/content.js';
import type { BaselineClash } from './baseline.js';
import type { Comparison } from './compareWithBaseline.js';

/** Returns the name of the baseline, and the clashes that only the baseline has. */
export const reportComparison = ({ path, resolved, unchecked }: Comparison): ReportComparison => ({
  baseline: basename(path),
  resolved: resolved.map(earlierClash),
  unchecked: unchecked.map(earlierClash),
});

const earlierClash = ({ a, b, class: kind }: BaselineClash): EarlierClash => ({
  class: kind,
  partA: { name: a.name, id: a.id },
  partB: { name: b.name, id: b.id },
});
