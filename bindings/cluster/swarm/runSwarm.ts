// Runs a swarm, a simulation of moving bodies that is distributed over the nodes of a cluster.
import { rejectExtraArgument } from '../../core/checkOptions.js';
import type { Link } from '../link.js';
import { Coordinator } from './coordinator.js';
import type { SwarmRow } from './rows.js';
import { readSettings, type SwarmOptions } from './settings.js';

/** The result of a swarm. */
export interface SwarmResult {
  /** One row per step. */
  rows: SwarmRow[];
  /** The states of all bodies after the last step, ordered by the numbers of the bodies. */
  states: Float64Array;
}

/**
 * Moves a world's bodies in lock-step on the nodes of a cluster, and finds all contacts during the motion.
 * The contacts are the same as with one engine in one process: the digests in `rows` equal those of
 * `stepSingleProcess`. If nodes are lost, the swarm continues without them from its last checkpoint. Source:
 * Du, Liu and Suzumura 2017, section 4.
 * @throws Unsupported; CollisionError 'Cluster' if the swarm cannot continue, or if `verify` finds a false
 * result; the reason of `signal`; any error that `onStep` throws
 */
export async function runSwarm(link: Link, options: SwarmOptions): Promise<SwarmResult> {
  rejectExtraArgument(arguments[2], 'runSwarm(link, options)');
  const coordinator = new Coordinator(readSettings(link, options));
  await coordinator.coordinate();
  return { rows: coordinator.rows, states: coordinator.states };
}
