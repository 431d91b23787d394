// Refuses options of `pfront clash` that cannot have an effect, given the files and the rules of the run.
import { isIfcFile, lacksUpAxis } from '../../formats/readParts.js';
import { withoutEffect } from '../usageError.js';
import { checkLimits } from './limitOptions.js';
import type { ClashOptions } from './options.js';
import type { Rule } from './rules.js';

/**
 * Checks the options that apply only to some formats, and the options that rules may replace. Each of them must
 * have an effect if it is given.
 *
 * @param files - All files of the run, including those that rules name.
 * @throws UsageError
 */
export function checkEffects(
  options: ClashOptions,
  rules: readonly Rule[] | undefined,
  files: readonly string[],
): void {
  checkLimits(options, files);
  checkUp(options, files);
  if (options.includesRelated && !files.some(isIfcFile))
    throw withoutEffect('--include-related', 'only IFC files relate elements, and no file is an IFC file');
  for (const name of ['tolerance', 'clearance', 'classes'] as const) {
    const { [name]: text } = options.given;
    if (text !== undefined && rules?.every(rule => rule[name] !== undefined))
      throw withoutEffect(
        `--${name} ${text}`,
        `every rule has its own ${name}`,
        `Remove --${name}, or change the rules.`,
      );
  }
}

// Checks that the option --up has an effect: that a file stores its up axis, or that an output depends on the
// up axis of the scene.
function checkUp(
  { up, json, reportPath, certificatePath, bcf, baselinePath }: ClashOptions,
  files: readonly string[],
): void {
  if (up === undefined || json || !files.every(lacksUpAxis)) return;
  if ([reportPath, certificatePath, bcf, baselinePath].some(output => output !== undefined)) return;
  throw withoutEffect(
    `--up ${up}`,
    'no file stores its up axis, so none is rotated, and no output depends on the up axis',
    'Remove --up, or add --json, --report, --bcf or --certify.',
  );
}
