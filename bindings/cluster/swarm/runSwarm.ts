// A world's swarm on the nodes of a cluster -> its steps and their digests.
import { rejectExtraArgument } from '../../core/optionTable.js';
import type { Link } from '../link.js';
import { Coordinator } from './coordinator.js';
import type { SwarmRow } from './rows.js';
import { readSettings, type SwarmOptions } from './settings.js';

/** What came of a swarm. */
export interface SwarmResult {
  /** Of each step. */
  rows: SwarmRow[];
  /** Of all bodies, by their numbers, at the end. */
  states: Float64Array;
}

/**
 * Moves a world's bodies in lock-step on nodes of a cluster, and finds all contacts on the way, those that
 * one engine finds in one process: the digests of `stepAlone` are the same. Nodes that are lost are done
 * without, from the last checkpoint on. Source: Du, Liu and Suzumura 2017, section 4.
 * @throws Unsupported; CollisionError 'Cluster' where it cannot go on
 */
export async function runSwarm(link: Link, options: SwarmOptions): Promise<SwarmResult> {
  rejectExtraArgument(arguments[2], 'runSwarm(link, options)');
  const conductor = new Coordinator(readSettings(link, options));
  await conductor.lead();
  return { rows: conductor.rows, states: conductor.states };
}
