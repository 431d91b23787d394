// Draws a line chart as SVG.
import { chartOf, escapeXml, scaleOf } from './svg.mjs';

const [LEFT, WIDTH, TOP, HEIGHT, LEGEND_LEFT, LEGEND_WIDTH, LEGEND_STEP] = [80, 480, 56, 240, 20, 250, 20];
/** Line colors that color-blind readers can tell apart, too. If there are more lines, the colors repeat. */
const COLORS = ['#0b7285', '#7048e8', '#2f9e44', '#c2255c', '#1c7ed6', '#5c940d', '#862e9c', '#495057'];

/**
 * Draws one line for each entry of `lines`: { label, values }. xName: the name of the horizontal axis. xs: the
 * position of each value on the horizontal axis. text: returns the text of a tick on the vertical axis.
 */
export function drawLines({ title, subtitle, xName, xs, lines, text, isLog }) {
  const y = scaleOf(
    lines.flatMap(({ values }) => values),
    HEIGHT,
    isLog,
  );
  const x = scaleOf(xs, WIDTH, false);
  const bottom = TOP + HEIGHT;
  const legend = LEFT + WIDTH + LEGEND_LEFT;
  return chartOf({
    title,
    subtitle,
    width: legend + LEGEND_WIDTH,
    height: Math.max(bottom, TOP + LEGEND_STEP * lines.length) + 44,
    parts: [
      ...y.ticks.map(
        value =>
          `<path d="M${LEFT} ${bottom - y.at(value)}H${LEFT + WIDTH}" stroke="#ddd"/><text x="${LEFT - 8}" y="${bottom - y.at(value) + 4}" fill="#666" text-anchor="end">${text(value)}</text>`,
      ),
      ...x.ticks.map(
        value =>
          `<text x="${LEFT + x.at(value)}" y="${bottom + 16}" fill="#666" text-anchor="middle">${value}</text>`,
      ),
      `<text x="${LEFT + WIDTH / 2}" y="${bottom + 34}" fill="#666" text-anchor="middle">${escapeXml(xName)}</text>`,
      ...lines.map(({ label, values }, i) => {
        const color = COLORS[i % COLORS.length];
        const points = values.map(
          (value, at) => `${(LEFT + x.at(xs[at])).toFixed(1)} ${(bottom - y.at(value)).toFixed(1)}`,
        );
        const legendY = TOP + LEGEND_STEP * i;
        return `<path d="M${points.join('L')}" fill="none" stroke="${color}" stroke-width="1.5"/><path d="M${legend} ${legendY + 6}h20" stroke="${color}" stroke-width="3"/><text x="${legend + 28}" y="${legendY + 10}">${escapeXml(label)}</text>`;
      }),
    ],
  });
}
