// Formats numbers for the report page: counts, sizes, coordinates and directions.

import { nounFor } from '../../formats/formatCount.js';

const grouped = new Intl.NumberFormat('en-US');

export const formatCount = (value: number): string => grouped.format(value);

export const plural = (value: number, noun: string): string =>
  `${formatCount(value)} ${nounFor(value, noun)}`;

/** Formats how many of all clashes are shown. */
export const countText = (shown: number, total: number): string =>
  shown === total ? plural(total, 'clash') : `${formatCount(shown)} of ${plural(total, 'clash')}`;

export const formatBytes = (bytes: number): string =>
  bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/**
 * The number of decimals is chosen as if the largest coordinate were at least this share of the model's size.
 * This hides noise.
 */
const MIN_SHARE = 1e-4;

/**
 * Formats coordinates with a common number of decimals, chosen so that the largest magnitude has five
 * significant digits. If all magnitudes are below MIN_SHARE times the size of the model, this product is used
 * as the largest magnitude. If the largest magnitude is at least 1e-8 and below 1e5, coordinates below 5e-10
 * times the size of the model are shown as 0. If it is at least 1e4 and below 1e8, numbers have no decimals. If
 * it is below 1e-8 or at least 1e8, they are in exponential notation.
 */
export function formatCoordinates(values: number[], modelSize = 0): string[] {
  const maxMagnitude = Math.max(MIN_SHARE * modelSize, ...values.map(Math.abs));
  const decimals = maxMagnitude === 0 ? 0 : 4 - Math.floor(Math.log10(maxMagnitude));
  const write = (value: number): string =>
    decimals < -3 || decimals > 12 ? value.toExponential(4) : value.toFixed(Math.max(0, decimals));
  return values.map(value =>
    write(value)
      .replace(/^-(?=0\.?0*$)/, '')
      .replaceAll('-', '\u2212'),
  );
}

/** Formats a unit vector: `+z`, `−x`, or three numbers if it is not parallel to an axis. */
export function formatDirection(direction: number[]): string {
  const axis = direction.findIndex(value => Math.abs(value) > 0.9995);
  if (axis >= 0) return `${direction[axis] < 0 ? '\u2212' : '+'}${'xyz'[axis]}`;
  return `(${direction
    .map(value =>
      value
        .toFixed(2)
        .replace(/^-(?=0\.00$)/, '')
        .replace('-', '\u2212'),
    )
    .join(', ')})`;
}
