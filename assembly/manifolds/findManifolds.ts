// Computes the contact manifolds of placed pairs of meshes from their intersecting triangles. A manifold is a
// region in which two bodies touch, with one normal and up to four contact points. docs/modules/manifolds.md
// describes the method.

import { placeTriangle } from '../exact/place';
import {
  CLIP_BYTES,
  ContactCandidate,
  MAX_CANDIDATES,
  Manifold,
  ManifoldJob,
  ManifoldSlice,
  NOTHING,
  PairRecord,
  TriangleContact,
} from '../records';
import { choosePoints, SIDES_BYTES } from './choosePoints';
import {
  CORNERS_B,
  contactAlong,
  contactTriangles,
  dotNormals,
  NORMAL_A,
  NORMAL_B,
  overlapAlong,
  toleranceOf,
  WORK_BYTES,
  writeUnitNormal,
} from './contactTriangles';

/** Two normals count as similar if their dot product is greater than this. */
const ALIKE: f64 = 0.75;

/** Two triangles face the same way if the dot product of their unit normals is greater than this. */
const ALIGNED: f64 = 0.9;

/**
 * If the depth of a manifold is at most this fraction of the depth of a contact, a motion along the normal of
 * the manifold is a much shorter way to separate the bodies than a motion along the normal of the contact.
 */
const RESOLVED: f64 = 0.5;

/** Allows for rounding in the comparison of depths. */
const ROUNDED_UP: f64 = 1.01;

/** Processes the slices of a ManifoldJob from `begin` to end - 1. */
export function findManifolds(jobAt: usize, begin: u32, end: u32): void {
  if (WORK_BYTES + SIDES_BYTES > <usize>CLIP_BYTES)
    ERROR('CLIP_BYTES is too small for the working memory of two triangles and their contact points');
  for (let i = begin; i < end; i++) {
    const slice = <usize>load<u32>(jobAt, ManifoldJob.slicesAt) + <usize>i * ManifoldSlice.SIZE;
    store<u32>(slice, 0, ManifoldSlice.count);
    const last = load<u32>(slice, ManifoldSlice.end);
    for (let pair = load<u32>(slice, ManifoldSlice.begin); pair < last; pair++) {
      const starts = <usize>load<u32>(jobAt, ManifoldJob.startsAt) + ((<usize>pair) << 2);
      const from = (<usize>load<u32>(starts)) << 2;
      const count = load<u32>(starts, 4) - load<u32>(starts);
      if (count == 0) continue;
      store<u32>(slice, load<u32>(jobAt, ManifoldJob.aAt) + <u32>from, ManifoldSlice.aAt);
      store<u32>(slice, load<u32>(jobAt, ManifoldJob.bAt) + <u32>from, ManifoldSlice.bAt);
      takeMeshes(jobAt, slice, pair);
      findContacts(slice, count);
      group(slice, count);
      dropResolved(slice, count);
      connect(slice, count);
      writeManifolds(slice, pair, count);
    }
  }
}

// Writes the meshes and placements of a placed pair to the slice. Mesh A of the slice is the mesh to which the
// first triangle of each triangle pair belongs; if the pair is swapped, this is mesh B of the PairRecord.
function takeMeshes(job: usize, slice: usize, pair: u32): void {
  const record = <usize>load<u32>(job, ManifoldJob.pairsAt) + <usize>pair * PairRecord.SIZE;
  const placementA = load<u32>(record, PairRecord.placedA) != 0 ? <u32>(record + PairRecord.placementA) : 0;
  const placementB = load<u32>(record, PairRecord.placedB) != 0 ? <u32>(record + PairRecord.placementB) : 0;
  const isSwapped = load<u8>(<usize>load<u32>(job, ManifoldJob.swappedAt) + <usize>pair) != 0;
  const meshA = load<u32>(record, PairRecord.meshA);
  const meshB = load<u32>(record, PairRecord.meshB);
  store<u32>(slice, isSwapped ? meshB : meshA, ManifoldSlice.meshA);
  store<u32>(slice, isSwapped ? meshA : meshB, ManifoldSlice.meshB);
  store<u32>(slice, isSwapped ? placementB : placementA, ManifoldSlice.placementA);
  store<u32>(slice, isSwapped ? placementA : placementB, ManifoldSlice.placementB);
  store<f64>(slice, signOf(isSwapped ? placementB : placementA), ManifoldSlice.signA);
  store<f64>(slice, signOf(isSwapped ? placementA : placementB), ManifoldSlice.signB);
}

// Returns -1 if a placement (12 f64, or 0 for the identity) mirrors the mesh, otherwise 1.
function signOf(placement: usize): f64 {
  if (placement == 0) return 1;
  const determinant =
    load<f64>(placement) *
      (load<f64>(placement, 40) * load<f64>(placement, 80) -
        load<f64>(placement, 48) * load<f64>(placement, 72)) -
    load<f64>(placement, 8) *
      (load<f64>(placement, 32) * load<f64>(placement, 80) -
        load<f64>(placement, 48) * load<f64>(placement, 64)) +
    load<f64>(placement, 16) *
      (load<f64>(placement, 32) * load<f64>(placement, 72) -
        load<f64>(placement, 40) * load<f64>(placement, 64));
  return determinant < 0 ? -1 : 1;
}

// Places the triangles of a contact. `placed`: the triangle of A that is already placed. Returns the triangle
// of A.
function place(slice: usize, i: u32, placed: u32): u32 {
  const work: usize = load<u32>(slice, ManifoldSlice.clipAt);
  const a = firstOf(slice, i);
  if (a != placed)
    placeTriangle(load<u32>(slice, ManifoldSlice.meshA), a, load<u32>(slice, ManifoldSlice.placementA), work);
  placeTriangle(
    load<u32>(slice, ManifoldSlice.meshB),
    secondOf(slice, i),
    load<u32>(slice, ManifoldSlice.placementB),
    work + CORNERS_B,
  );
  return a;
}

// Computes the contacts of all triangle pairs, and their candidates. If the two triangles of a contact face the
// same way, drops the contact, unless this is true of all contacts.
function findContacts(slice: usize, count: u32): void {
  const work: usize = load<u32>(slice, ManifoldSlice.clipAt);
  const candidates: usize = load<u32>(slice, ManifoldSlice.candidatesAt);
  let candidate: u32 = 0;
  let placed = NOTHING;
  let alignedCount: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const contact = contactAt(slice, i);
    const last = placed;
    placed = place(slice, i, placed);
    if (placed != last) writeUnitNormal(work, load<f64>(slice, ManifoldSlice.signA), work + NORMAL_A);
    writeUnitNormal(work + CORNERS_B, load<f64>(slice, ManifoldSlice.signB), work + NORMAL_B);
    store<u32>(contact, candidate, TriangleContact.firstCandidate);
    let at = candidates + <usize>candidate * ContactCandidate.SIZE;
    contactTriangles(work, contact, at);
    const end = candidate + load<u32>(contact, TriangleContact.candidateCount);
    for (; candidate < end; candidate++, at += ContactCandidate.SIZE)
      store<u32>(at, i, ContactCandidate.contact);
    const isAligned = dotNormals(work) > ALIGNED;
    store<u32>(contact, <u32>isAligned, TriangleContact.isAligned);
    alignedCount += <u32>isAligned;
  }
  if (alignedCount == count) return;
  for (let i: u32 = 0; i < count; i++)
    if (load<u32>(contactAt(slice, i), TriangleContact.isAligned) != 0) drop(contactAt(slice, i));
}

function drop(contact: usize): void {
  store<u32>(contact, 0, TriangleContact.candidateCount);
  store<f64>(contact, 0, TriangleContact.depth);
}

// Groups the contacts into manifolds. Afterwards, the field `root` of each contact leads to the first contact
// of its manifold.
function group(slice: usize, count: u32): void {
  let firstOfA: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    const contact = contactAt(slice, i);
    store<u32>(contact, i, TriangleContact.root);
    memory.copy(contact + TriangleContact.axis, contact + TriangleContact.normal, 24);
    store<f64>(contact, load<f64>(contact, TriangleContact.depth), TriangleContact.manifoldDepth);
    store<u32>(contact, 1, TriangleContact.manifoldSize);
    store<u32>(contact, NOTHING, TriangleContact.resolver);
    store<u32>(contact, NOTHING, TriangleContact.assigned);
    store<u32>(
      contact,
      <u32>(load<u32>(contact, TriangleContact.candidateCount) != 0),
      TriangleContact.keptCount,
    );
    if (i == 0 || firstOf(slice, i) != firstOf(slice, i - 1)) {
      firstOfA = contact;
      store<u32>(firstOfA, NOTHING, TriangleContact.lastOfA);
    }
    if (load<u32>(contact, TriangleContact.candidateCount) == 0) continue;
    const lastOfA = join(slice, i, load<u32>(firstOfA, TriangleContact.lastOfA), TriangleContact.previousOfA);
    store<u32>(firstOfA, lastOfA, TriangleContact.lastOfA);
    const ofB = lastOfBAt(slice, i);
    store<u32>(ofB, join(slice, i, load<u32>(ofB), TriangleContact.previousOfB));
  }
}

// Joins the manifold of contact i with the manifolds of the listed contacts, if their normals are similar. All
// listed contacts have one triangle in common with contact i. The list begins with contact `last`; from each
// contact, the field at offset `previous` leads to the next one. Returns the new last contact of the list:
// contact i, or `last` if the list already contains a contact of the same manifold.
function join(slice: usize, i: u32, last: u32, previous: usize): u32 {
  let isListed = false;
  for (let other = last; other != NOTHING; other = load<u32>(contactAt(slice, other) + previous)) {
    const root = rootOf(slice, i);
    const otherRoot = rootOf(slice, other);
    if (root != otherRoot) {
      if (!areAlike(contactAt(slice, root), contactAt(slice, otherRoot))) continue;
      unite(slice, root, otherRoot);
    }
    isListed = true;
  }
  if (isListed) return last;
  store<u32>(contactAt(slice, i) + previous, last);
  return i;
}

function areAlike(one: usize, other: usize): bool {
  return (
    load<f64>(one, TriangleContact.axis) * load<f64>(other, TriangleContact.axis) +
      load<f64>(one, TriangleContact.axis + 8) * load<f64>(other, TriangleContact.axis + 8) +
      load<f64>(one, TriangleContact.axis + 16) * load<f64>(other, TriangleContact.axis + 16) >
    ALIKE
  );
}

// Returns the first contact of the manifold of contact i. Also makes the field `root` of contact i lead there
// directly (path compression).
function rootOf(slice: usize, i: u32): u32 {
  let root = load<u32>(contactAt(slice, i), TriangleContact.root);
  while (true) {
    const next = load<u32>(contactAt(slice, root), TriangleContact.root);
    if (next == root) break;
    root = next;
  }
  store<u32>(contactAt(slice, i), root, TriangleContact.root);
  return root;
}

// A manifold resolves a contact of another manifold if a motion along its normal also separates the triangles
// of the contact (isResolvedBy has the exact conditions). If this is so, moves the contact to the manifold that
// resolves it, or drops the contact (see reassign). Joins the manifolds that resolve the same contact and have
// similar normals.
function dropResolved(slice: usize, count: u32): void {
  let placed = NOTHING;
  let lastOfA = NOTHING;
  for (let i: u32 = 0; i < count; i++) {
    const contact = contactAt(slice, i);
    if (i == 0 || firstOf(slice, i) != firstOf(slice, i - 1))
      lastOfA = load<u32>(contact, TriangleContact.lastOfA);
    if (load<u32>(contact, TriangleContact.candidateCount) == 0) continue;
    const lastOfB = load<u32>(lastOfBAt(slice, i));
    const mayBeResolved =
      mayResolve(slice, i, lastOfA, TriangleContact.previousOfA) ||
      mayResolve(slice, i, lastOfB, TriangleContact.previousOfB);
    if (!mayBeResolved) continue;
    placed = place(slice, i, placed);
    const fromA = resolve(slice, i, lastOfA, TriangleContact.previousOfA, NOTHING);
    const resolver = resolve(slice, i, lastOfB, TriangleContact.previousOfB, fromA);
    if (resolver == NOTHING) continue;
    reassign(slice, i, count, resolver);
    const own = contactAt(slice, rootOf(slice, i));
    if (load<u32>(own, TriangleContact.resolver) == NOTHING)
      store<u32>(own, resolver, TriangleContact.resolver);
  }
  // The contacts that remain may have no triangle in common with a manifold that resolves them. So each of them
  // is also compared with the first manifold that resolved a contact of its own manifold, or, if there is none,
  // with the largest manifold.
  const largest = findLargest(slice, count);
  for (let i: u32 = 0; i < count; i++) {
    const contact = contactAt(slice, i);
    if (
      load<u32>(contact, TriangleContact.candidateCount) == 0 ||
      load<u32>(contact, TriangleContact.assigned) != NOTHING
    )
      continue;
    const known = load<u32>(contactAt(slice, rootOf(slice, i)), TriangleContact.resolver);
    const resolver = known == NOTHING ? largest : known;
    if (rootOf(slice, resolver) == rootOf(slice, i)) continue;
    placed = place(slice, i, placed);
    if (isResolvedBy(slice, i, resolver)) reassign(slice, i, count, resolver);
  }
}

// Returns the root of the manifold with the most contacts, or the first such root if there are several.
function findLargest(slice: usize, count: u32): u32 {
  let largest: u32 = 0;
  let maxSize: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const size = load<u32>(contactAt(slice, i), TriangleContact.manifoldSize);
    if (rootOf(slice, i) != i || size <= maxSize) continue;
    largest = i;
    maxSize = size;
  }
  return largest;
}

// Moves contact i to the manifold that resolves it. The triangles of the contact must be in the working memory
// (see place). Computes the contact again, with the triangle that faces along the normal of the resolving
// manifold as the reference. If neither triangle faces along that normal, drops the contact.
function reassign(slice: usize, i: u32, count: u32, resolver: u32): void {
  const contact = contactAt(slice, i);
  const own = contactAt(slice, rootOf(slice, i));
  store<u32>(own, load<u32>(own, TriangleContact.keptCount) - 1, TriangleContact.keptCount);
  const root = rootOf(slice, resolver);
  const manifold = contactAt(slice, root);
  const work: usize = load<u32>(slice, ManifoldSlice.clipAt);
  writeUnitNormal(work, load<f64>(slice, ManifoldSlice.signA), work + NORMAL_A);
  writeUnitNormal(work + CORNERS_B, load<f64>(slice, ManifoldSlice.signB), work + NORMAL_B);
  // The second half of the candidates' memory has room for MAX_CANDIDATES new candidates of each contact.
  const first = MAX_CANDIDATES * (count + i);
  const out = <usize>load<u32>(slice, ManifoldSlice.candidatesAt) + <usize>first * ContactCandidate.SIZE;
  if (!contactAlong(work, manifold + TriangleContact.axis, ALIKE, contact, out)) return drop(contact);
  store<u32>(contact, first, TriangleContact.firstCandidate);
  store<u32>(contact, root, TriangleContact.assigned);
  const end = out + <usize>load<u32>(contact, TriangleContact.candidateCount) * ContactCandidate.SIZE;
  for (let at = out; at < end; at += ContactCandidate.SIZE) store<u32>(at, i, ContactCandidate.contact);
  const depth = max(
    load<f64>(manifold, TriangleContact.manifoldDepth),
    load<f64>(contact, TriangleContact.depth),
  );
  store<f64>(manifold, depth, TriangleContact.manifoldDepth);
  store<u32>(manifold, load<u32>(manifold, TriangleContact.manifoldSize) + 1, TriangleContact.manifoldSize);
  store<u32>(manifold, load<u32>(manifold, TriangleContact.keptCount) + 1, TriangleContact.keptCount);
}

// Returns whether one of the listed contacts (see join) belongs to a manifold that still has contacts and is
// not the manifold of contact i.
function mayResolve(slice: usize, i: u32, last: u32, previous: usize): bool {
  const own = rootOf(slice, i);
  for (let other = last; other != NOTHING; other = load<u32>(contactAt(slice, other) + previous)) {
    const root = rootOf(slice, other);
    if (root != own && load<u32>(contactAt(slice, root), TriangleContact.keptCount) != 0) return true;
  }
  return false;
}

// Returns the root of a manifold that resolves contact i, or NOTHING if there is none. The triangles of the
// contact must be in the working memory. known: the root of a manifold that was already found to resolve the
// contact, or NOTHING. Joins the manifolds that resolve the contact and have similar normals.
function resolve(slice: usize, i: u32, last: u32, previous: usize, known: u32): u32 {
  for (let other = last; other != NOTHING; other = load<u32>(contactAt(slice, other) + previous)) {
    if (!isResolvedBy(slice, i, other)) continue;
    const root = rootOf(slice, other);
    if (known == NOTHING) known = root;
    else if (known != root && areAlike(contactAt(slice, known), contactAt(slice, root)))
      known = unite(slice, known, root);
  }
  return known;
}

// Returns whether the manifold of contact `other` resolves contact i. The triangles of contact i must be in the
// working memory. A manifold that has no contacts left resolves nothing, so at least one manifold remains.
function isResolvedBy(slice: usize, i: u32, other: u32): bool {
  const own = rootOf(slice, i);
  const root = rootOf(slice, other);
  const manifold = contactAt(slice, root);
  if (root == own || load<u32>(manifold, TriangleContact.keptCount) == 0) return false;
  const work: usize = load<u32>(slice, ManifoldSlice.clipAt);
  const depth = load<f64>(contactAt(slice, i), TriangleContact.depth);
  const manifoldDepth = load<f64>(manifold, TriangleContact.manifoldDepth);
  const overlap = overlapAlong(work, manifold + TriangleContact.axis);
  const tolerance = toleranceOf(work);
  // The manifold resolves the contact only if a motion along the manifold's normal separates the triangles.
  if (!(overlap <= ROUNDED_UP * max(depth, manifoldDepth) + tolerance)) return false;
  const size = load<u32>(contactAt(slice, own), TriangleContact.manifoldSize);
  if (load<u32>(manifold, TriangleContact.manifoldSize) > size) return true;
  // If the manifold does not have more contacts than the manifold of contact i, it resolves the contact only if
  // it separates the triangles by a much shorter motion.
  const limit = RESOLVED * depth;
  return limit > 0 && manifoldDepth <= limit && overlap <= limit + tolerance;
}

// Joins two manifolds, and returns the root of both.
function unite(slice: usize, one: u32, other: u32): u32 {
  const root = min(one, other);
  const to = contactAt(slice, root);
  const from = contactAt(slice, max(one, other));
  store<u32>(from, root, TriangleContact.root);
  store<f64>(
    to,
    max(load<f64>(to, TriangleContact.manifoldDepth), load<f64>(from, TriangleContact.manifoldDepth)),
    TriangleContact.manifoldDepth,
  );
  store<u32>(
    to,
    load<u32>(to, TriangleContact.keptCount) + load<u32>(from, TriangleContact.keptCount),
    TriangleContact.keptCount,
  );
  store<u32>(
    to,
    load<u32>(to, TriangleContact.manifoldSize) + load<u32>(from, TriangleContact.manifoldSize),
    TriangleContact.manifoldSize,
  );
  if (load<u32>(to, TriangleContact.resolver) == NOTHING)
    store<u32>(to, load<u32>(from, TriangleContact.resolver), TriangleContact.resolver);
  return root;
}

// Links the contacts of each manifold into a list, in order. Also clears the lists of the triangles of B.
function connect(slice: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(lastOfBAt(slice, i), NOTHING);
    store<u32>(contactAt(slice, i), NOTHING, TriangleContact.first);
    store<u32>(contactAt(slice, i), NOTHING, TriangleContact.next);
  }
  for (let i: u32 = 0; i < count; i++) {
    const contact = contactAt(slice, i);
    if (load<u32>(contact, TriangleContact.candidateCount) == 0) continue;
    const assigned = load<u32>(contact, TriangleContact.assigned);
    const root = contactAt(slice, rootOf(slice, assigned == NOTHING ? i : assigned));
    if (load<u32>(root, TriangleContact.first) == NOTHING) store<u32>(root, i, TriangleContact.first);
    else store<u32>(contactAt(slice, load<u32>(root, TriangleContact.last)), i, TriangleContact.next);
    store<u32>(root, i, TriangleContact.last);
  }
}

// Appends the manifolds of a placed pair to the output of the slice. Manifolds that do not fit are only
// counted.
function writeManifolds(slice: usize, pair: u32, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const first = load<u32>(contactAt(slice, i), TriangleContact.first);
    if (first == NOTHING) continue;
    const found = load<u32>(slice, ManifoldSlice.count);
    store<u32>(slice, found + 1, ManifoldSlice.count);
    if (found >= load<u32>(slice, ManifoldSlice.capacity)) continue;
    const manifold = <usize>load<u32>(slice, ManifoldSlice.manifoldsAt) + <usize>found * Manifold.SIZE;
    store<u32>(manifold, pair, Manifold.pair);
    choosePoints(slice, first, manifold);
  }
}

function contactAt(slice: usize, i: u32): usize {
  return <usize>load<u32>(slice, ManifoldSlice.contactsAt) + <usize>i * TriangleContact.SIZE;
}

// firstOf returns the triangle of A that belongs to contact i; secondOf returns the triangle of B.
function firstOf(slice: usize, i: u32): u32 {
  return load<u32>(<usize>load<u32>(slice, ManifoldSlice.aAt) + ((<usize>i) << 2));
}
function secondOf(slice: usize, i: u32): u32 {
  return load<u32>(<usize>load<u32>(slice, ManifoldSlice.bAt) + ((<usize>i) << 2));
}

// Returns the address of the word that holds the last listed contact with the same triangle of B as contact i.
function lastOfBAt(slice: usize, i: u32): usize {
  return <usize>load<u32>(slice, ManifoldSlice.lastOfBAt) + ((<usize>secondOf(slice, i)) << 2);
}
