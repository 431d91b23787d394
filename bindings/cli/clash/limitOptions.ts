// Parses the options that limit the time and memory for reading a file.
import { UsageError } from '../usageError.js';

/** The options for node:util's parseArgs. */
export const limitOptions = {
  'ifc-limits': { type: 'string' },
  'max-unpack-ratio': { type: 'string' },
} as const;

export interface ReadLimits {
  /** Factor for the time and memory limits of IFC files. */
  ifcLimitFactor: number;
  /** Maximum size of an unpacked .gz file, as a multiple of its compressed size; 64 MiB is always allowed. */
  maxUnpackRatio: number | undefined;
}

/** Returns the limits that the parsed options specify. @throws UsageError */
export function readLimits(values: { [Name in keyof typeof limitOptions]?: string }): ReadLimits {
  const { 'ifc-limits': factor = '1', 'max-unpack-ratio': ratio } = values;
  if (!/^\d+(\.\d+)?$/.test(factor) || Number(factor) <= 0 || Number(factor) > 1000)
    throw new UsageError(
      `--ifc-limits ${factor} is not a number above 0 and at most 1000`,
      'Write --ifc-limits 4, or omit it for 1.',
    );
  if (ratio !== undefined && !(/^\d{1,4}$/.test(ratio) && Number(ratio) >= 1))
    throw new UsageError(
      `--max-unpack-ratio ${ratio} is not a whole number from 1 to 9999`,
      'Write --max-unpack-ratio 1000, or omit it for 50.',
    );
  return { ifcLimitFactor: Number(factor), maxUnpackRatio: ratio === undefined ? undefined : Number(ratio) };
}
