// Computes the positions, at the start and at the end, of the four points of a contact between two linearly
// moving bodies. The kernel computes the same points, but its memory may be overwritten before the contact is
// decided exactly.

import { placeOn } from '../core/transform.js';
import { MeshRecord } from '../records/layout.js';
import { BodyRecord } from '../records/sceneLayout.js';
import { Contact, MovingBody, sweptLimits } from '../records/sweptLayout.js';
import type { Arena } from '../runtime/memory.js';

/** Byte addresses of a BodyRecord and its MovingBody. */
export interface PlacedBody {
  bodyAt: number;
  movingAt: number;
}

const FACE_WORDS = 6;
const EDGE_WORDS = 2;

/**
 * Returns the four points of a contact: 24 doubles in the common coordinate frame of both bodies. The four
 * points at the start come first, then the same points at the end. For a vertex and a face, the vertex comes
 * first, even if it belongs to body B. Counterpart of pairFeatures in assembly/ccd/pairFeatures.ts.
 */
export function placeFeatures(arena: Arena, contactAt: number, a: PlacedBody, b: PlacedBody): Float64Array {
  const { u32 } = arena;
  const word = (field: 'kind' | 'a' | 'b'): number => u32[(contactAt + Contact.at[field]) / 4];
  const kind = word('kind');
  const points: [PlacedBody, number][] = [];
  const add = (body: PlacedBody, vertices: Iterable<number>): void => {
    for (const vertex of vertices) points.push([body, vertex]);
  };
  if (kind === sweptLimits.EDGE_EDGE) {
    add(a, edgeOf(u32, a, word('a')));
    add(b, edgeOf(u32, b, word('b')));
  } else if (kind === sweptLimits.FACE_VERTEX) {
    add(b, [word('b')]);
    add(a, cornersOf(u32, a, word('a')));
  } else {
    add(a, [word('a')]);
    add(b, cornersOf(u32, b, word('b')));
  }
  const query = new Float64Array(24);
  points.forEach(([body, vertex], i) => {
    place(arena, body, vertex, body.movingAt + MovingBody.at.from, query, 3 * i);
    place(arena, body, vertex, body.bodyAt + BodyRecord.at.rows, query, 12 + 3 * i);
  });
  return query;
}

function edgeOf(u32: Uint32Array, { movingAt }: PlacedBody, edge: number): Uint32Array {
  const at = u32[(movingAt + MovingBody.at.edgesAt) / 4] / 4 + EDGE_WORDS * edge;
  return u32.subarray(at, at + EDGE_WORDS);
}

function cornersOf(u32: Uint32Array, { movingAt }: PlacedBody, face: number): number[] {
  const at = u32[(movingAt + MovingBody.at.facesAt) / 4] / 4 + FACE_WORDS * face;
  return Array.from(u32.subarray(at, at + 3), corner => (corner & ~sweptLimits.OWN_BIT) >>> 0);
}

function place(
  { u32, f32, f64 }: Arena,
  { bodyAt }: PlacedBody,
  vertex: number,
  rowsAt: number,
  out: Float64Array,
  to: number,
): void {
  const meshAt = u32[(bodyAt + BodyRecord.at.meshAt) / 4];
  const at = u32[(meshAt + MeshRecord.at.positionsAt) / 4] / 4 + 3 * vertex;
  for (let axis = 0; axis < 3; axis++)
    out[to + axis] = placeOn(f64, rowsAt / 8 + 4 * axis, f32[at], f32[at + 1], f32[at + 2]);
}
