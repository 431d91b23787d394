// Runs a cluster inside the page. Its nodes exchange messages over an in-memory hub, and simulate a swarm
// without end.
import type { Engine } from 'pfront';
import {
  type ClusterNode,
  type FindWorld,
  type Link,
  makeHub,
  runSwarm,
  type SwarmRow,
  type SwarmWorld,
  startNode,
} from 'pfront/cluster';
import { type Movement, robotWorld } from 'pfront/samples';
import { NODES } from './loadBars.js';

/**
 * The longest timeout that a swarm accepts: one day. Messages cannot get lost within a page, but a suspended page
 * may delay them for a long time.
 */
const PATIENCE = 24 * 60 * 60 * 1000;
/** Approximate number of columns along each side of the ground. */
const COLUMNS = 12;
const CHECKPOINTS = 1000;
const STEPS = 2 ** 30;

export interface Choice {
  movement: Movement;
  bodies: number;
  nodes: number;
}

export class PageSwarm {
  /** x, y of each body. */
  positions = new Float32Array(0);
  ground: SwarmWorld['ground'] = [0, 0, 1, 1];
  /**
   * By how much the loads of two nodes may differ, as a fraction of the larger load; false disables
   * balancing. The value is read in each step.
   */
  balance: number | false = 0.1;
  private readonly hub = makeHub();
  private readonly nodes: { node: ClusterNode; link: Link }[] = [];
  private readonly find: FindWorld = name => (name === this.name ? this.world : undefined);
  private world: SwarmWorld | undefined;
  private name = '';
  private runs = 0;
  private ended = new AbortController();
  private last = Promise.resolve();

  /**
   * `onStep` is called after each step; the next step begins when the returned promise resolves. `onError` is
   * called with an error that ends a swarm.
   */
  constructor(
    private readonly engine: Engine,
    private readonly onStep: (row: SwarmRow) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Replaces the swarm with a new one. */
  change(choice: Choice): void {
    this.ended.abort(new Error('another swarm begins'));
    const ended = (this.ended = new AbortController());
    this.last = this.last
      .then(() => this.run(choice, ended))
      .catch((error: unknown) => {
        if (!ended.signal.aborted) this.onError(error);
      });
  }

  /** Sets the number of nodes. They join or leave between two steps. */
  async setNodes(count: number): Promise<void> {
    while (this.nodes.length < count) {
      const link = this.hub();
      this.nodes.push({
        link,
        node: await startNode(link, {
          engine: this.engine,
          name: `node ${this.nodes.length + 1}`,
          worlds: this.find,
        }),
      });
    }
    const gone = this.nodes.splice(count);
    await Promise.all(
      gone.map(async ({ node, link }) => {
        await node.close();
        await link.close();
      }),
    );
  }

  /** Returns the index of the node with this id, or -1 if the node has left. */
  nodeIndex(id: number): number {
    return this.nodes.findIndex(({ node }) => node.id === id);
  }

  private async run({ movement, bodies, nodes }: Choice, { signal }: AbortController): Promise<void> {
    if (signal.aborted) return;
    await this.setNodes(nodes);
    this.world = this.watched(robotWorld(bodies, movement));
    this.name = `robots ${++this.runs}`;
    const link = this.hub();
    const swarm = this;
    const across =
      nodes /
      Math.max(
        1,
        [...Array(nodes).keys()].filter(along => along * along <= nodes && nodes % along === 0).at(-1) ?? 1,
      );
    try {
      await runSwarm(link, {
        world: this.name,
        find: this.find,
        steps: STEPS,
        nodes,
        maxNodes: NODES,
        columns: Math.max(2, Math.round(COLUMNS / across)),
        collect: true,
        checkpointEvery: CHECKPOINTS,
        patience: PATIENCE,
        signal,
        get balance() {
          return swarm.balance;
        },
        onStep: this.onStep,
      });
    } finally {
      await link.close();
    }
  }

  // Wraps a world to record the positions of its bodies for drawing.
  private watched(world: SwarmWorld): SwarmWorld {
    const positions = (this.positions = new Float32Array(2 * world.count));
    this.ground = world.ground;
    return {
      ...world,
      place(body, state, rows) {
        world.place(body, state, rows);
        positions[2 * body] = rows[3]!;
        positions[2 * body + 1] = rows[7]!;
      },
    };
  }
}
