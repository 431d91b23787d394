// What two parts are to each other -> its name, its rank and its words; used by the command and by its page
// alike.
import { lengthText, type Unit } from '../formats/units.js';

/** Worst first. */
export const CLASSES = ['hard', 'contained', 'clearance', 'coplanar', 'touch'] as const;
export type ClashClass = (typeof CLASSES)[number];

/** What each class says of two parts. */
export const MEANINGS: Record<ClashClass, string> = {
  hard: 'the parts share room',
  contained: 'one part lies wholly inside the other',
  clearance: 'the parts are apart, but too near',
  coplanar: 'faces lie on each other, no more',
  touch: 'the parts meet in points or lines, no more',
};

/** Two parts that clash. Lengths are in the unit of the files. */
export interface Finding {
  /** Parts a < b by their places in the list. */
  a: number;
  b: number;
  class: ClashClass;
  trianglePairs: number;
  /**
   * Hard: how far one has to move so that they are free of each other; what the tolerance forgave has it,
   * too. Else 0.
   */
  depth: number;
  /** Unit vector along which a moves out of b by `depth`; zeros where depth is 0. */
  direction: number[];
  /** Clearance: how far apart they are. Else 0. */
  distance: number;
  /** Greatest extent of the contact, 0 where there is none. */
  size: number;
  /** Contained: which part lies in the other. */
  inner?: 'a' | 'b';
  /** The same triangles at the same places. */
  isDuplicate: boolean;
}

export function isClass(text: string): text is ClashClass {
  return (CLASSES as readonly string[]).includes(text);
}

/** A few words: how deep, how far apart, which in which. */
export function describeFinding(
  { class: kind, depth, distance, inner, isDuplicate }: Finding,
  unit: Unit | undefined,
): string {
  if (isDuplicate) return 'the same part twice';
  switch (kind) {
    case 'hard':
      return `${lengthText(depth, unit)} deep`;
    case 'contained':
      return inner === 'a' ? 'first is inside' : 'second is inside';
    case 'clearance':
      return `${lengthText(distance, unit)} apart`;
    case 'coplanar':
      return depth > 0 ? `faces meet, ${lengthText(depth, unit)} deep` : 'faces meet';
    case 'touch':
      return depth > 0 ? `edges meet, ${lengthText(depth, unit)} deep` : 'edges meet';
  }
}

/** Worst first: by class, then the deepest, the nearest, the largest; at last by place. */
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

/** How many there are of each class, those that there are. */
export function countClasses(findings: readonly { class: ClashClass }[]): [ClashClass, number][] {
  return CLASSES.map((kind): [ClashClass, number] => [
    kind,
    findings.filter(finding => finding.class === kind).length,
  ]).filter(([, count]) => count > 0);
}
