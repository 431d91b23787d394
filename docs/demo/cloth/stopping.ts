// Collision response of the cloth: changes the motion of vertices so that the cloth does not pass through
// itself.
import type { SweptContacts } from 'pfront';
import { Zones } from './zones.js';

/**
 * Number of rounds in which the vertices of each contact are moved by the mean of their motions. In later
 * rounds, contacts that have vertices in common are merged into a zone, and all vertices of the zone are
 * moved by the mean motion of the zone.
 */
const CONTACT_ROUNDS = 3;
/** If contacts are left after this many sweeps, no vertex moves in the step. */
const MAX_ROUNDS = 14;
/** The value of `kind` for a contact of a vertex and a face. */
const VERTEX_FACE = 0;

export type Sweep = (from: Float64Array, to: Float64Array) => SweptContacts;

export interface Stopped {
  /** Contacts of the original motion, before it was changed. */
  contacts: SweptContacts;
  /** Number of sweeps, including the sweep of the original motion. */
  sweeps: number;
  milliseconds: number;
  /** Vertices whose motion was changed. */
  vertices: ReadonlySet<number>;
}

/**
 * Sweeps the motion from `from` to `to`. While there are contacts, gives the vertices of each contact a
 * common motion, and sweeps again. Vertices with the same motion never collide, so the cloth never passes
 * through itself, whatever the step size.
 *
 * @param edges - Vertex indices of the mesh's edges, two per edge.
 * @param faces - Vertex indices of the mesh's triangles, three per triangle.
 * @param to - Positions after the step; changed in place.
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
    const groups = Array.from({ length: contacts.count }, (_, contact) =>
      verticesOf(contacts, contact, edges, faces),
    ).filter(points => !zones.isSameZone(points));
    // In each remaining contact, all vertices have the same motion. Such contacts are only rounding errors:
    // the features are closer together than doubles can resolve.
    if (groups.length === 0) break;
    for (const points of groups) for (const vertex of points) vertices.add(vertex);
    if (sweeps >= MAX_ROUNDS) {
      to.set(from);
      for (let vertex = 0; 3 * vertex < from.length; vertex++) vertices.add(vertex);
      break;
    }
    if (sweeps <= CONTACT_ROUNDS) for (const points of groups) applyMeanMotion(points, from, to);
    else {
      for (const points of groups) zones.join(points);
      for (const zone of zones.all()) applyMeanMotion(zone, from, to);
    }
    contacts = sweep(from, to);
    sweeps++;
    milliseconds += contacts.stats.milliseconds;
  }
  return { contacts: first, sweeps, milliseconds, vertices };
}

/** Returns the vertices of all faces and edges in contact. */
export function touchingVertices(
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

// Moves all given vertices by the mean of their motions.
function applyMeanMotion(points: readonly number[], from: Float64Array, to: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    let sum = 0;
    for (const vertex of points) sum += to[3 * vertex + axis]! - from[3 * vertex + axis]!;
    const motion = sum / points.length;
    for (const vertex of points) to[3 * vertex + axis] = from[3 * vertex + axis]! + motion;
  }
}
