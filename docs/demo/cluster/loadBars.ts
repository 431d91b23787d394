// A bar chart of the load of each node on the cluster page, with a line at the mean load.
import { element } from '../shell/elements.js';

/** Max number of nodes on the page. */
export const NODES = 8;

export class LoadBars {
  private readonly columns: HTMLElement;
  private readonly mean: HTMLElement;

  constructor(id: string) {
    this.columns = element(id);
    this.mean = document.createElement('span');
    this.mean.className = 'mean';
  }

  /** Shows one load per node. */
  show(loads: readonly number[]): void {
    const max = Math.max(1e-9, ...loads);
    const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length;
    while (this.columns.querySelectorAll('i').length < loads.length)
      this.columns.append(document.createElement('i'));
    const bars = [...this.columns.querySelectorAll('i')];
    bars.slice(loads.length).forEach(bar => bar.remove());
    loads.forEach((load, i) => {
      bars[i]!.style.height = `${(100 * load) / max}%`;
      bars[i]!.style.background = `var(--node-${i + 1})`;
      bars[i]!.title = `Node ${i + 1}: ${Math.round(load)}`;
    });
    this.mean.style.bottom = `${(100 * mean) / max}%`;
    this.columns.append(this.mean);
  }
}
