// Builds the options of the message broker that `pfront cluster up` starts. If no credentials are given, new
// ones are made.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type BrokerNkey, type BrokerOptions, hostInUrl } from '../../cluster/brokerConfig.js';
import { type CredentialFiles, readCredentials } from '../../cluster/credentials.js';
import { brokerRoles } from '../../cluster/subjects.js';
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
 * Reads the options of the broker. If no credentials are given, makes new ones, so that the broker never
 * accepts clients without credentials. Throws UsageError if the broker could not listen at the address, if
 * only one of the TLS certificate and its key is given, or if the file of nkeys cannot be read or has an
 * unknown role. Throws CollisionError 'Cluster' if another file cannot be read.
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
  if (webPort === port)
    throw new UsageError(
      `--port and --web-port are both ${port}, but must differ`,
      `Write --web-port ${nextPort(port)}, or another port.`,
    );
  await checkPort('--port', host, port);
  if (webPort !== undefined) await checkPort('--web-port', host, webPort);
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

// Reads one public key per line. A role after the key limits what the client may do.
function readNkeys(file: string): BrokerNkey[] {
  return readText(file)
    .split('\n')
    .flatMap((line, i) => {
      const [key, ...roles] = line
        .replace(/#.*/, '')
        .split(/\s+/)
        .filter(word => word !== '');
      if (key === undefined) return [];
      if (roles.length === 0) return [{ key }];
      const role = brokerRoles.find(name => name === roles.join(' '));
      if (!role)
        throw new UsageError(
          `--nkeys ${file}: line ${i + 1} has the role "${roles.join(' ')}", not one of ${brokerRoles.join(', ')}`,
          'Correct the role, or write no role after the key.',
        );
      return [{ key, role }];
    });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `--nkeys ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`,
      'Name a file with one public key per line.',
    );
  }
}

const nextPort = (port: number): number => (port === 65535 ? port - 1 : port + 1);

// Throws UsageError unless this process can listen on the port. The error names the option to change, which an
// error of nats-server would not do.
function checkPort(option: '--port' | '--web-port', host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE')
        reject(
          new UsageError(
            `port ${port} of ${host} is in use`,
            `Write ${option} ${nextPort(port)}${option === '--port' ? `, or --servers nats://${hostInUrl(host)}:${port} if a broker already runs there` : ''}.`,
          ),
        );
      else if (code === 'EACCES')
        reject(
          new UsageError(
            `port ${port} requires more privileges than this user has`,
            `Write ${option} ${option === '--port' ? 4222 : 8080}, or another port above 1023.`,
          ),
        );
      else
        reject(
          new UsageError(
            `cannot listen on ${host}: ${message}`,
            'Pass an address of this machine with --host.',
          ),
        );
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

/**
 * Returns the addresses, as they are written in URLs, at which other machines can reach a broker that listens
 * on `host`. If `host` is 0.0.0.0 or ::, which stand for all addresses of this machine, returns all IPv4
 * addresses of this machine except loopback addresses, or 127.0.0.1 if it has only loopback addresses. For any
 * other `host`, returns only `host`.
 */
export function addressesOf(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [hostInUrl(host)];
  const others = Object.values(networkInterfaces()).flatMap(all =>
    (all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address),
  );
  return others.length > 0 ? others : ['127.0.0.1'];
}
