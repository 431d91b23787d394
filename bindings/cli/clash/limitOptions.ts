// Parses the options that limit the time and memory for reading a file.
import { UsageError } from '../usageError.js';

/** The options for node:util's parseArgs. */
export const limitOptions = {
  'ifc-limits': { type: 'string' },
  'cad-limits': { type: 'string' },
  'max-unpack-ratio': { type: 'string' },
} as const;

export interface ReadLimits {
  /** Factor for the time and memory limits of IFC files. */
  ifcLimitFactor: number;
  /** Factor for the time and memory limits of STEP and IGES files. */
  cadLimitFactor: number;
  /** Maximum size of an unpacked .gz file, as a multiple of its compressed size; 64 MiB is always allowed. */
  maxUnpackRatio: number | undefined;
}

/** Returns the limits that the parsed options specify. @throws UsageError */
export function readLimits(values: { [Name in keyof typeof limitOptions]?: string }): ReadLimits {
  const { 'max-unpack-ratio': ratio } = values;
  if (ratio !== undefined && !(/^\d{1,4}$/.test(ratio) && Number(ratio) >= 1))
    throw new UsageError(
      `--max-unpack-ratio ${ratio} is not a whole number from 1 to 9999`,
      'Write --max-unpack-ratio 1000, or omit it for 50.',
    );
  return {
    ifcLimitFactor: readFactor('--ifc-limits', values['ifc-limits']),
    cadLimitFactor: readFactor('--cad-limits', values['cad-limits']),
    maxUnpackRatio: ratio === undefined ? undefined : Number(ratio),
  };
}

function readFactor(option: string, text = '1'): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) <= 0 || Number(text) > 1000)
    throw new UsageError(
      `${option} ${text} is not a number above 0 and at most 1000`,
      `Write ${option} 4, or omit it for 1.`,
    );
  return Number(text);
}
