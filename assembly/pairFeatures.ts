// Two faces in motion -> pairs of their features that may meet, each once, by the faces that own them (Curtis et al. 2008).
import { keepPair } from './featurePairs';
import { EDGE_EDGE, FACE_VERTEX, NOTHING, OWN_BIT, SweepQuestion, VERTEX_FACE } from './layout';
import { boxOf, edgeOf, EDGES, FACE, faceOf, hasVertex, ownedEdge, pointOf } from './sweptFeatures';
import { greatestOf, leastOf } from './sweptPoints';

/** Keeps the pairs of features of face a of one mesh and face b of another, or of the same. */
export function pairFeatures(question: usize, list: usize, sweptA: usize, a: u32, sweptB: usize, b: u32): void {
  const isSelf = load<u32>(question, SweepQuestion.isSelf) != 0;
  vertices(question, list, sweptA, a, sweptB, b, isSelf, VERTEX_FACE);
  vertices(question, list, sweptB, b, sweptA, a, isSelf, isSelf ? VERTEX_FACE : FACE_VERTEX);
  edges(question, list, sweptA, a, sweptB, b, isSelf);
}

// Vertices that one face owns, against the other face.
function vertices(question: usize, list: usize, swept: usize, face: u32, otherSwept: usize, other: u32, isSelf: bool, kind: u32): void {
  const own = faceOf(swept, face), theirs = faceOf(otherSwept, other), box = boxOf(otherSwept, other);
  for (let corner: usize = 0; corner < 12; corner += 4) {
    const word = load<u32>(own + corner), vertex = word & ~OWN_BIT;
    if (word == vertex) continue;
    const point = pointOf(swept, vertex);
    if (!reaches(point, point, box) || (isSelf && hasVertex(theirs, vertex))) continue;
    const p0 = pointOf(otherSwept, load<u32>(theirs)), p1 = pointOf(otherSwept, load<u32>(theirs, 4)), p2 = pointOf(otherSwept, load<u32>(theirs, 8));
    if (kind == FACE_VERTEX) keepPair(question, list, kind, point, p0, p1, p2, other, vertex, other, face);
    else keepPair(question, list, kind, point, p0, p1, p2, vertex, other, face, other);
  }
}

// Edges that one face owns, against those that the other one owns.
function edges(question: usize, list: usize, sweptA: usize, a: u32, sweptB: usize, b: u32, isSelf: bool): void {
  const ownA = faceOf(sweptA, a), ownB = faceOf(sweptB, b), boxA = boxOf(sweptA, a), boxB = boxOf(sweptB, b);
  for (let i: usize = EDGES; i < FACE; i += 4) {
    const edgeA = ownedEdge(ownA + i);
    if (edgeA == NOTHING) continue;
    const ends = edgeOf(sweptA, edgeA), vertexA = load<u32>(ends), nextA = load<u32>(ends, 4), pointA = pointOf(sweptA, vertexA), endA = pointOf(sweptA, nextA);
    if (!reaches(pointA, endA, boxB)) continue;
    for (let k: usize = EDGES; k < FACE; k += 4) {
      const edgeB = ownedEdge(ownB + k);
      if (edgeB == NOTHING) continue;
      const others = edgeOf(sweptB, edgeB), vertexB = load<u32>(others), nextB = load<u32>(others, 4);
      if (isSelf && (vertexA == vertexB || vertexA == nextB || nextA == vertexB || nextA == nextB)) continue;
      const pointB = pointOf(sweptB, vertexB), endB = pointOf(sweptB, nextB);
      if (!reaches(pointB, endB, boxA) || areApart(question, pointA, endA, pointB, endB)) continue;
      // A pair of one mesh is the same whichever of its faces came first.
      if (isSelf && edgeA > edgeB) keepPair(question, list, EDGE_EDGE, pointB, endB, pointA, endA, edgeB, edgeA, b, a);
      else keepPair(question, list, EDGE_EDGE, pointA, endA, pointB, endB, edgeA, edgeB, a, b);
    }
  }
}

// Whether two points come into a face's box, which is grown by the separation. One point is twice the same.
// @ts-ignore: decorator
@inline function reaches(a: usize, b: usize, box: usize): bool {
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = axis << 3;
    if (min(leastOf(a, at), leastOf(b, at)) > <f64>load<f32>(box + (axis << 2), 12) || max(greatestOf(a, at), greatestOf(b, at)) < <f64>load<f32>(box + (axis << 2))) return false;
  }
  return true;
}

// Whether two edges' boxes are farther apart than the separation.
// @ts-ignore: decorator
@inline function areApart(question: usize, a: usize, endA: usize, b: usize, endB: usize): bool {
  const margin = load<f64>(question, SweepQuestion.margin);
  for (let at: usize = 0; at < 24; at += 8) {
    if (min(leastOf(a, at), leastOf(endA, at)) - margin > max(greatestOf(b, at), greatestOf(endB, at))) return true;
    if (max(greatestOf(a, at), greatestOf(endA, at)) + margin < min(leastOf(b, at), leastOf(endB, at))) return true;
  }
  return false;
}
