// Runs a swarm of robots and measures the processor time, messages and bytes of each node. Either all nodes
// run in this process, one after the other (`measure`), or the nodes are processes that a link reaches
// (`runCase`).

import {
  type Link,
  makeHub,
  runSwarm,
  type SwarmOptions,
  type SwarmRow,
  stepSingleProcess,
} from '../../dist/cluster/index.js';
import { swarmService } from '../../dist/cluster/swarm/service.js';
import { findWorld, robotWorldName } from '../../dist/cluster/worlds.js';
import { createEngine, type Engine } from '../../dist/index.js';
import { withVoxels } from '../../dist/papers/voxels.js';
import type { Movement } from '../../dist/samples/index.js';
import { coreCount } from './machine.js';
import { isQuick } from './report.js';

export const SEED = 1,
  MOVEMENTS: readonly Movement[] = ['random', 'skewed'];

export interface SwarmCase {
  count: number;
  movement: Movement;
  nodes: number;
  /** Number of steps before the measured ones. */
  settling: number;
  /** Number of measured steps. */
  steps: number;
  /** Edge length of the voxels, if space is divided into voxels. If undefined, it is divided into columns. */
  voxels?: number;
  how: Pick<SwarmOptions, 'balance' | 'columns' | 'load'>;
}

/** Edge length of the voxels: slightly more than a robot's diameter (2) plus its motion in a step (0.1). */
export const VOXEL_EDGE = 2.2;

/**
 * Number of steps that run before every case, because some robots overlap at first and need time to settle.
 */
const SETTLED = isQuick ? 2 : 15;

let engine: Engine | undefined;
const settled = new Map<string, { step: number; states: Float64Array }>();
/**
 * Makes one engine that all nodes use, each with its own bodies and lists. Then runs a few steps to warm up.
 */
export async function warmUp(): Promise<void> {
  engine = await createEngine({ threads: 1 });
  await measure({ count: 300, movement: 'skewed', nodes: 2, settling: 0, steps: 3, how: {} });
}
export function disposeEngine(): void {
  engine?.dispose();
}

/** Returns the states of a world after its first steps. This process computes them once for each world. */
export async function settle(world: string): Promise<{ step: number; states: Float64Array }> {
  const known = settled.get(world);
  if (known) return known;
  const parallelEngine = await createEngine({ threads: coreCount });
  const steps = stepSingleProcess(parallelEngine, findWorld(world)!, SETTLED);
  let last = steps.next();
  while (!last.done) last = steps.next();
  const after = { step: SETTLED, states: last.value };
  parallelEngine.dispose();
  settled.set(world, after);
  return after;
}

export const worldOf = ({ count, movement }: Pick<SwarmCase, 'count' | 'movement'>): string =>
  robotWorldName(count, movement, SEED);

/** Runs all nodes in this process. @returns the rows of the measured steps */
export async function measure(swarmCase: SwarmCase): Promise<SwarmRow[]> {
  const { nodes, voxels } = swarmCase;
  const join = makeHub();
  const link = join();
  const find = voxels === undefined ? findWorld : withVoxels(findWorld, voxels);
  const services = Array.from({ length: nodes }, (_, id) =>
    swarmService(find)({
      id: id + 1,
      name: `node ${id + 1}`,
      cluster: 'bench',
      link: join(),
      engine: engine!,
    }),
  );
  const { rows } = await runCase(link, swarmCase, find);
  await Promise.all(services.map(service => service.close()));
  return rows;
}

/**
 * Runs a case on the nodes of the cluster 'bench' that a link reaches. @returns the rows of the measured
 * steps, and the states at the end
 */
export async function runCase(
  link: Link,
  { count, movement, nodes, settling, steps, how }: SwarmCase,
  find = findWorld,
): Promise<{ rows: SwarmRow[]; states: Float64Array }> {
  const world = worldOf({ count, movement });
  const { rows, states } = await runSwarm(link, {
    cluster: 'bench',
    world,
    find,
    nodes,
    steps: settling + steps,
    after: await settle(world),
    patience: 120_000,
    retryInterval: 5000,
    checkpointEvery: 1e6,
    ...how,
  });
  return { rows: rows.slice(settling), states };
}

/** Compares two runs of a world. @throws Error if they differ in a step's contacts or states */
export function checkSame(
  rows: readonly Pick<SwarmRow, 'step' | 'contactDigest' | 'stateDigest'>[],
  expected: typeof rows,
): void {
  const text = (of: typeof rows): string =>
    of.map(({ step, contactDigest, stateDigest }) => `${step} ${contactDigest} ${stateDigest}`).join('\n');
  if (text(rows) !== text(expected)) throw new Error(`steps differ:\n${text(rows)}\nand\n${text(expected)}`);
}
