// The part of a node that members of a swarm need.

import type { NodeHost } from '../nodeHost.js';

/** A node without the fields that only jobs use. */
export type SwarmHost = Pick<NodeHost, 'id' | 'name' | 'cluster' | 'link' | 'engine' | 'gpu'>;
