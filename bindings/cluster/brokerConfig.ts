// Converts the options of a broker to a configuration of nats-server, and rejects options that would admit
// clients on other machines, or pages of any origin, without credentials.
import {
  anyValue,
  checkOptions,
  checkValue,
  list,
  type OptionTable,
  object,
  oneOf,
  text,
} from '../core/checkOptions.js';
import { ClusterError } from './errors.js';
import { type BrokerRole, brokerRoles, ownerOf, subjectsOfRole } from './subjects.js';

/** Paths of the TLS files, which are in PEM format. */
export interface BrokerTls {
  /** The broker's certificate. */
  certFile: string;
  /** The private key of the broker's certificate. */
  keyFile: string;
  /**
   * The certificate of the authority that signs the certificates of clients. If set, every client must present
   * a certificate that this authority signed, except clients of the WebSocket port. Default: no client needs a
   * certificate.
   */
  caFile?: string;
}

/** A client that authenticates with a name and a password. */
export interface BrokerUser {
  /** The name of the client. */
  user: string;
  /** The password of the client. */
  pass: string;
  /**
   * What the client may do. 'node': run tasks, and take part in swarms. 'caller': submit jobs, and run swarms.
   * 'observer': see which nodes there are. 'operator': see the nodes and end all of them. A client with a role
   * does not receive messages to the processes of other clients. Default: everything.
   */
  role?: BrokerRole;
}

/** A client that authenticates with an nkey. */
export interface BrokerNkey {
  /** The public key of the client, 'U…'. */
  key: string;
  /** What the client may do; see `BrokerUser`. Default: everything. */
  role?: BrokerRole;
}

/** The WebSocket port for web pages. */
export interface BrokerWebSocket {
  /** The port to listen on. Default 0: a free port. */
  port?: number;
  /** The address to listen on. Default: the broker's `host`. */
  host?: string;
  /**
   * The origins from which pages may connect, 'https://host:port'. Default: pages of any origin may connect,
   * which is allowed only if `token`, `users` or `nkeys` is set.
   */
  origins?: readonly string[];
}

/** Options of `startBroker`. */
export interface BrokerOptions {
  /** The port to listen on. Default 0: a free port. */
  port?: number;
  /**
   * The address to listen on. Default '127.0.0.1'. An address that is not a loopback address requires
   * credentials.
   */
  host?: string;
  /**
   * A secret that all clients share. Every client may do everything. Cannot be combined with `users` or
   * `nkeys`.
   */
  token?: string;
  /** Names and passwords of clients. */
  users?: readonly BrokerUser[];
  /** Public nkeys of clients, 'U…', each with or without a role. A client without a role may do everything. */
  nkeys?: readonly (string | BrokerNkey)[];
  /** The certificate files. If set, all traffic is encrypted. Default: no traffic is encrypted. */
  tls?: BrokerTls;
  /** A second port, for web pages; true: a free port. */
  webSocket?: true | BrokerWebSocket;
}

const BROKER: OptionTable<BrokerOptions> = {
  port: anyValue,
  host: text,
  token: text,
  users: list,
  nkeys: list,
  tls: object,
  webSocket: value => value !== true && object(value) && 'true or { port, host, origins }',
};
const TLS: OptionTable<BrokerTls> = { certFile: text, keyFile: text, caFile: text };
const ROLE = oneOf(...brokerRoles);
const USER: OptionTable<BrokerUser> = { user: text, pass: text, role: ROLE };
const NKEY: OptionTable<BrokerNkey> = { key: text, role: ROLE };
const WEB_SOCKET: OptionTable<BrokerWebSocket> = { port: anyValue, host: text, origins: list };

/** The maximum size of a packet, in bytes. Larger messages of pfront are split into several packets. */
const PAYLOAD_BYTES = 1 << 20;
/**
 * The maximum number of bytes that the broker buffers for a node that reads messages more slowly than they
 * arrive. If more bytes are waiting, the broker disconnects the node, which then connects again.
 */
const PENDING_BYTES = 512 << 20;

const refuse = (message: string, fix: string): never => {
  throw new ClusterError(message, fix);
};

/** Returns whether an address is reachable from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Returns a host name or an IP address as it is written in a URL: an IPv6 address in brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

// Checks that a value is a string, and also rejects a missing value.
const checkText = (name: string, value: unknown): void => checkValue(name, value ?? null, text);

/**
 * Checks the options of a broker.
 * @throws CollisionError 'Cluster' for options that would admit clients on other machines, or pages of any
 * origin, without credentials, and for values that nats-server would misread; Unsupported for unknown options
 * and for values of a wrong type
 */
export function checkBrokerOptions(options: BrokerOptions): void {
  checkOptions(BROKER, options);
  const { host = '127.0.0.1', port = 0, token, users = [], nkeys = [], tls, webSocket } = options;
  if (tls !== undefined) checkOptions(TLS, tls, 'tls');
  if (typeof webSocket === 'object') checkOptions(WEB_SOCKET, webSocket, 'webSocket');
  users.forEach((user, i) => {
    checkOptions(USER, user, `users[${i}]`);
    for (const name of ['user', 'pass'] as const) checkText(`users[${i}].${name}`, user[name]);
  });
  nkeys.forEach((nkey, i) => {
    if (typeof nkey === 'object') checkOptions(NKEY, nkey, `nkeys[${i}]`);
  });
  for (const [name, texts] of [
    ['nkeys', nkeys.map(keyOf)],
    ['webSocket.origins', typeof webSocket === 'object' ? (webSocket.origins ?? []) : []],
  ] as const)
    texts.forEach((value, i) => checkText(`${name}[${i}]`, value));
  for (const name of ['certFile', 'keyFile'] as const) if (tls) checkText(`tls.${name}`, tls[name]);
  const hasCredentials = token !== undefined || users.length + nkeys.length > 0;
  const webSocketOptions = typeof webSocket === 'object' ? webSocket : {};
  for (const address of [host, webSocketOptions.host ?? host]) {
    if (!/^[\w.:-]+$/.test(address))
      refuse(
        `'${address}' is not a host name or an IP address`,
        'pass a host name or an IP address of this machine',
      );
    if (!hasCredentials && !isLoopback(address))
      refuse(
        `a broker on ${address} without credentials would accept any client`,
        'pass a token, users or nkeys; without them the broker may listen on 127.0.0.1 only',
      );
  }
  for (const number of [port, webSocketOptions.port ?? 0])
    if (!(Number.isInteger(number) && number >= 0 && number < 65536))
      refuse(
        `port ${number} is not a whole number from 0 to 65535`,
        'pass a port from 1 to 65535, or 0 for a free one',
      );
  if (webSocket && !hasCredentials && !webSocketOptions.origins?.length)
    refuse(
      'webSocket without credentials or origins would accept every page that a browser on this machine opens',
      'pass a token, users or nkeys, or the origins of your pages',
    );
  if (token !== undefined && users.length + nkeys.length > 0)
    refuse('token cannot be combined with users or nkeys', 'omit token, or omit users and nkeys');
  for (const text of [
    ...(token === undefined ? [] : [token]),
    ...users.flatMap(({ user, pass }) => [user, pass]),
  ]) {
    // nats-server interprets a value that begins with $2 as a bcrypt hash.
    if (!/^[\x20-\x7e]{1,256}$/.test(text) || text.startsWith('$2'))
      refuse(
        'a token, user name or password is empty, is longer than 256 characters, begins with $2 or has a character that is not printable ASCII',
        'use 1 to 256 printable ASCII characters that do not begin with $2',
      );
  }
  for (const key of nkeys.map(keyOf))
    if (!/^U[A-Z2-7]{55}$/.test(key))
      refuse(
        `nkey '${key.slice(0, 4)}…' is not the public key of a user`,
        "pass public keys of users: 'U' and 55 more characters; seeds stay with the nodes",
      );
  // The subjects of a client contain its number (see ownerOf). Two clients with equal numbers receive each
  // other's messages, so such clients are rejected if at least one of them has a role.
  const known = new Map<number, { name: string; hasRole: boolean }>();
  for (const { name, hasRole } of [
    ...users.map(({ user, role }) => ({ name: user, hasRole: role !== undefined })),
    ...nkeys.map(nkey => ({
      name: keyOf(nkey),
      hasRole: typeof nkey === 'object' && nkey.role !== undefined,
    })),
  ]) {
    const other = known.get(ownerOf(name));
    if (other && other.name !== name && (hasRole || other.hasRole))
      refuse(
        `'${other.name}' and '${name}' would receive each other's messages, because both have the number ${ownerOf(name)}`,
        'replace one of them by another nkey or user name',
      );
    known.set(ownerOf(name), { name, hasRole: hasRole || other?.hasRole === true });
  }
}

function keyOf(nkey: string | BrokerNkey): string {
  return typeof nkey === 'object' && nkey !== null ? nkey.key : nkey;
}

// A client without a role has all permissions.
function permissionsText(role: BrokerRole | undefined, name: string): string {
  if (role === undefined) return '';
  const { publish, subscribe } = subjectsOfRole(role, ownerOf(name));
  const listed = (subjects: readonly string[]): string =>
    subjects.length === 0 ? '{ deny: ">" }' : `{ allow: [ ${subjects.map(quoted).join(', ')} ] }`;
  return `, permissions: { publish: ${listed(publish)}, subscribe: ${listed(subscribe)} }`;
}

/** Quotes text as a string in the syntax of nats-server's configuration. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const listenText = (host: string, port: number): string => `host: ${quoted(host)}, port: ${port || -1}`;

/**
 * Returns the text of the configuration file, which contains the secrets. folder: the folder in which the
 * broker writes a file that lists its ports.
 */
export function brokerConfig(
  { host = '127.0.0.1', port = 0, token, users = [], nkeys = [], tls, webSocket }: BrokerOptions,
  folder: string,
): string {
  const webSocketOptions = typeof webSocket === 'object' ? webSocket : {};
  const accounts = [
    ...users.map(
      ({ user, pass, role }) =>
        `{ user: ${quoted(user)}, password: ${quoted(pass)}${permissionsText(role, user)} }`,
    ),
    ...nkeys.map(
      nkey =>
        `{ nkey: ${quoted(keyOf(nkey))}${permissionsText(typeof nkey === 'object' ? nkey.role : undefined, keyOf(nkey))} }`,
    ),
  ];
  const tlsBlock =
    tls &&
    `tls { cert_file: ${quoted(tls.certFile)}, key_file: ${quoted(tls.keyFile)}, timeout: 10${tls.caFile === undefined ? '' : `, ca_file: ${quoted(tls.caFile)}, verify: true`} }`;
  return [
    listenText(host, port).replace(', ', '\n'),
    `ports_file_dir: ${quoted(folder)}`,
    `max_payload: ${PAYLOAD_BYTES}`,
    `max_pending: ${PENDING_BYTES}`,
    // The deadline is long, because a node that is computing may read nothing for several seconds.
    'write_deadline: "60s"',
    'ping_interval: "30s"',
    'ping_max: 4',
    ...(tlsBlock ? [tlsBlock] : []),
    ...(token !== undefined ? [`authorization { timeout: 10, token: ${quoted(token)} }`] : []),
    ...(accounts.length > 0 ? [`authorization { timeout: 10, users: [ ${accounts.join(', ')} ] }`] : []),
    // Browsers have no client certificates, so the WebSocket port requires none: pages authenticate with
    // credentials.
    ...(webSocket
      ? [
          `websocket { ${listenText(webSocketOptions.host ?? host, webSocketOptions.port ?? 0)}, ${tlsBlock ? tlsBlock.replace(/, ca_file.*verify: true/, '') : 'no_tls: true'}${webSocketOptions.origins?.length ? `, allowed_origins: [ ${webSocketOptions.origins.map(quoted).join(', ')} ]` : ''} }`,
        ]
      : []),
    '',
  ].join('\n');
}
