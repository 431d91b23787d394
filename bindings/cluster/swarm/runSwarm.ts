// Runs a swarm on the nodes of a cluster.
import { rejectExtraArgument } from '../../core/checkOptions.js';
import type { Link } from '../link.js';
import { Coordinator } from './coordinator.js';
import type { SwarmRow } from './rows.js';
import { readSettings, type SwarmOptions } from './settings.js';

/** The result of a swarm. */
export interface SwarmResult {
  /** One row per step. */
  rows: SwarmRow[];
  /** The states of all bodies at the end, by number. */
  states: Float64Array;
}

/**
 * Moves a world's bodies in lock-step on the nodes of a cluster, and finds all contacts during the motion.
 * One engine in one process finds the same contacts: the digests equal those of `stepSingleProcess`. If nodes
 * are lost, the swarm continues without them from its last checkpoint. Source: Du, Liu and Suzumura 2017,
 * section 4.
 * @throws Unsupported; CollisionError 'Cluster' if it cannot continue
 */
export async function runSwarm(link: Link, options: SwarmOptions): Promise<SwarmResult> {
  rejectExtraArgument(arguments[2], 'runSwarm(link, options)');
  const coordinator = new Coordinator(readSettings(link, options));
  await coordinator.coordinate();
  return { rows: coordinator.rows, states: coordinator.states };
}
