// Defines the types of box-pair jobs: options, answers and statistics.

import type { PairsCopy } from '../../core/results.js';
import type { Engine } from '../../engine/engine.js';
import type { ExcludedNode } from '../jobs/jobStats.js';
import type { ListEncoding } from './listEncoding.js';

/** Options for finding box pairs on a cluster. */
export interface ClusterBoxPairsOptions {
  /**
   * How much of the work the nodes do. The three values are the levels of integration of Lucchesi 2002,
   * section 4.3. 'caller': the caller's `engine` does all the work. 'lists': nodes make sorted lists of
   * octants, and `engine` merges and scans them. 'nodes': the nodes do all the work. Default 'nodes'.
   */
  where?: 'caller' | 'lists' | 'nodes';
  /**
   * How the nodes find the pairs if `where` is 'nodes'. 'ranges': each node gets the boxes of a range of
   * octant codes and finds their pairs. 'tree': nodes merge their lists two by two until one node has all
   * octants, and that node scans them. Default 'ranges'.
   */
  merge?: 'ranges' | 'tree';
  /** The caller's engine, for 'caller' and 'lists'. */
  engine?: Engine;
  /**
   * The number of nodes for which the job waits before it starts. The job fails if fewer nodes answer within
   * `patience`. Default: the job starts with the nodes that answer immediately. More nodes may join later.
   */
  nodes?: number;
  /** The number of subsets into which the boxes are split, and the number of ranges. Default: one per node. */
  subsets?: number;
  /**
   * The encoding of lists in messages. 'raw': 8 bytes per entry. 'delta': differences between entries.
   * 'deflate': deflated differences. On links faster than 0.2 Gbit/s, encoding takes more time than it saves
   * in the transfer. Default 'raw'.
   */
  encoding?: ListEncoding;
  /**
   * Whether every task is given to two nodes, whose results must be equal. If true, the boxes are divided into
   * the cells of a k-d tree, and each task finds the pairs of one cell, so that nodes exchange nothing. This
   * doubles the work, needs at least two nodes, and cannot be combined with `merge`, with `encoding`, or with
   * a value of `where` other than 'nodes'. Default false: the process that submitted the job checks a sample of
   * the pairs itself.
   */
  verify?: boolean;
  /** The name of the cluster; several clusters may share a broker. Default 'pfront'. */
  cluster?: string;
  /** The job fails if no node has sent a message for this many milliseconds. Default 30,000. */
  patience?: number;
  /**
   * A whole number of milliseconds, after which a silent node counts as lost and its tasks run elsewhere. A
   * node is silent while it computes, so this must exceed the time of its longest task. Default: the
   * `leaseMilliseconds` that was passed to `openJobs`, if any; otherwise 10,000.
   */
  silence?: number;
  /**
   * Called for each chunk of the pairs, in ascending order of a; `a` and `b` of the answer stay empty. If
   * `verify` is true or `where` is 'lists', chunks are passed only after all pairs are in memory. If a node
   * returns false pairs, the remaining chunks are passed only after all pairs have been found again.
   */
  forEachChunk?: (chunk: PairsCopy) => void;
  /** The approximate maximum number of pairs per chunk. Default 2^20. */
  chunkPairs?: number;
}

/** The pairs, sorted by a, then b, as in the result of `engine.boxPairs`, and statistics. */
export interface ClusterBoxPairs extends PairsCopy {
  /** Rounds, bytes and messages. */
  stats: OctreeStats;
}

/** Milliseconds by stage of the linear octree. */
export interface OctreeStages {
  /** Computing the octal codes of the boxes. */
  codes: number;
  /** Sorting the list of octants. */
  sort: number;
  /** Merging the list with those of other nodes. */
  merge: number;
  /** Searching the list for pairs. */
  scan: number;
}

/** A round of tasks that may run concurrently. */
export interface OctreeRound {
  /**
   * One of 'distribute', 'statistics', 'list', 'merge', 'scan', 'pairs' and 'cells'. With `verify`, 'cells' is
   * the only round. Without `verify`, 'cells' is the last round if a node returned a false result, and does
   * not occur otherwise. The costs of 'cells' are not measured.
   */
  name: string;
  /** The number of tasks in the round. */
  tasks: number;
  /** Milliseconds from the first task of the round to the last result. */
  milliseconds: number;
  /** CPU milliseconds of the computation, for the task that took longest. */
  maxComputed: number;
  /** CPU milliseconds of the computations, summed over all tasks. */
  computed: number;
  /** Milliseconds by stage, for the task that took longest in that stage. */
  stages: OctreeStages;
  /** Bytes that the tasks fetched from the caller. */
  fromCaller: number;
  /** Bytes that the tasks fetched from other nodes. */
  fromNodes: number;
  /** Bytes that the tasks read from their own node. */
  fromSelf: number;
  /** Maximum number of bytes that one task read from the caller, other nodes and its own node together. */
  maxBytesRead: number;
  /** CPU milliseconds of the busiest node, including other work. */
  maxCpu: number;
  /** CPU milliseconds of all nodes. */
  cpu: number;
}

/**
 * Statistics of a job. If the pairs were found in cells (see the round 'cells'), `octants`, `tests` and
 * `maxTests` are 0, because they are not measured.
 */
export interface OctreeStats {
  /** The number of subsets that the boxes were split into. */
  subsets: number;
  /** The number of octants of all boxes. */
  octants: number;
  /** Box pairs tested. */
  tests: number;
  /** Box pairs tested by the task that tested most. */
  maxTests: number;
  /** The rounds, in order. */
  rounds: OctreeRound[];
  /** Bytes that the caller fetched. */
  toCaller: number;
  /** Tasks that were assigned again. */
  reassigned: number;
  /** Messages of the caller, sent and received. */
  messages: number;
  /** Milliseconds from the first task to the answer. */
  milliseconds: number;
}

/** Options of `openBoxPairs`. */
export type BoxPairsSessionOptions = Pick<
  ClusterBoxPairsOptions,
  'nodes' | 'subsets' | 'encoding' | 'verify' | 'cluster' | 'patience' | 'silence'
>;

/**
 * The pairs of a frame (time step), sorted by a, then b, and how they differ from the previous frame's pairs.
 */
export interface BoxPairsFrame extends PairsCopy {
  /** Pairs that the previous frame did not have. */
  began: PairsCopy;
  /** Pairs of the previous frame that this frame does not have. */
  ended: PairsCopy;
  /** Counts, times and bytes. */
  stats: BoxPairsFrameStats;
}

/** Statistics of a frame. */
export interface BoxPairsFrameStats extends OctreeStats {
  /** Boxes that were moved. */
  moved: number;
  /**
   * Ranges for which a node made the list of octants from scratch: all ranges in the first frame and when
   * boxes are distributed again, otherwise the ranges of lost nodes.
   */
  fresh: number;
  /** Ranges in which all octants were sorted, because many had changed. */
  sorted: number;
  /** Octants that were removed from sorted lists, plus octants that were inserted into them. */
  changed: number;
  /** Copies of boxes in this frame: a box is copied to each other range into which it reaches. */
  copies: number;
  /** Nodes that were excluded so far, because they returned a false result. */
  excluded: readonly ExcludedNode[];
}

/** A box-pair job for `openJobs`: boxes and options. */
export interface BoxPairsJob
  extends Omit<ClusterBoxPairsOptions, 'cluster' | 'engine' | 'patience' | 'verify' | 'where'> {
  /** Six floats per box: minimum x, y, z, then maximum x, y, z. Copied when the job is submitted. */
  boxes: Float32Array;
}
