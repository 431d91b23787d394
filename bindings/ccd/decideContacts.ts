// Decides with exact arithmetic whether candidates are contacts. Used for the candidates that floating-point
// arithmetic could not decide (verdict NEAR).
import { continuousLimits } from '../records/continuousLayout.js';
import { Contact, sweptLimits } from '../records/sweptLayout.js';
import { exactContact, isProvenNotBefore } from './exactContact.js';
import type { SweepSettings } from './sweepOptions.js';
import { type ContactMemory, isBefore } from './sweptContacts.js';

/**
 * Returns the contacts to report for a query of meshes. Without `isExact`, returns `at` unchanged. With
 * `isExact`, returns the candidates that are contacts (see `decideUndecided`) or, with `isFirst`, only the
 * first contact.
 */
export const decideContacts = (
  memory: ContactMemory,
  at: Uint32Array<ArrayBuffer>,
  { isExact, isFirst }: SweepSettings,
): Uint32Array<ArrayBuffer> =>
  !isExact ? at : isFirst ? decideFirst(memory, at) : decideUndecided(memory, at);

/**
 * Returns the candidates that are contacts. Candidates that the kernel left undecided are decided exactly and
 * get their exact times. Contacts that the kernel has proven stay unchanged.
 * @param at byte addresses of Contacts
 * @param queryOf returns a contact's four points at the start, then at the end
 */
export function decideUndecided(
  memory: ContactMemory,
  at: Uint32Array<ArrayBuffer>,
  queryOf = (address: number): Float64Array => pointsOf(memory, address),
): Uint32Array<ArrayBuffer> {
  return at.filter(
    address => !isUndecided(memory, address) || decideContact(memory, address, queryOf(address)),
  );
}

/**
 * Decides exactly which of the candidates is the first contact. Returns a list of only this contact, or an
 * empty list if no candidate is a contact. The time that the kernel found for a candidate is never later than
 * its contact, if it has one. So a candidate is skipped if this time is later than the time of a known contact.
 * If the features of a candidate stay in one plane perpendicular to an axis, double arithmetic usually proves
 * that the candidate comes after the known contact, so no integer arithmetic is needed. The result does not
 * depend on the order of `at`.
 * @param at byte addresses of Contacts, the candidates
 * @param queryOf returns a contact's four points at the start, then at the end
 */
export function decideFirst(
  memory: ContactMemory,
  at: Uint32Array<ArrayBuffer>,
  queryOf = (address: number): Float64Array => pointsOf(memory, address),
): Uint32Array<ArrayBuffer> {
  const { f64 } = memory;
  const undecided = at.filter(address => isUndecided(memory, address));
  let first = -1;
  for (const address of at)
    if (!isUndecided(memory, address) && (first < 0 || isBefore(memory, address, first))) first = address;
  // The earliest candidates are tested first, in batches of growing size. Therefore, only a few candidates need
  // the exact test. Only the times are sorted, not the candidates.
  const times = Float64Array.from(undecided, address => f64[address / 8]).sort();
  let earliest = -1;
  for (let end = 1; end < GROWTH * times.length; end *= GROWTH) {
    const latest = times[Math.min(end, times.length) - 1];
    for (const address of undecided) {
      const time = f64[address / 8];
      if (time <= earliest || time > latest || (first >= 0 && time > f64[first / 8])) continue;
      const query = queryOf(address);
      if (first >= 0 && comesAfter(memory, address, first, query)) continue;
      if (decideContact(memory, address, query) && (first < 0 || isBefore(memory, address, first)))
        first = address;
    }
    earliest = latest;
  }
  return first < 0 ? new Uint32Array(0) : Uint32Array.of(first);
}

/** Returns whether a contact is undecided. */
export const isUndecided = ({ u32 }: ContactMemory, address: number): boolean =>
  u32[(address + Contact.at.verdict) / 4] === continuousLimits.NEAR;

/** Growth factor of the batches. */
const GROWTH = 16;

// Returns whether doubles prove that the candidate at `address`, if it is a contact, comes after the known
// contact. Times are multiples of 2^-48. If the candidate would come first at an equal time, doubles must
// therefore prove that its time is at least the next multiple.
function comesAfter(memory: ContactMemory, address: number, known: number, query: Float64Array): boolean {
  const time = memory.f64[known / 8];
  return isProvenNotBefore(
    query,
    isFaceAt(memory, address),
    isBefore(memory, address, known, true) ? time + 2 ** -48 : time,
  );
}

const isFaceAt = ({ u32 }: ContactMemory, address: number): boolean =>
  u32[(address + Contact.at.kind) / 4] !== sweptLimits.EDGE_EDGE;

const reusedQuery = /* @__PURE__ */ new Float64Array(24);

/** Returns the points of a contact. The array is reused by the next call. */
export function pointsOf({ u32, f64 }: ContactMemory, address: number): Float64Array {
  for (let i = 0; i < 4; i++) {
    const point = u32[(address + Contact.at.points) / 4 + i] / 8;
    for (let axis = 0; axis < 3; axis++) {
      reusedQuery[3 * i + axis] = f64[point + axis];
      reusedQuery[12 + 3 * i + axis] = f64[point + 3 + axis];
    }
  }
  return reusedQuery;
}

/** Returns whether an undecided candidate is a contact, decided exactly. If so, stores its exact time. */
export function decideContact(memory: ContactMemory, address: number, query: Float64Array): boolean {
  const contact = exactContact(query, isFaceAt(memory, address));
  const { f64 } = memory;
  if (!contact) return false;
  f64[(address + Contact.at.toi) / 8] = contact.toi;
  f64[(address + Contact.at.bound) / 8] = contact.bound;
  return true;
}
