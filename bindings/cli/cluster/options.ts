// Options that the commands of clusters share -> where the cluster is, and who we are to it.
import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type CredentialFiles, credentialOptions, readCredentials } from '../../cluster/credentials.js';
import type { Link } from '../../cluster/link.js';
import { connectNats } from '../../cluster/natsLink.js';
import { asUsageError, UsageError } from '../usageError.js';
import { type ClusterState, isAlive, readState, runningHere } from './stateFile.js';

export const NAME = 'pfront';
const text = { type: 'string' } as const;

/** Of every command that speaks to a cluster. */
export const placeOptions = {
  servers: text,
  cluster: text,
  ...credentialOptions,
  help: { type: 'boolean', short: 'h' },
} as const;

/** What the command line says of the place; files are absolute. */
export interface Place {
  cluster: string;
  servers: string[] | undefined;
  files: CredentialFiles;
}

type Given = Partial<Record<keyof typeof placeOptions, string | boolean | undefined>>;

/** command: whose help is named in errors. Throws UsageError. */
export function parse<const O extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: O,
  command: string,
): ReturnType<typeof parseArgs<{ args: string[]; allowPositionals: true; options: O }>> {
  try {
    return parseArgs<{ args: string[]; allowPositionals: true; options: O }>({
      args,
      allowPositionals: true,
      options,
    });
  } catch (error) {
    throw asUsageError(error, `See \`pfront cluster ${command} --help\`.`);
  }
}

export function readPlace(values: Given): Place {
  const cluster = (values.cluster as string | undefined) ?? NAME;
  if (!/^[\w-]{1,64}$/.test(cluster))
    throw new UsageError(
      `--cluster ${cluster} is not a name`,
      "Use letters, digits, '-' and '_', 64 at most.",
    );
  const servers = (values.servers as string | undefined)?.split(',').map(server => readServer(server.trim()));
  const files = Object.fromEntries(
    Object.keys(credentialOptions).flatMap(option => {
      const file = values[option as keyof Given] as string | undefined;
      return file === undefined ? [] : [[option, path.resolve(file)]];
    }),
  ) as CredentialFiles;
  return { cluster, servers, files };
}

function readServer(server: string): string {
  if (/^((nats|tls|ws|wss):\/\/)?[\w.:[\]-]+$/.test(server)) return server;
  throw new UsageError(
    `--servers ${server.replace(/\/\/.*@/, '//…@')} is not an address`,
    'Write --servers nats://host:4222; credentials go into files or the environment, see `pfront cluster up --help`.',
  );
}

export function readWhole(
  option: string,
  text: string | undefined,
  otherwise: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(
    `${option} ${text} is not a whole number from ${least} to ${most}`,
    `Write ${option} ${Math.min(most, Math.max(least, 4))}, or leave it out.`,
  );
}

/** Where nodes compute: as createEngine has it. Throws UsageError. */
export function readBackend(text = 'wasm'): string {
  if (['auto', 'wasm', 'webgpu'].includes(text)) return text;
  throw new UsageError(
    `--backend ${text} is none of auto, wasm and webgpu`,
    'Write --backend auto for a GPU where it is quicker, or leave it out.',
  );
}

/** The cluster that runs on this machine under this name. @throws UsageError where none does */
export function stateOf(cluster: string): ClusterState {
  const state = readState(cluster);
  if (state && isAlive(state.supervisor)) return state;
  const others = runningHere();
  throw new UsageError(
    state
      ? `cluster "${cluster}" was started here, but it runs no more`
      : `no cluster "${cluster}" runs on this machine`,
    others.length > 0
      ? `Write --cluster ${others.join(' or --cluster ')}, or --servers nats://host:4222.`
      : 'Start one with `pfront cluster up`, or write --servers nats://host:4222.',
  );
}

/** Where a place is: as the command line says, else as the cluster that runs here has it. */
export function located({ cluster, servers, files }: Place): {
  cluster: string;
  servers: string[];
  files: CredentialFiles;
} {
  if (servers) return { cluster, servers, files };
  const state = stateOf(cluster);
  return { cluster, servers: state.servers, files: { ...state.files, ...files } };
}

/** @throws CollisionError 'Cluster' where nothing answers there, or it lets us not in */
export function connect(
  { servers, files }: { servers: string[]; files: CredentialFiles },
  name: string,
): Promise<Link> {
  return connectNats({ servers, name, ...readCredentials(files) });
}

/** Resolves when this process is asked to end, by Ctrl+C or a signal. */
export function endingSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}
