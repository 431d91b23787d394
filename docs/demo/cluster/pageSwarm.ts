// A cluster in one page: nodes on a hub, a swarm on them that goes on and on, and where its bodies are.
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
import { type Movement, robotWorld } from 'pfront/scenes';
import { NODES } from './loadBars.js';

/** Nothing is lost in a page, and it may stand still for long. */
const PATIENCE = 2 ** 30;
/** Columns on the whole ground, about, along each side. */
const COLUMNS = 12;
const CHECKPOINTS = 1000;
const STEPS = 2 ** 30;

export interface Choice {
  movement: Movement;
  bodies: number;
  nodes: number;
}

export class PageSwarm {
  /** x, y of every body. */
  positions = new Float32Array(0);
  ground: SwarmWorld['ground'] = [0, 0, 1, 1];
  /** By what part of the greater load two nodes may differ; false: columns stay. Read anew each step. */
  balance: number | false = 0.1;
  private readonly hub = makeHub();
  private readonly nodes: { node: ClusterNode; link: Link }[] = [];
  private readonly find: FindWorld = name => (name === this.name ? this.world : undefined);
  private world: SwarmWorld | undefined;
  private name = '';
  private runs = 0;
  private ended = new AbortController();
  private last = Promise.resolve();

  /** onStep: the next step waits for it. onError: what ends a swarm that was not changed. */
  constructor(
    private readonly engine: Engine,
    private readonly onStep: (row: SwarmRow) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Begins another swarm. */
  change(choice: Choice): void {
    this.ended.abort(new Error('another swarm begins'));
    const ended = (this.ended = new AbortController());
    this.last = this.last
      .then(() => this.run(choice, ended))
      .catch((error: unknown) => {
        if (!ended.signal.aborted) this.onError(error);
      });
  }

  /** Nodes join, or leave, at the next step's border. */
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

  /** Its number, from 0 on; -1: it has left. */
  placeOf(id: number): number {
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
        mostNodes: NODES,
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

  // Where the world places a body is where it is seen.
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
