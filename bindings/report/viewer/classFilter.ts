// The buttons that show or hide clashes by class. Each class has a button with its number of clashes. One more
// button is for the allowed clashes of all classes, and another one is for the clashes of related elements.
import { CLASS_DESCRIPTIONS, CLASSES, type ClashClass } from '../clashClasses.js';
import type { ReportClash, ReportHeader } from '../content.js';
import { makeFilterButton } from './filterButton.js';

type Kind = ClashClass | 'allowed' | 'related';
const KINDS: readonly Kind[] = [...CLASSES, 'allowed', 'related'];
const HINTS: Record<Kind, string> = {
  ...CLASS_DESCRIPTIONS,
  allowed: 'pairs in the list of allowed pairs',
  related: 'pairs in which one element fills an opening of the other, or both are pieces of one assembly',
};

const kindOf = ({ class: kind, isAllowed, relation }: ReportClash): Kind =>
  isAllowed ? 'allowed' : relation === undefined ? kind : 'related';

export class ClassFilter {
  private readonly listed: Set<Kind>;

  constructor(element: HTMLElement, { clashes, classes }: ReportHeader, onChange: () => void) {
    this.listed = new Set(classes);
    for (const kind of KINDS) {
      const total = clashes.filter(clash => kindOf(clash) === kind).length;
      if (total > 0)
        element.append(makeFilterButton('data-class', kind, kind, HINTS[kind], total, this.listed, onChange));
    }
    element.hidden = clashes.length === 0;
  }

  /** Returns whether the button that shows this clash is pressed. */
  isListed(clash: ReportClash): boolean {
    return this.listed.has(kindOf(clash));
  }
}
