// Implements the command `pfront cluster up`: runs a broker and nodes on this machine, and shows the nodes
// until the cluster is ended.
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Broker } from '../../cluster/broker.js';
import { isLoopback } from '../../cluster/brokerConfig.js';
import { Channel } from '../../cluster/channel.js';
import type { CredentialFiles } from '../../cluster/credentials.js';
import { Leave } from '../../cluster/leave.js';
import type { Link } from '../../cluster/link.js';
import { subjectsOf } from '../../cluster/subjects.js';
import { outputErrors } from '../outputErrors.js';
import { plural } from '../terminal.js';
import { UsageError } from '../usageError.js';
import { addressesOf, type BrokerSettings, readBroker } from './brokerOptions.js';
import { detach } from './detach.js';
import { upHelp } from './help.js';
import {
  addressOptions,
  type ClusterAddress,
  connect,
  NAME,
  parse,
  readAddress,
  readBackend,
  readInteger,
  waitForEndSignal,
} from './options.js';
import type { OwnCredentials } from './ownCredentials.js';
import { showNodes } from './showNodes.js';
import { identityOf, isAlive, readState, removeState, writeState } from './stateFile.js';
import { superviseBroker } from './superviseBroker.js';
import { type SupervisorOptions, startWorkers } from './supervisor.js';

const text = { type: 'string' } as const;
const options = {
  ...addressOptions,
  workers: text,
  threads: text,
  backend: text,
  host: text,
  port: text,
  nkeys: text,
  'web-port': text,
  detach: { type: 'boolean' },
} as const;

/**
 * Runs the command. Returns the exit code when the cluster has ended. Throws UsageError and CollisionError
 * 'Cluster'.
 */
export async function up(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, options, 'up');
  if (values.help) {
    console.log(upHelp);
    return 0;
  }
  if (positionals.length > 0)
    throw new UsageError(`up takes no argument "${positionals[0]}"`, 'See `pfront cluster up --help`.');
  if (
    values.servers !== undefined &&
    (values.host ?? values.port ?? values.nkeys ?? values['web-port']) !== undefined
  )
    throw new UsageError(
      '--servers names a running broker, so it cannot be combined with --host, --port, --web-port or --nkeys',
      'Omit --servers to start a broker, or omit the other options.',
    );
  const givenAddress = readAddress(values);
  const workers = readInteger('--workers', values.workers, availableParallelism(), 0, 256);
  const threads = readInteger('--threads', values.threads, 1, 1, 256);
  const backend = readBackend(values.backend);
  const port = readInteger('--port', values.port, 4222, 1, 65535);
  const host = values.host ?? '127.0.0.1';
  const running = readState(givenAddress.cluster);
  if (running && isAlive(running.supervisor))
    throw new UsageError(
      `cluster "${givenAddress.cluster}" is already running at ${running.servers.join(', ')}`,
      'End it with `pfront cluster down`, or give the new one a name with --cluster.',
    );
  if (values.detach) return detach(args, givenAddress.cluster);
  const webPort =
    values['web-port'] === undefined ? undefined : readInteger('--web-port', values['web-port'], 0, 1, 65535);
  return runCluster(
    givenAddress,
    { workers, threads, backend },
    {
      cluster: givenAddress.cluster,
      host,
      port,
      files: givenAddress.files,
      nkeysFile: values.nkeys,
      webPort,
    },
  );
}

// Runs the cluster until it ends, and then removes the state file and the credentials that it has written.
async function runCluster(
  givenAddress: ClusterAddress,
  nodes: Pick<SupervisorOptions, 'workers' | 'threads' | 'backend'>,
  listening: BrokerSettings,
): Promise<number> {
  const written = { any: false };
  try {
    return await runUntilEnd(givenAddress, nodes, listening, written);
  } finally {
    if (written.any) removeState(givenAddress.cluster);
  }
}

async function runUntilEnd(
  givenAddress: ClusterAddress,
  nodes: Pick<SupervisorOptions, 'workers' | 'threads' | 'backend'>,
  listening: BrokerSettings,
  written: { any: boolean },
): Promise<number> {
  const ending = waitForEndSignal().then(() => ({ code: 0, line: 'ending' }));
  const read = givenAddress.servers ? undefined : await readBroker(listening);
  written.any = read?.own !== undefined;
  const supervised = read && (await superviseBroker(read.options));
  const own = read?.own;
  const { host, port } = listening;
  const { workers } = nodes;
  const clusterAddress = supervised
    ? hereOf(supervised.broker, givenAddress)
    : { ...givenAddress, servers: givenAddress.servers! };
  const { servers } = clusterAddress;
  let link: Link | undefined;
  let close: (() => Promise<void>) | undefined;
  try {
    link = await connect(clusterAddress, 'pfront cluster up', own?.operatorSeed);
    const display = showNodes(
      link,
      givenAddress.cluster,
      `cluster ${givenAddress.cluster} at ${servers.join(', ')}; end it with Ctrl+C or \`pfront cluster down\``,
    );
    const save = (): void => {
      writeState({
        ...clusterAddress,
        ...(own ? { roleFiles: own.roleFiles } : {}),
        supervisor: identityOf(process.pid),
        ...(supervised ? { broker: identityOf(supervised.broker.pid) } : {}),
        workers: supervisor.pids.map(identityOf),
      });
      written.any = true;
    };
    const announce = (): void => {
      if (supervisor.readyCount === workers && process.connected) process.send?.('ready');
    };
    // If the state cannot be saved, for example because the disk is full, the cluster keeps running. Other
    // commands then use the last state that was saved.
    const onChange = (): void => {
      try {
        save();
      } catch (error) {
        display.printLine((error as Error).message);
      }
      announce();
    };
    const supervisor = startWorkers({
      ...clusterAddress,
      ...(own ? { files: { ...clusterAddress.files, 'nkey-file': own.roleFiles.node } } : {}),
      ...nodes,
      onEvent: display.printLine,
      onChange,
    });
    if (supervised) {
      supervised.onRestart = line => {
        onChange();
        display.printLine(line);
      };
    }
    close = () => supervisor.close().finally(display.end);
    save();
    announce();
    // From here on, the cluster also keeps running if its output cannot be written.
    outputErrors.areIgnored = true;
    display.printLine(
      `cluster ${givenAddress.cluster} at ${servers.join(', ')}, ${plural(workers, 'worker')}`,
    );
    if (supervised && !isLoopback(host))
      display.printLine(
        `on other machines: ${addressesOf(host)
          .map(address => joinLine(address, port, givenAddress, own))
          .join(' or ')}`,
      );
    if (own)
      display.printLine(
        `credentials: ${path.dirname(own.roleFiles.node)}; commands of this user on this machine find them`,
      );
    if (supervised?.broker.webSocketUrl) display.printLine(`web pages: ${supervised.broker.webSocketUrl}`);
    for (const note of supervised?.broker.notes ?? []) display.printLine(`note: ${note}`);
    const brokerEnded = Promise.race([link.closed, ...(supervised ? [supervised.lost] : [])]).then(
      reason => ({
        code: 2,
        line: reason?.message ?? 'the link was closed',
      }),
    );
    const workersEnded = supervisor.ended.then(allLeft => ({
      code: allLeft ? 0 : 2,
      line: allLeft ? 'all workers have left' : 'no worker is left',
    }));
    const { code, line } = await Promise.race([
      ending,
      brokerEnded,
      ...(workers === 0 ? [] : [workersEnded]),
    ]);
    display.printLine(line);
    return code;
  } finally {
    if (supervised && link) await sendLeave(link, givenAddress.cluster);
    await close?.();
    await Promise.race([link?.close(), wait(500)]);
    await supervised?.close();
  }
}

const joinLine = (
  address: string,
  port: number,
  { cluster, files }: ClusterAddress,
  own: OwnCredentials | undefined,
): string =>
  `pfront cluster join --servers nats://${address}:${port}${cluster === NAME ? '' : ` --cluster ${cluster}`}${own ? ' --nkey-file node.nkey' : files['nkey-file'] === undefined ? ' --token-file FILE' : ' --nkey-file FILE'}`;

// Returns the cluster address for nodes on this machine. The certificate and its key are left out, because
// they belong to the broker.
function hereOf(
  broker: Broker,
  { cluster, files: { 'cert-file': _cert, 'key-file': _key, ...files } }: ClusterAddress,
): { cluster: string; servers: string[]; files: CredentialFiles } {
  return { cluster, servers: [broker.url], files };
}

// Tells all nodes that the cluster ends. Otherwise, nodes on other machines would wait for a broker that
// never comes back.
async function sendLeave(link: Link, cluster: string): Promise<void> {
  new Channel(link).send(subjectsOf(cluster).leave, Leave, { run: [0, 0], step: 0, from: 0 }, {});
  await Promise.race([link.flush().catch(() => {}), wait(300)]);
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds).unref();
  });
