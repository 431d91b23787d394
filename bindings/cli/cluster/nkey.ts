// Implements the command `pfront cluster nkey FILE`: makes an nkey, a key pair that the NATS broker accepts
// instead of a password. Writes the secret seed to a file that only the current user may read, and prints the
// public key.
import { makeNkey } from '../../cluster/natsLink.js';
import { createPrivateFile } from '../atomicFile.js';
import { printable } from '../terminal.js';
import { UsageError } from '../usageError.js';
import { nkeyHelp } from './help.js';
import { parse } from './options.js';

/** Runs the command. Returns the exit code. Throws UsageError if the file cannot be created. */
export async function nkey(args: string[]): Promise<number> {
  const {
    values,
    positionals: [file, ...more],
  } = parse(args, { help: { type: 'boolean', short: 'h' } }, 'nkey');
  if (values.help) {
    console.log(nkeyHelp);
    return 0;
  }
  if (file === undefined || more.length > 0)
    throw new UsageError('nkey takes one file', 'Write pfront cluster nkey FILE.');
  const { seed, publicKey } = await makeNkey();
  try {
    // An existing file is not overwritten: its seed may be in use.
    createPrivateFile(file, `${seed}\n`);
  } catch (error) {
    throw new UsageError(
      `${printable(file)} cannot be created (${(error as Error).message.split(',')[0]})`,
      'Name a file that does not exist yet, in a folder that exists, is writable and has space.',
    );
  }
  console.log(publicKey);
  return 0;
}
