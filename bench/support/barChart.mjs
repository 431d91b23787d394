// Draws a bar chart as SVG.

export const escapeXml = text =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export const timeText = ms =>
  ms >= 1000
    ? `${(ms / 1000).toPrecision(3)} s`
    : ms >= 1
      ? `${ms.toPrecision(3)} ms`
      : `${(1000 * ms).toPrecision(3)} µs`;

const [LEFT, WIDTH, RIGHT, STEP, TOP] = [230, 400, 90, 22, 56];
/** Approximate width of a character of a label. */
const CHARACTER = 6.6;

// Returns at most five ticks from 0 to `high`. The distance between ticks is 1, 2 or 5 times a power of ten.
function linearTicks(high) {
  const power = 10 ** Math.floor(Math.log10(high / 4));
  const step = power * [1, 2, 5, 10].find(factor => (4 * factor * power) / high > 1 - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) + 1 }, (_, i) => i * step);
}

/**
 * Draws one bar for each entry of `bars`: { label, value, color }. On a logarithmic scale, the axis spans
 * whole decades; on a linear one it starts at 0.
 */
export function drawBars({ title, subtitle, bars, text, tickText = text, isLog }) {
  const values = bars.map(({ value }) => value);
  const low = isLog ? Math.floor(Math.log10(Math.min(...values))) : 0;
  const high = isLog ? Math.ceil(Math.log10(Math.max(...values))) : Math.max(...values) || 1;
  const at = value => (WIDTH * ((isLog ? Math.log10(value) : value) - low)) / (high - low || 1);
  const bottom = TOP + STEP * bars.length;
  const ticks = isLog ? Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)) : linearTicks(high);
  const left = Math.round(
    Math.max(LEFT, 24 + CHARACTER * Math.max(...bars.map(({ label }) => label.length))),
  );
  const width = left + WIDTH + RIGHT;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 28}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${bottom + 28}" fill="#fff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="16" y="42" fill="#666">${escapeXml(subtitle)}</text>`,
    ...ticks.map(
      value =>
        `<path d="M${left + at(value)} ${TOP}V${bottom}" stroke="#ddd"/><text x="${left + at(value)}" y="${bottom + 16}" fill="#666" text-anchor="middle">${tickText(value)}</text>`,
    ),
    ...bars.map(({ label, value, color }, i) => {
      const y = TOP + STEP * i;
      const length = Math.max(2, at(value)).toFixed(1);
      return `<text x="${left - 8}" y="${y + 15}" text-anchor="end">${escapeXml(label)}</text><rect x="${left}" y="${y + 4}" width="${length}" height="${STEP - 8}" rx="2" fill="${color}"/><text x="${left + Number(length) + 6}" y="${y + 15}">${text(value)}</text>`;
    }),
    '</svg>',
    '',
  ].join('\n');
}
