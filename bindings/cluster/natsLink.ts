// Implements `Link`, the transport between cluster nodes, over a NATS broker. This is the only module that
// imports NATS's client packages.
import type { ConnectionOptions, NatsConnection } from '@nats-io/nats-core';
import {
  anyValue,
  callback,
  checkOptions,
  copyOptions,
  nonNegative,
  type OptionTable,
  object,
  rejectExtraArgument,
} from '../core/checkOptions.js';
import { withTimeout } from '../core/withTimeout.js';
import { ClusterError } from './errors.js';
import { checkPacket, deliverPacket, type Link } from './link.js';
import { MAX_MESSAGE_BYTES } from './messageAssembler.js';
import { isNode } from './nodeModules.js';
import { Outbox } from './outbox.js';
import { sleep } from './promises.js';
import { ownerOf } from './subjects.js';

/**
 * The state of a link. 'full': packets are dropped, because too many bytes are unsent or unconfirmed.
 * 'refused': the credentials lack the permission for a subject; the link then ends.
 */
export type LinkState = 'connected' | 'reconnecting' | 'full' | 'refused' | 'closed';

/** Certificate files, in PEM format. */
export interface NatsTls {
  /**
   * Path of the certificate of the authority that signed the broker's certificate. Default: the system's
   * authorities.
   */
  caFile?: string;
  /** Path of the certificate of this client, if the broker requires one. */
  certFile?: string;
  /** Path of the private key of `certFile`. */
  keyFile?: string;
}

/** Options of `connectNats`: addresses, credentials and limits. All are optional. */
export interface NatsOptions {
  /**
   * Address of the broker: 'nats://host:4222', or, in web pages, 'wss://host:443'. If several brokers form a
   * NATS cluster, pass a list of their addresses. Default 'nats://127.0.0.1:4222'.
   */
  servers?: string | string[];
  /** A secret that all nodes know. */
  token?: string;
  /** A user name, together with `pass`. */
  user?: string;
  /** The password of `user`. */
  pass?: string;
  /** The seed of an nkey, 'SU…'. The broker knows the public key and never sees the seed. */
  nkeySeed?: string;
  /**
   * Certificate files in PEM format; true: TLS with the system's authorities. Node only; pages use 'wss:'.
   */
  tls?: true | NatsTls;
  /** The name of this connection in the broker's monitoring tools. */
  name?: string;
  /**
   * How long to retry connecting, in milliseconds. Default 0: a failed attempt is not retried. An attempt that
   * times out is always retried, for at least 6 s.
   */
  patience?: number;
  /**
   * Maximum number of bytes that are not sent yet, or that the broker has not confirmed yet. Further packets
   * are dropped. Pass at least 2 MiB, because a confirmation is requested only once per MiB. Default 512 MiB.
   */
  unsentBytes?: number;
  /** Called at every change of state, with a description. */
  onState?: (state: LinkState, what: string) => void;
}

const TLS: OptionTable<NatsTls> = { caFile: anyValue, certFile: anyValue, keyFile: anyValue };
const NATS: OptionTable<NatsOptions> = {
  servers: anyValue,
  token: anyValue,
  user: anyValue,
  pass: anyValue,
  nkeySeed: anyValue,
  tls: value => value !== true && object(value) && 'true or { caFile, certFile, keyFile }',
  name: anyValue,
  patience: nonNegative,
  unsentBytes: nonNegative,
  onState: callback,
};

const PACKET_BYTES = 1 << 20;
/** The default of `unsentBytes`: two messages of the maximum size. */
const UNSENT_BYTES = 2 * MAX_MESSAGE_BYTES;
const RETRY_MILLISECONDS = 250;
const FLUSH_MILLISECONDS = 10_000;
const CLOSE_MILLISECONDS = 800;
/**
 * The timeout of an attempt to connect. If the server rejects this client's certificate, or if the connection
 * breaks during the handshake, no reply arrives, and only the timeout detects the failure.
 */
const CONNECT_MILLISECONDS = 1500;
/**
 * The interval between pings. If the broker does not answer them, it is presumed dead after three intervals.
 */
const PING_MILLISECONDS = 5000;
const PACKAGES = { core: '@nats-io/nats-core', node: '@nats-io/transport-node' };

/**
 * Connects to a broker. If the connection breaks, the link tries to reconnect until it is closed.
 * @throws Unsupported for invalid options; CollisionError 'Cluster' if no broker answers, if the broker rejects
 * the credentials, or if NATS's client is not installed
 */
export async function connectNats(given: NatsOptions = {}): Promise<Link> {
  rejectExtraArgument(arguments[1], 'connectNats(options)');
  const options = copyOptions(NATS, given);
  if (typeof options.tls === 'object') checkOptions(TLS, options.tls, 'tls');
  const { onState = () => {}, unsentBytes = UNSENT_BYTES } = options;
  const connection = await openConnection(options);
  const clientName = (await publicKeyOf(options.nkeySeed)) ?? options.user;
  const outbox = new Outbox(
    { send: (subject, data) => connection.publish(subject, data), confirm: () => connection.flush() },
    unsentBytes,
    what => onState('full', what),
  );
  let packetBytes = PACKET_BYTES;
  let refusal: Error | undefined;
  const updatePacketBytes = (): void => {
    packetBytes = Math.min(PACKET_BYTES, connection.info?.max_payload ?? packetBytes);
  };
  const refuse = (error: Error): void => {
    refusal ??= new ClusterError(
      `the broker rejected this client: ${error.message}`,
      "use credentials with the role for this task, or give this user the missing permission in the broker's configuration",
    );
    onState('refused', error.message);
    void connection.close();
  };
  updatePacketBytes();

  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        outbox.pause();
        onState('reconnecting', `no connection to ${status.server}`);
      } else if (status.type === 'reconnect') {
        updatePacketBytes();
        onState('connected', `reconnected to ${status.server}`);
        outbox.resume();
      } else if (status.type === 'error' && status.error.name === 'PermissionViolationError')
        refuse(status.error);
    }
  })();
  const closed = connection.closed().then(error => {
    const reason =
      refusal ??
      (error
        ? new ClusterError(
            `the link was closed: ${(error as Error).message}`,
            isRefusal(error as Error) ? 'pass the credentials that the broker requires' : 'connect again',
          )
        : undefined);
    outbox.clear();
    onState('closed', reason?.message ?? 'closed');
    return reason;
  });
  onState('connected', `connected to ${connection.getServer()}`);

  const flush = async (milliseconds: number): Promise<void> => {
    const endsAt = performance.now() + milliseconds;
    // A flush fails if the connection breaks before the broker confirms it. It is then repeated on the next
    // connection.
    for (let left = milliseconds; left > 0 && !connection.isClosed(); left = endsAt - performance.now()) {
      if (
        !outbox.isPaused &&
        (await withTimeout(
          connection.flush().then(
            () => true,
            () => false,
          ),
          left,
        ))
      )
        return;
      await sleep(Math.min(20, left));
    }
    throw new ClusterError(
      connection.isClosed()
        ? 'the link is closed'
        : `the broker did not confirm the messages within ${milliseconds / 1000} s`,
      'check that the broker runs and that this machine can reach it',
    );
  };
  return {
    get packetBytes() {
      return packetBytes;
    },
    ...(clientName === undefined ? {} : { owner: ownerOf(clientName) }),
    closed,
    publish(subject, data) {
      checkPacket(data, packetBytes);
      if (!connection.isClosed()) outbox.publish(subject, data);
    },
    subscribe(subject, onPacket, { queue } = {}) {
      const subscription = connection.subscribe(subject, {
        ...(queue === undefined ? {} : { queue }),
        callback: (error, message) => {
          if (error) return void refuse(error);
          // An exception thrown here would silently stop the NATS library from reading further messages.
          deliverPacket(onPacket, { subject: message.subject, data: message.data });
        },
      });
      return () => {
        if (!connection.isClosed()) subscription.unsubscribe();
      };
    },
    flush: (patience = FLUSH_MILLISECONDS) => flush(patience),
    async close() {
      if (!connection.isClosed() && !outbox.isPaused) await flush(CLOSE_MILLISECONDS).catch(() => {});
      await withTimeout(connection.close(), CLOSE_MILLISECONDS);
    },
  };
}

const isRefusal = ({ name }: Error): boolean =>
  name === 'AuthorizationError' || name === 'UserAuthenticationExpiredError';

async function openConnection({
  nkeySeed,
  tls,
  servers = 'nats://127.0.0.1:4222',
  token,
  user,
  pass,
  name,
  patience = 0,
}: NatsOptions): Promise<NatsConnection> {
  const now = performance.now();
  const endsAt = now + patience;
  const slowEndsAt = now + Math.max(patience, 4 * CONNECT_MILLISECONDS);
  const { nkeyAuthenticator, connect } = await loadClients();
  const settings: ConnectionOptions = {
    servers,
    token,
    user,
    pass,
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MILLISECONDS,
    pingInterval: PING_MILLISECONDS,
    timeout: CONNECT_MILLISECONDS,
    ...(tls === undefined ? {} : { tls: tls === true ? {} : tls }),
    ...(nkeySeed === undefined
      ? {}
      : { authenticator: nkeyAuthenticator(new TextEncoder().encode(nkeySeed)) }),
  };
  for (;;) {
    try {
      return await connect(settings);
    } catch (error) {
      // A timeout may only mean that the broker is busy, so connecting is retried for longer after a timeout.
      if (
        performance.now() < ((error as Error).name === 'TimeoutError' ? slowEndsAt : endsAt) &&
        !isRefusal(error as Error)
      )
        await sleep(RETRY_MILLISECONDS);
      else
        throw new ClusterError(
          `no connection to ${addresses(servers)}: ${(error as Error).message || 'connection refused'}`,
          fixFor(error as Error),
        );
    }
  }
}

/** Returns addresses as text, without the user information before the last '@', which is secret. */
const addresses = (servers: string | string[]): string =>
  [servers]
    .flat()
    .map(server => server.replace(/^([a-z]*:\/\/)?.*@/i, '$1'))
    .join(', ');

function fixFor(error: Error): string {
  if (isRefusal(error)) return 'pass the credentials that the broker requires';
  if (/certificate|tls|ssl/i.test(error.message))
    return "pass tls with the authority of the broker's certificate and, if the broker requires it, a client certificate";
  if (error.name === 'TimeoutError')
    return 'check that a broker listens there, and whether it requires client certificates (tls)';
  return 'start a broker (pfront cluster up, or nats-server), and pass its address and credentials';
}

interface NatsClients {
  connect(options: ConnectionOptions): Promise<NatsConnection>;
  nkeyAuthenticator: typeof import('@nats-io/nats-core').nkeyAuthenticator;
  makeKey: () => { getSeed(): Uint8Array; getPublicKey(): string };
  keyFrom: (seed: Uint8Array) => { getPublicKey(): string };
}

async function loadClients(): Promise<NatsClients> {
  try {
    const { nkeyAuthenticator, nkeys, wsconnect } = await import('@nats-io/nats-core');
    const keys = {
      makeKey: (): ReturnType<NatsClients['makeKey']> => nkeys.createUser(),
      keyFrom: (seed: Uint8Array): ReturnType<NatsClients['keyFrom']> => nkeys.fromSeed(seed),
    };
    if (!isNode) return { nkeyAuthenticator, ...keys, connect: wsconnect };
    // The package name is not a literal, so that bundlers for pages do not include the package.
    const { connect } = (await import(
      /* @vite-ignore */ /* webpackIgnore: true */ PACKAGES.node
    )) as typeof import('@nats-io/transport-node');
    return { nkeyAuthenticator, ...keys, connect };
  } catch (error) {
    throw new ClusterError(
      `the NATS client cannot be loaded: ${(error as Error).message}`,
      `run npm install ${PACKAGES.core} ${PACKAGES.node}`,
    );
  }
}

// Returns the public key of a seed; undefined if there is no seed or it is invalid. An invalid seed is no error
// here, because a broker that requires no credentials accepts the connection anyway.
async function publicKeyOf(nkeySeed: string | undefined): Promise<string | undefined> {
  if (nkeySeed === undefined) return undefined;
  const { keyFrom } = await loadClients();
  try {
    return keyFrom(new TextEncoder().encode(nkeySeed)).getPublicKey();
  } catch {
    return undefined;
  }
}

/** An nkey: a pair of Ed25519 keys for authentication. */
export interface Nkey {
  /** The secret seed of the node, 'SU…'. */
  seed: string;
  /** The public key, 'U…', which the broker must know. */
  publicKey: string;
}

/**
 * Generates an nkey. Pass the seed, which is the node's secret, to `connectNats`, and the public key to
 * `startBroker`.
 * @throws CollisionError 'Cluster' if NATS's client is not installed
 */
export async function makeNkey(): Promise<Nkey> {
  const key = (await loadClients()).makeKey();
  return { seed: new TextDecoder().decode(key.getSeed()), publicKey: key.getPublicKey() };
}
