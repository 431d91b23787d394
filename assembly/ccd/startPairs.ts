// Tests exactly whether two faces, boundaries included, share a point at the start of a motion. If they do,
// adds a contact of kind START.
import { trianglesIntersect } from '../exact/trianglesIntersect';
import {
  APART,
  Contact,
  ContactList,
  EXACT_SCRATCH_BYTES,
  INTERSECT,
  NEAR,
  REACHED,
  START,
  StartFace,
  SWEEP_SCRATCH_BYTES,
} from '../records';
import { areStartsApart, writeStartFace } from './startFaces';
import { faceOf, pointOf } from './sweptFeatures';

/** Bytes of a vertex and of a triangle in the layout of trianglesIntersect. */
const VERTEX: usize = 24;
const TRIANGLE: usize = 72;

/** Returns INTERSECT, APART or TOO_WIDE for faces a and b at the start, as trianglesIntersect does. */
export function testStartPair(list: usize, sweptA: usize, a: u32, sweptB: usize, b: u32): u32 {
  if (EXACT_SCRATCH_BYTES > SWEEP_SCRATCH_BYTES)
    ERROR('SWEEP_SCRATCH_BYTES is less than EXACT_SCRATCH_BYTES');
  const pair: usize = load<u32>(list, ContactList.queryAt);
  copyCorners(sweptA, a, pair);
  copyCorners(sweptB, b, pair + TRIANGLE);
  return trianglesIntersect(pair, pair + 2 * TRIANGLE);
}

/** Returns whether floats prove that faces a and b are apart at the start. */
function areFacesApart(list: usize, sweptA: usize, a: u32, sweptB: usize, b: u32): bool {
  const p = faceOf(sweptA, a);
  const q = faceOf(sweptB, b);
  const p0 = pointOf(sweptA, load<u32>(p));
  const p1 = pointOf(sweptA, load<u32>(p, 4));
  const p2 = pointOf(sweptA, load<u32>(p, 8));
  const q0 = pointOf(sweptB, load<u32>(q));
  const q1 = pointOf(sweptB, load<u32>(q, 4));
  const q2 = pointOf(sweptB, load<u32>(q, 8));
  const to: usize = load<u32>(list, ContactList.queryAt);
  const size = max(
    max(max(distance(p0, p1), distance(p0, p2)), max(distance(p0, q0), distance(p0, q1))),
    distance(p0, q2),
  );
  // The scale is the power of two that brings `size` into 0.5..1.
  if (!(size > MIN_SIZE && size < MAX_SIZE)) return false;
  const scale = reinterpret<f64>((<u64>2045 - (reinterpret<u64>(size) >> 52)) << 52);
  writeStartFace(p0, p1, p2, p0, scale, to);
  writeStartFace(q0, q1, q2, p0, scale, to + StartFace.SIZE);
  return areStartsApart(to, to + StartFace.SIZE);
}

/** If the size is between these limits, the scale is a normal double. */
const MIN_SIZE: f64 = 1e-300;
const MAX_SIZE: f64 = 1e300;

// Returns the max absolute difference between the coordinates of two points.
function distance(p: usize, q: usize): f64 {
  return max(
    max(abs(load<f64>(p) - load<f64>(q)), abs(load<f64>(p, 8) - load<f64>(q, 8))),
    abs(load<f64>(p, 16) - load<f64>(q, 16)),
  );
}

/**
 * Adds the contact of two faces that intersect, or that may intersect if the verdict is TOO_WIDE. If the list
 * is full, the contact is counted but not stored.
 */
export function addStart(list: usize, verdict: u32, a: u32, b: u32): void {
  const found = load<f64>(list, ContactList.found);
  store<f64>(list, found + 1, ContactList.found);
  if (found >= <f64>load<u32>(list, ContactList.capacity)) return;
  const contact = <usize>load<u32>(list, ContactList.contactsAt) + <usize>found * Contact.SIZE;
  memory.fill(contact, 0, Contact.SIZE);
  store<u32>(contact, verdict == INTERSECT ? REACHED : NEAR, Contact.verdict);
  store<u32>(contact, START, Contact.kind);
  store<u32>(contact, a, Contact.a);
  store<u32>(contact, b, Contact.b);
  store<u32>(contact, a, Contact.faceA);
  store<u32>(contact, b, Contact.faceB);
  store<u32>(contact, load<u32>(list, ContactList.pair), Contact.pair);
}

/**
 * Tests two faces of a pair of bodies at the start, and adds a contact if they intersect. Returns the
 * verdict, as testStartPair does. If the verdict is TOO_WIDE (undecided), no contact is added, and the caller
 * has to handle the pair.
 */
export function addStartIfTouching(list: usize, sweptA: usize, a: u32, sweptB: usize, b: u32): u32 {
  if (areBoxesApart(sweptA, a, sweptB, b) || areFacesApart(list, sweptA, a, sweptB, b)) return APART;
  const verdict = testStartPair(list, sweptA, a, sweptB, b);
  if (verdict == INTERSECT) addStart(list, verdict, a, b);
  return verdict;
}

// Returns whether the boxes of two faces at the start do not touch.
function areBoxesApart(sweptA: usize, a: u32, sweptB: usize, b: u32): bool {
  const faceA = faceOf(sweptA, a);
  const faceB = faceOf(sweptB, b);
  const a0 = pointOf(sweptA, load<u32>(faceA));
  const a1 = pointOf(sweptA, load<u32>(faceA, 4));
  const a2 = pointOf(sweptA, load<u32>(faceA, 8));
  const b0 = pointOf(sweptB, load<u32>(faceB));
  const b1 = pointOf(sweptB, load<u32>(faceB, 4));
  const b2 = pointOf(sweptB, load<u32>(faceB, 8));
  // Tests x and y first, then y and z. Testing y twice avoids loading a single lane for z.
  return areApartOnTwo(a0, a1, a2, b0, b1, b2, 0) || areApartOnTwo(a0, a1, a2, b0, b1, b2, 8);
}

function areApartOnTwo(a0: usize, a1: usize, a2: usize, b0: usize, b1: usize, b2: usize, axis: usize): bool {
  const p0 = v128.load(a0 + axis);
  const p1 = v128.load(a1 + axis);
  const p2 = v128.load(a2 + axis);
  const q0 = v128.load(b0 + axis);
  const q1 = v128.load(b1 + axis);
  const q2 = v128.load(b2 + axis);
  const lowA = f64x2.pmin(f64x2.pmin(p0, p1), p2);
  const highA = f64x2.pmax(f64x2.pmax(p0, p1), p2);
  const lowB = f64x2.pmin(f64x2.pmin(q0, q1), q2);
  const highB = f64x2.pmax(f64x2.pmax(q0, q1), q2);
  return v128.any_true(v128.or(f64x2.gt(lowA, highB), f64x2.gt(lowB, highA)));
}

function copyCorners(swept: usize, face: u32, to: usize): void {
  const corners = faceOf(swept, face);
  for (let i: usize = 0; i < 3; i++) {
    const point = pointOf(swept, load<u32>(corners + (i << 2)));
    v128.store(to + i * VERTEX, v128.load(point));
    store<f64>(to + i * VERTEX, load<f64>(point, 16), 16);
  }
}
