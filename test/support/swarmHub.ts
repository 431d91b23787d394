// Runs the nodes of a swarm in this thread, connected by a simulated network (hub). Tests can make nodes
// join, leave, crash and hang.
import {
  type Link,
  makeHub,
  type ReferenceRow,
  runSwarm,
  type SwarmOptions,
  type SwarmResult,
  type SwarmRow,
  stepSingleProcess,
} from '../../dist/cluster/index.js';
import type { PacketFaults } from '../../dist/cluster/localLink.js';
import { swarmService } from '../../dist/cluster/swarm/service.js';
import { createEngine, type Engine } from '../../dist/index.js';
import { createRandom } from '../../dist/samples/index.js';
import { findRobots } from './robotWorlds.js';
import { until, within } from './within.js';

export interface HubNode {
  id: number;
  link: Link;
  /** Leaves the swarm cleanly. */
  leave(): Promise<void>;
  /** Ends the node as in a crash: the node sends no message that it leaves. */
  kill(): void;
  /** Stops the node from sending and receiving until `resume` is called. */
  hang(): void;
  resume(): void;
  /**
   * Waits until the node offers itself to a coordinator again. Resolves when the coordinator has received
   * this offer.
   */
  offers(): Promise<void>;
}

let engine: Engine | undefined;
/**
 * Returns the engine that all nodes of a test file share. Sharing is safe, because each node makes meshes and
 * bodies of its own.
 */
export async function sharedEngine(): Promise<Engine> {
  return (engine ??= await createEngine({ threads: 1 }));
}
export function disposeEngine(): void {
  engine?.dispose();
  engine = undefined;
}

/** Makes the faults of a network that loses, duplicates and delays packets at random, from a seed. */
export function lossyNetwork(seed: number, { loss = 0.2, double = 0.2, delay = 8 } = {}): PacketFaults {
  const random = createRandom(seed);
  const one = (): number => random.between(0, delay);
  return () => (random.between(0, 1) < loss ? [] : random.between(0, 1) < double ? [one(), one()] : [one()]);
}

export class SwarmHub {
  readonly nodes: HubNode[] = [];
  private readonly join: () => Link;
  private readonly engine: Engine;
  private readonly closers: (() => Promise<void>)[] = [];
  private readonly deaf = new Set<Link>();

  constructor(shared: Engine, networkFaults?: PacketFaults, packetBytes?: number) {
    this.engine = shared;
    this.join = makeHub(packetBytes, networkFaults);
  }

  add(count: number): HubNode[] {
    const added = Array.from({ length: count }, () => {
      const hub = this.join();
      const id = 1000 + this.nodes.length;
      let offered = 0;
      // While the node hangs, this link neither sends nor receives.
      const link: Link = {
        ...hub,
        publish: (subject, data) => {
          if (this.deaf.has(hub)) return;
          hub.publish(subject, data);
          if (subject.includes('.run.')) offered++;
        },
        subscribe: (subject, take, options) =>
          hub.subscribe(
            subject,
            packet => {
              if (!this.deaf.has(hub)) take(packet);
            },
            options,
          ),
      };
      const service = swarmService(findRobots)({
        id,
        name: `node-${id}`,
        cluster: 'pfront',
        link,
        engine: this.engine,
      });
      this.closers.push(() => service.close());
      const node: HubNode = {
        id,
        link,
        leave: () => service.close(),
        kill: () => void hub.close(),
        hang: () => void this.deaf.add(hub),
        resume: () => void this.deaf.delete(hub),
        async offers() {
          const before = offered;
          await until(`an offer of ${id}`, () => offered > before);
          await hub.flush();
        },
      };
      this.nodes.push(node);
      return node;
    });
    return added;
  }

  run(
    world: string,
    options: Partial<SwarmOptions> & Pick<SwarmOptions, 'nodes' | 'steps'>,
  ): Promise<SwarmResult> {
    return within(
      60_000,
      `a swarm of ${world}`,
      runSwarm(this.join(), { world, find: findRobots, ...options }),
    );
  }

  async close(): Promise<void> {
    for (const node of this.nodes) node.resume();
    await within(
      20_000,
      'the end of nodes',
      Promise.all(this.closers.map(close => close())).then(() => {}),
    );
  }
}

/** Makes a hub with `count` nodes, passes it to `use`, and then closes it. */
export async function withHub<T>(
  count: number,
  networkFaults: PacketFaults | undefined,
  use: (hub: SwarmHub) => Promise<T>,
  packetBytes?: number,
): Promise<T> {
  const hub = new SwarmHub(await sharedEngine(), networkFaults, packetBytes);
  hub.add(count);
  try {
    return await use(hub);
  } finally {
    await hub.close();
  }
}

const known = new Map<string, ReferenceRow[]>();
/**
 * Returns the results of the first `steps` steps of a world, computed in a single process. Results are
 * cached.
 */
export async function singleProcessRows(world: string, steps: number): Promise<ReferenceRow[]> {
  const rows = known.get(world) ?? [];
  if (rows.length < steps)
    known.set(
      world,
      rows.splice(0, Infinity, ...stepSingleProcess(await sharedEngine(), findRobots(world)!, steps)) && rows,
    );
  return rows.slice(0, steps);
}

export const digests = (rows: readonly Pick<SwarmRow, 'contactDigest' | 'stateDigest'>[]): string[] =>
  rows.map(({ contactDigest, stateDigest }) => `${contactDigest} ${stateDigest}`);
