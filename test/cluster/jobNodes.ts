// Starts nodes within this process that run the jobs of a cluster.
import type { Link } from '../../dist/cluster/index.js';
import { startJobNode } from '../../dist/cluster/jobs/jobNode.js';
import type { Engine } from '../../dist/index.js';

let nextId = 1;

/** Starts nodes that share an engine. Each has its own link and can be closed separately. */
export function startJobNodes(join: () => Link, count: number, engine: Engine) {
  const nodes = Array.from({ length: count }, () => {
    const link = join();
    const service = startJobNode({
      id: nextId++,
      name: 'node',
      cluster: 'pfront',
      link,
      engine,
      work: { tasks: 0, tests: 0, failures: 0, held: 0 },
      traffic: { sentMessages: 0, sentBytes: 0, receivedMessages: 0, receivedBytes: 0 },
      cacheBytes: 0,
    });
    return {
      link,
      close: async () => {
        await service.close();
        await link.close();
      },
    };
  });
  return { nodes, close: () => Promise.all(nodes.map(node => node.close())) };
}
