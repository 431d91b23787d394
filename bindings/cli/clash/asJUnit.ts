// Formats the clashes as JUnit XML, which CI systems show as test results.
import { plainDecimal } from '../../formats/plainDecimal.js';
import type { Point } from '../../report/bounds.js';
import {
  CLASS_DESCRIPTIONS,
  CLASSES,
  type ClashClass,
  describeFinding,
  type Finding,
} from '../../report/clashClasses.js';
import { groupFindings } from './groupFindings.js';
import {
  ALLOWED,
  caseOfUnread,
  casesOfListed,
  describePart,
  failure,
  junitText,
  pairName,
  type Suite,
  skippedCase,
  type TestCase,
} from './junit.js';
import type { ClashOptions } from './options.js';
import { noiseFilter } from './roundingNoise.js';
import type { Search } from './search.js';
import { failingFindings } from './splitFindings.js';

/** Writes the coordinates of a point, without rounding noise. */
type PointText = (point: Point) => string;

/**
 * Returns the XML text. Each listed class is a test suite, and each clash is a test case. If clashes are
 * grouped, each group of listed clashes is also a suite, and the suites of the classes contain only the
 * allowed, related and resolved clashes. A clash that fails the run is a failed test. Without --fail-on, each
 * listed clash that is new is a failed test; without a baseline, all listed clashes are new. The other listed
 * clashes, allowed clashes and related clashes are skipped tests. Resolved clashes of a baseline are passed
 * tests. A class without any of these has one passed test, because CI systems refuse files without tests.
 * Elements that could not be read are errors.
 */
export function asJUnit(search: Search, failOn: ClashOptions['failOn']): string {
  const failing = new Set(failingFindings(search, failOn.length === 0 ? 'any' : failOn));
  const clean = noiseFilter(search.parts);
  const pointText = (point: Point): string => point.map(value => plainDecimal(clean(value))).join(', ');
  const suites = [
    ...(search.unread.length > 0 ? [{ name: 'reading', cases: search.unread.map(caseOfUnread) }] : []),
    ...suitesOfGroups(search, failing, pointText),
    ...CLASSES.flatMap(kind => suiteOf(search, failing, kind, pointText)),
  ];
  return junitText(suites, search.milliseconds);
}

function suitesOfGroups(search: Search, failing: ReadonlySet<Finding>, pointText: PointText): Suite[] {
  const { listed, parts, grouping } = search;
  if (!grouping) return [];
  return groupFindings(listed, parts, grouping).map(({ name, findings }) => ({
    name: `${grouping}: ${name}`,
    cases: listedCases(search, failing, findings, pointText),
  }));
}

function suiteOf(
  search: Search,
  failing: ReadonlySet<Finding>,
  kind: ClashClass,
  pointText: PointText,
): Suite[] {
  const { listed, allowed, related, classes, comparison, grouping } = search;
  const ofKind = (findings: Finding[]): Finding[] => findings.filter(finding => finding.class === kind);
  if (!classes.includes(kind)) return [];
  const skipped = (finding: Finding, reason: string): TestCase =>
    skippedCase(caseName(search, finding), reason);
  const cases = [
    ...(grouping ? [] : listedCases(search, failing, ofKind(listed), pointText)),
    ...ofKind(allowed).map(finding => skipped(finding, ALLOWED)),
    ...ofKind([...related.keys()]).map(finding =>
      skipped(finding, `the file relates the two elements by ${related.get(finding)}`),
    ),
    ...(comparison?.resolved ?? [])
      .filter(clash => clash.class === kind)
      .map(({ a, b, rule }) => ({ name: `resolved: ${pairName(a, b)}${ruleText(rule)}` })),
  ];
  if (cases.length === 0 && ofKind(listed).length > 0) return [];
  return [{ name: kind, cases: cases.length > 0 ? cases : [{ name: `no ${kind} clash` }] }];
}

function listedCases(
  search: Search,
  failing: ReadonlySet<Finding>,
  findings: Finding[],
  pointText: PointText,
): TestCase[] {
  return casesOfListed(
    findings,
    failing,
    search.comparison,
    finding => caseName(search, finding),
    finding => failureOf(search, finding, pointText),
  );
}

function caseName({ parts }: Search, { a, b, rule }: Finding): string {
  return `${pairName(parts[a], parts[b])}${ruleText(rule)}`;
}

// Adds the rule to the name of a test case: several rules may ask for the same pair, and CI systems distinguish
// test cases by name.
function ruleText(rule: string | undefined): string {
  return rule === undefined ? '' : ` (rule ${rule})`;
}

function failureOf(
  { parts, places, unit }: Search,
  finding: Finding,
  pointText: PointText,
): TestCase['outcome'] {
  const { a, b, class: kind } = finding;
  const { point, box } = places.get(finding)!;
  return failure(
    `${kind}: ${describeFinding(finding, unit)}`,
    [CLASS_DESCRIPTIONS[kind], ...[parts[a], parts[b]].map(describePart)],
    `point ${pointText(point)}; box ${pointText(box.min)} to ${pointText(box.max)}`,
    unit,
  );
}
