// The classes of clashes: their names, order and descriptions. Shared by the command and the HTML report.
import { lengthText, type Unit } from '../formats/units.js';

/** The classes, worst first. */
export const CLASSES = ['hard', 'contained', 'clearance', 'coplanar', 'touch'] as const;
export type ClashClass = (typeof CLASSES)[number];

/** Describes each class as a clause. */
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
   * Penetration depth: how far one part must move to separate the two. Also set for coplanar and touch if the
   * depth is within the tolerance. Otherwise 0.
   */
  depth: number;
  /** Unit vector: moving a by `depth` along it separates the two. Zeros if depth is 0. */
  direction: number[];
  /** The distance between the parts in the class clearance. Otherwise 0. */
  distance: number;
  /** Max extent of the contact, 0 if there is none. */
  size: number;
  /** The part that lies inside the other, in the class contained. */
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
 * Orders findings worst first: by class, then duplicates first, then by larger depth, smaller distance and
 * larger size; finally by a and b.
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
