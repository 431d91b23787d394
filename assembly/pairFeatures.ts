// Two faces in motion -> pairs of their features that may meet, each once, by the faces that own them (Curtis et al. 2008).
import { keepPair } from './featurePairs';
import { EDGE_EDGE, FACE_VERTEX, NOTHING, OWN_BIT, SweepQuestion, SweptMesh, VERTEX_FACE } from './layout';
import { greatestOf, leastOf, SWEPT_POINT } from './sweptPoints';

/** Bytes of a face, of its box, and of an edge; where a face's edges begin. */
const FACE: usize = 24, BOX: usize = 24, EDGE: usize = 8, EDGES: usize = 12;

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

// @ts-ignore: decorator
@inline function faceOf(swept: usize, face: u32): usize { return <usize>load<u32>(swept, SweptMesh.facesAt) + <usize>face * FACE; }
// @ts-ignore: decorator
@inline function boxOf(swept: usize, face: u32): usize { return <usize>load<u32>(swept, SweptMesh.boxesAt) + <usize>face * BOX; }
// @ts-ignore: decorator
@inline function edgeOf(swept: usize, edge: u32): usize { return <usize>load<u32>(swept, SweptMesh.edgesAt) + <usize>edge * EDGE; }
// @ts-ignore: decorator
@inline function pointOf(swept: usize, vertex: u32): usize { return <usize>load<u32>(swept, SweptMesh.pointsAt) + <usize>(vertex & ~OWN_BIT) * SWEPT_POINT; }

// The edge's number where its face owns it. One of a single vertex has the bit set, too.
// @ts-ignore: decorator
@inline function ownedEdge(at: usize): u32 {
  const word = load<u32>(at);
  return word == NOTHING || (word & OWN_BIT) == 0 ? NOTHING : word & ~OWN_BIT;
}

// @ts-ignore: decorator
@inline function hasVertex(face: usize, vertex: u32): bool {
  return (load<u32>(face) & ~OWN_BIT) == vertex || (load<u32>(face, 4) & ~OWN_BIT) == vertex || (load<u32>(face, 8) & ~OWN_BIT) == vertex;
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
