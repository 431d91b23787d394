// The interface of a node to the swarm (a simulation of moving bodies on many nodes) in which the node is a
// member.

import type { NodeHost } from '../nodeHost.js';

/** The fields of a node that a member of a swarm uses. */
export type SwarmHost = Pick<NodeHost, 'id' | 'name' | 'cluster' | 'link' | 'engine' | 'gpu'>;
