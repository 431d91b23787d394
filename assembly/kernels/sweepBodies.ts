// Pairs of bodies whose boxes meet on the way -> their contacts: what comes into the other's box is found in each one's tree,
// placed, and swept against each other (the stream-based pair test of Du, Liu and Suzumura, Alg. 2).
import { settlePairs } from '../featurePairs';
import { BodyRecord, Contact, ContactList, MeshRecord, MovingBody, SweepBodiesJob, SweepQuestion, SweptMesh } from '../layout';
import { pairFeatures } from '../pairFeatures';
import { boxesMeet, reachFaces } from '../reachFaces';

const BOX: usize = 24;

/** Slice i fills list i. Pairs are taken one by one by whoever is free. */
export function sweepBodies(jobAt: usize, begin: u32, end: u32): void {
  const count = load<u32>(jobAt, SweepBodiesJob.pairCount), question: usize = load<u32>(jobAt, SweepBodiesJob.questionAt);
  for (let i = begin; i < end; i++) {
    const list = <usize>load<u32>(jobAt, SweepBodiesJob.listsAt) + <usize>i * ContactList.SIZE;
    for (;;) {
      const pair = atomic.add<u32>(jobAt, 1, SweepBodiesJob.cursor);
      if (pair >= count) break;
      const before = load<f64>(list, ContactList.found);
      store<u32>(list, pair, ContactList.pair);
      store<f64>(list, Infinity, ContactList.earliest);
      sweepPair(jobAt, question, list, pair);
      settlePairs(question, list);
      if (load<u32>(question, SweepQuestion.isFirst) != 0) keepEarliest(list, <u32>before);
    }
  }
}

function sweepPair(job: usize, question: usize, list: usize, pair: u32): void {
  const a = load<u32>(<usize>load<u32>(job, SweepBodiesJob.pairsAAt) + (<usize>pair << 2)), b = load<u32>(<usize>load<u32>(job, SweepBodiesJob.pairsBAt) + (<usize>pair << 2));
  const boxes: usize = load<u32>(job, SweepBodiesJob.boxesAt), sweptA: usize = load<u32>(list, ContactList.bodiesAt), sweptB = sweptA + SweptMesh.SIZE;
  const points = sweptB + SweptMesh.SIZE, pointsBytes: usize = load<u32>(list, ContactList.pointsBytes);
  const boxesOfA = points + 2 * pointsBytes, boxesBytes: usize = load<u32>(list, ContactList.boxesBytes);
  const facesA = boxesOfA + 2 * boxesBytes, facesBytes: usize = load<u32>(list, ContactList.facesBytes), facesB = facesA + facesBytes, scratch = facesB + facesBytes;
  store<u32>(sweptA, <u32>points, SweptMesh.pointsAt);
  store<u32>(sweptB, <u32>(points + pointsBytes), SweptMesh.pointsAt);
  store<u32>(sweptA, <u32>boxesOfA, SweptMesh.boxesAt);
  store<u32>(sweptB, <u32>(boxesOfA + boxesBytes), SweptMesh.boxesAt);
  let countA = reach(job, question, a, boxes + <usize>b * BOX, sweptA, facesA, scratch);
  if (countA == 0) return;
  // What of the other body comes near those faces, and what of those near that.
  let region = bound(sweptA, facesA, countA, scratch);
  const countB = reach(job, question, b, region, sweptB, facesB, scratch + 32);
  if (countB == 0) return;
  region = bound(sweptB, facesB, countB, scratch);
  countA = select(sweptA, facesA, countA, region);
  let facePairs: u32 = 0;
  for (let i: usize = 0; i < <usize>countA << 2; i += 4) {
    const faceA = load<u32>(facesA + i), boxA = boxOf(sweptA, faceA);
    for (let k: usize = 0; k < <usize>countB << 2; k += 4) {
      const faceB = load<u32>(facesB + k);
      if (!boxesMeet(boxA, boxOf(sweptB, faceB))) continue;
      pairFeatures(question, list, sweptA, faceA, sweptB, faceB);
      facePairs++;
    }
  }
  store<f64>(list, load<f64>(list, ContactList.facePairs) + <f64>facePairs, ContactList.facePairs);
}

// @ts-ignore: decorator
@inline function boxOf(swept: usize, face: u32): usize { return <usize>load<u32>(swept, SweptMesh.boxesAt) + <usize>face * BOX; }

// The body's faces that come into a region.
function reach(job: usize, question: usize, index: u32, region: usize, swept: usize, faces: usize, scratch: usize): u32 {
  const body = <usize>load<u32>(job, SweepBodiesJob.bodiesAt) + <usize>index * BodyRecord.SIZE, moving = <usize>load<u32>(job, SweepBodiesJob.movingAt) + <usize>index * MovingBody.SIZE;
  const mesh: usize = load<u32>(body, BodyRecord.meshAt);
  store<u32>(swept, load<u32>(moving, MovingBody.facesAt), SweptMesh.facesAt);
  store<u32>(swept, load<u32>(moving, MovingBody.edgesAt), SweptMesh.edgesAt);
  return load<u32>(mesh, MeshRecord.leafCount) == 0 ? 0 : reachFaces(mesh, moving + MovingBody.from, body + BodyRecord.rows, region, load<f64>(question, SweepQuestion.margin), swept, faces, scratch);
}

// The box of some faces' boxes.
function bound(swept: usize, faces: usize, count: u32, to: usize): usize {
  let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity);
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    const box = boxOf(swept, load<u32>(faces + i));
    low = f32x4.min(low, v128.load(box));
    high = f32x4.max(high, v128.load(box, 12));
  }
  v128.store(to, high, 12);
  v128.store(to, v128.shuffle<f32>(low, high, 0, 1, 2, 4));
  return to;
}

// Those faces that come into the region, at the front of their list.
function select(swept: usize, faces: usize, count: u32, region: usize): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const face = load<u32>(faces + (<usize>i << 2));
    store<u32>(faces + (<usize>kept << 2), face);
    kept += u32(boxesMeet(boxOf(swept, face), region));
  }
  return kept;
}

// Of the pair's contacts, from number `first` on, only the least by (toi, faces, kind, features) stays. Those beyond the list's
// end are counted until there is room for them.
function keepEarliest(list: usize, first: u32): void {
  const count = <u32>load<f64>(list, ContactList.found), contacts: usize = load<u32>(list, ContactList.contactsAt);
  if (count <= first + 1 || count > load<u32>(list, ContactList.capacity)) return;
  const least = contacts + <usize>first * Contact.SIZE;
  for (let i = first + 1; i < count; i++) {
    const contact = contacts + <usize>i * Contact.SIZE;
    if (isBefore(contact, least)) memory.copy(least, contact, Contact.SIZE);
  }
  store<f64>(list, <f64>first + 1, ContactList.found);
}

function isBefore(a: usize, b: usize): bool {
  const toiA = load<f64>(a, Contact.toi), toiB = load<f64>(b, Contact.toi);
  if (toiA != toiB) return toiA < toiB;
  const faceA = load<u32>(a, Contact.faceA), faceB = load<u32>(b, Contact.faceA);
  if (faceA != faceB) return faceA < faceB;
  const otherA = load<u32>(a, Contact.faceB), otherB = load<u32>(b, Contact.faceB);
  if (otherA != otherB) return otherA < otherB;
  const kindA = load<u32>(a, Contact.kind), kindB = load<u32>(b, Contact.kind);
  if (kindA != kindB) return kindA < kindB;
  const ownA = load<u32>(a, Contact.a), ownB = load<u32>(b, Contact.a);
  return ownA != ownB ? ownA < ownB : load<u32>(a, Contact.b) < load<u32>(b, Contact.b);
}
