// Units of length: what a file's numbers mean, and lengths as people read them.

/** Metres each. */
export const METRES = { mm: 0.001, cm: 0.01, m: 1, in: 0.0254, ft: 0.3048 } as const;
export type Unit = keyof typeof METRES;

export const UNITS = Object.keys(METRES) as Unit[];

export function isUnit(text: string): text is Unit {
  return Object.hasOwn(METRES, text);
}

/** How many `to` are one `from`: whole where it can be, so that nothing is rounded twice. */
export function unitsPer(from: Unit, to: Unit): number {
  const ratio = METRES[from] / METRES[to];
  const whole = Math.round(ratio);
  return Math.abs(ratio - whole) < 1e-9 * ratio ? whole : ratio;
}

/**
 * Three digits, `12.4 mm`; metres below one are written in mm. unit: undefined where no file says what its
 * numbers are.
 */
export function lengthText(value: number, unit: Unit | undefined): string {
  if (unit === 'm' && Math.abs(value) < 0.9995) return lengthText(1000 * value, 'mm');
  return `${digits(value)} ${unit ?? 'units'}`;
}

function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-4)) return value.toExponential(2);
  return size >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));
}
