// Compares the clashes of a run with those of an earlier run: which are new, still open or resolved. The
// result does not depend on the order of the elements in the files.
import { basename } from 'node:path';
import { type Bounds, centerOf, squaredDistance } from '../../report/bounds.js';
import { CLASSES, type Finding } from '../../report/clashClasses.js';
import type { BaselineClash } from './baseline.js';
import type { PartIdentity } from './partIdentity.js';
import type { Place } from './places.js';
import type { UnreadElement } from './readModel.js';

export interface Comparison<Found = Finding, Before = BaselineClash> {
  /** The path of the baseline as the user wrote it. */
  path: string;
  /** The findings that are new: they are not in the baseline, or have a less severe class there. */
  isNew: ReadonlySet<Found>;
  /** Maps a finding to the same clash in the baseline, if the baseline has this clash. */
  previous: ReadonlyMap<Found, Before>;
  /** Clashes of the baseline that no longer exist. */
  resolved: Before[];
  /** Clashes of the baseline that were not found, and that involve an element that could not be read. */
  unchecked: Before[];
}

/** A clash of one of the two runs, and its box. */
interface Candidate<Clash> {
  clash: Clash;
  box: Bounds;
}

// Coordinates that differ by at most this fraction of the largest coordinate are considered equal, because
// programs round them when they export a file.
const ROUNDING = 1e-5;

/**
 * Compares the findings of this run with the clashes of a baseline. Two clashes are the same if their parts
 * have the same GUIDs, and the same rule asks for them. A part without a GUID is identified by its name; the
 * names of parents and the numbers that the readers add to make names unique are ignored. In this case, the
 * boxes of the clashes must also overlap. If several clashes qualify, the nearest are paired; each clash is
 * paired at most once.
 *
 * @param places - The place of each finding.
 */
export function compareWithBaseline(
  path: string,
  baseline: BaselineClash[],
  findings: Finding[],
  parts: PartIdentity[],
  places: ReadonlyMap<Finding, Place>,
  unread: UnreadElement[],
): Comparison {
  const before = groupByParts(baseline, ({ a, b, rule, box }) => ({ a, b, rule, box }));
  const now = groupByParts(findings, finding => ({
    a: parts[finding.a],
    b: parts[finding.b],
    rule: finding.rule,
    box: places.get(finding)!.box,
  }));
  const slack = ROUNDING * baseline.reduce((max, { box }) => Math.max(max, maxCoordinate(box)), 0);
  const previous = new Map<Finding, BaselineClash>();
  for (const [key, { clashes, hasIds }] of now)
    pairNearest(clashes, before.get(key)?.clashes ?? [], hasIds ? Infinity : slack, previous);
  return comparisonOf(path, CLASSES, baseline, findings, previous, isUncheckedIn(unread));
}

/**
 * Returns the comparison of two runs from the pairs of equal clashes in `previous`.
 *
 * @param classes - All classes, worst first.
 * @param previous - Maps a finding to the same clash in the baseline, if the baseline has this clash.
 * @param isUnchecked - Returns whether this run could not check whether a clash of the baseline still exists.
 */
export function comparisonOf<Found extends { class: string }, Before extends { class: string }>(
  path: string,
  classes: readonly string[],
  baseline: Before[],
  findings: Found[],
  previous: ReadonlyMap<Found, Before>,
  isUnchecked: (clash: Before) => boolean,
): Comparison<Found, Before> {
  // A pair that only touched before and now penetrates must not be hidden by its old clash.
  const isWorse = ({ class: kind }: Found, before: Before | undefined): boolean =>
    before === undefined || classes.indexOf(kind) < classes.indexOf(before.class);
  const kept = new Set(previous.values());
  const gone = baseline.filter(clash => !kept.has(clash));
  return {
    path,
    isNew: new Set(findings.filter(finding => isWorse(finding, previous.get(finding)))),
    previous,
    resolved: gone.filter(clash => !isUnchecked(clash)),
    unchecked: gone.filter(isUnchecked),
  };
}

/** Returns a function that tells whether a part of a pair may be an element that could not be read. */
export function isUncheckedIn(
  unread: UnreadElement[],
): (pair: { a: PartIdentity; b: PartIdentity }) => boolean {
  const unreadKeys = new Set(unread.map(keyOf));
  const unreadFiles = new Set(unread.filter(({ isAnyPart }) => isAnyPart).map(({ file }) => basename(file)));
  return ({ a, b }) =>
    [a, b].some(part => unreadKeys.has(keyOf(part)) || unreadFiles.has(basename(part.file)));
}

/**
 * Returns a key of a pair of parts that stays the same in later runs. Several pairs of one run may have the
 * same key.
 */
export const pairKey = (a: PartIdentity, b: PartIdentity, ...more: unknown[]): string =>
  JSON.stringify([...[keyOf(a), keyOf(b)].sort(), ...more]);

// Returns a key of a part: its id or, without an id, its name. The readers extend some names. They put the
// names of parents before a repeated name. They put a number after a repeated name, after the name of a
// connected component, and after the type of an element without a name. These additions depend on the other
// elements of the file, so they are removed.
function keyOf({ id, name }: { id?: string; name: string }): string {
  return id === undefined
    ? `name ${name.replace(/^.*\//s, '').replace(/( #\d+| \(\d+\))+$/, '')}`
    : `id ${id}`;
}

function groupByParts<Clash>(
  clashes: Clash[],
  describe: (clash: Clash) => { a: PartIdentity; b: PartIdentity; rule?: string; box: Bounds },
): Map<string, { clashes: Candidate<Clash>[]; hasIds: boolean }> {
  const groups = new Map<string, { clashes: Candidate<Clash>[]; hasIds: boolean }>();
  for (const clash of clashes) {
    const { a, b, rule, box } = describe(clash);
    const key = pairKey(a, b, rule);
    const group = groups.get(key) ?? { clashes: [], hasIds: a.id !== undefined && b.id !== undefined };
    group.clashes.push({ clash, box });
    groups.set(key, group);
  }
  return groups;
}

// Pairs the clashes of one group greedily, nearest first. Clashes whose boxes are more than `slack` apart are
// not paired. There is one exception: if the group has exactly one clash in each run, and both clashes have the
// class clearance, they are paired at any distance, because the nearest points of parallel faces are arbitrary.
function pairNearest(
  now: Candidate<Finding>[],
  before: Candidate<BaselineClash>[],
  slack: number,
  previous: Map<Finding, BaselineClash>,
): void {
  const isOnly =
    now.length === 1 &&
    before.length === 1 &&
    [now[0], before[0]].every(({ clash }) => clash.class === 'clearance');
  pairInOrder(
    now.flatMap(one =>
      before
        .filter(other => isOnly || gapOf(one.box, other.box) <= slack)
        .map(other => ({ now: one.clash, before: other.clash, order: orderOf(one, other) })),
    ),
    previous,
  );
}

/**
 * Pairs clashes of two runs greedily, in ascending order of the numbers in `order`. Each clash is paired at
 * most once.
 */
export function pairInOrder<Now, Before>(
  options: { now: Now; before: Before; order: number[] }[],
  previous: Map<Now, Before>,
): void {
  const used = new Set<Before>();
  for (const { now, before } of options.sort((x, y) => compareNumbers(x.order, y.order))) {
    if (previous.has(now) || used.has(before)) continue;
    previous.set(now, before);
    used.add(before);
  }
}

// Returns the numbers by which pairs are sorted: first the squared distance of the centers. The other numbers
// break ties by class and boxes, so that the result does not depend on the order of the clashes.
function orderOf(one: Candidate<Finding>, other: Candidate<BaselineClash>): number[] {
  return [
    squaredDistance(centerOf(one.box), 0, centerOf(other.box)),
    Math.abs(CLASSES.indexOf(one.clash.class) - CLASSES.indexOf(other.clash.class)),
    ...one.box.min,
    ...one.box.max,
    ...other.box.min,
    ...other.box.max,
  ];
}

function compareNumbers(x: number[], y: number[]): number {
  const at = x.findIndex((value, i) => value !== y[i]);
  return at < 0 ? 0 : x[at] - y[at];
}

// Returns how far two boxes are apart along the axis on which they are farthest apart; negative if they
// overlap.
function gapOf(x: Bounds, y: Bounds): number {
  let gap = -Infinity;
  for (let axis = 0; axis < 3; axis++)
    gap = Math.max(gap, x.min[axis] - y.max[axis], y.min[axis] - x.max[axis]);
  return gap;
}

function maxCoordinate({ min, max }: Bounds): number {
  return Math.max(...min.map(Math.abs), ...max.map(Math.abs));
}
