// Defines the part of `NodeHost` that members of swarms use. A swarm is a simulation of moving bodies on many
// nodes.

import type { NodeHost } from '../nodeHost.js';

/** The fields of a node that a member uses. */
export type SwarmHost = Pick<NodeHost, 'id' | 'name' | 'cluster' | 'link' | 'engine' | 'gpu'>;
