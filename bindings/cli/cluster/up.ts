// The command `pfront cluster up`: runs a broker and nodes on this machine, and shows them until they are
// ended.
import { availableParallelism } from 'node:os';
import type { Broker } from '../../cluster/broker.js';
import { isLoopback } from '../../cluster/brokerConfig.js';
import { Channel } from '../../cluster/channel.js';
import type { CredentialFiles } from '../../cluster/credentials.js';
import { Leave } from '../../cluster/leave.js';
import type { Link } from '../../cluster/link.js';
import { subjectsOf } from '../../cluster/subjects.js';
import { plural } from '../terminal.js';
import { UsageError } from '../usageError.js';
import { addressesOf, type BrokerSettings, readBroker } from './brokerOptions.js';
import { detach } from './detach.js';
import { upHelp } from './help.js';
import { keepBroker } from './keepBroker.js';
import {
  type ClusterAddress,
  connect,
  endingSignal,
  NAME,
  parse,
  placeOptions,
  readBackend,
  readInteger,
  readPlace,
} from './options.js';
import { showNodes } from './showNodes.js';
import { identityOf, isAlive, readState, removeState, writeState } from './stateFile.js';
import { type SupervisorOptions, startWorkers } from './supervisor.js';

const text = { type: 'string' } as const;
const options = {
  ...placeOptions,
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
    throw new UsageError(`up takes no "${positionals[0]}"`, 'See `pfront cluster up --help`.');
  if (
    values.servers !== undefined &&
    (values.host ?? values.port ?? values.nkeys ?? values['web-port']) !== undefined
  )
    throw new UsageError(
      '--servers names a running broker, so it cannot be combined with --host, --port, --web-port or --nkeys',
      'Omit --servers to start a broker, or omit the other options.',
    );
  const place = readPlace(values);
  const workers = readInteger('--workers', values.workers, availableParallelism(), 0, 256);
  const threads = readInteger('--threads', values.threads, 1, 1, 256);
  const backend = readBackend(values.backend);
  const port = readInteger('--port', values.port, 4222, 1, 65535);
  const host = values.host ?? '127.0.0.1';
  const running = readState(place.cluster);
  if (running && isAlive(running.supervisor))
    throw new UsageError(
      `cluster "${place.cluster}" is already running at ${running.servers.join(', ')}`,
      'End it with `pfront cluster down`, or give the new one a name with --cluster.',
    );
  if (values.detach) return detach(args, place.cluster);
  const webPort =
    values['web-port'] === undefined ? undefined : readInteger('--web-port', values['web-port'], 0, 1, 65535);
  return keep(
    place,
    { workers, threads, backend },
    { host, port, files: place.files, nkeysFile: values.nkeys, webPort },
  );
}

async function keep(
  place: ClusterAddress,
  nodes: Pick<SupervisorOptions, 'workers' | 'threads' | 'backend'>,
  listening: BrokerSettings,
): Promise<number> {
  const ending = endingSignal().then(() => ({ code: 0, line: 'ending' }));
  const kept = place.servers ? undefined : await keepBroker(await readBroker(listening));
  const { host, port } = listening;
  const { workers } = nodes;
  const here = kept ? hereOf(kept.broker, place) : { ...place, servers: place.servers! };
  const { servers } = here;
  let link: Link | undefined;
  let close: (() => Promise<void>) | undefined;
  try {
    link = await connect(here, 'pfront cluster up');
    const shown = showNodes(
      link,
      place.cluster,
      `cluster ${place.cluster} at ${servers.join(', ')}; end it with Ctrl+C or \`pfront cluster down\``,
    );
    const save = (): void => {
      writeState({
        ...here,
        supervisor: identityOf(process.pid),
        ...(kept ? { broker: identityOf(kept.broker.pid) } : {}),
        workers: supervisor.pids.map(identityOf),
      });
      if (supervisor.ready === workers && process.connected) process.send?.('ready');
    };
    const supervisor = startWorkers({ ...here, ...nodes, tell: shown.say, onChange: save });
    if (kept) {
      kept.onRestart = line => {
        save();
        shown.say(line);
      };
    }
    close = () => supervisor.close().finally(shown.end);
    save();
    shown.say(`cluster ${place.cluster} at ${servers.join(', ')}, ${plural(workers, 'worker')}`);
    if (kept && !isLoopback(host))
      shown.say(
        `elsewhere: ${addressesOf(host)
          .map(address => joinLine(address, port, place))
          .join(' or ')}`,
      );
    if (kept?.broker.webSocketUrl) shown.say(`web pages: ${kept.broker.webSocketUrl}`);
    for (const note of kept?.broker.notes ?? []) shown.say(`note: ${note}`);
    const brokerEnded = Promise.race([link.closed, ...(kept ? [kept.lost] : [])]).then(reason => ({
      code: 2,
      line: reason?.message ?? 'the link was closed',
    }));
    const workersEnded = supervisor.ended.then(allLeft => ({
      code: allLeft ? 0 : 2,
      line: allLeft ? 'all workers have left' : 'no worker is left',
    }));
    const { code, line } = await Promise.race([
      ending,
      brokerEnded,
      ...(workers === 0 ? [] : [workersEnded]),
    ]);
    shown.say(line);
    return code;
  } finally {
    if (kept && link) await tellAll(link, place.cluster);
    await close?.();
    await Promise.race([link?.close(), wait(500)]);
    await kept?.close();
    removeState(place.cluster);
  }
}

const joinLine = (address: string, port: number, { cluster, files }: ClusterAddress): string =>
  `pfront cluster join --servers nats://${address}:${port}${cluster === NAME ? '' : ` --cluster ${cluster}`}${files['nkey-file'] === undefined ? ' --token-file FILE' : ' --nkey-file FILE'}`;

// Returns the address of the broker for nodes on this machine. If the broker listens on all addresses, the
// nodes use the loopback address. The certificate and its key are left out, because they are the broker's.
function hereOf(
  broker: Broker,
  { cluster, files: { 'cert-file': _cert, 'key-file': _key, ...files } }: ClusterAddress,
): { cluster: string; servers: string[]; files: CredentialFiles } {
  return { cluster, servers: [broker.url.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//127.0.0.1')], files };
}

// Tells all nodes that the cluster ends: nodes on other machines would otherwise wait for a broker that does
// not come back.
async function tellAll(link: Link, cluster: string): Promise<void> {
  new Channel(link).send(subjectsOf(cluster).leave, Leave, { run: [0, 0], step: 0, from: 0 }, {});
  await Promise.race([link.flush().catch(() => {}), wait(300)]);
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds).unref();
  });
