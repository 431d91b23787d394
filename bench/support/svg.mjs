// The parts that all SVG charts have in common: the frame with its titles, the scale of an axis, and texts.

export const escapeXml = text =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export const timeText = ms =>
  ms >= 1000
    ? `${(ms / 1000).toPrecision(3)} s`
    : ms >= 1
      ? `${ms.toPrecision(3)} ms`
      : `${(1000 * ms).toPrecision(3)} µs`;

/**
 * Returns at most five ticks from 0 to `high`. The distance between ticks is 1, 2 or 5 times a power of ten.
 */
export function linearTicks(high) {
  const power = 10 ** Math.floor(Math.log10(high / 4));
  const step = power * [1, 2, 5, 10].find(factor => (4 * factor * power) / high > 1 - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) + 1 }, (_, i) => i * step);
}

/**
 * Returns the scale of an axis of the given length: `at(value)`, the distance of a value from the axis' start,
 * and `ticks`, the values of its ticks. A logarithmic axis spans whole decades; a linear one starts at 0.
 */
export function scaleOf(values, length, isLog) {
  const low = isLog ? Math.floor(Math.log10(Math.min(...values))) : 0;
  const high = isLog ? Math.ceil(Math.log10(Math.max(...values))) : Math.max(...values) || 1;
  return {
    at: value => (length * ((isLog ? Math.log10(value) : value) - low)) / (high - low || 1),
    ticks: isLog ? Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)) : linearTicks(high),
  };
}

/** Returns a chart as SVG. parts: the SVG elements below the titles. */
export const chartOf = ({ title, subtitle, width, height, parts }) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="16" y="24" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="16" y="42" fill="#666">${escapeXml(subtitle)}</text>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
