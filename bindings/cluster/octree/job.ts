// What a job of box pairs is asked for and what it gives: types alone.

import type { PairsCopy } from '../../core/results.js';
import type { Engine } from '../../engine/engine.js';
import type { Wire } from './listCode.js';

/** How box pairs are found on a cluster. */
export interface ClusterBoxPairsOptions {
  /**
   * How much is done elsewhere, the thesis's three levels of integration: 'caller': nothing, `engine` does
   * all; 'lists': nodes make sorted lists of octants, `engine` merges and scans them; 'nodes': all. Default
   * 'nodes'.
   */
  where?: 'caller' | 'lists' | 'nodes';
  /**
   * Of 'nodes'. 'ranges': each node gets the boxes of a range of codes and finds the pairs there. 'tree':
   * nodes merge their lists two by two until one has all and scans it. Default 'ranges'.
   */
  merge?: 'ranges' | 'tree';
  /** The caller's own engine, of 'caller' and 'lists'. */
  engine?: Engine;
  /**
   * Nodes that the job begins with: waited for as long as `patience`. Default: those that answer at once.
   * Others may come later.
   */
  nodes?: number;
  /** Parts that the boxes are cut into, and ranges. Default: one for each node. */
  parts?: number;
  /**
   * How lists travel: 8 bytes an entry, differences, or these deflated, which take longer to write and read
   * than the bytes that they save do on links above 0.2 Gbit/s. Default 'raw'.
   */
  wire?: Wire;
  /** Which cluster of those that share a broker. Default 'pfront'. */
  cluster?: string;
  /** Milliseconds without any node after which the job fails. Default 30,000. */
  patience?: number;
  /**
   * Milliseconds after which a node that says nothing is given up and its tasks are done elsewhere; a node
   * says nothing while it computes. Default 10,000.
   */
  silence?: number;
  /** Is given all pairs piece by piece, in ascending ranges of a; `a` and `b` of the answer stay empty. */
  forEachChunk?: (chunk: PairsCopy) => void;
  /** About how many pairs a chunk may have. Default 2^20. */
  chunkPairs?: number;
}

/** The pairs, sorted by a, then b, as `boxPairs` of an engine gives them; and what finding them took. */
export interface ClusterBoxPairs extends PairsCopy {
  /** Rounds, bytes, messages. */
  stats: OctreeStats;
}

/** A round of tasks that may go on side by side. */
export interface OctreeRound {
  /** 'statistics', 'list', 'merge', 'scan', 'pairs'. */
  name: string;
  /** Tasks of it. */
  tasks: number;
  /** From its first task to its last result. */
  milliseconds: number;
  /** Milliseconds within kernels: of the task that took longest, and of all tasks. */
  computedMost: number;
  /** Of all tasks. */
  computed: number;
  /** Bytes that its tasks fetched from the caller, and from one another: of all. */
  fromCaller: number;
  /** Between nodes. */
  fromNodes: number;
  /** That tasks took from what their own node had. */
  fromSelf: number;
  /** Of the task that took most, from anyone, its own node included. */
  takenMost: number;
  /** Milliseconds of a node's processor, whatever it did: of the busiest node, and of all. */
  cpuMost: number;
  /** Of all nodes. */
  cpu: number;
}

/** What a job took. */
export interface OctreeStats {
  /** Parts that the boxes were cut into. */
  parts: number;
  /** Octants of all boxes. */
  octants: number;
  /** Tests of pairs of boxes. */
  tests: number;
  /** In their order. */
  rounds: OctreeRound[];
  /** Bytes that the caller fetched. */
  toCaller: number;
  /** Tasks that were given out again. */
  again: number;
  /** Messages of the caller, sent and received. */
  messages: number;
  /** From the first task to the answer. */
  milliseconds: number;
}

/** The same, submitted to jobs that openJobs has opened: boxes and how their pairs are found. */
export interface BoxPairsJob
  extends Omit<ClusterBoxPairsOptions, 'cluster' | 'engine' | 'patience' | 'where'> {
  /** Six floats each, least x, y, z, then greatest: copied as the job is handed over. */
  boxes: Float32Array;
}
