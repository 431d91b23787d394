// Builds the broker options of `pfront cluster up`. If no credentials are given, it makes some.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { BrokerNkey, BrokerOptions } from '../../cluster/brokerConfig.js';
import { type CredentialFiles, readCredentials } from '../../cluster/credentials.js';
import type { BrokerRole } from '../../cluster/subjects.js';
import { UsageError } from '../usageError.js';
import { makeOwnCredentials, type OwnCredentials } from './ownCredentials.js';

export interface BrokerSettings {
  /** The name of the cluster. */
  cluster: string;
  host: string;
  port: number;
  files: CredentialFiles;
  nkeysFile: string | undefined;
  /** The WebSocket port for web pages. */
  webPort: number | undefined;
}

/**
 * Reads the options of the broker, and makes credentials if none are given: no broker accepts every client.
 * Throws UsageError if it cannot listen at the address, if only one of the certificate and key files is given,
 * or if the file of nkeys cannot be read. Throws CollisionError 'Cluster' for other files that cannot be read.
 */
export async function readBroker({
  cluster,
  host,
  port,
  files,
  nkeysFile,
  webPort,
}: BrokerSettings): Promise<{ options: BrokerOptions; own: OwnCredentials | undefined }> {
  const { token, user, pass } = readCredentials(files);
  const { 'cert-file': certFile, 'key-file': keyFile } = files;
  const nkeys = nkeysFile === undefined ? [] : readNkeys(nkeysFile);
  const users = user !== undefined && pass !== undefined ? [{ user, pass }] : [];
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageError(
      `--${certFile === undefined ? 'key-file' : 'cert-file'} requires --${certFile === undefined ? 'cert-file' : 'key-file'}`,
      'Give both options, or neither.',
    );
  await checkPort(host, port);
  if (webPort !== undefined) await checkPort(host, webPort);
  const hasCredentials = token !== undefined || users.length + nkeys.length > 0;
  const own = hasCredentials ? undefined : await makeOwnCredentials(cluster);
  const options = {
    host,
    port,
    users,
    nkeys: own?.nkeys ?? nkeys,
    ...(webPort === undefined ? {} : { webSocket: { port: webPort } }),
    ...(token === undefined ? {} : { token }),
    ...(certFile === undefined || keyFile === undefined ? {} : { tls: { certFile, keyFile } }),
  };
  return { options, own };
}

// Reads one public key per line, followed by a role if the client may not do everything.
function readNkeys(file: string): BrokerNkey[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map(line => line.replace(/#.*/, '').trim())
      .filter(line => line !== '')
      .map(line => {
        const [key, role] = line.split(/\s+/);
        return { key: key!, ...(role === undefined ? {} : { role: role as BrokerRole }) };
      });
  } catch (error) {
    throw new UsageError(
      `--nkeys ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`,
      'Name a file with one public key per line.',
    );
  }
}

// Checked here, because nats-server would fail only after the nodes have been started.
function checkPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE')
        reject(
          new UsageError(
            `port ${port} of ${host} is in use`,
            `Write --port ${port === 65535 ? port - 1 : port + 1}, or --servers nats://${host}:${port} if a broker already runs there.`,
          ),
        );
      else if (code === 'EACCES')
        reject(
          new UsageError(
            `port ${port} requires more privileges than this user has`,
            'Write --port 4222, or another one above 1023.',
          ),
        );
      else
        reject(
          new UsageError(
            `cannot listen on ${host}: ${message}`,
            'Give an address of this machine to --host.',
          ),
        );
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

/**
 * Returns the addresses at which other machines reach this one: `host`, an address of this machine. If `host`
 * is 0.0.0.0 or ::, returns all IPv4 addresses of this machine except loopback ones, or 127.0.0.1 if it has
 * no other.
 */
export function addressesOf(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host];
  const others = Object.values(networkInterfaces()).flatMap(all =>
    (all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address),
  );
  return others.length > 0 ? others : ['127.0.0.1'];
}
