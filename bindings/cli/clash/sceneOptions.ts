// Parses the options for the unit and the up axis of the scene, and for the number of threads that search it.
import type { Up } from '../../formats/part.js';
import { isUnit, UNITS, type Unit } from '../../formats/units.js';
import { UsageError } from '../usageError.js';

/** The options for node:util's parseArgs. */
export const sceneOptions = {
  units: { type: 'string' },
  up: { type: 'string' },
  threads: { type: 'string' },
} as const;

export interface SceneOptions {
  assumedUnit: Unit | undefined;
  /** The up axis of the scene. */
  up: Up | undefined;
  threads: number | 'auto';
}

/** Returns what the parsed options specify. @throws UsageError */
export function readSceneOptions({
  units,
  up,
  threads,
}: { [Name in keyof typeof sceneOptions]?: string }): SceneOptions {
  if (units !== undefined && !isUnit(units))
    throw new UsageError(`--units ${units} is not a unit`, `Write --units ${UNITS.join('|')}.`);
  if (up !== undefined && up !== 'y' && up !== 'z')
    throw new UsageError(`--up ${up} is neither y nor z`, 'Write --up y or --up z.');
  if (threads !== undefined && !isThreadCount(threads))
    throw new UsageError(
      `--threads ${threads} is not a whole number from 1 to 256`,
      'Write --threads 4, or omit it for all cores.',
    );
  return { assumedUnit: units, up, threads: threads === undefined ? 'auto' : Number(threads) };
}

function isThreadCount(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 256;
}
