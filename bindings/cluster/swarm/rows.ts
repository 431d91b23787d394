// What a conductor tells of a step: of each member, and of all.
import { arrays, type Said } from '../message.js';
import { pick } from '../pick.js';
import { imbalanceOf, loadsOf, type Move } from './balance.js';
import type { Columns } from './columns.js';
import { Digest } from './digest.js';
import { contactLists, contactNames, type Report } from './messages.js';

/** One contact a pair of bodies, the first, sorted by a, then b: see SweptContacts. */
export interface SwarmContacts {
  /** Numbers of the first bodies: a[i] < b[i]. */
  a: Uint32Array;
  /** See `a`. */
  b: Uint32Array;
  /** Part of the step before which they do not touch. */
  toi: Float64Array;
  /** Each lies in toi..toi + bound. */
  bound: Float64Array;
  /** Indices into ['VF', 'FV', 'EE', 'start']. */
  kind: Uint8Array;
  /** Numbers of the first bodies' vertices, faces or edges. */
  featureA: Uint32Array;
  /** Those of the second. */
  featureB: Uint32Array;
  /** Triangles that have them. */
  triangleA: Uint32Array;
  /** See `triangleA`. */
  triangleB: Uint32Array;
}

/** One member's part in a step. */
export interface NodeRow {
  /** Which node. */
  id: number;
  /** Its name. */
  name: string;
  /** Bodies at home with it when the step ended. */
  homes: number;
  /** Bodies that it knew: at home, or reaching its columns. */
  residents: number;
  /** Bodies that came to stay. */
  arrived: number;
  /** Columns that it owns. */
  columns: number;
  /** What balancing goes by: see `load` of SwarmOptions. */
  load: number;
  /** Pairs of bodies that touch on the way. */
  contacts: number;
  /** Pairs of bodies whose boxes meet on the way. */
  tested: number;
  /** Tests of two bodies' boxes. */
  boxTests: number;
  /** Pairs of faces whose boxes meet on the way. */
  facePairs: number;
  /** Pairs of features that were tested. */
  featurePairs: number;
  /** Milliseconds of its processor: moving and sending, testing, answering. */
  milliseconds: readonly [number, number, number];
  /** Bytes of its letters to other members. */
  sentBytes: number;
  /** How many letters. */
  sentMessages: number;
}

/** A step of a swarm. */
export interface SwarmRow {
  /** From 1 on. */
  step: number;
  /** How often the run was begun anew from a checkpoint before. */
  restarts: number;
  /** Its members. */
  nodes: NodeRow[];
  /** Pairs of bodies that touch on the way, of all. */
  contacts: number;
  /** 16 hexadecimal digits: the sum of all contacts' hashes, whoever found them. */
  contactDigest: string;
  /** The same of all bodies' states at the end. */
  stateDigest: string;
  /** Greatest load of a member over the mean. */
  imbalance: number;
  /**
   * Greatest load of a column over the mean of members: where it is more than 0.05, columns are cut before
   * the next step, unless there are as many as may be.
   */
  columnShare: number;
  /** Columns that change hands before the next step: at most one, or one for every four members. */
  moves: readonly Move[];
  /** Columns from left to right, and from bottom to top; none where places belong to members for good. */
  grid: readonly [number, number];
  /** Of each column, row by row from the bottom, the id of its owner in this step. */
  owners: Uint32Array;
  /** Milliseconds from one step's end to the next one's. */
  milliseconds: number;
  /** Bytes of letters to and from the conductor in this step, without states. */
  conductorBytes: number;
  /** Bytes of states for checkpoints. */
  checkpointBytes: number;
  /**
   * With `collect`: the contacts, sorted, as detect({ continuous: true }) of one scene tells them; a and b
   * are numbers of bodies.
   */
  collected?: SwarmContacts;
}

/** What a member's row has as its report tells it. */
const REPORTED = [
  ...(['homes', 'residents', 'arrived', 'contacts', 'tested', 'boxTests'] as const),
  ...(['facePairs', 'featurePairs', 'sentBytes', 'sentMessages'] as const),
];

/** What a row is made of. */
interface RowParts {
  step: number;
  restarts: number;
  columns: Columns;
  loads: Float64Array;
  owners: Uint32Array;
  reports: ReadonlyMap<number, Said<typeof Report>>;
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
}: RowParts): Omit<SwarmRow, 'moves' | 'milliseconds' | 'conductorBytes' | 'checkpointBytes'> {
  const ids = [...reports.keys()];
  const contactSum = new Digest();
  const stateSum = new Digest();
  const sums = isColumns
    ? loadsOf(ids, owners, loads)
    : new Map(ids.map(id => [id, reports.get(id)!.contacts]));
  const owned = new Map(ids.map(id => [id, 0]));
  if (isColumns) for (const id of owners) owned.set(id, owned.get(id)! + 1);
  const nodes = ids.map((id): NodeRow => {
    const report = reports.get(id)!;
    const { contactSum: ofContacts, stateSum: ofStates, milliseconds } = report;
    contactSum.add(ofContacts[0], ofContacts[1]);
    stateSum.add(ofStates[0], ofStates[1]);
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
    columnShare: isColumns && mean > 0 ? loads.reduce((most, load) => Math.max(most, load), 0) / mean : 0,
    grid: isColumns ? [columns.width, columns.height] : [0, 0],
    owners: isColumns ? owners.slice() : new Uint32Array(0),
  };
}

/** Contacts of many members -> all of them, sorted by a, then b. */
export function mergeContacts(lists: readonly SwarmContacts[]): SwarmContacts {
  const places = lists
    .flatMap((list, from) => Array.from(list.a, (a, i) => ({ a, b: list.b[i], from, i })))
    .sort((x, y) => x.a - y.a || x.b - y.b);
  const merged = contactNames.map(name => {
    const List = arrays[contactLists[name]] as typeof Float64Array;
    return [name, List.from(places, ({ from, i }) => lists[from][name][i])];
  });
  return Object.fromEntries(merged) as SwarmContacts;
}
