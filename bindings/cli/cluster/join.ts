// Implements the command `pfront cluster join`: runs nodes on this machine that join a running cluster.
import { availableParallelism } from 'node:os';
import { plural } from '../terminal.js';
import { UsageError } from '../usageError.js';
import { joinHelp } from './help.js';
import {
  addressOptions,
  completeAddress,
  connect,
  parse,
  readAddress,
  readBackend,
  readInteger,
  waitForEndSignal,
} from './options.js';
import { showNodes } from './showNodes.js';
import { startWorkers } from './supervisor.js';

/**
 * Runs the command. Returns the exit code when the nodes have ended. Throws UsageError and CollisionError
 * 'Cluster'.
 */
export async function join(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parse(
    args,
    { ...addressOptions, workers: text, threads: text, backend: text },
    'join',
  );
  if (values.help) {
    console.log(joinHelp);
    return 0;
  }
  if (positionals.length > 0)
    throw new UsageError(`join takes no argument "${positionals[0]}"`, 'See `pfront cluster join --help`.');
  const workers = readInteger('--workers', values.workers, availableParallelism(), 1, 256);
  const threads = readInteger('--threads', values.threads, 1, 1, 256);
  const backend = readBackend(values.backend);
  const clusterAddress = completeAddress(readAddress(values), 'node');
  const { cluster, servers } = clusterAddress;
  const ended = waitForEndSignal();
  const link = await connect(clusterAddress, 'pfront cluster join');
  const display = showNodes(link, cluster, `cluster ${cluster} at ${servers.join(', ')}; leave with Ctrl+C`);
  const supervisor = startWorkers({
    ...clusterAddress,
    workers,
    threads,
    backend,
    onEvent: display.printLine,
    onChange: () => {},
  });
  display.printLine(`${plural(workers, 'worker')} for cluster ${cluster} at ${servers.join(', ')}`);
  const code = await Promise.race([
    ended.then(() => 0),
    link.closed.then(reason => {
      display.printLine(reason?.message ?? 'the link was closed');
      return 2;
    }),
    supervisor.ended.then(allLeft => {
      display.printLine(allLeft ? 'the cluster was ended' : 'no worker is left');
      return allLeft ? 0 : 2;
    }),
  ]);
  await supervisor.close();
  display.end();
  await link.close();
  return code;
}
