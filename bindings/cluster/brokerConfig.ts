// What a broker is to be like -> the text of nats-server's configuration; what would let strangers in is
// refused.
import {
  anyValue,
  checkOptions,
  checkValue,
  list,
  type OptionTable,
  object,
  text,
} from '../core/optionTable.js';
import { ClusterError } from './errors.js';

/** Files of TLS, in PEM. */
export interface BrokerTls {
  /** The broker's certificate. */
  certFile: string;
  /** Its private key. */
  keyFile: string;
  /** Authority of the nodes' certificates: with it every node must show one. Default: none is asked for. */
  caFile?: string;
}

/** A node that is known by name. */
export interface BrokerUser {
  /** Its name. */
  user: string;
  /** Its password. */
  pass: string;
}

/** A port for web pages. */
export interface BrokerWebSocket {
  /** Default 0: a free one. */
  port?: number;
  /** Address to listen on. Default: the broker's `host`. */
  host?: string;
  /** From where pages may come, 'https://host:port'. Default: from anywhere, which takes credentials. */
  origins?: readonly string[];
}

/** What the broker is to be like. */
export interface BrokerOptions {
  /** Default 0: a free one. */
  port?: number;
  /** Address to listen on. Default '127.0.0.1'; beyond this machine only with credentials. */
  host?: string;
  /** A secret that all nodes know. Not together with `users` and `nkeys`. */
  token?: string;
  /** Names and passwords of nodes. */
  users?: readonly BrokerUser[];
  /** Public nkeys of nodes, 'U…'. */
  nkeys?: readonly string[];
  /** Everything is encrypted. Default: nothing is. */
  tls?: BrokerTls;
  /** true: a free port beside the other. */
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
const USER: OptionTable<BrokerUser> = { user: text, pass: text };
const WEB_SOCKET: OptionTable<BrokerWebSocket> = { port: anyValue, host: text, origins: list };

/** Of one packet; more than this a message is cut. */
const PAYLOAD_BYTES = 1 << 20;
/**
 * What the broker holds for one node that is slower than its senders, bytes; beyond it the node is cut off,
 * and comes again.
 */
const PENDING_BYTES = 512 << 20;

const refuse = (message: string, fix: string): never => {
  throw new ClusterError(message, fix);
};

/** Whether only this machine reaches an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

// One that is missing is refused, too.
const checkText = (name: string, value: unknown): void => checkValue(name, value ?? null, text);

/**
 * @throws CollisionError 'Cluster' for settings that would let in whoever comes, and such as nats-server
 * would misread
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
  for (const [name, texts] of [
    ['nkeys', nkeys],
    ['webSocket.origins', typeof webSocket === 'object' ? (webSocket.origins ?? []) : []],
  ] as const)
    texts.forEach((value, i) => checkText(`${name}[${i}]`, value));
  for (const name of ['certFile', 'keyFile'] as const) if (tls) checkText(`tls.${name}`, tls[name]);
  const hasCredentials = token !== undefined || users.length + nkeys.length > 0;
  const page = typeof webSocket === 'object' ? webSocket : {};
  for (const address of [host, page.host ?? host]) {
    if (!/^[\w.:-]+$/.test(address))
      refuse(`the address '${address}'`, 'give a name or the numbers of an address of this machine');
    if (!hasCredentials && !isLoopback(address))
      refuse(
        `a broker on ${address} that takes whoever comes`,
        'give a token, users or nkeys; without them it listens on 127.0.0.1 only',
      );
  }
  for (const number of [port, page.port ?? 0])
    if (!(Number.isInteger(number) && number >= 0 && number < 65536))
      refuse(`the port ${number}`, 'give one from 1 to 65535, or 0 for a free one');
  if (webSocket && !hasCredentials && !page.origins?.length)
    refuse(
      'a port for pages that takes whoever comes: every page that this machine shows could join',
      'give a token, users or nkeys, or the origins of your pages',
    );
  if (token !== undefined && users.length + nkeys.length > 0)
    refuse('a token beside users or nkeys', 'give either');
  for (const text of [
    ...(token === undefined ? [] : [token]),
    ...users.flatMap(({ user, pass }) => [user, pass]),
  ]) {
    // What begins so, nats-server takes for a hash.
    if (!/^[\x20-\x7e]{1,256}$/.test(text) || text.startsWith('$2'))
      refuse(
        'a token, name or password that is empty, too long or has strange characters',
        'use 1 to 256 printable ASCII characters that do not begin with $2',
      );
  }
  for (const key of nkeys)
    if (!/^U[A-Z2-7]{55}$/.test(key))
      refuse(
        `the nkey '${key.slice(0, 4)}…'`,
        "give public keys of users, 'U' and 55 more characters; seeds stay with the nodes",
      );
}

/** Printable ASCII, as a text of nats-server's configuration. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const listen = (host: string, port: number): string => `host: ${quoted(host)}, port: ${port || -1}`;

/** The text of the configuration file; it holds the secrets. folder: where the broker tells its ports. */
export function brokerConfig(
  { host = '127.0.0.1', port = 0, token, users = [], nkeys = [], tls, webSocket }: BrokerOptions,
  folder: string,
): string {
  const page = typeof webSocket === 'object' ? webSocket : {};
  const accounts = [
    ...users.map(({ user, pass }) => `{ user: ${quoted(user)}, password: ${quoted(pass)} }`),
    ...nkeys.map(key => `{ nkey: ${quoted(key)} }`),
  ];
  const files =
    tls &&
    `tls { cert_file: ${quoted(tls.certFile)}, key_file: ${quoted(tls.keyFile)}, timeout: 10${tls.caFile === undefined ? '' : `, ca_file: ${quoted(tls.caFile)}, verify: true`} }`;
  return [
    listen(host, port).replace(', ', '\n'),
    `ports_file_dir: ${quoted(folder)}`,
    `max_payload: ${PAYLOAD_BYTES}`,
    `max_pending: ${PENDING_BYTES}`,
    // A node at work reads nothing for seconds.
    'write_deadline: "60s"',
    'ping_interval: "30s"',
    'ping_max: 4',
    ...(files ? [files] : []),
    ...(token !== undefined ? [`authorization { timeout: 10, token: ${quoted(token)} }`] : []),
    ...(accounts.length > 0 ? [`authorization { timeout: 10, users: [ ${accounts.join(', ')} ] }`] : []),
    // Browsers show no certificates of nodes: pages prove who they are by credentials.
    ...(webSocket
      ? [
          `websocket { ${listen(page.host ?? host, page.port ?? 0)}, ${files ? files.replace(/, ca_file.*verify: true/, '') : 'no_tls: true'}${page.origins?.length ? `, allowed_origins: [ ${page.origins.map(quoted).join(', ')} ]` : ''} }`,
        ]
      : []),
    '',
  ].join('\n');
}
