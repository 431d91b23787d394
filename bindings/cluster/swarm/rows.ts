// Makes the statistics of each step of a swarm (a simulation of moving bodies on many nodes). Each step has one
// row for the whole swarm, which contains one row for each member (node) of the swarm.
import { arrayConstructors, type ReceivedMessage } from '../message.js';
import { pick } from '../pick.js';
import { imbalanceOf, type Move, memberLoads } from './balance.js';
import type { Columns } from './columns.js';
import { Digest } from './digest.js';
import { contactLists, contactNames, type Report } from './messages.js';

/** The earliest contact of each pair of bodies, sorted by a, then b. See SweptContacts. */
export interface SwarmContacts {
  /** The number of the first body of each pair. In each pair, a[i] < b[i]. */
  a: Uint32Array;
  /** The number of the second body of each pair. */
  b: Uint32Array;
  /** For each contact, a time before which the two bodies do not touch: a fraction of the step. */
  toi: Float64Array;
  /** The exact time of each contact lies in toi..toi + bound. */
  bound: Float64Array;
  /** The kind of each contact, as an index into ['VF', 'FV', 'EE', 'start']. */
  kind: Uint8Array;
  /** Indices of the first bodies' vertices, faces or edges. */
  featureA: Uint32Array;
  /** Indices of the second bodies' vertices, faces or edges. */
  featureB: Uint32Array;
  /** For each contact, a triangle of the first body that has the feature. */
  triangleA: Uint32Array;
  /** For each contact, a triangle of the second body that has the feature. */
  triangleB: Uint32Array;
}

/** What one member did in a step. */
export interface NodeRow {
  /** The id of the node. */
  id: number;
  /** The name of the node. */
  name: string;
  /** The number of owned bodies at the end of the step: bodies whose centers lie in the node's columns. */
  ownedBodies: number;
  /** The number of bodies that reached into the node's columns during the step. */
  localBodies: number;
  /** The number of bodies that migrated to the node. */
  arrived: number;
  /** The number of columns that the node owns; 0 if members own fixed regions. */
  columns: number;
  /**
   * The load that balancing compares: see `load` of SwarmOptions. If members own fixed regions, this is always
   * the number of contacts.
   */
  load: number;
  /** Pairs of bodies that touch during the step, among the pairs that the node tested. */
  contacts: number;
  /**
   * The pairs that the node tested: the pairs whose swept boxes overlap and whose reference point lies in the
   * node's columns.
   */
  tested: number;
  /** Tests of two bodies' boxes. */
  boxTests: number;
  /** Pairs of faces whose swept boxes overlap. */
  facePairs: number;
  /** Pairs of features that were tested. */
  featurePairs: number;
  /** CPU milliseconds of three phases: moving and sending bodies, testing pairs, responding to contacts. */
  milliseconds: readonly [number, number, number];
  /** Bytes of the node's messages to other members. */
  sentBytes: number;
  /** The number of the node's messages to other members. */
  sentMessages: number;
}

/** A step of a swarm. */
export interface SwarmRow {
  /** The number of the step, counted from 1. */
  step: number;
  /** How often the swarm had been restarted from a checkpoint before this step. */
  restarts: number;
  /** One row for each member that took part in the step. */
  nodes: NodeRow[];
  /** Pairs of bodies that touch during the step, in the whole swarm. */
  contacts: number;
  /** 16 hexadecimal digits: the sum of the hashes of all contacts, independent of which nodes found them. */
  contactDigest: string;
  /** 16 hexadecimal digits: the sum of the hashes of the states of all bodies at the end of the step. */
  stateDigest: string;
  /** The maximum load of a member divided by the mean load of members; 1 if there is no load. */
  imbalance: number;
  /**
   * The maximum load of a column divided by the mean load of members. If this share exceeds 0.05, each column
   * is split into four before the next step, provided that all these conditions hold:
   * - the option `columns` is 'auto', and `balance` is not false;
   * - there is more than one member, and no member joins or leaves;
   * - the maximum load of a column exceeds 2;
   * - the number of columns after the split does not exceed the limits of `SwarmOptions.columns`.
   */
  columnShare: number;
  /**
   * The columns that change owners before the next step to balance the load, at most max(1, floor(members /
   * 4)). Columns that change owners because members join or leave are not listed.
   */
  moves: readonly Move[];
  /** The numbers of columns along x and y; zeros if members own fixed regions. */
  grid: readonly [number, number];
  /**
   * The id of the owner of each column in this step, row by row from the bottom; empty if members own fixed
   * regions.
   */
  owners: Uint32Array;
  /** Milliseconds from the end of the previous step to the end of this step. */
  milliseconds: number;
  /** Bytes of messages to and from the coordinator in this step, without states. */
  coordinatorBytes: number;
  /** Bytes of states for checkpoints. */
  checkpointBytes: number;
  /**
   * The sorted contacts; present only with the option `collect`. If one scene had all bodies, its
   * detect({ continuous: true }) would return the same contacts, but with ids of the scene as a and b.
   */
  collected?: SwarmContacts;
}

/** The fields that a member's row copies from its report. */
const REPORTED = [
  ...(['ownedBodies', 'localBodies', 'arrived', 'contacts', 'tested', 'boxTests'] as const),
  ...(['facePairs', 'featurePairs', 'sentBytes', 'sentMessages'] as const),
];

/** The inputs of a row. */
interface RowParts {
  step: number;
  restarts: number;
  columns: Columns;
  loads: Float64Array;
  owners: Uint32Array;
  reports: ReadonlyMap<number, ReceivedMessage<typeof Report>>;
  names: ReadonlyMap<number, string>;
  isColumns: boolean;
}

export function makeRow({
  step,
  restarts,
  columns,
  loads,
  owners,
  reports,
  names,
  isColumns,
}: RowParts): Omit<SwarmRow, 'moves' | 'milliseconds' | 'coordinatorBytes' | 'checkpointBytes'> {
  const ids = [...reports.keys()];
  const contactSum = new Digest();
  const stateSum = new Digest();
  const sums = isColumns
    ? memberLoads(ids, owners, loads)
    : new Map(ids.map(id => [id, reports.get(id)!.contacts]));
  const owned = new Map(ids.map(id => [id, 0]));
  if (isColumns) for (const id of owners) owned.set(id, owned.get(id)! + 1);
  const nodes = ids.map((id): NodeRow => {
    const report = reports.get(id)!;
    const { contactSum: contactWords, stateSum: stateWords, milliseconds } = report;
    contactSum.add(contactWords[0], contactWords[1]);
    stateSum.add(stateWords[0], stateWords[1]);
    return {
      id,
      name: names.get(id) ?? '',
      ...pick(report, REPORTED),
      columns: owned.get(id)!,
      load: sums.get(id)!,
      milliseconds: [milliseconds[0], milliseconds[1], milliseconds[2]],
    };
  });
  const mean = [...sums.values()].reduce((sum, load) => sum + load, 0) / ids.length;
  return {
    step,
    restarts,
    nodes,
    contacts: nodes.reduce((sum, node) => sum + node.contacts, 0),
    contactDigest: contactSum.toString(),
    stateDigest: stateSum.toString(),
    imbalance: imbalanceOf(sums.values()),
    columnShare: isColumns && mean > 0 ? loads.reduce((max, load) => Math.max(max, load), 0) / mean : 0,
    grid: isColumns ? [columns.width, columns.height] : [0, 0],
    owners: isColumns ? owners.slice() : new Uint32Array(0),
  };
}

/** Merges the contacts of many members, and sorts them by a, then b. */
export function mergeContacts(lists: readonly SwarmContacts[]): SwarmContacts {
  const sources = lists
    .flatMap((list, from) => Array.from(list.a, (a, i) => ({ a, b: list.b[i], from, i })))
    .sort((x, y) => x.a - y.a || x.b - y.b);
  const merged = contactNames.map(name => {
    const List = arrayConstructors[contactLists[name]] as typeof Float64Array;
    return [name, List.from(sources, ({ from, i }) => lists[from][name][i])];
  });
  return Object.fromEntries(merged) as SwarmContacts;
}
