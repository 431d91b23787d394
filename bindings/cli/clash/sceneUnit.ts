// Parts of files in several units -> parts in one unit, the finest of them.
import type { Part, Tell } from '../../formats/part.js';
import { METRES, type Unit, unitsPer } from '../../formats/units.js';
import { UsageError } from '../usageError.js';

/**
 * assumed: what `--units` says of files that do not say it themselves. tell: hears what had to be guessed.
 * Throws UsageError where nothing is left to assume.
 */
export function inOneUnit<Kind extends Part & { file: string }>(
  parts: Kind[],
  assumed: Unit | undefined,
  tell: Tell,
): { parts: Kind[]; unit: Unit | undefined } {
  const silent = parts.find(part => part.unit === undefined);
  if (assumed !== undefined && !silent) {
    throw new UsageError(
      `--units ${assumed}: every file says its unit itself (${parts[0].file}: ${parts[0].unit})`,
      'Leave --units out.',
    );
  }
  const known = [...new Set(parts.flatMap(part => part.unit ?? assumed ?? []))];
  const unit = known.sort((x, y) => METRES[x] - METRES[y])[0];
  if (silent && !assumed && unit)
    tell(
      `${silent.file} does not say its unit; its numbers are taken as ${unit}, as other files have it`,
      'Write --units with the unit of such files.',
    );
  return {
    unit,
    parts: parts.map(part => scaled(part, unit && unitsPer(part.unit ?? assumed ?? unit, unit))),
  };
}

function scaled<Kind extends Part>(part: Kind, factor = 1): Kind {
  return factor === 1
    ? part
    : { ...part, transform: part.transform.map((value, i) => (i === 15 ? value : factor * value)) };
}
