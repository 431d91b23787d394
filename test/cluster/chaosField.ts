// Starts a broker, node processes, and a proxy between them that simulates a faulty network. Injects faults,
// and repairs them afterwards.

import type { Link } from '../../dist/cluster/link.js';
import { connectNats } from '../../dist/cluster/natsLink.js';
import { sleep } from '../support/within.js';
import type { Event } from './chaosPlan.js';
import { type Broker, nodeProcess, type Restartable, startBroker } from './clusterProcesses.js';
import { type FaultProxy, startFaultProxy } from './faultProxy.js';

export interface ChaosField {
  readonly cluster: string;
  readonly broker: Broker;
  readonly proxy: FaultProxy;
  readonly nodes: readonly Restartable[];
  /** The connection over which jobs are submitted. The proxy knows it by the name 'coordinator'. */
  readonly link: Link;
  /** How often a process was killed, and how often a node was suspended. */
  readonly faultCounts: { kills: number; hangs: number };
  /**
   * Injects a fault. Resolves when the process runs again or the partition has ended; resolves at once if a
   * connection was cut.
   */
  inject(event: Event): Promise<void>;
  /**
   * Starts processes that are down, resumes suspended ones, and makes the proxy pass all further messages
   * unchanged.
   */
  mend(): Promise<void>;
  close(): Promise<void>;
}

export const nameOf = (node: number): string => `node-${node}`;

/** Starts a broker, a proxy and `nodeCount` nodes. */
export async function openField(nodeCount: number, cluster = 'chaos'): Promise<ChaosField> {
  const broker = await startBroker();
  const proxy = await startFaultProxy({ broker: broker.port });
  const nodes = Array.from({ length: nodeCount }, (_, i) =>
    nodeProcess({ url: proxy.url, cluster, name: nameOf(i) }),
  );
  const faultCounts = { kills: 0, hangs: 0 };
  let link: Link | undefined;

  async function close(): Promise<void> {
    await link?.close();
    await Promise.all([...nodes, broker].map(each => each.kill()));
    await proxy.close();
  }

  // Starts a node, and tries again if the broker is down or the connection is faulty.
  async function start(node: Restartable): Promise<void> {
    for (let tries = 0; !node.isUp; tries++) {
      try {
        await node.start();
      } catch (error) {
        if (tries === 5) throw error;
        await sleep(100);
      }
    }
  }

  async function inject(event: Event): Promise<void> {
    switch (event.fault) {
      case 'kill node':
        faultCounts.kills++;
        await nodes[event.node].kill();
        await sleep(event.milliseconds);
        return start(nodes[event.node]);
      case 'hang node':
        faultCounts.hangs++;
        nodes[event.node].hang();
        await sleep(event.milliseconds);
        return nodes[event.node].wake();
      case 'partition node':
        proxy.partition(nameOf(event.node), event.milliseconds);
        return sleep(event.milliseconds);
      case 'cut node':
        return proxy.cut(nameOf(event.node), event.milliseconds);
      case 'cut coordinator':
        return proxy.cut('coordinator', event.milliseconds);
      case 'kill broker':
        faultCounts.kills++;
        await broker.kill();
        await sleep(event.milliseconds);
        return broker.start();
    }
  }

  async function mend(): Promise<void> {
    proxy.faults = {};
    for (const node of nodes) node.wake();
    if (!broker.isUp) await broker.start();
    await Promise.all(nodes.map(start));
  }

  try {
    await mend();
    link = await connectNats({ servers: proxy.url, name: 'coordinator' });
  } catch (error) {
    await close();
    throw error;
  }
  return { cluster, broker, proxy, nodes, link, faultCounts, inject, mend, close };
}
