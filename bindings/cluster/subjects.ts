// The subjects (the broker's names of channels) of all messages in a cluster, and which of them each kind of
// client may use. Subjects are defined only in this file.
import { ClusterError } from './errors.js';

/**
 * Returns the subjects of a cluster. @throws CollisionError 'Cluster' if the cluster's name is not 1 to 64
 * letters, digits, '-' and '_'
 */
export const subjectsOf = (cluster: string) => ({
  /** From coordinators of jobs to all nodes: there is work. */
  open: `pfront.${checkClusterName(cluster)}.open`,
  /** From nodes to any observer: presence and load. */
  presence: `pfront.${cluster}.here`,
  /** To the processes of all nodes: a request to finish their work and end. */
  leave: `pfront.${cluster}.leave`,
  /** From coordinators of swarms to all nodes: a swarm invites members. */
  swarms: `pfront.${cluster}.swarms`,
  /** To one member of a swarm, or to its coordinator. */
  member: (run: readonly [number, number], id: number) =>
    `pfront.${cluster}.swarm.${hex(run[0])}${hex(run[1])}.${hex(id)}`,
  /** From coordinators of jobs to one node. */
  node: (id: number) => `pfront.${cluster}.node.${hex(id)}`,
  /** From other nodes to one node: requests for parts of kept results, and the replies. */
  blocks: (id: number) => `pfront.${cluster}.blocks.${hex(id)}`,
  /** To the coordinator of a job or swarm. */
  run: (run: readonly [number, number]) => `pfront.${cluster}.run.${hex(run[0])}${hex(run[1])}`,
});

/** The kind of a broker's client; it decides which subjects the client may use. */
export type BrokerRole = 'node' | 'caller' | 'observer' | 'operator';

/**
 * For each role: the subjects to which it may publish, and to which it may subscribe, in every cluster of a
 * broker.
 */
export const subjectsOfRole: Record<BrokerRole, { publish: string[]; subscribe: string[] }> = {
  node: {
    publish: inEveryCluster('here', 'run.*', 'blocks.*', 'swarm.*.*'),
    subscribe: inEveryCluster('here', 'open', 'leave', 'swarms', 'node.*', 'blocks.*', 'swarm.*.*'),
  },
  caller: {
    publish: inEveryCluster('open', 'swarms', 'node.*', 'swarm.*.*'),
    subscribe: inEveryCluster('here', 'run.*', 'swarm.*.*'),
  },
  observer: { publish: [], subscribe: inEveryCluster('here') },
  operator: { publish: inEveryCluster('leave'), subscribe: inEveryCluster('here') },
};

function inEveryCluster(...subjects: string[]): string[] {
  return subjects.map(subject => `pfront.*.${subject}`);
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

// A dot, an asterisk or a space in the name could reach the subjects of other clusters.
function checkClusterName(cluster: string): string {
  if (/^[\w-]{1,64}$/.test(cluster)) return cluster;
  throw new ClusterError(
    `'${cluster}' is not a valid cluster name`,
    "use 1 to 64 letters, digits, '-' and '_'",
  );
}
