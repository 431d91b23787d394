// Parses the options for the BCF file (BIM Collaboration Format) of `pfront clash`.
import { BCF_VERSIONS, type BcfVersion } from '../../../report/bcf/documents.js';
import { UsageError } from '../../usageError.js';

/** The options for node:util's parseArgs. */
export const bcfOptions = {
  bcf: { type: 'string' },
  'bcf-version': { type: 'string' },
} as const;

/** The BCF file to write. */
export interface BcfTarget {
  path: string;
  version: BcfVersion;
}

/** Returns the file that the parsed options request, or undefined. @throws UsageError */
export function readBcfTarget(values: { [Name in keyof typeof bcfOptions]?: string }): BcfTarget | undefined {
  const { bcf: path, 'bcf-version': version = BCF_VERSIONS[0] } = values;
  if (!isVersion(version))
    throw new UsageError(
      `--bcf-version ${version} is not supported`,
      `Write --bcf-version ${BCF_VERSIONS.join(' or ')}.`,
    );
  if (path === undefined) {
    if (values['bcf-version'] !== undefined)
      throw new UsageError(
        `--bcf-version ${version} has no effect without --bcf`,
        'Add --bcf clashes.bcf, or remove --bcf-version.',
      );
    return undefined;
  }
  // A path with another extension may be an input file, which must not be overwritten.
  if (!/\.(bcf|bcfzip)$/i.test(path))
    throw new UsageError(
      `--bcf ${path} does not end in .bcf or .bcfzip`,
      'Name the file, for example --bcf clashes.bcf.',
    );
  return { path, version };
}

function isVersion(text: string): text is BcfVersion {
  return (BCF_VERSIONS as readonly string[]).includes(text);
}
