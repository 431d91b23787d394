// Builds the broker options of `pfront cluster up`. Without credentials, it rejects every address except
// loopback ones.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type BrokerOptions, isLoopback } from '../../cluster/brokerConfig.js';
import { type CredentialFiles, readCredentials } from '../../cluster/credentials.js';
import { UsageError } from '../usageError.js';

export interface BrokerSettings {
  host: string;
  port: number;
  files: CredentialFiles;
  nkeysFile: string | undefined;
  /** The WebSocket port for web pages. */
  webPort: number | undefined;
}

/**
 * Reads the options of the broker. Throws UsageError if the broker would accept any client from other
 * machines, if it cannot listen at the address, if only one of the certificate and key files is given, or if
 * the file of nkeys cannot be read. Throws CollisionError 'Cluster' for other files that cannot be read.
 */
export async function readBroker({
  host,
  port,
  files,
  nkeysFile,
  webPort,
}: BrokerSettings): Promise<BrokerOptions> {
  const { token, user, pass } = readCredentials(files);
  const { 'cert-file': certFile, 'key-file': keyFile } = files;
  const nkeys = nkeysFile === undefined ? [] : readNkeys(nkeysFile);
  const users = user !== undefined && pass !== undefined ? [{ user, pass }] : [];
  if (!isLoopback(host) && token === undefined && users.length === 0 && nkeys.length === 0) {
    throw new UsageError(
      `--host ${host} would accept any client that can reach it`,
      'Make a token: (umask 077; openssl rand -hex 24 > token), then add --token-file token, here and wherever nodes join.',
    );
  }
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageError(
      `--${certFile === undefined ? 'key-file' : 'cert-file'} requires --${certFile === undefined ? 'cert-file' : 'key-file'}`,
      'Give both options, or neither.',
    );
  await checkPort(host, port);
  if (webPort !== undefined) await checkPort(host, webPort);
  return {
    host,
    port,
    users,
    nkeys,
    ...(webPort === undefined ? {} : { webSocket: { port: webPort } }),
    ...(token === undefined ? {} : { token }),
    ...(certFile === undefined || keyFile === undefined ? {} : { tls: { certFile, keyFile } }),
  };
}

function readNkeys(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map(line => line.replace(/#.*/, '').trim())
      .filter(line => line !== '');
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
