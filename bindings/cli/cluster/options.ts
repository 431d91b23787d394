// Reads the options that the commands of `pfront cluster` share: the cluster, its broker and the credentials.
import path from 'node:path';
import { type CredentialFiles, credentialOptions, readCredentials } from '../../cluster/credentials.js';
import type { Link } from '../../cluster/link.js';
import { connectNats } from '../../cluster/natsLink.js';
import { type Options, type Parsed, parseArguments, withoutCredentials } from '../parseArguments.js';
import { UsageError } from '../usageError.js';
import type { FileRole } from './roleFiles.js';
import { type ClusterState, isAlive, readState, runningHere } from './stateFile.js';

export const NAME = 'pfront';
const text = { type: 'string' } as const;

/** Options of every command that connects to a cluster. */
export const addressOptions = {
  servers: text,
  cluster: text,
  ...credentialOptions,
  help: { type: 'boolean', short: 'h' },
} as const;

/** The cluster that the command line specifies. The paths of `files` are absolute. */
export interface ClusterAddress {
  cluster: string;
  servers: string[] | undefined;
  files: CredentialFiles;
}

type OptionValues = Partial<Record<keyof typeof addressOptions, string | boolean | undefined>>;

/** Parses arguments. command: the name of the command; errors refer to its help. Throws UsageError. */
export function parse<const O extends Options>(args: string[], options: O, command: string): Parsed<O> {
  return parseArguments(args, options, `See \`pfront cluster ${command} --help\`.`);
}

export function readAddress(values: OptionValues): ClusterAddress {
  const cluster = (values.cluster as string | undefined) ?? NAME;
  if (!/^[\w-]{1,64}$/.test(cluster))
    throw new UsageError(
      `--cluster ${cluster} is not a valid cluster name`,
      "Use 1 to 64 letters, digits, '-' and '_'.",
    );
  const servers = (values.servers as string | undefined)?.split(',').map(server => readServer(server.trim()));
  const files = Object.fromEntries(
    Object.keys(credentialOptions).flatMap(option => {
      const file = values[option as keyof OptionValues] as string | undefined;
      return file === undefined ? [] : [[option, path.resolve(file)]];
    }),
  ) as CredentialFiles;
  return { cluster, servers, files };
}

function readServer(server: string): string {
  if (/^((nats|tls|ws|wss):\/\/)?[\w.:[\]-]+$/.test(server)) return server;
  throw new UsageError(
    `--servers ${withoutCredentials(server)} is not an address`,
    'Write --servers nats://host:4222. Credentials go into files or environment variables; see `pfront cluster up --help`.',
  );
}

export function readInteger(
  option: string,
  text: string | undefined,
  fallback: number,
  min: number,
  max: number,
): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(
    `${option} ${text} is not a whole number from ${min} to ${max}`,
    `Write ${option} ${Math.min(max, Math.max(min, 4))}, or omit it.`,
  );
}

/** Reads `--backend`, which has the values of createEngine's option `backend`. Throws UsageError. */
export function readBackend(text = 'wasm'): string {
  if (['auto', 'wasm', 'webgpu'].includes(text)) return text;
  throw new UsageError(
    `--backend ${text} is not one of auto, wasm and webgpu`,
    'Write --backend auto to use a GPU where it is faster, or omit it.',
  );
}

/** Returns the state of the cluster with this name on this machine. @throws UsageError if none is running */
export function stateOf(cluster: string): ClusterState {
  const state = readState(cluster);
  if (state && isAlive(state.supervisor)) return state;
  const others = runningHere();
  throw new UsageError(
    state
      ? `cluster "${cluster}" was started here, but is no longer running`
      : `no cluster "${cluster}" runs on this machine`,
    others.length > 0
      ? `Write --cluster ${others.join(' or --cluster ')}, or --servers nats://host:4222.`
      : 'Start one with `pfront cluster up`, or write --servers nats://host:4222.',
  );
}

/**
 * Completes an address with data of the cluster that has this name and was started on this machine. If the
 * address names no servers, adds the servers and credential files of that cluster, and the nkey file that
 * `up` has made for the role. If the address names the servers of that cluster, adds only the nkey file.
 * Otherwise returns the address unchanged. An nkey file is not added to an address that has a token file or
 * an nkey file.
 * @param role - the role in which the command connects
 * @throws UsageError if the address names no servers and no cluster of this name runs on this machine
 */
export function completeAddress(
  { cluster, servers, files }: ClusterAddress,
  role: FileRole,
): {
  cluster: string;
  servers: string[];
  files: CredentialFiles;
} {
  const state = servers ? readState(cluster) : stateOf(cluster);
  if (!state || !isAlive(state.supervisor)) return { cluster, servers: servers!, files };
  if (servers && servers.join() !== state.servers.join()) return { cluster, servers, files };
  const hasOwn = files['token-file'] !== undefined || files['nkey-file'] !== undefined;
  const roleFile = state.roleFiles?.[role];
  return {
    cluster,
    servers: state.servers,
    files: {
      ...(servers ? {} : state.files),
      ...(roleFile === undefined || hasOwn ? {} : { 'nkey-file': roleFile }),
      ...files,
    },
  };
}

/**
 * Connects to a cluster.
 * @param name - the name of the connection in the broker's monitoring tools
 * @param nkeySeed - an nkey seed that is used instead of the one in `files`
 * @throws CollisionError 'Cluster' if no broker answers, or if the broker rejects the credentials
 */
export function connect(
  { servers, files }: { servers: string[]; files: CredentialFiles },
  name: string,
  nkeySeed?: string,
): Promise<Link> {
  return connectNats({
    servers,
    name,
    ...readCredentials(files),
    ...(nkeySeed === undefined ? {} : { nkeySeed }),
  });
}

/** Resolves when this process is told to end, by Ctrl+C or a signal. */
export function waitForEndSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}
