// Starts a NATS broker on this machine, connects to it, and starts node processes of this package.
import { connectNats, type Link } from '../../dist/cluster/index.js';
import { type Restartable, startBroker, startNodeProcess } from '../../test/cluster/clusterProcesses.js';

/** A cluster of processes on this machine. */
export interface BrokerCluster {
  readonly link: Link;
  /** Starts node processes until there are `count`. */
  startNodes(count: number): Promise<void>;
  /** Ends the nodes and the broker. */
  close(): Promise<void>;
}

/** Starts a broker and connects to it. name: the name of the cluster that the nodes join. */
export async function startCluster(name: string): Promise<BrokerCluster> {
  const broker = await startBroker();
  const link = await connectNats({ servers: broker.url });
  const nodes: Restartable[] = [];
  return {
    link,
    async startNodes(count) {
      while (nodes.length < count)
        nodes.push(
          await startNodeProcess({ url: broker.url, cluster: name, name: `node ${nodes.length + 1}` }),
        );
    },
    async close() {
      await Promise.all(nodes.map(node => node.kill()));
      await link.close();
      await broker.kill();
    },
  };
}
