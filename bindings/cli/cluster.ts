// `pfront cluster COMMAND`: nodes on this machine and others, runs on them, and what they do now.
import { down } from './cluster/down.js';
import { clusterHelp } from './cluster/help.js';
import { join } from './cluster/join.js';
import { nkey } from './cluster/nkey.js';
import { run } from './cluster/run.js';
import { status } from './cluster/status.js';
import { up } from './cluster/up.js';
import { UsageError } from './usageError.js';

const COMMANDS: Record<string, (args: string[]) => Promise<number>> = { up, join, run, status, down, nkey };

/** Returns the exit code. Throws UsageError, CollisionError 'Cluster' and what runs throw. */
export async function cluster([name, ...args]: string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(clusterHelp);
    return 0;
  }
  if (name !== undefined && Object.hasOwn(COMMANDS, name)) return COMMANDS[name](args);
  throw new UsageError(
    name === undefined ? 'cluster needs a command' : `"${name}" is no command of clusters`,
    `Write pfront cluster ${Object.keys(COMMANDS).join(', pfront cluster ')}.`,
  );
}
