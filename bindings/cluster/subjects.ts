// Where messages go: the one list of subjects.
import { ClusterError } from './errors.js';

/**
 * Subjects of a cluster. @throws CollisionError 'Cluster' where its name is not of letters, digits, '-' and
 * '_'
 */
export const subjectsOf = (cluster: string) => ({
  /** Coordinators to all nodes: there is work, or a swarm that wants members. */
  open: `pfront.${checked(cluster)}.open`,
  /** Nodes to whoever watches: that they are there, and how loaded. */
  here: `pfront.${cluster}.here`,
  /** To the processes of all nodes: end. */
  leave: `pfront.${cluster}.leave`,
  /** Conductors to all nodes: a swarm wants members. */
  swarms: `pfront.${cluster}.swarms`,
  /** To one member of a swarm, its conductor too. */
  member: (run: readonly [number, number], id: number) =>
    `pfront.${cluster}.swarm.${hex(run[0])}${hex(run[1])}.${hex(id)}`,
  /** To one node. */
  node: (id: number) => `pfront.${cluster}.node.${hex(id)}`,
  /** To the coordinator of a job or swarm. */
  run: (run: readonly [number, number]) => `pfront.${cluster}.run.${hex(run[0])}${hex(run[1])}`,
});

const hex = (word: number): string => word.toString(16).padStart(8, '0');

// A dot, a star or a space would reach the subjects of others.
function checked(cluster: string): string {
  if (/^[\w-]{1,64}$/.test(cluster)) return cluster;
  throw new ClusterError(`a cluster named '${cluster}'`, "use 1 to 64 letters, digits, '-' and '_'");
}
