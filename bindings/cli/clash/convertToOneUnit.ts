// Scales the parts of files with different units to one unit: the smallest unit of any file.
import { mapTransforms, type Part, type WarningHandler } from '../../formats/part.js';
import { METERS, type Unit, unitsPer } from '../../formats/units.js';
import { withoutEffect } from '../usageError.js';

/**
 * Returns the parts, scaled to one unit, and that unit.
 *
 * @param assumed - The unit of files that store no unit (`--units`).
 * @param warn - Receives a note if the unit of a file had to be guessed.
 * @throws UsageError if `assumed` is given but every file stores its unit.
 */
export function convertToOneUnit<Kind extends Part & { file: string }>(
  parts: Kind[],
  assumed: Unit | undefined,
  warn: WarningHandler,
): { parts: Kind[]; unit: Unit | undefined } {
  const unitless = parts.find(part => part.unit === undefined);
  if (assumed !== undefined && !unitless) {
    const { file, unit } = parts[0];
    throw withoutEffect(`--units ${assumed}`, `every file stores its unit (${file}: ${unit})`);
  }
  const known = [...new Set(parts.flatMap(part => part.unit ?? assumed ?? []))];
  const unit = known.sort((x, y) => METERS[x] - METERS[y])[0];
  if (unitless && !assumed && unit)
    warn(
      `${unitless.file} stores no unit, so its lengths are assumed to be in ${unit}, the smallest unit of the other files`,
      'Add --units with the unit of the files that store none.',
    );
  return {
    unit,
    parts: parts.map(part => scaled(part, unit && unitsPer(part.unit ?? assumed ?? unit, unit))),
  };
}

function scaled<Kind extends Part>(part: Kind, factor = 1): Kind {
  return factor === 1
    ? part
    : mapTransforms(part, transform => transform.map((value, i) => (i === 15 ? value : factor * value)));
}
