// The classes of clashes: their names, order and descriptions. Used by the command `pfront clash` and by its
// HTML report.
import { lengthText, type Unit } from '../formats/units.js';

/** The classes of clashes, worst first. */
export const CLASSES = ['hard', 'contained', 'clearance', 'coplanar', 'touch'] as const;
export type ClashClass = (typeof CLASSES)[number];

/** A description of each class, as a clause without a period. */
export const CLASS_DESCRIPTIONS: Record<ClashClass, string> = {
  hard: 'the parts penetrate each other',
  contained: 'one part lies entirely inside the other',
  clearance: 'the parts are apart, but not by more than the clearance',
  coplanar: 'the parts touch along faces, without penetration',
  touch: 'the parts touch at points or along lines, without penetration',
};

/** A classified pair of parts that clash. Lengths are in the unit of the files. */
export interface Finding {
  /** The two parts, as indices into the list of parts, with a < b. */
  a: number;
  b: number;
  class: ClashClass;
  trianglePairs: number;
  /**
   * Bounds of the overlap depth: the diameter of the largest ball that fits into both parts. Present only if
   * the parts overlap and both are closed, if necessary by closing narrow gaps between their faces.
   */
  overlapDepth?: { lower: number; upper: number; center?: number[] };
  /**
   * Bounds of the volume that the parts have in common, in cubic units. Present only if the parts overlap, both
   * are closed (if necessary by closing narrow gaps), and for each part one of these is true: all its shells face outward; all its shells face
   * inward; or its winding number is proven to be 0 or 1 everywhere, or 0 or -1 everywhere. In the first two
   * cases, the bounds hold unless a shell turns itself inside out by intersecting itself.
   */
  volume?: { lower: number; upper: number };
  /**
   * Bounds of the length of the curves in which the surfaces cross or touch, outside of the areas that they
   * share. Present only if the surfaces share a point.
   */
  contactLength?: { lower: number; upper: number };
  /**
   * Bounds of the area that the surfaces share, in square units. Present only if the surfaces share a point.
   */
  contactArea?: { lower: number; upper: number };
  /**
   * Penetration depth: how far one part must move to separate the two parts. It is set in the classes hard and
   * contained, and in the classes coplanar and touch if the parts penetrate each other by at most the
   * tolerance. Otherwise 0.
   */
  depth: number;
  /** Upper bound of the rounding error of the depth. Missing in the class clearance. */
  bound?: number;
  /**
   * Proven bounds of the length of the shortest translation that separates the two parts. Present only if they
   * overlap and both are closed, if necessary by closing narrow gaps.
   */
  separation?: { lower: number; upper: number };
  /** Unit vector: moving part a by `depth` in this direction separates the two parts. Zeros if depth is 0. */
  direction: number[];
  /** In the class clearance: the distance between the parts. Otherwise 0. */
  distance: number;
  /** The largest extent of the contact along an axis; 0 if the surfaces do not intersect. */
  size: number;
  /** In the class contained: the part that lies inside the other part. */
  inner?: 'a' | 'b';
  /** Whether both parts have the same triangles at the same positions. */
  isDuplicate: boolean;
  /** The name of the rule that asks for the pair, if rules were given. */
  rule?: string;
}

/** Returns whether the text is the name of a class. */
export function isClass(text: string): text is ClashClass {
  return (CLASSES as readonly string[]).includes(text);
}

/**
 * How a finding is described: in full; in fewer words, with all figures; or in the fewest words, with the first
 * figure only. The last two are for places with little room.
 */
export const WORDINGS = ['full', 'short', 'shortest'] as const;
export type Wording = (typeof WORDINGS)[number];

/** Describes a finding in a few words: overlap depth, penetration depth, distance, which part is inside. */
export function describeFinding(finding: Finding, unit: Unit | undefined, wording: Wording = 'full'): string {
  const { class: kind, distance, inner, isDuplicate } = finding;
  const isFull = wording === 'full';
  if (isDuplicate) return isFull ? 'duplicate part' : 'duplicate';
  switch (kind) {
    case 'hard':
      return depthText(finding, unit, wording);
    case 'contained':
      return `${inner === 'a' ? 'first' : 'second'} ${isFull ? 'part is ' : ''}inside`;
    case 'clearance':
      return `distance ${lengthText(distance, unit)}`;
    case 'coplanar':
      return contactText(isFull ? 'face contact' : 'faces', finding, unit, wording);
    case 'touch':
      return contactText(isFull ? 'point or line contact' : 'point or line', finding, unit, wording);
  }
}

function contactText(words: string, finding: Finding, unit: Unit | undefined, wording: Wording): string {
  if (finding.depth === 0) return words;
  const depths = depthText(finding, unit, wording);
  return wording === 'shortest' ? depths : `${words}, ${depths}`;
}

/** Describes the overlap depth and the penetration depth of a finding, or of one of its regions. */
export function depthText(
  { overlapDepth, depth }: Pick<Finding, 'overlapDepth' | 'depth'>,
  unit: Unit | undefined,
  wording: Wording = 'full',
): string {
  const noun = wording === 'full' ? ' depth' : '';
  const penetration = `penetration${noun} ${lengthText(depth, unit)}`;
  if (!overlapDepth) return penetration;
  const overlap = `overlap${noun} ${rangeText(overlapDepth, unit, wording)}`;
  return wording === 'shortest' ? overlap : `${overlap}, ${penetration}`;
}

/** Bounds are close if they differ by at most this fraction of the lower bound. */
const CLOSE = 0.0101;

interface Bounds {
  lower: number;
  upper: number;
}

/**
 * Returns whether bounds are so close that the upper bound is shown as the value. The upper bound is the one
 * that is compared with tolerances.
 */
const showsUpper = ({ lower, upper }: Bounds): boolean => upper <= lower * (1 + CLOSE);

/** Formats the upper bound of a figure: alone if the bounds are close, otherwise after the words "at most". */
export const upperText = (
  bounds: Bounds,
  textOf: (value: number, unit: Unit | undefined) => string,
  unit: Unit | undefined,
): string => `${showsUpper(bounds) ? '' : 'at most '}${textOf(bounds.upper, unit)}`;

function rangeText(bounds: Bounds, unit: Unit | undefined, wording: Wording = 'full'): string {
  if (showsUpper(bounds)) return lengthText(bounds.upper, unit);
  const isFull = wording === 'full';
  // Without a proven overlap, only the upper bound says something.
  return bounds.lower > 0
    ? `${isFull ? 'at least' : '\u2265'} ${lengthText(bounds.lower, unit)}`
    : `${isFull ? 'at most' : '\u2264'} ${lengthText(bounds.upper, unit)}`;
}

/**
 * Returns the overlap depth by which findings are sorted; for parts that are not closed, the penetration depth.
 */
function sortingDepth({ overlapDepth, depth }: Finding): number {
  const known = overlapDepth && (showsUpper(overlapDepth) ? overlapDepth.upper : overlapDepth.lower);
  return rounded(known ?? depth);
}

/**
 * Returns the volume that is shown; -1 if there is none, so that findings without a volume are sorted after
 * the others.
 */
const shownVolume = ({ volume }: Finding): number => (volume ? rounded(volume.upper) : -1);

/** Rounds a length or volume, so that values that differ only by rounding errors compare as equal. */
const rounded = (value: number): number => Number(value.toPrecision(6));

/**
 * Describes a non-empty list of findings: states the largest overlap depth and, if some overlap depths are
 * unknown, the largest penetration depth. If no two parts overlap, describes the worst finding.
 */
export function describeLargest(findings: readonly Finding[], unit: Unit | undefined): string {
  const overlap = { lower: 0, upper: 0 };
  let depth = 0;
  let areAllKnown = true;
  for (const finding of findings) {
    const { lower, upper } = finding.overlapDepth ?? overlap;
    overlap.lower = Math.max(overlap.lower, lower);
    overlap.upper = Math.max(overlap.upper, upper);
    depth = Math.max(depth, finding.depth);
    if (finding.depth > 0 && !finding.overlapDepth) areAllKnown = false;
  }
  const texts = [
    ...(overlap.upper > 0 ? [`overlap ${rangeText(overlap, unit)}`] : []),
    ...(areAllKnown ? [] : [`penetration depth ${lengthText(depth, unit)}`]),
  ];
  if (texts.length > 0) return `largest ${texts.join(', ')}`;
  const worst = findings.reduce((x, y) => (compareFindings(x, y) <= 0 ? x : y));
  return `worst: ${describeFinding(worst, unit)}`;
}

/**
 * Compares two findings for sorting, worst first. The criteria are, in this order: the class; duplicates
 * first; larger common volume, findings without a volume last; larger overlap depth, or penetration depth if
 * the overlap depth is unknown; larger penetration depth; smaller distance; larger size; a; b. Volumes are
 * compared by their upper bounds. Overlap depths are compared by their upper bounds if the bounds are close,
 * otherwise by their lower bounds. These bounds are rounded to six digits.
 */
export function compareFindings(x: Finding, y: Finding): number {
  return (
    CLASSES.indexOf(x.class) - CLASSES.indexOf(y.class) ||
    Number(y.isDuplicate) - Number(x.isDuplicate) ||
    shownVolume(y) - shownVolume(x) ||
    sortingDepth(y) - sortingDepth(x) ||
    y.depth - x.depth ||
    x.distance - y.distance ||
    y.size - x.size ||
    x.a - y.a ||
    x.b - y.b
  );
}

/** Counts the findings of each class. Classes without findings are left out. */
export function countClasses(findings: readonly { class: ClashClass }[]): [ClashClass, number][] {
  return CLASSES.map((kind): [ClashClass, number] => [
    kind,
    findings.filter(finding => finding.class === kind).length,
  ]).filter(([, count]) => count > 0);
}
