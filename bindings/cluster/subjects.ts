// Defines the subjects (the broker's names for channels) of all messages in a cluster, and which of them each
// kind of client may use. No other file defines subjects.
import { ClusterError } from './errors.js';
import type { Link } from './link.js';

/**
 * Returns the subjects of a cluster. @throws CollisionError 'Cluster' if the cluster's name is not 1 to 64
 * letters, digits, '-' and '_'
 */
export const subjectsOf = (cluster: string) => ({
  /** From coordinators of jobs to all nodes: a run needs nodes, or has ended. */
  open: `pfront.${checkClusterName(cluster)}.open`,
  /** From nodes to clients of every role: presence and load. */
  presence: `pfront.${cluster}.here`,
  /** To the processes of all nodes: a request to give back unfinished tasks, and to end. */
  leave: `pfront.${cluster}.leave`,
  /** From coordinators of swarms to all nodes: a swarm invites members. */
  swarms: `pfront.${cluster}.swarms`,
  /** To one member of a swarm, or to its coordinator. */
  member: (run: readonly [number, number], id: number) =>
    `pfront.${cluster}.swarm.${hex(run[0])}${hex(run[1])}.${idTokens(id)}`,
  /** From coordinators of jobs to one node. */
  node: (id: number) => `pfront.${cluster}.node.${idTokens(id)}`,
  /** From other nodes to one node: requests for fields of kept results, and the replies. */
  blocks: (id: number) => `pfront.${cluster}.blocks.${idTokens(id)}`,
  /** To the coordinator of a job or swarm. */
  run: (run: readonly [number, number]) => `pfront.${cluster}.run.${idTokens(run[0])}${hex(run[1])}`,
});

/** The kind of a broker's client; it decides which subjects the client may use. */
export type BrokerRole = 'node' | 'caller' | 'observer' | 'operator';
export const brokerRoles: readonly BrokerRole[] = ['node', 'caller', 'observer', 'operator'];

/**
 * Returns the subjects that a client with a role may publish and subscribe to, in every cluster of a broker.
 * A client may subscribe only to messages for all clients or all nodes, and to messages for its own processes
 * and runs. owner: the client's number (see ownerOf).
 */
export function subjectsOfRole(role: BrokerRole, owner: number): { publish: string[]; subscribe: string[] } {
  const own = `${ownerToken(owner)}.*`;
  const { publish, subscribe } = {
    node: {
      publish: ['here', 'run.*.*', 'blocks.*.*', 'swarm.*.*.*'],
      subscribe: ['here', 'open', 'leave', 'swarms', `node.${own}`, `blocks.${own}`, `swarm.*.${own}`],
    },
    caller: {
      publish: ['open', 'swarms', 'node.*.*', 'swarm.*.*.*'],
      subscribe: ['here', `run.${own}`, `swarm.*.${own}`],
    },
    observer: { publish: [], subscribe: ['here'] },
    operator: { publish: ['leave'], subscribe: ['here'] },
  }[role];
  const inEveryCluster = (subject: string): string => `pfront.*.${subject}`;
  return { publish: publish.map(inEveryCluster), subscribe: subscribe.map(inEveryCluster) };
}

/**
 * The owner of a process or run is the broker's client to which it belongs. The upper OWNER_BITS bits of the id
 * of the process or run are the number of the owner.
 */
const OWNER_BITS = 12;
const REST_BITS = 32 - OWNER_BITS;

/**
 * Returns the number of a client, computed from its user name or its public nkey. Two clients may have the
 * same number.
 */
export function ownerOf(name: string): number {
  // The 32-bit FNV-1a hash, folded to OWNER_BITS.
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return ((hash >>> REST_BITS) ^ (hash >>> (REST_BITS - OWNER_BITS)) ^ hash) & (2 ** OWNER_BITS - 1);
}

/**
 * Returns a random id for a process or run that uses a link. If the link has an owner, the upper bits are the
 * owner's number.
 */
export function randomId({ owner }: Pick<Link, 'owner'>): number {
  const [id] = crypto.getRandomValues(new Uint32Array(1));
  return owner === undefined ? id : ((owner << REST_BITS) | (id >>> OWNER_BITS)) >>> 0;
}

/**
 * Returns a random id for a run: two numbers. If the coordinator's link has an owner, the upper bits of the
 * first are the owner's number.
 */
export const randomRun = (link: Pick<Link, 'owner'>): readonly [number, number] => [
  randomId(link),
  randomId({}),
];

const hex = (word: number, bits = 32): string => word.toString(16).padStart(bits / 4, '0');
const ownerToken = (owner: number): string => hex(owner, OWNER_BITS);
/** Returns an id as two tokens of a subject: the number of the owner, and the remaining bits. */
const idTokens = (id: number): string =>
  `${ownerToken(id >>> REST_BITS)}.${hex(id & (2 ** REST_BITS - 1), REST_BITS)}`;

// With a dot, an asterisk or a space in its name, a cluster could use the subjects of other clusters.
function checkClusterName(cluster: string): string {
  if (/^[\w-]{1,64}$/.test(cluster)) return cluster;
  throw new ClusterError(
    `'${cluster}' is not a valid cluster name`,
    "use 1 to 64 letters, digits, '-' and '_'",
  );
}
