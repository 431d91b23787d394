// The table of clashes on the report page. Only the visible rows, a few more around them and the selected row
// exist as HTML elements, so that long tables stay fast.

import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { lengthText } from '../../formats/units.js';
import { describeFinding } from '../clashClasses.js';
import type { ReportHeader } from '../content.js';
import type { ColumnKey, Sorting } from './clashOrder.js';
import { make, makeName } from './elements.js';
import { plural } from './format.js';
import type { Reviews } from './reviews.js';

const SPARE_ROWS = 8;
const COLUMNS: { key: ColumnKey; title: string; hint: string }[] = [
  { key: 'a', title: 'Part', hint: 'Sort by the first part' },
  { key: 'b', title: 'Clashes with', hint: 'Sort by the second part' },
  { key: 'what', title: 'Class', hint: 'Sort by severity' },
  { key: 'size', title: 'Size', hint: 'Sort by the extent of the contact' },
];

export class ClashTable {
  private readonly heads = new Map<ColumnKey, HTMLElement>();
  private readonly body = make('div', 'rows', undefined, { role: 'rowgroup' });
  private readonly rows = new Map<number, HTMLElement>();
  private readonly virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  private shown: number[] = [];
  private selected: number | undefined;
  private rowHeight = 0;

  constructor(
    private readonly element: HTMLElement,
    private readonly header: ReportHeader,
    private readonly reviews: Reviews,
    onSort: (key: ColumnKey) => void,
    onSelect: (clash: number) => void,
  ) {
    element.append(this.makeHead(onSort), this.body);
    this.virtualizer = new Virtualizer(this.options());
    this.body.addEventListener('click', ({ target }) => {
      const row = (target as Element).closest<HTMLElement>('[data-clash]');
      if (row) onSelect(Number(row.dataset.clash));
    });
  }

  /** Shows these clashes, in this order. */
  show(clashes: number[], { key, isDescending }: Sorting): void {
    this.shown = clashes;
    this.heads.forEach((head, column) =>
      head.setAttribute('aria-sort', column !== key ? 'none' : isDescending ? 'descending' : 'ascending'),
    );
    this.element.setAttribute('aria-rowcount', `${clashes.length + 1}`);
    this.element.hidden = clashes.length === 0;
    this.update();
  }

  /**
   * Returns the clash that is `rows` rows below the selected clash, or above it if `rows` is negative,
   * clamped to the first and last row. If no selected row is shown, rows are counted from above the first row or
   * from below the last row.
   */
  neighbor(rows: number): number | undefined {
    const rowIndex = this.selected === undefined ? -1 : this.shown.indexOf(this.selected);
    const from = rowIndex >= 0 ? rowIndex : rows > 0 ? -1 : this.shown.length;
    return this.shown[Math.min(this.shown.length - 1, Math.max(0, from + rows))];
  }

  /** Number of rows by which PageUp and PageDown move: slightly fewer than fit in the visible area. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 2);
  }

  /** Call when the status or the comments of a clash have changed. */
  refresh(): void {
    this.removeOtherRows(new Set());
    this.draw();
  }

  /** Returns the row index of a clash, -1 if it is not shown. */
  rowIndexOf(clash: number): number {
    return this.shown.indexOf(clash);
  }

  /** Selects a clash and scrolls to it; undefined clears the selection. */
  select(clash: number | undefined): void {
    this.selected = clash;
    this.update();
    const rowIndex = clash === undefined ? -1 : this.rowIndexOf(clash);
    if (rowIndex >= 0) this.virtualizer.scrollToIndex(rowIndex);
  }

  private options() {
    const selected = this.selected === undefined ? -1 : this.rowIndexOf(this.selected);
    // The table's head stays at the top while rows scroll under it.
    const headHeight = this.body.offsetTop;
    return {
      count: this.shown.length,
      // A hidden table has no size. Without a scroll element, the virtualizer measures the table again as
      // soon as it is shown.
      getScrollElement: () => (this.element.hidden ? null : this.element),
      estimateSize: () => this.rowHeight,
      overscan: SPARE_ROWS,
      scrollMargin: headHeight,
      scrollPaddingStart: headHeight,
      // The selected row must always exist as an element, because aria-activedescendant refers to it.
      rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const places = defaultRangeExtractor(range);
        return selected < 0 || places.includes(selected)
          ? places
          : [...places, selected].sort((a, b) => a - b);
      },
      observeElementRect,
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => this.draw(),
    };
  }

  /** Call when the rows, their order or the selected row has changed. */
  private update(): void {
    this.virtualizer.setOptions(this.options());
    this.virtualizer._willUpdate();
    this.draw();
  }

  private draw(): void {
    // The height of a row depends on the width of the page.
    const height = Number.parseFloat(getComputedStyle(this.element).getPropertyValue('--row-height'));
    if (height !== this.rowHeight) {
      this.rowHeight = height;
      // `measure` calls `draw` again.
      return this.virtualizer.measure();
    }
    const items = this.virtualizer.getVirtualItems();
    this.body.style.height = `${this.virtualizer.getTotalSize()}px`;
    this.removeOtherRows(new Set(items.map(({ index }) => this.shown[index])));
    items.forEach(({ index, start }, i) => {
      const clash = this.shown[index];
      const row = this.rows.get(clash) ?? this.makeRow(clash);
      row.style.top = `${start - this.virtualizer.options.scrollMargin}px`;
      row.setAttribute('aria-rowindex', `${index + 2}`);
      row.setAttribute('aria-selected', `${clash === this.selected}`);
      const after = this.body.children[i];
      if (after !== row) this.body.insertBefore(row, after ?? null);
    });
    if (this.selected !== undefined && this.rows.has(this.selected))
      this.element.setAttribute('aria-activedescendant', `clash-${this.selected}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  // Removes the rows of all clashes except the given ones. Rows that stay visible keep their elements,
  // because a row that is replaced while the mouse button is down gets no click event.
  private removeOtherRows(clashes: Set<number>): void {
    for (const [clash, row] of this.rows) {
      if (clashes.has(clash)) continue;
      row.remove();
      this.rows.delete(clash);
    }
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
    const { a, b, class: kind, size, guid } = clashes[clash];
    const row = make('div', 'row', undefined, {
      role: 'row',
      id: `clash-${clash}`,
      'data-clash': `${clash}`,
    });
    this.rows.set(clash, row);
    for (const [key, part] of [
      ['a', a],
      ['b', b],
    ] as const) {
      const cell = make('div', `cell ${key}`, undefined, { role: 'gridcell' });
      cell.append(makeName(parts[part].name));
      row.append(cell);
    }
    const what = make('div', 'cell what', undefined, { role: 'gridcell' });
    what.append(
      make('span', `kind ${kind}`, kind),
      make('span', 'how', describeFinding(clashes[clash], unit)),
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
