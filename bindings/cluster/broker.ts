// Starts nats-server, the message broker of clusters, as a child process with a private configuration file.
// The broker ends when this process ends.
import { rejectExtraArgument } from '../core/checkOptions.js';
import {
  type BrokerOptions,
  brokerConfig,
  checkBrokerOptions,
  hostInUrl,
  isLoopback,
} from './brokerConfig.js';
import { ClusterError } from './errors.js';
import { nodeModuleLoader } from './nodeModules.js';
import { sleep } from './promises.js';

/** A running broker (nats-server). */
export interface Broker {
  /**
   * The address that nodes connect to, 'nats://host:port'. If `host` is '0.0.0.0' or '::', this is a loopback
   * address, which works on this machine only.
   */
  readonly url: string;
  /**
   * The address that pages connect to, 'ws://host:port' or 'wss://…'; undefined without `webSocket`. If the
   * port listens on '0.0.0.0' or '::', this is a loopback address, which works on this machine only.
   */
  readonly webSocketUrl: string | undefined;
  /** The process id of the broker. */
  readonly pid: number;
  /** Warnings about allowed but risky settings, for example that nothing is encrypted. */
  readonly notes: readonly string[];
  /** Resolves when the broker has ended: with undefined after `close`, else with the reason. */
  readonly closed: Promise<Error | undefined>;
  /** Ends the broker within 3 s and removes its files. */
  close(): Promise<void>;
}

/** Name of the configuration file. */
const CONFIG = 'nats.conf';
const START_MILLISECONDS = 60_000;
const END_MILLISECONDS = 2000;

/**
 * Starts nats-server on this machine and waits until it listens. Node only. The broker ends when this process
 * exits. On all systems except Windows it also ends when this process is killed.
 * @throws CollisionError 'Cluster' if nats-server is not installed or cannot listen, if its configuration
 * cannot be written, if the options would admit clients on other machines, or pages of any origin, without
 * credentials, or if nats-server would misread a value; Unsupported for unknown options and for values of a
 * wrong type
 */
export async function startBroker(options: BrokerOptions = {}): Promise<Broker> {
  const modules = nodeModuleLoader('a broker');
  const { rmSync } = modules('node:fs');
  const { join } = modules('node:path');
  const { spawn } = modules('node:child_process');
  rejectExtraArgument(arguments[1], 'startBroker(options)');
  checkBrokerOptions(options);
  const file = findServer();
  const { host = '127.0.0.1', tls, webSocket } = options;
  const folder = writeConfig(options);
  const config = join(folder, CONFIG);

  // nats-server gets a process group of its own, so an interrupt at the terminal reaches only this process.
  // This process can then close the broker in an orderly way.
  const server = spawn(file, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  // The guard is a shell that waits until its standard input closes, which happens even if this process is
  // killed. It then kills nats-server and removes the folder.
  const guard =
    process.platform === 'win32' || server.pid === undefined
      ? undefined
      : spawn('/bin/sh', ['-c', 'read nothing; kill -9 "$0"; rm -rf "$1"', String(server.pid), folder], {
          stdio: ['pipe', 'ignore', 'ignore'],
          detached: true,
        });
  // If the guard cannot start, nats-server still ends when this process exits, but not when this process is
  // killed.
  guard?.on('error', () => {});
  let log = '';
  let isClosing = false;
  let hasEnded = false;
  server.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4096);
  });
  const endNow = (): void => {
    server.kill('SIGKILL');
  };
  process.on('exit', endNow);
  const closed = new Promise<Error | undefined>(resolve => {
    const onEnd = (outcome: string): void => {
      if (hasEnded) return;
      hasEnded = true;
      process.off('exit', endNow);
      // The guard is killed, so that it cannot kill a later process that has the same process id.
      guard?.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
      resolve(
        isClosing
          ? undefined
          : new ClusterError(`nats-server ended: ${reasonIn(log) ?? outcome}`, fixFor(log)),
      );
    };
    server.on('error', error => onEnd(error.message));
    // Waits for 'close' instead of 'exit', because the last output of nats-server may arrive after 'exit'.
    server.on('close', (code, signal) => onEnd(signal ? `by ${signal}` : `with exit code ${code}`));
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    server.kill('SIGTERM');
    const timer = setTimeout(endNow, END_MILLISECONDS);
    await closed;
    clearTimeout(timer);
  };

  const ports = await waitForPorts(join(folder, `nats-server_${server.pid}.ports`), closed, close);
  const address = (name: string): string =>
    name === '0.0.0.0' ? '127.0.0.1' : name === '::' ? '[::1]' : hostInUrl(name);
  const webSocketHost = typeof webSocket === 'object' ? (webSocket.host ?? host) : host;
  return {
    url: `nats://${address(host)}:${portOf(ports.nats[0])}`,
    webSocketUrl:
      ports.websocket?.[0] &&
      `${tls ? 'wss' : 'ws'}://${address(webSocketHost)}:${portOf(ports.websocket[0])}`,
    pid: server.pid!,
    notes:
      tls || (isLoopback(host) && isLoopback(webSocketHost))
        ? []
        : ['Traffic is not encrypted: anyone on the network can read credentials and data. Set tls.'],
    closed,
    close,
  };
}

/**
 * Writes the configuration of nats-server to a new folder, and returns the folder.
 * @throws CollisionError 'Cluster' if the file system fails
 */
function writeConfig(options: BrokerOptions): string {
  const modules = nodeModuleLoader('a broker');
  const { mkdtempSync, rmSync, writeFileSync } = modules('node:fs');
  const { join } = modules('node:path');
  const parent = modules('node:os').tmpdir();
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(parent, 'pfront-broker-'));
    writeFileSync(join(folder, CONFIG), brokerConfig(options, folder), { mode: 0o600 });
    return folder;
  } catch (error) {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    if (!(error as NodeJS.ErrnoException).syscall) throw error;
    throw new ClusterError(
      `the configuration of nats-server cannot be written to ${parent} (${(error as Error).message.split(',')[0]})`,
      'free space there, or set TMPDIR to a folder that is writable and has space',
    );
  }
}

/** Finds nats-server on PATH and in the usual folders. */
function findServer(): string {
  const { existsSync } = nodeModuleLoader('a broker')('node:fs');
  const { join, delimiter } = nodeModuleLoader('a broker')('node:path');
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter).filter(folder => folder !== ''),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/local/bin',
    '/usr/bin',
  ];
  const file = folders
    .flatMap(folder => [join(folder, 'nats-server'), join(folder, 'nats-server.exe')])
    .find(name => existsSync(name));
  if (!file)
    throw new ClusterError(
      'nats-server is not installed',
      'install it (Debian: apt-get install nats-server; others: https://nats.io/download), or connect to a broker that runs elsewhere',
    );
  return file;
}

interface Ports {
  nats: string[];
  websocket?: string[];
}

const portOf = (url: string): string => /:(\d+)$/.exec(url)![1];

async function waitForPorts(
  file: string,
  closed: Promise<Error | undefined>,
  close: () => Promise<void>,
): Promise<Ports> {
  const { readFileSync } = nodeModuleLoader('a broker')('node:fs');
  const giveUpAt = performance.now() + START_MILLISECONDS;
  for (;;) {
    const reason = await Promise.race([closed, sleep(10).then(() => 'waiting' as const)]);
    if (reason !== 'waiting') throw reason;
    try {
      const ports = JSON.parse(readFileSync(file, 'utf8')) as Ports;
      if (ports.nats?.length > 0) return ports;
    } catch {
      /* The file is not written yet, or only in part. */
    }
    if (performance.now() > giveUpAt) {
      await close();
      throw new ClusterError(
        `nats-server did not listen within ${START_MILLISECONDS / 1000} s`,
        'the machine may be overloaded: try again, or start the broker by hand and pass its address',
      );
    }
  }
}

// Returns the reason for which nats-server ended, as given in its log; undefined if the log gives no reason.
const reasonIn = (log: string): string | undefined => /(?:\[FTL\] |^nats-server: )(.*)$/m.exec(log)?.[1];

function fixFor(log: string): string {
  if (/address already in use/.test(log)) return 'use another port, or 0 for a free one';
  if (/permission denied/.test(log)) return 'use a port above 1023, or run with more privileges';
  if (/X509|certificate|private key/i.test(reasonIn(log) ?? ''))
    return 'check that the files of tls are PEM files, and that the key matches the certificate';
  return 'start the broker again';
}
