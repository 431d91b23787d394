// Implements the option `--detach` of `pfront cluster up`: runs the command in the background, and returns
// once its workers (node processes) are ready.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ClusterError } from '../../cluster/errors.js';
import { readState, stateFolder, writeStateFiles } from './stateFile.js';

/** Maximum time until all workers are ready, in milliseconds. */
const READY_TIMEOUT = 120_000;

/**
 * Starts `pfront cluster up` in the background, and waits until its workers are ready. args: the arguments of
 * the command. Returns the exit code. Throws CollisionError 'Cluster' if the command ends before the workers
 * are ready, or if the workers are not ready in time.
 */
export async function detach(args: string[], cluster: string): Promise<number> {
  const log = path.join(stateFolder(), `${cluster}.log`);
  const file = writeStateFiles(() => openSync(log, 'w', 0o600));
  const child = spawn(
    process.execPath,
    [process.argv[1], 'cluster', 'up', ...args.filter(word => word !== '--detach')],
    { detached: true, stdio: ['ignore', file, file, 'ipc'] },
  );
  closeSync(file);
  const outcome = await new Promise<string>(resolve => {
    const timer = setTimeout(() => resolve('late'), READY_TIMEOUT);
    const settle = (outcome: string) => (): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    child.once('message', settle('ready'));
    child.once('exit', settle('ended'));
    child.once('error', settle('ended'));
  });
  if (outcome !== 'ready') {
    if (outcome === 'late') child.kill('SIGTERM');
    const output = readFileSync(log, 'utf8').trim();
    const [, message = output.split('\n').at(-1) ?? '', fix = `see ${log}`] =
      /pfront: (.*)\nfix: (.*)/.exec(output) ?? [];
    throw new ClusterError(
      outcome === 'late'
        ? `the workers were not ready within ${READY_TIMEOUT / 1000} s: ${message}`
        : message,
      fix,
    );
  }
  child.disconnect();
  child.unref();
  const state = readState(cluster);
  if (state?.roleFiles) console.log(`credentials: ${path.dirname(state.roleFiles.node)}`);
  console.log(
    `cluster ${cluster} at ${state?.servers.join(', ')}, process ${child.pid}; its log is ${log}\nEnd it with \`pfront cluster down${cluster === 'pfront' ? '' : ` --cluster ${cluster}`}\`.`,
  );
  return 0;
}
