// Where vertices are and want to go -> where they go, so that the cloth does not pass through itself on the
// way.
import type { SweptContacts } from 'pfront';
import { Zones } from './zones.js';

/**
 * Rounds in which the points of a contact share their motion; after these, all that hang together by contacts
 * move as one.
 */
const LOOSE_ROUNDS = 3;
const MOST_ROUNDS = 14;
/** Names of kinds by their numbers. */
const VERTEX_FACE = 0;

export type Sweep = (from: Float64Array, to: Float64Array) => SweptContacts;

export interface Stopped {
  /** Of the motion as it was wanted. */
  contacts: SweptContacts;
  /** How often the motion was swept, until no contact was left. */
  sweeps: number;
  milliseconds: number;
  /** Vertices that do not go where they wanted. */
  vertices: ReadonlySet<number>;
}

/**
 * Sweeps, lets the points of each contact move on together, and sweeps again until nothing meets. Points with
 * one motion never meet, so that the cloth is never cut, whatever the step. to: is changed. edges, faces:
 * vertices of the mesh's features.
 */
export function stopAtContacts(
  sweep: Sweep,
  edges: Uint32Array,
  faces: Uint32Array,
  from: Float64Array,
  to: Float64Array,
): Stopped {
  const first = sweep(from, to);
  const zones = new Zones(from.length / 3);
  const vertices = new Set<number>();
  let contacts = first;
  let sweeps = 1;
  let { milliseconds } = first.stats;
  while (contacts.count > 0) {
    const meetings = Array.from({ length: contacts.count }, (_, contact) =>
      verticesOf(contacts, contact, edges, faces),
    ).filter(points => !zones.areOne(points));
    // What is left are points of one motion, nearer to each other than doubles can tell.
    if (meetings.length === 0) break;
    for (const points of meetings) for (const vertex of points) vertices.add(vertex);
    if (sweeps >= MOST_ROUNDS) {
      to.set(from);
      break;
    }
    if (sweeps <= LOOSE_ROUNDS) for (const points of meetings) share(points, from, to);
    else {
      for (const points of meetings) zones.join(points);
      for (const zone of zones.all()) share(zone, from, to);
    }
    contacts = sweep(from, to);
    sweeps++;
    milliseconds += contacts.stats.milliseconds;
  }
  return { contacts: first, sweeps, milliseconds, vertices };
}

/** Vertices of all features that meet. */
export function verticesThatMeet(
  contacts: SweptContacts,
  edges: Uint32Array,
  faces: Uint32Array,
): Set<number> {
  const vertices = new Set<number>();
  for (let contact = 0; contact < contacts.count; contact++)
    for (const vertex of verticesOf(contacts, contact, edges, faces)) vertices.add(vertex);
  return vertices;
}

function verticesOf(
  { kind, featureA, featureB }: SweptContacts,
  contact: number,
  edges: Uint32Array,
  faces: Uint32Array,
): number[] {
  const a = featureA[contact]!;
  const b = featureB[contact]!;
  if (kind[contact] === VERTEX_FACE) return [a, faces[3 * b]!, faces[3 * b + 1]!, faces[3 * b + 2]!];
  return [edges[2 * a]!, edges[2 * a + 1]!, edges[2 * b]!, edges[2 * b + 1]!];
}

// Every point gets the mean way of all of them.
function share(points: readonly number[], from: Float64Array, to: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    let sum = 0;
    for (const vertex of points) sum += to[3 * vertex + axis]! - from[3 * vertex + axis]!;
    const way = sum / points.length;
    for (const vertex of points) to[3 * vertex + axis] = from[3 * vertex + axis]! + way;
  }
}
