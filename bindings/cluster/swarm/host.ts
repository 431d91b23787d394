// What a swarm's members need of their node.

import type { NodeHost } from '../nodeHost.js';

/** A node, without what only tasks of jobs count. */
export type SwarmHost = Pick<NodeHost, 'id' | 'name' | 'cluster' | 'link' | 'engine' | 'gpu'>;
