// The buttons that show or hide clashes by their comparison with an earlier run: new clashes, and clashes that
// are still open. A page of a run without a baseline has no such buttons.
import { changeText, type ReportChange } from '../changes.js';
import type { ReportClash, ReportHeader } from '../content.js';
import { makeFilterButton } from './filterButton.js';

type Change = ReportChange['change'];
const CHANGES: readonly Change[] = ['new', 'open'];

export class ChangeFilter {
  private readonly listed = new Set<Change>(CHANGES);

  constructor(element: HTMLElement, { clashes, comparison }: ReportHeader, onChange: () => void) {
    const totalOf = (change: Change): number => clashes.filter(clash => clash.change === change).length;
    element.hidden = comparison === undefined || clashes.length === 0;
    if (!comparison) return;
    for (const change of CHANGES)
      element.append(
        makeFilterButton(
          'data-change',
          change,
          changeText({ change }),
          change === 'new'
            ? `clashes that ${comparison.baseline} does not list, or lists with a less severe class`
            : `clashes that ${comparison.baseline} lists, too`,
          totalOf(change),
          this.listed,
          onChange,
        ),
      );
  }

  /** Whether the table leaves out new clashes, or clashes that are still open. */
  get isChosen(): boolean {
    return this.listed.size < CHANGES.length;
  }

  /** Returns whether the button that shows this clash is pressed, or there is no button for it. */
  isListed({ change }: ReportClash): boolean {
    return change === undefined || this.listed.has(change);
  }
}
