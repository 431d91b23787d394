// A line chart of values in the last LENGTH frames, with a legend, in the colors of the theme.
import uPlot from 'uplot';
import { color, onTheme } from './theme.js';

const LENGTH = 240;
/** Number of frames that the x axis spans at first. */
const MIN_LENGTH = 40;
const HEIGHT = 168;
const DRAW_EVERY = 100;

/** A line of the chart. `axis`: the y axis of the line. `color`: the name of a color in the style sheet. */
export interface Series {
  label: string;
  color: string;
  axis: 'left' | 'right';
}

export class TimeChart {
  private readonly data: (number | null)[][];
  private readonly place: HTMLElement;
  private readonly series: readonly Series[];
  private plot: uPlot | undefined;
  private frame = 0;
  private drawnAt = 0;

  constructor(container: HTMLElement, series: readonly Series[]) {
    this.series = series;
    this.data = Array.from({ length: series.length + 1 }, (_, i) =>
      Array.from({ length: LENGTH }, (_, k) => (i === 0 ? k - LENGTH : null)),
    );
    container.append(makeKey(series));
    this.place = container.appendChild(document.createElement('div'));
    this.place.className = 'chart';
    onTheme(() => this.make());
    // While the `<details>` element that contains the chart is closed, the chart's width is 0. The chart gets
    // its size when this element is opened.
    new ResizeObserver(() => this.plot?.setSize({ width: this.width, height: HEIGHT })).observe(this.place);
  }

  /** Adds one value for each series. */
  add(values: readonly number[]): void {
    [this.frame++, ...values].forEach((value, i) => {
      this.data[i]!.shift();
      this.data[i]!.push(value);
    });
    const now = performance.now();
    if (now - this.drawnAt < DRAW_EVERY) return;
    this.drawnAt = now;
    this.plot?.setData(this.data as uPlot.AlignedData);
  }

  private get width(): number {
    return Math.max(100, this.place.clientWidth);
  }

  private make(): void {
    this.plot?.destroy();
    const font = '11px Inter, system-ui, sans-serif';
    const axis = (scale: 'left' | 'right'): uPlot.Axis => ({
      scale,
      side: scale === 'left' ? 3 : 1,
      size: 38,
      font,
      stroke: color('quiet'),
      space: 34,
      gap: 6,
      grid: { show: scale === 'left', stroke: color('grid'), width: 1 },
      ticks: { show: false },
      values: (_, ticks) =>
        ticks.map(value =>
          value === null ? '' : value >= 10_000 ? `${value / 1000}K` : String(+value.toPrecision(6)),
        ),
    });
    const range: uPlot.Scale.Range = (_, __, max) => [0, Math.max(0.1, 1.15 * (max ?? 1))];
    const sides = (['left', 'right'] as const).filter(side => this.series.some(one => one.axis === side));
    this.plot = new uPlot(
      {
        width: this.width,
        height: HEIGHT,
        padding: [8, sides.includes('right') ? 0 : 8, 4, 0],
        cursor: { show: false },
        legend: { show: false },
        scales: {
          x: {
            time: false,
            range: () => [
              this.frame - Math.min(LENGTH, Math.max(MIN_LENGTH, this.frame)),
              Math.max(1, this.frame - 1),
            ],
          },
          left: { range },
          right: { range },
        },
        axes: [{ show: false }, ...sides.map(axis)],
        series: [
          {},
          ...this.series.map(one => ({
            label: one.label,
            scale: one.axis,
            stroke: color(one.color),
            width: 1.6,
            points: { show: false },
          })),
        ],
      },
      this.data as uPlot.AlignedData,
      this.place,
    );
  }
}

function makeKey(series: readonly Series[]): HTMLElement {
  const key = document.createElement('ul');
  key.className = 'chart-key';
  for (const { label, color: name } of series) {
    const item = key.appendChild(document.createElement('li'));
    item.appendChild(document.createElement('i')).style.background = `var(--${name})`;
    item.append(label);
  }
  return key;
}
