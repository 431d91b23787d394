// Reads the credentials of a process from its environment variables and from files. Secrets are never read
// from the command line, because every user of the machine can see it.
import { readFileSync } from 'node:fs';
import { ClusterError } from './errors.js';
import type { NatsOptions } from './natsLink.js';

/** The command-line options that name credential files, in the format of node:util's parseArgs. */
export const credentialOptions = {
  'token-file': { type: 'string' },
  'nkey-file': { type: 'string' },
  'ca-file': { type: 'string' },
  'cert-file': { type: 'string' },
  'key-file': { type: 'string' },
} as const;

/** The path of each credential file, by command-line option. */
export type CredentialFiles = Partial<Record<keyof typeof credentialOptions, string | undefined>>;

export type Credentials = Pick<NatsOptions, 'token' | 'user' | 'pass' | 'nkeySeed' | 'tls'>;

/**
 * Reads credentials. A file takes precedence over an environment variable. @throws CollisionError 'Cluster' if
 * a file cannot be read, or if a file with a token or a seed is empty
 */
export function readCredentials(
  files: CredentialFiles,
  environment: NodeJS.ProcessEnv = process.env,
): Credentials {
  const { PFRONT_TOKEN, PFRONT_USER, PFRONT_PASSWORD, PFRONT_NKEY_SEED } = environment;
  const token = secretIn(files['token-file']) ?? nonEmpty(PFRONT_TOKEN);
  const nkeySeed = secretIn(files['nkey-file']) ?? nonEmpty(PFRONT_NKEY_SEED);
  const user = nonEmpty(PFRONT_USER);
  const pass = nonEmpty(PFRONT_PASSWORD);
  const tls = tlsOf(files);
  return {
    ...(token === undefined ? {} : { token }),
    ...(nkeySeed === undefined ? {} : { nkeySeed }),
    ...(user === undefined ? {} : { user }),
    ...(pass === undefined ? {} : { pass }),
    ...(tls === undefined ? {} : { tls }),
  };
}

function tlsOf(files: CredentialFiles): Exclude<NatsOptions['tls'], true> {
  const caFile = checkReadable(files['ca-file']);
  const certFile = checkReadable(files['cert-file']);
  const keyFile = checkReadable(files['key-file']);
  if (caFile === undefined && certFile === undefined && keyFile === undefined) return undefined;
  return {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
}

const nonEmpty = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : text;

function secretIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const secret = read(file).trim();
  if (secret === '')
    throw new ClusterError(`${file} is empty`, 'write the token or the nkey seed into it, and nothing else');
  return secret;
}

function checkReadable(file: string | undefined): string | undefined {
  if (file !== undefined) read(file);
  return file;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ClusterError(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
      'name a file that this user may read',
    );
  }
}
