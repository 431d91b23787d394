// Formats the contacts of motions as JUnit XML, which CI systems show as test results.
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
} from '../clash/junit.js';
import { failingFindings } from '../clash/splitFindings.js';
import type { LeftOutAnimation } from './animations.js';
import type { MotionFinding } from './findContacts.js';
import { meetingText } from './meetingText.js';
import { MOTION_CLASS_DESCRIPTIONS, type MotionClass } from './motionClasses.js';
import type { ContactInterval } from './pairTracker.js';
import type { MotionReport, MotionSearch } from './search.js';

/**
 * Returns the XML text. Each motion is a test suite, and each pair of parts in contact is a test case. With
 * --fail-on, the pairs that fail the run are failed tests. Without it, all new listed pairs are failed tests;
 * without a baseline, every pair is new. Other listed pairs, and all allowed pairs, are skipped tests. Resolved
 * pairs of a baseline are passed tests. A motion without any pair has one passed test, because CI systems
 * refuse files without tests. Elements that could not be read, and animations that could not be checked, are
 * errors.
 */
export function asMotionJUnit(search: MotionSearch, failOn: readonly MotionClass[]): string {
  const { motions, unread, leftOut, milliseconds } = search;
  const reading = [...unread.map(caseOfUnread), ...leftOut.map(caseOfLeftOut)];
  return junitText(
    [
      ...(reading.length > 0 ? [{ name: 'reading', cases: reading }] : []),
      ...motions.map(motion => suiteOf(search, motion, failOn)),
      ...suitesOfEndedMotions(search),
    ],
    milliseconds,
  );
}

function suiteOf(search: MotionSearch, motion: MotionReport, failOn: readonly MotionClass[]): Suite {
  const { parts, comparison } = search;
  const { name, listed, allowed } = motion;
  const failing = new Set(failingFindings({ listed, comparison }, failOn.length === 0 ? 'any' : failOn));
  const nameOf = ({ a, b }: MotionFinding): string => pairName(parts[a], parts[b]);
  const cases = [
    ...casesOfListed(listed, failing, comparison, nameOf, finding => failureOf(search, finding)),
    ...allowed.map(finding => skippedCase(nameOf(finding), ALLOWED)),
    ...resolvedCases(search, name),
  ];
  return { name, cases: cases.length > 0 ? cases : [{ name: 'no contacts' }] };
}

// The baseline may have motions that no longer exist.
function suitesOfEndedMotions(search: MotionSearch): Suite[] {
  const names = new Set(search.comparison?.resolved.map(({ motion }) => motion));
  for (const { name } of search.motions) names.delete(name);
  return [...names].map(name => ({ name, cases: resolvedCases(search, name) }));
}

function resolvedCases({ comparison }: MotionSearch, motion: string): TestCase[] {
  return (comparison?.resolved ?? [])
    .filter(pair => pair.motion === motion)
    .map(({ a, b }) => ({ name: `resolved: ${pairName(a, b)}` }));
}

function failureOf({ parts, unit }: MotionSearch, finding: MotionFinding): TestCase['outcome'] {
  const { a, b, class: kind, intervals, place } = finding;
  return failure(
    `${kind}: ${meetingText(finding, unit)}`,
    [
      MOTION_CLASS_DESCRIPTIONS[kind],
      ...[parts[a], parts[b]].map(describePart),
      ...intervals.map(intervalText),
    ],
    `at ${place.time} s: point ${place.point.join(', ')}`,
    unit,
  );
}

function intervalText({ from, to, touch }: ContactInterval): string {
  const shared = touch === undefined ? '' : `; shared point at ${touch} s`;
  return `from ${from} s to ${to} s${shared}`;
}

function caseOfLeftOut({ name, file, reason }: LeftOutAnimation): TestCase {
  return {
    name: `animation ${name}`,
    outcome: {
      element: 'error',
      message: 'the animation could not be checked',
      text: `${reason}\nfile ${file}`,
    },
  };
}
