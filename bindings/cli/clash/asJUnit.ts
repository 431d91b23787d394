// Formats the clashes as JUnit XML, which CI systems show as test results.
import {
  CLASS_DESCRIPTIONS,
  CLASSES,
  type ClashClass,
  describeFinding,
  type Finding,
} from '../../report/clashClasses.js';
import { documentOf, element, type Xml } from '../../report/xml.js';
import { groupFindings } from './groupFindings.js';
import type { ClashOptions } from './options.js';
import { identityOf, type PartIdentity } from './partIdentity.js';
import type { UnreadElement } from './readModel.js';
import type { Search } from './search.js';
import { failingFindings } from './splitFindings.js';
import { statusOf } from './statusOf.js';

/** One test case. It passes if it has no `outcome`. */
export interface TestCase {
  name: string;
  outcome?: { element: 'failure' | 'error' | 'skipped'; message?: string; text: string };
}

export interface Suite {
  name: string;
  cases: TestCase[];
}

/** Why a test case is skipped. */
export const STILL_OPEN = 'still open: the baseline has this clash';
export const NOT_IN_FAIL_ON = '--fail-on does not name this class';
export const ALLOWED = '--allow allows this clash';

/**
 * Returns the XML text. Each listed class of clashes is a test suite, and each clash is a test case. If clashes are
 * grouped, each group is a suite, and the suites of classes have only the clashes that are not listed. A clash that
 * fails the run is a failure; without --fail-on, each listed clash is one, unless the baseline has it. The other
 * listed clashes, the allowed and the related ones are skipped tests. Resolved clashes of a baseline are passed tests.
 * A class without any of these has one passed test, because CI systems refuse files without tests. Elements that
 * could not be read are errors.
 */
export function asJUnit(search: Search, failOn: ClashOptions['failOn']): string {
  const failing = new Set(failingFindings(search, failOn.length === 0 ? 'any' : failOn));
  const suites = [
    ...(search.unread.length > 0 ? [{ name: 'reading', cases: search.unread.map(caseOfUnread) }] : []),
    ...suitesOfGroups(search, failing),
    ...CLASSES.flatMap(kind => suiteOf(search, failing, kind)),
  ];
  return junitText(suites, search.milliseconds);
}

/** Returns the XML text of test suites. */
export function junitText(suites: Suite[], milliseconds: number): string {
  const cases = suites.flatMap(suite => suite.cases);
  return documentOf(
    element(
      'testsuites',
      {
        name: 'pfront clash',
        tests: cases.length,
        failures: countOf(cases, 'failure'),
        errors: countOf(cases, 'error'),
        time: (milliseconds / 1000).toFixed(3),
      },
      ...suites.map(suiteElement),
    ),
  );
}

function suitesOfGroups(search: Search, failing: ReadonlySet<Finding>): Suite[] {
  const { listed, parts, grouping } = search;
  if (!grouping) return [];
  return groupFindings(listed, parts, grouping).map(({ name, findings }) => ({
    name: `${grouping}: ${name}`,
    cases: casesOfListed(search, failing, findings),
  }));
}

function suiteOf(search: Search, failing: ReadonlySet<Finding>, kind: ClashClass): Suite[] {
  const { listed, allowed, related, classes, comparison, grouping } = search;
  const ofKind = (findings: Finding[]): Finding[] => findings.filter(finding => finding.class === kind);
  if (!classes.includes(kind)) return [];
  const skipped = (finding: Finding, text: string): TestCase => skippedCase(search, finding, text);
  const cases = [
    ...(grouping ? [] : casesOfListed(search, failing, ofKind(listed))),
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

// Returns the failures, then the clashes that do not fail the run.
function casesOfListed(search: Search, failing: ReadonlySet<Finding>, findings: Finding[]): TestCase[] {
  return [
    ...findings.filter(finding => failing.has(finding)).map(finding => caseOfFailure(search, finding)),
    ...findings
      .filter(finding => !failing.has(finding))
      .map(finding =>
        skippedCase(
          search,
          finding,
          statusOf(search.comparison, finding) === 'open' ? STILL_OPEN : NOT_IN_FAIL_ON,
        ),
      ),
  ];
}

function skippedCase(search: Search, finding: Finding, text: string): TestCase {
  return { name: caseName(search, finding), outcome: { element: 'skipped', text } };
}

function caseName({ parts }: Search, { a, b, rule }: Finding): string {
  return `${pairName(parts[a], parts[b])}${ruleText(rule)}`;
}

// Several rules may ask for a pair. CI systems tell its test cases apart by their names.
function ruleText(rule: string | undefined): string {
  return rule === undefined ? '' : ` (rule ${rule})`;
}

function caseOfFailure(search: Search, finding: Finding): TestCase {
  const { parts, places, unit } = search;
  const { a, b, class: kind } = finding;
  const { point, box } = places.get(finding)!;
  const place = `point ${point.join(', ')}; box ${box.min.join(', ')} to ${box.max.join(', ')}`;
  return {
    name: caseName(search, finding),
    outcome: {
      element: 'failure',
      message: `${kind}: ${describeFinding(finding, unit)}`,
      text: [
        CLASS_DESCRIPTIONS[kind],
        ...[parts[a], parts[b]].map(describePart),
        unit ? `${place}; unit ${unit}` : place,
      ].join('\n'),
    },
  };
}

/** Returns the test case of an element that could not be read: an error. */
export function caseOfUnread({ name, id, reason, isPartial, file }: UnreadElement): TestCase {
  return {
    name: pairName({ name, id }),
    outcome: {
      element: 'error',
      message: isPartial ? 'the element was partly read' : 'the element could not be read',
      text: `${reason}\nfile ${file}`,
    },
  };
}

/** Returns the name of the test case of parts. */
export function pairName(...parts: Pick<PartIdentity, 'name' | 'id'>[]): string {
  return parts.map(({ name, id }) => (id ? `${name} [${id}]` : name)).join(' / ');
}

/** Returns all that a file tells about a part, as a line of text. */
export function describePart(part: PartIdentity): string {
  return Object.entries(identityOf(part))
    .map(([key, value]) => `${key} ${value}`)
    .join('; ');
}

function countOf(cases: TestCase[], kind: string): number {
  return cases.filter(({ outcome }) => outcome?.element === kind).length;
}

function suiteElement({ name, cases }: Suite): Xml {
  const counts = {
    tests: cases.length,
    failures: countOf(cases, 'failure'),
    errors: countOf(cases, 'error'),
    skipped: countOf(cases, 'skipped'),
  };
  return element('testsuite', { name, ...counts }, ...cases.map(one => caseElement(name, one)));
}

function caseElement(suite: string, { name, outcome }: TestCase): Xml {
  const attributes = { classname: `pfront.${suite}`, name };
  if (!outcome) return element('testcase', attributes);
  const { element: kind, message, text } = outcome;
  return element('testcase', attributes, element(kind, message === undefined ? {} : { message }, text));
}
