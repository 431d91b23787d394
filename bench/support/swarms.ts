// Measures the cost of a step of a swarm of robots for each of its nodes, all in this process, and models
// from it the time on separate machines.
//
// All nodes run on this machine, one after the other. Each node's processor time, its messages and their
// bytes are measured. The time on separate machines is a MODEL: for each part of a step the slowest node's
// time, plus its messages at 1 Gbit/s, plus four network latencies of 0.2 ms each (two rounds between
// members, the report to the coordinator and its reply).

import {
  makeHub,
  type NodeRow,
  runSwarm,
  type SwarmOptions,
  type SwarmRow,
  stepSingleProcess,
} from '../../dist/cluster/index.js';
import { swarmService } from '../../dist/cluster/swarm/service.js';
import { findWorld, robotsName } from '../../dist/cluster/worlds.js';
import { createEngine, type Engine } from '../../dist/index.js';
import { withVoxels } from '../../dist/papers/voxels.js';
import type { Movement } from '../../dist/samples/index.js';
import { coreCount } from './machine.js';
import { isQuick, type Row } from './report.js';
import { summarize } from './statistics.js';

export const SEED = 1,
  MOVEMENTS: readonly Movement[] = ['random', 'skewed'];
const BITS_PER_MILLISECOND = 1e6;
const LATENCY_MILLISECONDS = 0.2;
const LATENCIES_PER_STEP = 4;

export interface SwarmCase {
  count: number;
  movement: Movement;
  nodes: number;
  /** Number of steps before the measured ones. */
  settling: number;
  /** Number of measured steps. */
  steps: number;
  /** Edge of voxels, if they are the rival of columns. */
  voxels?: number;
  how: Pick<SwarmOptions, 'balance' | 'columns'>;
}

/** Edge of the rival's voxels: a robot's diameter plus the length of a step. */
export const VOXEL_EDGE = 2.2;

/** Number of steps until the robots have settled: some begin within others. */
const SETTLED = isQuick ? 2 : 15;

let engine: Engine | undefined;
const settled = new Map<string, { step: number; states: Float64Array }>();
/**
 * Makes one engine for all nodes, in which each node has its own bodies and lists, and runs a few steps to
 * warm up.
 */
export async function warmUp(): Promise<void> {
  engine = await createEngine({ threads: 1 });
  await measure({ count: 300, movement: 'skewed', nodes: 2, settling: 0, steps: 3, how: {} });
}
export function end(): void {
  engine?.dispose();
}

// One process runs the settling steps, once for each world.
async function settle(world: string): Promise<{ step: number; states: Float64Array }> {
  const known = settled.get(world);
  if (known) return known;
  const quick = await createEngine({ threads: coreCount });
  const steps = stepSingleProcess(quick, findWorld(world)!, SETTLED);
  let last = steps.next();
  while (!last.done) last = steps.next();
  const after = { step: SETTLED, states: last.value };
  quick.dispose();
  settled.set(world, after);
  return after;
}

/** @returns the rows of the measured steps */
export async function measure({
  count,
  movement,
  nodes,
  settling,
  steps,
  voxels,
  how,
}: SwarmCase): Promise<SwarmRow[]> {
  const join = makeHub();
  const link = join();
  const world = robotsName(count, movement, SEED);
  const after = await settle(world);
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
  const { rows } = await runSwarm(link, {
    cluster: 'bench',
    world,
    find,
    nodes,
    steps: settling + steps,
    after,
    patience: 120_000,
    retryInterval: 5000,
    checkpointEvery: 1e6,
    ...how,
  });
  await Promise.all(services.map(service => service.close()));
  return rows.slice(settling);
}

const total = ({ milliseconds }: NodeRow): number => milliseconds.reduce((sum, part) => sum + part, 0);
const maximum = (values: readonly number[]): number =>
  values.reduce((greatest, value) => Math.max(greatest, value), 0);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the milliseconds of a step on separate machines, by the model above. */
export function modelled({ nodes }: SwarmRow): number {
  const parts = [0, 1, 2].map(part => maximum(nodes.map(({ milliseconds }) => milliseconds[part])));
  return (
    parts.reduce((sum, part) => sum + part, 0) +
    maximum(nodes.map(({ sentBytes }) => (8 * sentBytes) / BITS_PER_MILLISECOND)) +
    (nodes.length > 1 ? LATENCIES_PER_STEP * LATENCY_MILLISECONDS : 0)
  );
}

/** Returns the max share of contacts divided by the mean share, over all steps together. */
export function imbalance(rows: readonly SwarmRow[]): number {
  const loads = new Map<number, number>();
  for (const { nodes } of rows)
    for (const { id, contacts } of nodes) loads.set(id, (loads.get(id) ?? 0) + contacts);
  return maximum([...loads.values()]) / mean([...loads.values()]);
}

/**
 * Makes a row. Counters do not depend on this machine, but the time does; the row's measure contains the word
 * `modelled`.
 */
export function rowOf({ count, movement, nodes }: SwarmCase, who: string, rows: readonly SwarmRow[]): Row {
  const of = (value: (row: SwarmRow) => number): number => mean(rows.map(value));
  const sum =
    (value: (node: NodeRow) => number) =>
    (row: SwarmRow): number =>
      row.nodes.reduce((all, node) => all + value(node), 0);
  const whole = (value: number): string => String(Math.round(value));
  return {
    scene: `${count} robots, ${movement}`,
    measure: `a step, modelled on ${nodes} machines`,
    who,
    unit: 'ms',
    ...summarize(rows.map(modelled)),
    note: [
      `processor time per node: max ${of(({ nodes: all }) => maximum(all.map(total))).toFixed(1)} ms, mean ${of(({ nodes: all }) => mean(all.map(total))).toFixed(1)} ms`,
      `${whole(of(sum(({ sentBytes }) => sentBytes)))} bytes in ${whole(of(sum(({ sentMessages }) => sentMessages)))} messages between nodes, ${whole(of(({ coordinatorBytes }) => coordinatorBytes))} with the coordinator`,
      `${whole(of(sum(({ localBodies }) => localBodies)))} bodies known, ${whole(of(sum(({ arrived }) => arrived)))} arrived, ${whole(of(sum(({ boxTests }) => boxTests)))} tests of bodies' boxes, ${whole(of(({ contacts }) => contacts))} contacts`,
      `max load / mean load ${imbalance(rows).toFixed(3)}, ${rows.reduce((count, { moves }) => count + moves.length, 0)} of ${rows[0].owners.length} columns moved, the largest has ${(100 * rows.at(-1)!.columnShare).toFixed(1)} % of a node's load`,
    ].join('; '),
  };
}
