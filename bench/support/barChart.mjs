// Draws a bar chart as SVG.

export const escapeXml = text =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export const timeText = ms =>
  ms >= 1000
    ? `${(ms / 1000).toPrecision(3)} s`
    : ms >= 1
      ? `${ms.toPrecision(3)} ms`
      : `${(1000 * ms).toPrecision(3)} µs`;

const [LEFT, WIDTH, STEP, TOP] = [230, 400, 22, 56];

/**
 * Draws one bar for each entry of `bars`: { label, value, color }. On a logarithmic scale, the axis spans whole
 * decades; on a linear one it starts at 0.
 */
export function drawBars({ title, subtitle, bars, text, tickText = text, isLog }) {
  const values = bars.map(({ value }) => value);
  const low = isLog ? Math.floor(Math.log10(Math.min(...values))) : 0;
  const high = isLog ? Math.ceil(Math.log10(Math.max(...values))) : Math.max(...values) || 1;
  const at = value => (WIDTH * ((isLog ? Math.log10(value) : value) - low)) / (high - low || 1);
  const bottom = TOP + STEP * bars.length;
  const ticks = isLog
    ? Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i))
    : [0, 0.25, 0.5, 0.75, 1].map(share => share * high);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${bottom + 28}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="720" height="${bottom + 28}" fill="#fff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="16" y="42" fill="#666">${escapeXml(subtitle)}</text>`,
    ...ticks.map(
      value =>
        `<path d="M${LEFT + at(value)} ${TOP}V${bottom}" stroke="#ddd"/><text x="${LEFT + at(value)}" y="${bottom + 16}" fill="#666" text-anchor="middle">${tickText(value)}</text>`,
    ),
    ...bars.map(({ label, value, color }, i) => {
      const y = TOP + STEP * i;
      const length = Math.max(2, at(value)).toFixed(1);
      return `<text x="${LEFT - 8}" y="${y + 15}" text-anchor="end">${escapeXml(label)}</text><rect x="${LEFT}" y="${y + 4}" width="${length}" height="${STEP - 8}" rx="2" fill="${color}"/><text x="${LEFT + Number(length) + 6}" y="${y + 15}">${text(value)}</text>`;
    }),
    '</svg>',
    '',
  ].join('\n');
}
