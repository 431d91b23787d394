// Implements the command `pfront cluster COMMAND`: starts and ends nodes, runs work on them, shows what they
// do, and makes nkeys, the key pairs with which clients log in to the message broker.
import { down } from './cluster/down.js';
import { clusterHelp } from './cluster/help.js';
import { join } from './cluster/join.js';
import { nkey } from './cluster/nkey.js';
import { run } from './cluster/run.js';
import { status } from './cluster/status.js';
import { up } from './cluster/up.js';
import { UsageError } from './usageError.js';

const COMMANDS: Record<string, (args: string[]) => Promise<number>> = { up, join, run, status, down, nkey };

/**
 * Runs the command. Returns the exit code. Throws UsageError, CollisionError 'Cluster', and the errors of
 * work that fails on the nodes.
 */
export async function cluster([name, ...args]: string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(clusterHelp);
    return 0;
  }
  if (name !== undefined && Object.hasOwn(COMMANDS, name)) return COMMANDS[name](args);
  throw new UsageError(
    name === undefined ? 'cluster requires a command' : `"${name}" is not a command of pfront cluster`,
    `Write pfront cluster ${Object.keys(COMMANDS).join(', pfront cluster ')}.`,
  );
}
