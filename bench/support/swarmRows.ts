// Makes the rows that benches report for the steps of a robot swarm: counters, and the time of a step on
// separate machines.
//
// The time on separate machines is a MODEL. It is the sum of three terms. The first term is the processor
// time of the slowest node, for each of the three parts of a step. The second term is the time in which the
// node that sends the most bytes sends them at 1 Gbit/s. The third term, if there is more than one node, is
// four network latencies of 0.2 ms each: two rounds of messages between nodes, the report to the coordinator,
// and the coordinator's reply. The model does not include the coordinator's processor time.

import type { NodeRow, SwarmRow } from '../../dist/cluster/index.js';
import type { Row } from './report.js';
import { sum, summarize } from './statistics.js';
import type { SwarmCase } from './swarms.js';

const BITS_PER_MILLISECOND = 1e6;
const LATENCY_MILLISECONDS = 0.2;
const LATENCIES_PER_STEP = 4;
/** How modeled rows were obtained. */
export const MODEL =
  'modeled: max over nodes of processor time for each of 3 parts of a step + max bytes sent by a node / 1 Gbit/s + 4 x 0.2 ms';
/** Returns the name of a figure or section of the paper of Du, Liu and Suzumura. */
export const figure = (number: number | string): string => `Du, Liu and Suzumura, ${number}`;

export const cpuOf = ({ milliseconds }: NodeRow): number => sum(milliseconds);
export const maximum = (values: readonly number[]): number =>
  values.reduce((max, value) => Math.max(max, value), 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;
/** Returns the sum of a counter over all nodes. */
export const total = ({ nodes }: SwarmRow, value: (node: NodeRow) => number): number => sum(nodes.map(value));

/** Returns the parts of a step's time on separate machines, in milliseconds, by the model above. */
export function modelParts({ nodes }: SwarmRow): Record<string, number> {
  const slowest = (part: number): number => maximum(nodes.map(({ milliseconds }) => milliseconds[part]));
  return {
    'move and send': slowest(0),
    'find contacts': slowest(1),
    respond: slowest(2),
    transfer: maximum(nodes.map(({ sentBytes }) => (8 * sentBytes) / BITS_PER_MILLISECOND)),
    latency: nodes.length > 1 ? LATENCIES_PER_STEP * LATENCY_MILLISECONDS : 0,
  };
}

/** Returns the milliseconds of a step on separate machines. */
export const modeled = (row: SwarmRow): number => sum(Object.values(modelParts(row)));

/**
 * Returns the number of feature pairs that the busiest node tests in a step. The other nodes wait for these
 * tests.
 */
export const maxFeaturePairs = ({ nodes }: SwarmRow): number =>
  maximum(nodes.map(({ featurePairs }) => featurePairs));
/** Returns the mean number of feature pairs that a node tests in a step. */
export const meanFeaturePairs = ({ nodes }: SwarmRow): number =>
  mean(nodes.map(({ featurePairs }) => featurePairs));
export const movedColumns = (rows: readonly SwarmRow[]): number => sum(rows.map(({ moves }) => moves.length));

/** Sums each node's contacts over all steps. Returns the max of these sums divided by their mean. */
export function imbalance(rows: readonly SwarmRow[]): number {
  const loads = new Map<number, number>();
  for (const { nodes } of rows)
    for (const { id, contacts } of nodes) loads.set(id, (loads.get(id) ?? 0) + contacts);
  return maximum([...loads.values()]) / mean([...loads.values()]);
}

/** The variant of a run without load balancing, with which the other variants are compared. */
export const NO_BALANCING = 'no balancing';

export const sceneName = ({ count, movement }: SwarmCase): string => `${count} robots, ${movement}`;

/**
 * Makes a row of the modeled time of a step. The counters in its note do not depend on this machine, but the
 * time does. The row's measure contains the word `modeled`.
 */
export function rowOf(swarmCase: SwarmCase, variant: string, rows: readonly SwarmRow[]): Row {
  const { nodes } = swarmCase;
  const meanOf = (value: (row: SwarmRow) => number): number => mean(rows.map(value));
  const all = (value: (node: NodeRow) => number): string => whole(meanOf(row => total(row, value)));
  const whole = (value: number): string => String(Math.round(value));
  return {
    how: MODEL,
    scene: sceneName(swarmCase),
    measure: `a step, modeled on ${nodes} machines`,
    variant,
    unit: 'ms',
    ...summarize(rows.map(modeled)),
    note: [
      `processor time per node: max ${meanOf(row => maximum(row.nodes.map(cpuOf))).toFixed(1)} ms, mean ${meanOf(row => mean(row.nodes.map(cpuOf))).toFixed(1)} ms`,
      `${all(({ sentBytes }) => sentBytes)} bytes in ${all(({ sentMessages }) => sentMessages)} messages between nodes, ${whole(meanOf(({ coordinatorBytes }) => coordinatorBytes))} with the coordinator`,
      `${all(({ localBodies }) => localBodies)} local bodies, ${all(({ arrived }) => arrived)} arrived, ${all(({ boxTests }) => boxTests)} tests of bodies' boxes, ${whole(meanOf(({ contacts }) => contacts))} contacts`,
      `max load / mean load ${imbalance(rows).toFixed(3)}, ${movedColumns(rows)} of ${rows[0].owners.length} columns moved, the max load of a column is ${(100 * rows.at(-1)!.columnShare).toFixed(1)} % of the mean load of a node`,
    ].join('; '),
  };
}

/**
 * Makes a row of the work for which all nodes wait: the feature pairs that the busiest node tests in a step.
 * unbalanced: the rows of the run without balancing, or undefined if `rows` are from that run.
 */
export function featureRow(
  swarmCase: SwarmCase,
  variant: string,
  rows: readonly SwarmRow[],
  unbalanced: readonly SwarmRow[] | undefined,
): Row {
  const meanOf = (of: readonly SwarmRow[], value: (row: SwarmRow) => number): number => mean(of.map(value));
  const perStep = (value: (node: NodeRow) => number): number => meanOf(rows, row => total(row, value));
  const busiest = meanOf(rows, maxFeaturePairs);
  return {
    scene: sceneName(swarmCase),
    measure: `feature pairs of the busiest node in a step, ${swarmCase.nodes} nodes`,
    variant,
    unit: 'count',
    ...summarize(rows.map(maxFeaturePairs)),
    ...(unbalanced && {
      rival: NO_BALANCING,
      ratio: meanOf(unbalanced, maxFeaturePairs) / busiest,
    }),
    note: [
      `${(busiest / meanOf(rows, meanFeaturePairs)).toFixed(3)} times the mean of all nodes`,
      `${movedColumns(rows)} columns moved in ${rows.length} steps`,
      `per step ${perStep(({ arrived }) => arrived).toFixed(1)} robots arrived, ${Math.round(perStep(({ sentBytes }) => sentBytes))} bytes between nodes`,
    ].join('; '),
  };
}
