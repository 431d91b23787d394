// Collects pairs of moving features (vertices, edges and faces) that may touch, tests them in batches, and
// appends the contacts to the thread's list.

import {
  CLEAR,
  Contact,
  ContactList,
  EDGE_EDGE,
  FEATURE_PAIRS,
  FeaturePair,
  Motion,
  REACHED,
  SweepFeaturesJob,
  SweepQuery,
  SweptFeatures,
} from '../records';
import { filterFeaturePairs } from './filterFeaturePairs';
import { findFirstContact } from './findFirstContact';
import { makeMotion, QUERY_BYTES } from './makeMotion';

/** Bytes of a FeaturePair without its padding. */
const FEATURE_PAIR_BYTES: usize = 36;

/**
 * Adds a pair of features to the batch. If the batch is then full, it is tested. p0, p1, p2, p3: the
 * addresses of the pair's four points; a vertex comes before the corners of a face. a, b: the numbers of the
 * features. faceA, faceB: the numbers of the faces that they belong to.
 */
// @ts-ignore: decorator
@inline
export function addPair(
  sweepQuery: usize,
  list: usize,
  kind: u32,
  p0: usize,
  p1: usize,
  p2: usize,
  p3: usize,
  a: u32,
  b: u32,
  faceA: u32,
  faceB: u32,
): void {
  const count = load<u32>(list, ContactList.candidateCount);
  const to = <usize>load<u32>(list, ContactList.candidatesAt) + <usize>count * FeaturePair.SIZE;
  store<u32>(to, <u32>p0, FeaturePair.points);
  store<u32>(to, <u32>p1, FeaturePair.points + 4);
  store<u32>(to, <u32>p2, FeaturePair.points + 8);
  store<u32>(to, <u32>p3, FeaturePair.points + 12);
  store<u32>(to, kind, FeaturePair.kind);
  store<u32>(to, a, FeaturePair.a);
  store<u32>(to, b, FeaturePair.b);
  store<u32>(to, faceA, FeaturePair.faceA);
  store<u32>(to, faceB, FeaturePair.faceB);
  store<u32>(list, count + 1, ContactList.candidateCount);
  if (count + 1 == FEATURE_PAIRS) testPairs(sweepQuery, list);
}

/**
 * Tests the collected pairs: the float filter drops most pairs, and the first contact of each remaining pair
 * is searched for.
 */
export function testPairs(sweepQuery: usize, list: usize): void {
  const pairs: usize = load<u32>(list, ContactList.candidatesAt);
  const count = <usize>load<u32>(list, ContactList.candidateCount);
  const left = filterFeaturePairs(
    pairs,
    count,
    load<f64>(sweepQuery + SweepQuery.faceOptions, SweepFeaturesJob.separation),
    load<u32>(list, ContactList.queryAt),
  );
  for (let i: usize = 0; i < left; i++) testPair(sweepQuery, list, pairs + i * FeaturePair.SIZE);
  store<f64>(list, load<f64>(list, ContactList.featureTests) + <f64>count, ContactList.featureTests);
  store<f64>(list, load<f64>(list, ContactList.searches) + <f64>left, ContactList.searches);
  store<u32>(list, 0, ContactList.candidateCount);
}

// Tests one pair. A contact is always counted, and written if the list has capacity left.
function testPair(sweepQuery: usize, list: usize, pair: usize): void {
  const query: usize = load<u32>(list, ContactList.queryAt);
  const kind = load<u32>(pair, FeaturePair.kind);
  gather(pair, query);
  const options = sweepQuery + (kind == EDGE_EDGE ? SweepQuery.edgeOptions : SweepQuery.faceOptions);
  const result = query + QUERY_BYTES;
  const motion = result + SweptFeatures.SIZE;
  makeMotion(query, options, motion);
  findFirstContact(
    motion,
    load<f64>(options, SweepFeaturesJob.resolution),
    motion + Motion.SIZE,
    result,
    load<f64>(list, ContactList.earliest),
  );
  store<f64>(
    list,
    load<f64>(list, ContactList.moments) + <f64>load<u32>(result, SweptFeatures.moments),
    ContactList.moments,
  );
  const verdict = load<u32>(result, SweptFeatures.verdict);
  const toi = load<f64>(result, SweptFeatures.toi);
  if (verdict == CLEAR || toi > load<f64>(list, ContactList.earliest)) return;
  // In an exact query, an undecided contact (NEAR) must not exclude later contacts from the search: it may
  // turn out not to be a contact.
  if (
    load<u32>(sweepQuery, SweepQuery.isFirst) != 0 &&
    (verdict == REACHED || load<u32>(sweepQuery, SweepQuery.isExact) == 0)
  )
    store<f64>(list, toi, ContactList.earliest);
  const found = load<f64>(list, ContactList.found);
  store<f64>(list, found + 1, ContactList.found);
  if (found >= <f64>load<u32>(list, ContactList.capacity)) return;
  const contact = <usize>load<u32>(list, ContactList.contactsAt) + <usize>found * Contact.SIZE;
  store<f64>(contact, toi, Contact.toi);
  store<f64>(contact, load<f64>(result, SweptFeatures.bound), Contact.bound);
  store<u32>(contact, verdict, Contact.verdict);
  memory.copy(contact + Contact.points, pair, FEATURE_PAIR_BYTES);
  store<u32>(contact, load<u32>(list, ContactList.pair), Contact.pair);
}

// Copies the four points of a pair to a query: first all points at the start of the step, then all points at
// its end.
function gather(pair: usize, query: usize): void {
  for (let i: usize = 0; i < 4; i++) {
    const point = <usize>load<u32>(pair + (i << 2), FeaturePair.points);
    const to = query + i * 24;
    v128.store(to, v128.load(point));
    store<f64>(to, load<f64>(point, 16), 16);
    v128.store(to, v128.load(point, 24), 96);
    store<f64>(to, load<f64>(point, 40), 112);
  }
}
