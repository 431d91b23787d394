// Parses the options that limit how much time and memory the reading of files may take, and how many files are
// read at the same time.
import { availableParallelism } from 'node:os';
import { isCadFile, isIfcFile } from '../../formats/readParts.js';
import { UsageError, withoutEffect } from '../usageError.js';

/** The options for node:util's parseArgs. */
export const limitOptions = {
  'ifc-limits': { type: 'string' },
  'cad-limits': { type: 'string' },
  'max-unpack-ratio': { type: 'string' },
  jobs: { type: 'string' },
} as const;

const MAX_JOBS = 64;

export interface ReadLimits {
  /** Factor for the time and memory limits of IFC files. */
  ifcLimitFactor: number | undefined;
  /** Factor for the time and memory limits of STEP and IGES files. */
  cadLimitFactor: number | undefined;
  /** Max size of an unpacked .gz or .3mf file, as a multiple of its packed size; 64 MiB is always allowed. */
  maxUnpackRatio: number | undefined;
  /** How many files may be read at the same time. */
  jobs: number;
  /** The text of --jobs, if it is given. */
  givenJobs: string | undefined;
}

/** Returns the limits that the parsed options specify. @throws UsageError */
export function readLimits(values: { [Name in keyof typeof limitOptions]?: string }): ReadLimits {
  const { 'max-unpack-ratio': ratio, jobs } = values;
  if (ratio !== undefined && !(/^\d{1,4}$/.test(ratio) && Number(ratio) >= 1))
    throw new UsageError(
      `--max-unpack-ratio ${ratio} is not a whole number from 1 to 9999`,
      'Write --max-unpack-ratio 1000, or omit the option; the default is 50.',
    );
  if (jobs !== undefined && !(/^\d{1,3}$/.test(jobs) && Number(jobs) >= 1 && Number(jobs) <= MAX_JOBS))
    throw new UsageError(
      `--jobs ${jobs} is not a whole number from 1 to ${MAX_JOBS}`,
      'Write --jobs 4, or omit it to read one file per core at the same time.',
    );
  return {
    jobs: jobs === undefined ? Math.min(availableParallelism(), MAX_JOBS) : Number(jobs),
    givenJobs: jobs,
    ifcLimitFactor: readFactor('--ifc-limits', values['ifc-limits']),
    cadLimitFactor: readFactor('--cad-limits', values['cad-limits']),
    maxUnpackRatio: ratio === undefined ? undefined : Number(ratio),
  };
}

/** Checks that each limit that is given applies to one of the files. @throws UsageError */
export function checkLimits(
  { ifcLimitFactor, cadLimitFactor, maxUnpackRatio }: ReadLimits,
  files: readonly string[],
): void {
  const limits = [
    ['--ifc-limits', ifcLimitFactor, isIfcFile, 'an IFC file'],
    ['--cad-limits', cadLimitFactor, isCadFile, 'a STEP or IGES file'],
    ['--max-unpack-ratio', maxUnpackRatio, isPacked, 'a .gz or .3mf file'],
  ] as const;
  for (const [option, value, isLimited, kind] of limits)
    if (value !== undefined && !files.some(isLimited))
      throw withoutEffect(`${option} ${value}`, `no file is ${kind}`);
}

/** Checks that --jobs has an effect, if it is given. @throws UsageError */
export function checkJobs({ givenJobs }: ReadLimits, files: readonly string[]): void {
  if (givenJobs !== undefined && files.length < 2)
    throw withoutEffect(
      `--jobs ${givenJobs}`,
      'it needs two files or more; the meshes of a robot do not count',
    );
}

function isPacked(file: string): boolean {
  return /\.(gz|3mf)$/i.test(file);
}

function readFactor(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) <= 0 || Number(text) > 1000)
    throw new UsageError(
      `${option} ${text} is not a number above 0 and at most 1000`,
      `Write ${option} 4, or omit the option; the default is 1.`,
    );
  return Number(text);
}
