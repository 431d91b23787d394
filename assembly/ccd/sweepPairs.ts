// Finds the contacts among pairs of moving features whose boxes overlap.

import {
  APART,
  ContactList,
  EDGE_EDGE,
  FACE_VERTEX,
  PAIR_CHUNK,
  RotationPlan,
  START,
  StartFace,
  SweepPairsJob,
  SweepQuery,
  SweptMesh,
} from '../records';
import { addPair, testPairs } from './featurePairs';
import { placeSubstep, planSubsteps } from './planSubsteps';
import { refineContacts } from './refineContacts';
import { areStartsApart } from './startFaces';
import { addStart, testStartPair } from './startPairs';
import { edgeOf, faceOf, hasVertex, pointOf } from './sweptFeatures';

/** Offset of a StartFace's first vertex number. The numbers are in the fourth lanes of its x, y and z. */
const FIRST: usize = StartFace.x + 12;

/** Slice i fills list i. Threads take PAIR_CHUNK pairs at a time from a shared counter. */
export function sweepPairs(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, SweepPairsJob.pairCount);
  const kind = load<u32>(jobAt, SweepPairsJob.kind);
  const lists: usize = load<u32>(jobAt, SweepPairsJob.listsAt);
  const pairsA: usize = load<u32>(jobAt, SweepPairsJob.pairsAAt);
  const pairsB: usize = load<u32>(jobAt, SweepPairsJob.pairsBAt);
  const stepQuery: usize = load<u32>(jobAt, SweepPairsJob.sweepQueryAt);
  const bodyA: usize = load<u32>(jobAt, SweepPairsJob.bodyA);
  const sweptA: usize = load<u32>(jobAt, SweepPairsJob.sweptA);
  const sweptB: usize = load<u32>(jobAt, SweepPairsJob.sweptB);
  const isSelf = load<u32>(stepQuery, SweepQuery.isSelf) != 0;
  for (let i = begin; i < end; i++) {
    const list = lists + <usize>i * ContactList.SIZE;
    const plan: usize = load<u32>(list, ContactList.rotatingAt);
    const sweepQuery = bodyA != 0 ? plan + RotationPlan.sweepQuery : stepQuery;
    const before = <u32>load<f64>(list, ContactList.found);
    if (bodyA != 0) {
      planSubsteps(stepQuery, bodyA, load<u32>(jobAt, SweepPairsJob.bodyB), plan);
      placeSubstep(plan, load<u32>(jobAt, SweepPairsJob.substep));
    }
    for (;;) {
      const first = atomic.add<u32>(jobAt, PAIR_CHUNK, SweepPairsJob.cursor);
      if (first >= count) break;
      const last = (<usize>min(first + PAIR_CHUNK, count)) << 2;
      for (let k = (<usize>first) << 2; k < last; k += 4) {
        const a = load<u32>(pairsA + k);
        const b = load<u32>(pairsB + k);
        if (kind == START) testFacesAtStart(list, sweptA, a, sweptB, b, isSelf);
        else if (kind != EDGE_EDGE) addVertexFacePair(sweepQuery, list, kind, sweptA, a, sweptB, b, isSelf);
        // If the mesh is tested against itself, order the two edges by number, so that the pair does not
        // depend on which edge came first.
        else if (isSelf && a > b) addEdgePair(sweepQuery, list, sweptB, b, sweptA, a, isSelf);
        else addEdgePair(sweepQuery, list, sweptA, a, sweptB, b, isSelf);
      }
    }
    testPairs(sweepQuery, list);
    if (bodyA != 0) refineContacts(plan, list, before, sweptA, sweptB);
  }
}

// Tests two faces at the start. Faces of one mesh that share a vertex are skipped.
function testFacesAtStart(list: usize, sweptA: usize, a: u32, sweptB: usize, b: u32, isSelf: bool): void {
  const startA = startOf(sweptA, a);
  const startB = startOf(sweptB, b);
  if ((isSelf && shareVertex(startA, startB)) || areStartsApart(startA, startB)) return;
  const first = isSelf ? min(a, b) : a;
  const second = isSelf ? max(a, b) : b;
  const verdict = testStartPair(list, sweptA, first, sweptB, second);
  if (verdict != APART) addStart(list, verdict, first, second);
}

function startOf(swept: usize, face: u32): usize {
  return <usize>load<u32>(swept, SweptMesh.startsAt) + <usize>face * StartFace.SIZE;
}

// Returns whether two faces share a vertex. There are no branches, because the result is hard to predict.
function shareVertex(a: usize, b: usize): bool {
  const a0 = load<u32>(a, FIRST);
  const a1 = load<u32>(a, FIRST + 16);
  const a2 = load<u32>(a, FIRST + 32);
  const b0 = load<u32>(b, FIRST);
  const b1 = load<u32>(b, FIRST + 16);
  const b2 = load<u32>(b, FIRST + 32);
  return (
    (u32(a0 == b0) |
      u32(a0 == b1) |
      u32(a0 == b2) |
      u32(a1 == b0) |
      u32(a1 == b1) |
      u32(a1 == b2) |
      u32(a2 == b0) |
      u32(a2 == b1) |
      u32(a2 == b2)) !=
    0
  );
}

// Adds a pair of a vertex and a face. If the kind is FACE_VERTEX, the vertex belongs to mesh B and the face
// to mesh A; otherwise it is the other way around.
function addVertexFacePair(
  sweepQuery: usize,
  list: usize,
  kind: u32,
  sweptA: usize,
  a: u32,
  sweptB: usize,
  b: u32,
  isSelf: bool,
): void {
  const isSwapped = kind == FACE_VERTEX;
  const own = isSwapped ? sweptB : sweptA;
  const otherSwept = isSwapped ? sweptA : sweptB;
  const vertex = isSwapped ? b : a;
  const face = faceOf(otherSwept, isSwapped ? a : b);
  if (isSelf && hasVertex(face, vertex)) return;
  const p0 = pointOf(otherSwept, load<u32>(face));
  const p1 = pointOf(otherSwept, load<u32>(face, 4));
  const p2 = pointOf(otherSwept, load<u32>(face, 8));
  const owner = ownerOf(own, SweptMesh.vertexFacesAt, vertex);
  addPair(
    sweepQuery,
    list,
    kind,
    pointOf(own, vertex),
    p0,
    p1,
    p2,
    a,
    b,
    isSwapped ? a : owner,
    isSwapped ? owner : b,
  );
}

// Adds a pair of edges, unless both belong to the same mesh and share a vertex.
// @ts-ignore: decorator
@inline
function addEdgePair(
  sweepQuery: usize,
  list: usize,
  sweptA: usize,
  a: u32,
  sweptB: usize,
  b: u32,
  isSelf: bool,
): void {
  const edgeA = edgeOf(sweptA, a);
  const edgeB = edgeOf(sweptB, b);
  const vertexA = load<u32>(edgeA);
  const nextA = load<u32>(edgeA, 4);
  const vertexB = load<u32>(edgeB);
  const nextB = load<u32>(edgeB, 4);
  if (
    u32(isSelf) &
    (u32(vertexA == vertexB) | u32(vertexA == nextB) | u32(nextA == vertexB) | u32(nextA == nextB))
  )
    return;
  addPair(
    sweepQuery,
    list,
    EDGE_EDGE,
    pointOf(sweptA, vertexA),
    pointOf(sweptA, nextA),
    pointOf(sweptB, vertexB),
    pointOf(sweptB, nextB),
    a,
    b,
    ownerOf(sweptA, SweptMesh.edgeFacesAt, a),
    ownerOf(sweptB, SweptMesh.edgeFacesAt, b),
  );
}

function ownerOf(swept: usize, table: usize, feature: u32): u32 {
  return load<u32>(<usize>load<u32>(swept + table) + ((<usize>feature) << 2));
}
