// Implements the command `pfront cluster down`: ends everything that `pfront cluster up` has started on this
// machine.

import { sleep } from '../../cluster/promises.js';
import { UsageError } from '../usageError.js';
import { downHelp } from './help.js';
import { addressOptions, parse, readAddress } from './options.js';
import { type ClusterState, isAlive, type ProcessIdentity, readState, removeState } from './stateFile.js';

/** Time in milliseconds after which processes that have not ended by themselves are killed. */
const EXIT_TIMEOUT = 4300;

/**
 * Runs the command. Returns the exit code. Throws UsageError if no cluster with the given name was started on
 * this machine.
 */
export async function down(args: string[]): Promise<number> {
  const { cluster: name, help } = addressOptions;
  const { values } = parse(args, { cluster: name, help }, 'down');
  if (values.help) {
    console.log(downHelp);
    return 0;
  }
  const { cluster } = readAddress(values);
  const state = readState(cluster);
  if (!state)
    throw new UsageError(
      `no cluster "${cluster}" was started on this machine`,
      'Run `down` on the machine on which `up` ran. This also ends the nodes that joined, except after `up --servers`: end those with Ctrl+C.',
    );
  const wasRunning = isAlive(state.supervisor);
  const killed = await endAll(state);
  removeState(cluster);
  if (!wasRunning)
    console.log(
      `cluster ${cluster} had already ended without \`down\`; ${killed === 0 ? 'none of its processes was still running' : `${killed} of its processes had to be killed`}`,
    );
  else
    console.log(
      `cluster ${cluster} has ended${killed > 0 ? `; ${killed} of its processes had to be killed` : ''}`,
    );
  return 0;
}

// Tells the supervisor (the process of `pfront cluster up`) to end; the supervisor then ends its workers and
// its broker. Kills the processes that are still alive after EXIT_TIMEOUT, or immediately if the supervisor is
// already dead. @returns the number of killed processes
async function endAll({ supervisor, broker, workers }: ClusterState): Promise<number> {
  if (isAlive(supervisor)) signal(supervisor, 'SIGTERM');
  const all = [supervisor, ...workers, ...(broker ? [broker] : [])];
  const until = performance.now() + (isAlive(supervisor) ? EXIT_TIMEOUT : 0);
  while (all.some(isAlive) && performance.now() < until) await sleep(50);
  const left = all.filter(isAlive);
  for (const survivor of left) signal(survivor, 'SIGKILL');
  return left.length;
}

function signal({ pid }: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    /* The process has already ended. */
  }
}
