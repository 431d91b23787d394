// Defines units of length, converts between them, and formats lengths, areas and volumes as text.
import { formatCount } from './formatCount.js';
import { plainDecimal } from './plainDecimal.js';

/** The length of each unit in meters. */
export const METERS = { mm: 0.001, cm: 0.01, m: 1, in: 0.0254, ft: 0.3048 } as const;
export type Unit = keyof typeof METERS;

export const UNITS = Object.keys(METERS) as Unit[];

export function isUnit(text: string): text is Unit {
  return Object.hasOwn(METERS, text);
}

/**
 * Returns the factor that converts lengths in the unit `from` to the unit `to`. If the factor differs from an
 * integer only by rounding errors, it is rounded to that integer.
 */
export function unitsPer(from: Unit, to: Unit): number {
  const ratio = METERS[from] / METERS[to];
  const whole = Math.round(ratio);
  return Math.abs(ratio - whole) < 1e-9 * ratio ? whole : ratio;
}

/**
 * Formats a length with at most three significant digits, such as `12.4 mm`. Lengths of 100 or more are
 * rounded to integers instead. Uses exponential notation from 1e9 on. Nonzero lengths below 0.0001 are shown as
 * `< 0.0001`. Lengths in meters that round to less than 1 m are shown in mm.
 * @param unit Undefined if no file declares a unit; the text then ends with `units`.
 * @param modelSize The size of the model, if it is known. If the unit is unknown, lengths down to about a
 * millionth of this size are shown.
 */
export function lengthText(value: number, unit: Unit | undefined, modelSize = Infinity): string {
  if (unit === 'm' && Math.abs(value) < 0.9995) return lengthText(1000 * value, 'mm');
  const min = unit ? MIN_SHOWN : Math.min(MIN_SHOWN, powerOfTenBelow(1e-6 * modelSize));
  const isTiny = value !== 0 && Math.abs(value) < min;
  return `${isTiny ? `< ${plainDecimal(min)}` : digits(value)} ${unit ?? 'units'}`;
}

/**
 * Formats a volume given in cubic units, with as many digits as `lengthText`. Volumes in cubic meters that
 * round to less than 0.001 are shown in cubic centimeters.
 */
export function volumeText(value: number, unit: Unit | undefined): string {
  if (unit === 'm' && value < 0.0009995) return volumeText(1e6 * value, 'cm');
  const isTiny = value !== 0 && value < MIN_SHOWN;
  return `${isTiny ? `< ${MIN_SHOWN}` : digits(value)} ${unit ?? 'units'}³`;
}

/**
 * Formats an area given in square units, with as many digits as `lengthText`. Areas in square meters that
 * round to less than 0.001 are shown in square centimeters.
 */
export function areaText(value: number, unit: Unit | undefined): string {
  if (unit === 'm' && value < 0.0009995) return areaText(1e4 * value, 'cm');
  const isTiny = value !== 0 && value < MIN_SHOWN;
  return `${isTiny ? `< ${MIN_SHOWN}` : digits(value)} ${unit ?? 'units'}²`;
}

const MIN_SHOWN = 0.0001;

const powerOfTenBelow = (value: number): number => Number(value.toExponential().replace(/^.*e/, '1e'));

function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return value.toExponential(2);
  return size >= 100 ? formatCount(Math.round(value)) : plainDecimal(Number(value.toPrecision(3)));
}
