// `25mm` on the command line -> a length in the unit of the files.

import { isUnit, UNITS, type Unit, unitsPer } from '../../formats/units.js';
import { UsageError } from '../usageError.js';

/** unit: undefined where none was written, which means that of the files. */
export interface Length {
  value: number;
  unit?: Unit;
  text: string;
}

const NUMBER_AND_UNIT = /^((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?) ?([a-z]*)$/i;

/** option: with its dashes. Throws UsageError. */
export function readLength(option: string, text: string): Length {
  const [, number, unit] = NUMBER_AND_UNIT.exec(text.trim()) ?? [];
  const value = Number(number);
  if (number === undefined || !Number.isFinite(value) || (unit !== '' && !isUnit(unit))) {
    throw new UsageError(
      `${option} ${text} is not a length`,
      `Write ${option} 25mm, with ${UNITS.join(', ')}, or ${option} 25 in the unit of the files.`,
    );
  }
  return isUnit(unit) ? { value, unit, text } : { value, text };
}

/** unit: of the files, undefined where none of them says. Throws UsageError. */
export function lengthIn(unit: Unit | undefined, option: string, { value, unit: own, text }: Length): number {
  if (own === undefined) return value;
  if (unit === undefined)
    throw new UsageError(
      `${option} ${text}: the files do not say what unit their numbers are in`,
      `Say it with --units ${UNITS.join('|')}, or leave the unit out of ${option}.`,
    );
  const length = value * unitsPer(own, unit);
  if (length === Infinity)
    throw new UsageError(
      `${option} ${text} is no finite number of ${unit}, the unit of the files`,
      'Write a shorter length.',
    );
  return length;
}
