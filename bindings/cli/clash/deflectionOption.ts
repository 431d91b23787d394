// Parses the option that says how finely the curved surfaces of STEP and IGES files are triangulated.
import { DEFAULT_DEFLECTION } from '../../formats/readCad.js';
import { isCadFile } from '../../formats/readParts.js';
import { UsageError, withoutEffect } from '../usageError.js';
import { convertLength, readLength } from './lengthOption.js';

/**
 * Returns the linear deflection in mm; undefined if none of the files is a STEP or IGES file. A length without
 * a unit is in mm.
 * @param text The value of `--deflection`, if it is given.
 * @throws UsageError
 */
export function readDeflection(text: string | undefined, files: string[]): number | undefined {
  const hasCadFile = files.some(isCadFile);
  if (text === undefined) return hasCadFile ? DEFAULT_DEFLECTION : undefined;
  const deflection = convertLength('mm', '--deflection', readLength('--deflection', text));
  if (deflection === 0)
    throw new UsageError(`--deflection ${text} is not above 0`, 'Write --deflection 0.1mm, the default.');
  if (!hasCadFile) throw withoutEffect(`--deflection ${text}`, 'no file is a STEP or IGES file');
  return deflection;
}
