// Collects the pairs of features of two moving faces that may touch: pairs of a vertex and a face, and pairs
// of edges. Each vertex and edge is owned by one of its faces, and only this face adds it to pairs, so that
// each pair is tested once (Curtis et al. 2008).

import { EDGE_EDGE, FACE_VERTEX, NOTHING, OWN_BIT, SweepQuery, VERTEX_FACE } from '../records';
import { lowLanes, swapLanes } from '../simd/doubles';
import { addPair } from './featurePairs';
import {
  boxOf,
  EDGES_OFFSET,
  edgeOf,
  FACE_BYTES,
  faceOf,
  hasVertex,
  ownedEdge,
  pointOf,
} from './sweptFeatures';
import { endOf, startAndEndZ } from './sweptPoints';

/**
 * Adds the pairs of features of face a of one mesh and face b of the other. If a mesh is tested against
 * itself, both meshes are the same.
 */
export function pairFeatures(
  sweepQuery: usize,
  list: usize,
  sweptA: usize,
  a: u32,
  sweptB: usize,
  b: u32,
): void {
  const isSelf = load<u32>(sweepQuery, SweepQuery.isSelf) != 0;
  pairVertices(sweepQuery, list, sweptA, a, sweptB, b, isSelf, VERTEX_FACE);
  pairVertices(sweepQuery, list, sweptB, b, sweptA, a, isSelf, isSelf ? VERTEX_FACE : FACE_VERTEX);
  pairEdges(sweepQuery, list, sweptA, a, sweptB, b, isSelf);
}

// Pairs the vertices that one face owns with the other face.
function pairVertices(
  sweepQuery: usize,
  list: usize,
  swept: usize,
  face: u32,
  otherSwept: usize,
  other: u32,
  isSelf: bool,
  kind: u32,
): void {
  const own = faceOf(swept, face);
  const otherFace = faceOf(otherSwept, other);
  const box = boxOf(otherSwept, other);
  const low = lowOfBox(box);
  const high = highOfBox(box);
  const depth = zRangeOfBox(box);
  for (let corner: usize = 0; corner < 12; corner += 4) {
    const word = load<u32>(own + corner);
    const vertex = word & ~OWN_BIT;
    if (word == vertex) continue;
    const point = pointOf(swept, vertex);
    if (
      areApart(lowOf(point, point), highOf(point, point), zRangeOf(point, point), low, high, depth) ||
      (isSelf && hasVertex(otherFace, vertex))
    )
      continue;
    const p0 = pointOf(otherSwept, load<u32>(otherFace));
    const p1 = pointOf(otherSwept, load<u32>(otherFace, 4));
    const p2 = pointOf(otherSwept, load<u32>(otherFace, 8));
    if (kind == FACE_VERTEX) addPair(sweepQuery, list, kind, point, p0, p1, p2, other, vertex, other, face);
    else addPair(sweepQuery, list, kind, point, p0, p1, p2, vertex, other, face, other);
  }
}

// Pairs the edges that one face owns with the edges that the other face owns.
function pairEdges(
  sweepQuery: usize,
  list: usize,
  sweptA: usize,
  a: u32,
  sweptB: usize,
  b: u32,
  isSelf: bool,
): void {
  const ownA = faceOf(sweptA, a);
  const ownB = faceOf(sweptB, b);
  const boxA = boxOf(sweptA, a);
  const boxB = boxOf(sweptB, b);
  const lowA = lowOfBox(boxA);
  const highA = highOfBox(boxA);
  const depthA = zRangeOfBox(boxA);
  const lowB = lowOfBox(boxB);
  const highB = highOfBox(boxB);
  const depthB = zRangeOfBox(boxB);
  const margin = f64x2.splat(load<f64>(sweepQuery, SweepQuery.margin));
  for (let i: usize = EDGES_OFFSET; i < FACE_BYTES; i += 4) {
    const edgeA = ownedEdge(ownA + i);
    if (edgeA == NOTHING) continue;
    const ends = edgeOf(sweptA, edgeA);
    const vertexA = load<u32>(ends);
    const nextA = load<u32>(ends, 4);
    const pointA = pointOf(sweptA, vertexA);
    const endA = pointOf(sweptA, nextA);
    // Enlarge the box of edge A by the margin. Both lanes of its z range decrease, since the maximum is stored
    // negated.
    const low = f64x2.sub(lowOf(pointA, endA), margin);
    const high = f64x2.add(highOf(pointA, endA), margin);
    const depth = f64x2.sub(zRangeOf(pointA, endA), margin);
    if (areApart(low, high, depth, lowB, highB, depthB)) continue;
    for (let k: usize = EDGES_OFFSET; k < FACE_BYTES; k += 4) {
      const edgeB = ownedEdge(ownB + k);
      if (edgeB == NOTHING) continue;
      const others = edgeOf(sweptB, edgeB);
      const vertexB = load<u32>(others);
      const nextB = load<u32>(others, 4);
      if (isSelf && (vertexA == vertexB || vertexA == nextB || nextA == vertexB || nextA == nextB)) continue;
      const pointB = pointOf(sweptB, vertexB);
      const endB = pointOf(sweptB, nextB);
      const otherLow = lowOf(pointB, endB);
      const otherHigh = highOf(pointB, endB);
      const otherDepth = zRangeOf(pointB, endB);
      if (
        areApart(low, high, depth, otherLow, otherHigh, otherDepth) ||
        areApart(lowA, highA, depthA, otherLow, otherHigh, otherDepth)
      )
        continue;
      // If the mesh is tested against itself, order the two edges by number, so that the pair does not depend
      // on which face came first.
      if (isSelf && edgeA > edgeB)
        addPair(sweepQuery, list, EDGE_EDGE, pointB, endB, pointA, endA, edgeB, edgeA, b, a);
      else addPair(sweepQuery, list, EDGE_EDGE, pointA, endA, pointB, endB, edgeA, edgeB, a, b);
    }
  }
}

// The next six functions return parts of a box in doubles. The first three are for the box of two moving
// points, and the other three are for a stored box. low: the minimum x and y. high: the maximum x and y. z
// range (called `depth` above): the minimum z and the negated maximum z.
function lowOf(a: usize, b: usize): v128 {
  return f64x2.pmin(f64x2.pmin(v128.load(a), endOf(a)), f64x2.pmin(v128.load(b), endOf(b)));
}
function highOf(a: usize, b: usize): v128 {
  return f64x2.pmax(f64x2.pmax(v128.load(a), endOf(a)), f64x2.pmax(v128.load(b), endOf(b)));
}
function zRangeOf(a: usize, b: usize): v128 {
  const z = startAndEndZ(a);
  const w = startAndEndZ(b);
  const low = f64x2.pmin(z, w);
  const high = f64x2.pmax(z, w);
  return lowLanes(f64x2.pmin(low, swapLanes(low)), f64x2.neg(f64x2.pmax(high, swapLanes(high))));
}
function lowOfBox(box: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(box));
}
function highOfBox(box: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(box, 12));
}
function zRangeOfBox(box: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(<f64>load<f32>(box, 8)), 1, -(<f64>load<f32>(box, 20)));
}

// Returns whether two boxes do not touch.
function areApart(lowA: v128, highA: v128, depthA: v128, lowB: v128, highB: v128, depthB: v128): bool {
  return v128.any_true(
    v128.or(
      v128.or(f64x2.gt(lowA, highB), f64x2.gt(lowB, highA)),
      f64x2.gt(depthA, f64x2.neg(swapLanes(depthB))),
    ),
  );
}
