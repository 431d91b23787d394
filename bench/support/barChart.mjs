// Draws a bar chart as SVG.
import { chartOf, escapeXml, scaleOf } from './svg.mjs';

const [LEFT, WIDTH, RIGHT, STEP, TOP] = [230, 400, 90, 22, 56];
/** Approximate width of a character of a label. */
const CHARACTER = 6.6;

/**
 * Draws one bar for each entry of `bars`: { label, value, color }. On a logarithmic scale, the axis spans
 * whole decades; on a linear one it starts at 0.
 */
export function drawBars({ title, subtitle, bars, text, tickText = text, isLog }) {
  const { at, ticks } = scaleOf(
    bars.map(({ value }) => value),
    WIDTH,
    isLog,
  );
  const bottom = TOP + STEP * bars.length;
  const left = Math.round(
    Math.max(LEFT, 24 + CHARACTER * Math.max(...bars.map(({ label }) => label.length))),
  );
  return chartOf({
    title,
    subtitle,
    width: left + WIDTH + RIGHT,
    height: bottom + 28,
    parts: [
      ...ticks.map(
        value =>
          `<path d="M${left + at(value)} ${TOP}V${bottom}" stroke="#ddd"/><text x="${left + at(value)}" y="${bottom + 16}" fill="#666" text-anchor="middle">${tickText(value)}</text>`,
      ),
      ...bars.map(({ label, value, color }, i) => {
        const y = TOP + STEP * i;
        const length = Math.max(2, at(value)).toFixed(1);
        return `<text x="${left - 8}" y="${y + 15}" text-anchor="end">${escapeXml(label)}</text><rect x="${left}" y="${y + 4}" width="${length}" height="${STEP - 8}" rx="2" fill="${color}"/><text x="${left + Number(length) + 6}" y="${y + 15}">${text(value)}</text>`;
      }),
    ],
  });
}
