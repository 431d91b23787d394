// Three bar charts of the work of each thread: box tests, leaf pairs and time. Each chart has one bar per
// thread, and a line at the mean.
import type { ThreadStats } from 'pfront';
import { formatCount, formatMilliseconds } from '../shell/elements.js';

type Field = 'boxTests' | 'leafPairs' | 'milliseconds';

const SHOW_EVERY = 160;
/**
 * Weight of a new value in the exponential moving average that is shown. Single values vary too much to be
 * readable.
 */
const NEW_WEIGHT = 0.35;

const groups: { field: Field; name: string; style: string; text: (value: number) => string }[] = [
  { field: 'boxTests', name: 'Box tests', style: 'box-tests', text: formatCount },
  { field: 'leafPairs', name: 'Leaf pairs', style: 'leaf-pairs', text: formatCount },
  {
    field: 'milliseconds',
    name: 'Time',
    style: 'milliseconds',
    text: value => `${formatMilliseconds(value)} ms`,
  },
];

export class Workload {
  private readonly shown = groups.map(group => new Columns(group));
  private shownAt = 0;

  constructor(container: HTMLElement) {
    container.append(...this.shown.map(({ figure }) => figure));
  }

  /**
   * Shows the work of each thread in a query. Then ignores further calls for SHOW_EVERY milliseconds, so that
   * the bars change slowly enough to be read.
   */
  show(threads: readonly ThreadStats[]): void {
    const now = performance.now();
    if (now - this.shownAt < SHOW_EVERY) return;
    this.shownAt = now;
    for (const columns of this.shown) columns.show(threads);
  }
}

class Columns {
  readonly figure = document.createElement('figure');
  private readonly sum = document.createElement('b');
  private readonly columns = document.createElement('div');
  private readonly mean = document.createElement('div');
  private values: number[] = [];

  constructor(private readonly group: (typeof groups)[number]) {
    const caption = this.figure.appendChild(document.createElement('figcaption'));
    this.figure.className = group.style;
    this.columns.className = 'columns';
    this.mean.className = 'mean';
    this.sum.textContent = '–';
    caption.append(group.name, this.sum);
    this.figure.append(this.columns);
  }

  show(threads: readonly ThreadStats[]): void {
    const { field, name, text } = this.group;
    if (this.values.length !== threads.length) this.begin(threads);
    threads.forEach((thread, i) => {
      this.values[i]! += NEW_WEIGHT * (thread[field] - this.values[i]!);
    });
    const sum = this.values.reduce((all, value) => all + value, 0);
    const max = Math.max(1e-9, ...this.values);
    this.values.forEach((value, i) => {
      const column = this.columns.children[i] as HTMLElement;
      column.style.height = `${(92 * value) / max}%`;
      column.title = `Thread ${i}: ${text(value)}`;
    });
    this.mean.style.bottom = `${(92 * sum) / this.values.length / max}%`;
    this.sum.textContent = text(field === 'milliseconds' ? max : sum);
    this.figure.setAttribute('aria-label', `${name}: ${this.values.map(text).join(', ')}`);
  }

  private begin(threads: readonly ThreadStats[]): void {
    this.values = threads.map(thread => thread[this.group.field]);
    this.columns.replaceChildren(...threads.map(() => document.createElement('i')), this.mean);
  }
}
