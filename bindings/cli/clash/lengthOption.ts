// Parses lengths on the command line, such as `25mm`, and converts them to the unit of the files.

import { isUnit, UNITS, type Unit, unitsPer } from '../../formats/units.js';
import { UsageError } from '../usageError.js';

/** A length as the user wrote it. If it has no `unit`, it is in the unit of the files. */
export interface Length {
  value: number;
  unit?: Unit;
  text: string;
}

/** The length of an option that is not given. */
export const NO_LENGTH: Length = { value: 0, text: '0' };

const NUMBER_AND_UNIT = /^((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?) ?([a-z]*)$/i;

/**
 * Parses the value of an option. `option` is the name of the option with its dashes, for error messages.
 *
 * @throws UsageError
 */
export function readLength(option: string, text: string): Length {
  const [, number, unit] = NUMBER_AND_UNIT.exec(text.trim()) ?? [];
  const value = Number(number);
  if (number === undefined || !Number.isFinite(value) || (unit !== '' && !isUnit(unit))) {
    throw new UsageError(
      `${option} ${text} is not a length`,
      `Write a number and a unit (${UNITS.join(', ')}), such as ${option} 25mm, or ${option} 25 in the unit of the files.`,
    );
  }
  return isUnit(unit) ? { value, unit, text } : { value, text };
}

/**
 * Converts a length to `unit`, the unit of the files. `unit` is undefined if no file defines a unit.
 *
 * @throws UsageError
 */
export function convertLength(
  unit: Unit | undefined,
  option: string,
  { value, unit: own, text }: Length,
): number {
  if (own === undefined) return value;
  if (unit === undefined)
    throw new UsageError(
      `${option} ${text}: the unit of the files is unknown`,
      `Add --units ${UNITS.join('|')}, or write ${option} without a unit.`,
    );
  const length = value * unitsPer(own, unit);
  if (length === Infinity)
    throw new UsageError(
      `${option} ${text} is not a finite number of ${unit}, the unit of the files`,
      'Write a shorter length.',
    );
  return length;
}
