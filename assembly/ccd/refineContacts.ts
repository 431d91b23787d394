// Refines the contacts that were found in a coarse substep of a rotation, where points move along chords. For
// each contact, the coarse substep is bisected, and the contact's features are placed and tested again in the
// finer substeps. A contact is kept only if it is also found in a substep that is fine enough for the
// tolerance.

import { placeVertex } from '../exact/place';
import {
  CLEAR,
  Contact,
  ContactList,
  EDGE_EDGE,
  FACE_VERTEX,
  Motion,
  NEAR,
  OWN_BIT,
  RotatingBody,
  RotationPlan,
  START,
  SweepFeaturesJob,
  SweptFeatures,
} from '../records';
import { findFirstContact } from './findFirstContact';
import { makeMotion, QUERY_BYTES } from './makeMotion';
import { placeRotated, ROWS } from './placeRotated';
import { writeSubstepOptions } from './planSubsteps';
import { edgeOf, faceOf } from './sweptFeatures';

/** POINT: bytes of one point of a query. TIME_BYTES: bytes of a query's four points at one moment. */
const POINT: usize = 24;
const TIME_BYTES: usize = 96;
/** Times are multiples of 2^-48. */
const STEPS: f64 = 281474976710656;

/**
 * Refines the list's contacts from index `first` on, which were found in the RotationPlan's coarse substep. A
 * contact is kept if a fine substep confirms it, and it gets the time that was found in that substep. Nothing
 * is changed if no body rotates. If the list was too short for all contacts, the search runs again with more
 * capacity, so no contact needs to be refined yet. However, if only the first contact is requested, the plan's
 * earliest time is updated even in this case, so that the search can stop early.
 */
export function refineContacts(plan: usize, list: usize, first: u32, sweptA: usize, sweptB: usize): void {
  const count = <u32>load<f64>(list, ContactList.found);
  const capacity = load<u32>(list, ContactList.capacity);
  const contacts: usize = load<u32>(list, ContactList.contactsAt);
  if (
    load<f64>(plan, RotationPlan.bend) == 0 ||
    (count > capacity && load<u32>(plan, RotationPlan.isFirst) == 0)
  )
    return;
  let writeAt = contacts + <usize>first * Contact.SIZE;
  for (let i = first; i < min(count, capacity); i++) {
    const contact = contacts + <usize>i * Contact.SIZE;
    // A contact at the start needs no refinement: the rotation has not begun.
    if (load<u32>(contact, Contact.kind) == START) store<f64>(plan, 0, RotationPlan.earliest);
    else if (!refine(plan, list, contact, sweptA, sweptB)) continue;
    if (count > capacity) continue;
    if (writeAt != contact) memory.copy(writeAt, contact, Contact.SIZE);
    writeAt += Contact.SIZE;
  }
  if (count <= capacity) store<f64>(list, <f64>((writeAt - contacts) / Contact.SIZE), ContactList.found);
}

// Refines one contact. Searches the halves of substeps depth first, the earlier half before the later half. So
// the first fine substep that is not clear has the first contact. Returns false if all fine substeps are clear,
// or if only the first contact is requested and an earlier contact is known.
function refine(plan: usize, list: usize, contact: usize, sweptA: usize, sweptB: usize): bool {
  const query: usize = load<u32>(list, ContactList.queryAt);
  const result = query + QUERY_BYTES;
  const coarse = load<u32>(plan, RotationPlan.coarse);
  const fine = load<u32>(plan, RotationPlan.fine);
  // Contacts that begin after this time are not needed.
  const latest =
    load<u32>(plan, RotationPlan.isFirst) != 0 ? load<f64>(plan, RotationPlan.earliest) : Infinity;
  let level = coarse;
  let substep = load<u32>(plan, RotationPlan.substep);
  let toi = load<f64>(contact, Contact.toi);
  // A substep has no contact before the toi that its test returned. A finer test may return an earlier toi, so
  // the largest of these times is kept.
  let clearUntil = timeOf(substep, level, toi);
  if (clearUntil > latest) return false;
  while (level < fine) {
    // If the contact is in the second half, the first half need not be searched.
    substep = 2 * substep + u32(toi >= 0.5);
    level++;
    for (;;) {
      if (timeOf(substep, level, 0) > latest) return false;
      if (test(plan, list, contact, substep, level, sweptA, sweptB) != CLEAR) break;
      for (substep++; level > coarse && (substep & 1) == 0; level--) substep >>= 1;
      if (level == coarse) return false;
    }
    toi = load<f64>(result, SweptFeatures.toi);
    clearUntil = max(clearUntil, timeOf(substep, level, toi));
    if (clearUntil > latest) return false;
  }
  if (coarse < fine) {
    store<f64>(contact, load<f64>(result, SweptFeatures.bound), Contact.bound);
    store<u32>(contact, load<u32>(result, SweptFeatures.verdict), Contact.verdict);
  }
  writeTimes(plan, contact, substep, level, toi, clearUntil);
  return true;
}

// Converts a time in a substep to a time in the step, rounded down to a multiple of 2^-48.
function timeOf(substep: u32, level: u32, time: f64): f64 {
  const steps = STEPS / <f64>(1 << level);
  return (<f64>substep * steps + floor(time * steps)) / STEPS;
}

// Converts the contact's times from the fine substep to the step, and raises toi to clearUntil if toi is
// earlier. If nothing is known about the rest of the substep, nothing is known about the rest of the step
// either, so the bound extends to the end of the step.
function writeTimes(plan: usize, contact: usize, substep: u32, level: u32, toi: f64, clearUntil: f64): void {
  const bound = load<f64>(contact, Contact.bound);
  const isOpen = load<u32>(contact, Contact.verdict) == NEAR && bound > 0;
  const substepCount = <f64>(1 << level);
  const exact = toi * (STEPS / substepCount);
  const start = timeOf(substep, level, toi);
  const first = max(start, clearUntil);
  const length = bound / substepCount + (exact - floor(exact)) / STEPS;
  store<f64>(contact, first, Contact.toi);
  store<f64>(
    contact,
    isOpen ? 1 - first : first == start ? length : max(0, start + length - first),
    Contact.bound,
  );
  if (load<u32>(plan, RotationPlan.isFirst) != 0)
    store<f64>(plan, min(first, load<f64>(plan, RotationPlan.earliest)), RotationPlan.earliest);
}

// Tests the contact's features in one of 2^level substeps. Returns the verdict.
function test(
  plan: usize,
  list: usize,
  contact: usize,
  substep: u32,
  level: u32,
  sweptA: usize,
  sweptB: usize,
): u32 {
  const query: usize = load<u32>(list, ContactList.queryAt);
  const result = query + QUERY_BYTES;
  const motion = result + SweptFeatures.SIZE;
  const options = plan + RotationPlan.options;
  placeFeatures(plan, contact, substep, level, query, sweptA, sweptB);
  placeFeatures(plan, contact, substep + 1, level, query + TIME_BYTES, sweptA, sweptB);
  store<u32>(options, u32(load<u32>(contact, Contact.kind) != EDGE_EDGE), SweepFeaturesJob.isFace);
  writeSubstepOptions(plan, level, options);
  makeMotion(query, options, motion);
  findFirstContact(
    motion,
    load<f64>(options, SweepFeaturesJob.resolution),
    motion + Motion.SIZE,
    result,
    Infinity,
  );
  store<f64>(list, load<f64>(list, ContactList.searches) + 1, ContactList.searches);
  store<f64>(
    list,
    load<f64>(list, ContactList.moments) + <f64>load<u32>(result, SweptFeatures.moments),
    ContactList.moments,
  );
  return load<u32>(result, SweptFeatures.verdict);
}

// Places the contact's four points at time substep / 2^level of the step. A vertex comes before the corners of
// the face.
function placeFeatures(
  plan: usize,
  contact: usize,
  substep: u32,
  level: u32,
  to: usize,
  sweptA: usize,
  sweptB: usize,
): void {
  const bodyA: usize = load<u32>(plan, RotationPlan.bodyA);
  const bodyB: usize = load<u32>(plan, RotationPlan.bodyB);
  const rowsA = plan + RotationPlan.rows;
  const rowsB = rowsA + ROWS;
  placeRotated(bodyA, substep, level, rowsA);
  placeRotated(bodyB, substep, level, rowsB);
  const kind = load<u32>(contact, Contact.kind);
  const a = load<u32>(contact, Contact.a);
  const b = load<u32>(contact, Contact.b);
  if (kind == EDGE_EDGE) {
    placeCorners(edgeOf(sweptA, a), 2, bodyA, rowsA, to);
    placeCorners(edgeOf(sweptB, b), 2, bodyB, rowsB, to + 2 * POINT);
  } else if (kind == FACE_VERTEX) {
    place(b, bodyB, rowsB, to);
    placeCorners(faceOf(sweptA, a), 3, bodyA, rowsA, to + POINT);
  } else {
    place(a, bodyA, rowsA, to);
    placeCorners(faceOf(sweptB, b), 3, bodyB, rowsB, to + POINT);
  }
}

function placeCorners(corners: usize, count: usize, body: usize, rows: usize, to: usize): void {
  for (let i: usize = 0; i < count; i++)
    place(load<u32>(corners + (i << 2)) & ~OWN_BIT, body, rows, to + i * POINT);
}

// @ts-ignore: decorator
@inline
function place(vertex: u32, body: usize, rows: usize, to: usize): void {
  placeVertex(<usize>load<u32>(body, RotatingBody.positionsAt) + <usize>vertex * 12, rows, to);
}
