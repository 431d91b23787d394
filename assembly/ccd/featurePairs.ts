// Pairs of features that may meet -> kept until there are enough of them, then tested together; contacts go
// to a worker's list.

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
  SweepQuestion,
  SweptFeatures,
} from '../records';
import { dropFarPairs } from './dropFarPairs';
import { firstContact } from './firstContact';
import { makeMotion, QUERY_BYTES } from './makeMotion';

/** Bytes of a FeaturePair without what fills it up. */
const FEATURE_PAIR_BYTES: usize = 36;

/** Four points' addresses, the features' numbers and their faces'. A vertex comes before its face. */
// @ts-ignore: decorator
@inline
export function keepPair(
  question: usize,
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
  if (count + 1 == FEATURE_PAIRS) settlePairs(question, list);
}

/**
 * Tests the pairs that are kept: floats drop most of them, the others are searched for their first contact.
 */
export function settlePairs(question: usize, list: usize): void {
  const pairs: usize = load<u32>(list, ContactList.candidatesAt);
  const count = <usize>load<u32>(list, ContactList.candidateCount);
  const left = dropFarPairs(
    pairs,
    count,
    load<f64>(question + SweepQuestion.faceOptions, SweepFeaturesJob.separation),
    load<u32>(list, ContactList.queryAt),
  );
  for (let i: usize = 0; i < left; i++) settle(question, list, pairs + i * FeaturePair.SIZE);
  store<f64>(list, load<f64>(list, ContactList.featureTests) + <f64>count, ContactList.featureTests);
  store<f64>(list, load<f64>(list, ContactList.searches) + <f64>left, ContactList.searches);
  store<u32>(list, 0, ContactList.candidateCount);
}

// One pair to its verdict; a contact goes to the list while there is room, and is counted.
function settle(question: usize, list: usize, pair: usize): void {
  const query: usize = load<u32>(list, ContactList.queryAt);
  const kind = load<u32>(pair, FeaturePair.kind);
  gather(pair, query);
  const options = question + (kind == EDGE_EDGE ? SweepQuestion.edgeOptions : SweepQuestion.faceOptions);
  const result = query + QUERY_BYTES;
  const motion = result + SweptFeatures.SIZE;
  makeMotion(query, options, motion);
  firstContact(
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
  // An exact answer may have none of those that are only near.
  if (
    load<u32>(question, SweepQuestion.isFirst) != 0 &&
    (verdict == REACHED || load<u32>(question, SweepQuestion.isExact) == 0)
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

// Points one behind the other: all of the start, then all of the end.
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
