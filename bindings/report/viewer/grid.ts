// Rows in order -> the table of clashes: only rows in sight are elements, so that any number of them is
// quick.

import { lengthText } from '../../formats/units.js';
import { describeFinding } from '../classes.js';
import type { ReportHeader } from '../content.js';
import { make, makeName } from './elements.js';
import type { ColumnKey, Sorting } from './order.js';

const SPARE_ROWS = 8;
const COLUMNS: { key: ColumnKey; title: string; hint: string }[] = [
  { key: 'a', title: 'Part', hint: 'Sort by the first part' },
  { key: 'b', title: 'Clashes with', hint: 'Sort by the second part' },
  { key: 'what', title: 'What', hint: 'Sort from the worst' },
  { key: 'size', title: 'Size', hint: 'Greatest extent of the contact' },
];

export class Grid {
  private readonly heads = new Map<ColumnKey, HTMLElement>();
  private readonly body = make('div', 'rows', undefined, { role: 'rowgroup' });
  private readonly rows = new Map<number, HTMLElement>();
  private shown: number[] = [];
  private selected: number | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly header: ReportHeader,
    onSort: (key: ColumnKey) => void,
    onSelect: (clash: number) => void,
  ) {
    element.append(this.makeHead(onSort), this.body);
    element.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(element);
    this.body.addEventListener('click', ({ target }) => {
      const row = (target as Element).closest<HTMLElement>('[data-clash]');
      if (row) onSelect(Number(row.dataset.clash));
    });
  }

  /** clashes: in the order of the rows. */
  show(clashes: number[], { key, isFalling }: Sorting): void {
    this.shown = clashes;
    this.heads.forEach((head, column) =>
      head.setAttribute('aria-sort', column !== key ? 'none' : isFalling ? 'descending' : 'ascending'),
    );
    this.element.setAttribute('aria-rowcount', `${clashes.length + 1}`);
    this.element.hidden = clashes.length === 0;
    this.draw();
  }

  /** The clash that is a number of rows below the selected one, or above; at either end it stays. */
  neighbour(rows: number): number | undefined {
    const place = this.selected === undefined ? -1 : this.shown.indexOf(this.selected);
    if (place < 0) return rows > 0 ? this.shown[0] : this.shown.at(-1);
    return this.shown[Math.min(this.shown.length - 1, Math.max(0, place + rows))];
  }

  /** Rows that fit into the window. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight()) - 2);
  }

  placeOf(clash: number): number {
    return this.shown.indexOf(clash);
  }

  select(clash: number | undefined): void {
    this.selected = clash;
    if (clash !== undefined) this.scrollTo(this.placeOf(clash));
    this.draw();
  }

  private scrollTo(place: number): void {
    if (place < 0) return;
    const height = this.rowHeight();
    const top = place * height;
    const room = this.element.clientHeight - this.body.offsetTop;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top + height > this.element.scrollTop + room) this.element.scrollTop = top + height - room;
  }

  private rowHeight(): number {
    return Number.parseFloat(getComputedStyle(this.element).getPropertyValue('--row-height'));
  }

  private draw(): void {
    const height = this.rowHeight();
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - SPARE_ROWS);
    const end = Math.min(
      this.shown.length,
      Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + SPARE_ROWS,
    );
    this.body.style.height = `${this.shown.length * height}px`;
    this.keepRows(new Set(this.shown.slice(first, end)));
    for (let place = first; place < end; place++) {
      const clash = this.shown[place];
      const row = this.rows.get(clash) ?? this.makeRow(clash);
      row.style.top = `${place * height}px`;
      row.setAttribute('aria-rowindex', `${place + 2}`);
      row.setAttribute('aria-selected', `${clash === this.selected}`);
      const after = this.body.children[place - first];
      if (after !== row) this.body.insertBefore(row, after ?? null);
    }
    if (this.selected !== undefined && this.rows.has(this.selected))
      this.element.setAttribute('aria-activedescendant', `clash-${this.selected}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  // Rows that stay in sight stay the same elements: one that is replaced between press and release is not
  // clicked.
  private keepRows(clashes: Set<number>): void {
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
    const { a, b, class: kind, size } = clashes[clash];
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
    row.append(what, make('div', 'cell size', size > 0 ? lengthText(size, unit) : '', { role: 'gridcell' }));
    return row;
  }
}
