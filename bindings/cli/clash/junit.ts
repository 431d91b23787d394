// Makes test cases from the findings of a search, and formats test suites as JUnit XML, which CI systems show
// as test results.
import { documentOf, element, type Xml } from '../../report/xml.js';
import type { Comparison } from './compareWithBaseline.js';
import { identityOf, type PartIdentity } from './partIdentity.js';
import type { UnreadElement } from './readModel.js';
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

/** Why the test case of an allowed finding is skipped. */
export const ALLOWED = '--allow allows this clash';

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
      suites.map(suiteElement),
    ),
  );
}

/** Returns the test cases of listed findings: first those that fail the run, then the others. */
export function casesOfListed<Found>(
  findings: readonly Found[],
  failing: ReadonlySet<Found>,
  comparison: Pick<Comparison<Found>, 'isNew'> | undefined,
  nameOf: (finding: Found) => string,
  failureOf: (finding: Found) => TestCase['outcome'],
): TestCase[] {
  return [
    ...findings
      .filter(finding => failing.has(finding))
      .map(finding => ({ name: nameOf(finding), outcome: failureOf(finding) })),
    ...findings
      .filter(finding => !failing.has(finding))
      .map(finding =>
        skippedCase(
          nameOf(finding),
          statusOf(comparison, finding) === 'open'
            ? 'still open: the baseline has this clash'
            : '--fail-on does not name this class',
        ),
      ),
  ];
}

/** Returns a skipped test case. `reason`: why the finding does not fail the run. */
export const skippedCase = (name: string, reason: string): TestCase => ({
  name,
  outcome: { element: 'skipped', text: reason },
});

/** Returns the outcome of a failed test case. `lines` describe the finding, and `place` says where it is. */
export const failure = (
  message: string,
  lines: string[],
  place: string,
  unit: string | undefined,
): TestCase['outcome'] => ({
  element: 'failure',
  message,
  text: [...lines, unit ? `${place}; unit ${unit}` : place].join('\n'),
});

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

/** Returns the name of a test case: the names and ids of its parts. */
export function pairName(...parts: Pick<PartIdentity, 'name' | 'id'>[]): string {
  return parts.map(({ name, id }) => (id ? `${name} [${id}]` : name)).join(' / ');
}

/** Returns the properties that identify a part, as one line. */
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
  return element(
    'testsuite',
    { name, ...counts },
    cases.map(one => caseElement(name, one)),
  );
}

function caseElement(suite: string, { name, outcome }: TestCase): Xml {
  const attributes = { classname: `pfront.${suite}`, name };
  if (!outcome) return element('testcase', attributes);
  const { element: kind, message, text } = outcome;
  return element('testcase', attributes, element(kind, message === undefined ? {} : { message }, text));
}
