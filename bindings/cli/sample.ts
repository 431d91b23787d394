// Implements the command `pfront sample`: writes a sample model, so that every other command can be tried
// without a model of one's own.
import { existsSync } from 'node:fs';
import { CollisionError } from '../core/errors.js';
import { writeOutputFile } from './outputFile.js';
import { parseArguments } from './parseArguments.js';
import { writeSample } from './sampleModel.js';
import { formatCount, printable } from './terminal.js';
import { UsageError } from './usageError.js';

const SEE_HELP = 'See `pfront sample --help`.';
const DEFAULT_PATH = 'machine.glb';

export const sampleHelp = `pfront sample [FILE.glb]

Writes a sample model of 18 parts: a gear train whose teeth overlap, and a probe beside
it. The animation "inspect" moves the probe into a gear and back. FILE: the path of the
new file, which must not exist; default: ${DEFAULT_PATH}

  --help    print this text

Try \`pfront clash ${DEFAULT_PATH}\`, then \`pfront clash ${DEFAULT_PATH} --animation all\`.`;

/** Thrown if the sample cannot be written. */
class SampleFailed extends CollisionError {
  constructor(message: string, fix: string) {
    super('SampleFailed', message, fix);
  }
}

/**
 * Runs `pfront sample` with these arguments.
 *
 * @returns The exit code.
 * @throws UsageError, SampleFailed.
 */
export async function sample(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments(args, { help: { type: 'boolean', short: 'h' } }, SEE_HELP);
  if (values.help) {
    console.log(sampleHelp);
    return 0;
  }
  const [path = DEFAULT_PATH, extra] = positionals;
  if (extra !== undefined)
    throw new UsageError(`sample writes only one file, but ${extra} is a second path`, SEE_HELP);
  if (!/\.glb$/i.test(path)) throw new UsageError(`${path} is not the name of a .glb file`, SEE_HELP);
  if (existsSync(path))
    throw new UsageError(`${path} exists`, 'Remove the file, or give another path: pfront sample FILE.glb.');
  const { bytes, partCount, triangleCount } = writeSample();
  await writeOutputFile(path, SampleFailed, file => file.writeFile(bytes));
  console.log(
    `${printable(path)}: ${partCount} parts, ${formatCount(triangleCount)} triangles, ${formatCount(bytes.length)} bytes`,
  );
  return 0;
}
