// The table of clashes on the report page. Only the visible rows, a few more around them and the current row
// (see `current`) exist as HTML elements, so that long tables stay fast.

import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { lengthText } from '../../formats/units.js';
import { changeText } from '../changes.js';
import { describeFinding } from '../clashClasses.js';
import type { ReportHeader } from '../content.js';
import { type ClashGroups, headingOf, type Section } from './clashGroups.js';
import type { ColumnKey, Sorting } from './clashOrder.js';
import { make, makeCutName } from './elements.js';
import { plural } from './format.js';
import { makeGroupHeading } from './groupHeading.js';
import type { Reviews } from './reviews.js';

const SPARE_ROWS = 8;
/** The max number of characters that fit in the two lines of a cell for the description of a clash. */
const MAX_DESCRIPTION = 48;
const COLUMNS: { key: ColumnKey; title: string; hint: string }[] = [
  { key: 'a', title: 'Part', hint: 'Sort by the first part' },
  { key: 'b', title: 'Clashes with', hint: 'Sort by the second part' },
  { key: 'what', title: 'Class', hint: 'Sort by severity' },
  { key: 'size', title: 'Size', hint: 'Sort by the extent of the contact' },
];

export class ClashTable {
  private readonly heads = new Map<ColumnKey, HTMLElement>();
  private readonly body = make('div', 'rows', undefined, { role: 'rowgroup' });
  // The rows that exist as elements, by their entry in `shown`.
  private readonly rows = new Map<number, HTMLElement>();
  private readonly virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  private sections: Section[] = [];
  // The rows: clashes, and headings of groups (see `headingOf`).
  private shown: number[] = [];
  private selected: number | undefined;
  // The row that the keys move from: the selected clash, or a heading.
  private current: number | undefined;
  private rowHeight = 0;
  private headingHeight = 0;

  constructor(
    private readonly element: HTMLElement,
    private readonly header: ReportHeader,
    private readonly reviews: Reviews,
    private readonly groups: ClashGroups,
    onSort: (key: ColumnKey) => void,
    private readonly onSelect: (clash: number) => void,
  ) {
    if (groups.isGrouped) element.setAttribute('role', 'treegrid');
    element.append(this.makeHead(onSort), this.body);
    this.virtualizer = new Virtualizer(this.options());
    this.body.addEventListener('click', ({ target }) => {
      const row = (target as Element).closest<HTMLElement>('[data-clash], [data-group]');
      if (row?.dataset.clash !== undefined) onSelect(Number(row.dataset.clash));
      else if (row) this.toggle(Number(row.dataset.group));
    });
  }

  /** Shows these groups of clashes, in this order. */
  show(sections: Section[], { key, isDescending }: Sorting): void {
    this.sections = sections;
    this.heads.forEach((head, column) =>
      head.setAttribute('aria-sort', column !== key ? 'none' : isDescending ? 'descending' : 'ascending'),
    );
    this.element.hidden = sections.length === 0;
    // The texts of headings depend on the clashes that are shown.
    this.removeOtherRows(new Set(this.shown.filter(row => row >= 0)));
    this.updateGroups();
  }

  /**
   * Moves to the row that is `rows` rows below the current row, or above it if `rows` is negative, clamped to
   * the first and last row. If no current row is shown, moves down from a place just above the first row, or
   * up from a place just below the last row. If the new row is a clash, selects it. If it is a heading, the
   * selected clash stays selected.
   */
  step(rows: number): void {
    if (this.shown.length === 0) return;
    const rowIndex = this.current === undefined ? -1 : this.shown.indexOf(this.current);
    const from = rowIndex >= 0 ? rowIndex : rows > 0 ? -1 : this.shown.length;
    const row = this.shown[Math.min(this.shown.length - 1, Math.max(0, from + rows))];
    if (row >= 0) this.onSelect(row);
    else this.moveTo(row);
  }

  /** Collapses the group whose heading is current, or moves from a clash to the heading of its group. */
  collapse(): void {
    const row = this.shownCurrent;
    if (row === undefined) return;
    if (row >= 0) this.moveTo(headingOf(this.groups.groupOf(row)));
    else if (!this.groups.isCollapsed(headingOf(row))) this.toggle(headingOf(row));
  }

  /** Expands the group whose heading is current. */
  expand(): void {
    const row = this.shownCurrent;
    if (row === undefined || row >= 0) return;
    if (this.groups.isCollapsed(headingOf(row))) this.toggle(headingOf(row));
  }

  /** Collapses or expands the group whose heading is current. */
  toggleCurrent(): void {
    const row = this.shownCurrent;
    if (row !== undefined && row < 0) this.toggle(headingOf(row));
  }

  /** Updates the rows after groups were collapsed or expanded. */
  updateGroups(): void {
    this.shown = this.groups.rowsOf(this.sections);
    const group = this.current === undefined || this.current < 0 ? -1 : this.groups.groupOf(this.current);
    if (this.groups.isGrouped && group >= 0 && this.groups.isCollapsed(group))
      this.current = headingOf(group);
    this.element.setAttribute('aria-rowcount', `${this.shown.length + 1}`);
    // Headings and clashes have different heights, so the places of rows have to be computed again, even if
    // their number is the same. The call of `measure` also draws the rows.
    this.updateOptions();
    this.virtualizer.measure();
  }

  /** Number of rows by which PageUp and PageDown move: slightly fewer than fit in the visible area. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 2);
  }

  /** Draws all rows again, because the status or the comments of a clash have changed. */
  refresh(): void {
    this.removeOtherRows(new Set());
    this.draw();
  }

  /** Selects a clash, expands its group and scrolls to it; undefined clears the selection. */
  select(clash: number | undefined): void {
    this.selected = clash;
    if (clash !== undefined && this.groups.isCollapsed(this.groups.groupOf(clash))) {
      this.groups.setCollapsed(false, [this.groups.groupOf(clash)]);
      this.updateGroups();
    }
    this.moveTo(clash);
  }

  // The current row, unless filters hide it.
  private get shownCurrent(): number | undefined {
    return this.current !== undefined && this.shown.includes(this.current) ? this.current : undefined;
  }

  private toggle(group: number): void {
    this.groups.setCollapsed(!this.groups.isCollapsed(group), [group]);
    this.updateGroups();
    this.moveTo(headingOf(group));
  }

  private moveTo(row: number | undefined): void {
    this.current = row;
    this.updateOptions();
    this.draw();
    const rowIndex = row === undefined ? -1 : this.shown.indexOf(row);
    if (rowIndex >= 0) this.virtualizer.scrollToIndex(rowIndex);
  }

  private options() {
    const current = this.current === undefined ? -1 : this.shown.indexOf(this.current);
    // The table's head stays at the top while rows scroll under it.
    const headHeight = this.body.offsetTop;
    return {
      count: this.shown.length,
      // A hidden table has no size, so it is not passed as the scroll element. The virtualizer then measures it
      // again as soon as it is shown.
      getScrollElement: () => (this.element.hidden ? null : this.element),
      estimateSize: (rowIndex: number) => (this.shown[rowIndex] < 0 ? this.headingHeight : this.rowHeight),
      overscan: SPARE_ROWS,
      scrollMargin: headHeight,
      scrollPaddingStart: headHeight,
      // The current row must always exist as an element, because aria-activedescendant refers to it.
      rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const places = defaultRangeExtractor(range);
        return current < 0 || places.includes(current) ? places : [...places, current].sort((a, b) => a - b);
      },
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => this.draw(),
    };
  }

  private updateOptions(): void {
    this.virtualizer.setOptions(this.options());
    this.virtualizer._willUpdate();
  }

  private draw(): void {
    // The heights of rows depend on the width of the page.
    const style = getComputedStyle(this.element);
    const [height, headingHeight] = ['--row-height', '--heading-height'].map(name =>
      Number.parseFloat(style.getPropertyValue(name)),
    );
    if (height !== this.rowHeight || headingHeight !== this.headingHeight) {
      this.rowHeight = height;
      this.headingHeight = headingHeight;
      // `measure` calls `draw` again.
      return this.virtualizer.measure();
    }
    const items = this.virtualizer.getVirtualItems();
    this.body.style.height = `${this.virtualizer.getTotalSize()}px`;
    this.removeOtherRows(new Set(items.map(({ index }) => this.shown[index])));
    items.forEach(({ index, start }, i) => {
      const entry = this.shown[index];
      const row =
        this.rows.get(entry) ?? (entry < 0 ? this.makeHeading(headingOf(entry)) : this.makeRow(entry));
      row.style.top = `${start - this.virtualizer.options.scrollMargin}px`;
      row.setAttribute('aria-rowindex', `${index + 2}`);
      row.classList.toggle('current', entry === this.current);
      if (entry < 0) row.setAttribute('aria-expanded', `${!this.groups.isCollapsed(headingOf(entry))}`);
      else row.setAttribute('aria-selected', `${entry === this.selected}`);
      const after = this.body.children[i];
      if (after !== row) this.body.insertBefore(row, after ?? null);
    });
    const current = this.current === undefined ? undefined : this.rows.get(this.current);
    if (current) this.element.setAttribute('aria-activedescendant', current.id);
    else this.element.removeAttribute('aria-activedescendant');
  }

  // Removes all rows except the given ones. Rows that stay visible keep their elements, because a row that is
  // replaced while the mouse button is down gets no click event.
  private removeOtherRows(kept: Set<number>): void {
    for (const [entry, row] of this.rows) {
      if (kept.has(entry)) continue;
      row.remove();
      this.rows.delete(entry);
    }
  }

  private makeHeading(group: number): HTMLElement {
    const { clashes } = this.sections.find(section => section.group === group)!;
    const heading = makeGroupHeading(this.header, this.groups, group, clashes);
    this.rows.set(headingOf(group), heading);
    return heading;
  }

  private makeHead(onSort: (key: ColumnKey) => void): HTMLElement {
    const head = make('div', 'row head', undefined, { role: 'row', 'aria-rowindex': '1' });
    for (const { key, title, hint } of COLUMNS) {
      const cell = make('div', `cell ${key}`, undefined, { role: 'columnheader' });
      const button = make('button', 'sort', title, { type: 'button', title: hint });
      button.addEventListener('click', () => onSort(key));
      cell.append(button);
      this.heads.set(key, cell);
      head.append(cell);
    }
    return head;
  }

  private makeRow(clash: number): HTMLElement {
    const { clashes, parts, unit } = this.header;
    const { a, b, class: kind, size, guid, change } = clashes[clash];
    const row = make('div', 'row', undefined, {
      role: 'row',
      id: `clash-${clash}`,
      'data-clash': `${clash}`,
      ...(this.groups.isGrouped ? { 'aria-level': '2' } : {}),
    });
    this.rows.set(clash, row);
    for (const [key, part] of [
      ['a', a],
      ['b', b],
    ] as const) {
      const cell = make('div', `cell ${key}`, undefined, { role: 'gridcell' });
      cell.append(makeCutName(parts[part].name));
      row.append(cell);
    }
    const what = make('div', 'cell what', undefined, { role: 'gridcell' });
    const description = describeFinding(clashes[clash], unit);
    what.append(
      make('span', `kind ${kind}`, kind),
      make(
        'span',
        'how',
        description.length > MAX_DESCRIPTION ? describeFinding(clashes[clash], unit, 'short') : description,
        {
          title: description,
        },
      ),
    );
    if (change === 'new')
      what.firstElementChild!.append(
        make('span', 'change', ' new', {
          title: `Compared with the baseline: ${changeText(clashes[clash])}`,
        }),
      );
    if (this.reviews.isTouched(guid)) {
      const { status, comments } = this.reviews.of(guid);
      const count = comments.length > 0 ? `, ${plural(comments.length, 'comment')}` : '';
      what.firstElementChild!.append(make('span', 'reviewed', ` ${status}${count}`));
    }
    row.append(what, make('div', 'cell size', size > 0 ? lengthText(size, unit) : '', { role: 'gridcell' }));
    return row;
  }
}
