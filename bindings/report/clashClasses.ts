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
   * Penetration depth: how far one part must move to separate the two parts. It is set in the class hard, and
   * in the classes coplanar and touch if the parts penetrate each other by at most the tolerance. Otherwise
   * 0.
   */
  depth: number;
  /** Unit vector: moving part a by `depth` in this direction separates the two parts. Zeros if depth is 0. */
  direction: number[];
  /** In the class clearance: the distance between the parts. Otherwise 0. */
  distance: number;
  /** Max extent of the contact, 0 if there is none. */
  size: number;
  /** In the class contained: the part that lies inside the other part. */
  inner?: 'a' | 'b';
  /** Whether both parts have the same triangles at the same positions. */
  isDuplicate: boolean;
}

/** Returns whether the text is the name of a class. */
export function isClass(text: string): text is ClashClass {
  return (CLASSES as readonly string[]).includes(text);
}

/** Describes a finding in a few words: penetration depth, distance, which part is inside. */
export function describeFinding(
  { class: kind, depth, distance, inner, isDuplicate }: Finding,
  unit: Unit | undefined,
): string {
  if (isDuplicate) return 'duplicate part';
  switch (kind) {
    case 'hard':
      return depthText(depth, unit);
    case 'contained':
      return inner === 'a' ? 'first part is inside' : 'second part is inside';
    case 'clearance':
      return `distance ${lengthText(distance, unit)}`;
    case 'coplanar':
      return depth > 0 ? `face contact, ${depthText(depth, unit)}` : 'face contact';
    case 'touch':
      return depth > 0 ? `point or line contact, ${depthText(depth, unit)}` : 'point or line contact';
  }
}

function depthText(depth: number, unit: Unit | undefined): string {
  return `penetration depth ${lengthText(depth, unit)}`;
}

/**
 * Compares two findings for sorting, worst first. Findings of a class are sorted by these criteria, in this
 * order: duplicates first, larger depth, smaller distance, larger size, a, b.
 */
export function compareFindings(x: Finding, y: Finding): number {
  return (
    CLASSES.indexOf(x.class) - CLASSES.indexOf(y.class) ||
    Number(y.isDuplicate) - Number(x.isDuplicate) ||
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
