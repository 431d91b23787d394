// Contacts some of which are only near -> those that are contacts, exactly.
import { continuousLimits } from '../records/continuousLayout.js';
import { Contact, sweptLimits } from '../records/sweptLayout.js';
import { exactContact, isSurelyNotBefore } from './exactContact.js';
import type { SweepHow } from './sweepOptions.js';
import { type ContactMemory, isBefore } from './sweptContacts.js';

/** What a question about meshes is to be told of the contacts that the kernel found. */
export const decideFor = (
  memory: ContactMemory,
  at: Uint32Array<ArrayBuffer>,
  { isExact, isFirst }: SweepHow,
): Uint32Array<ArrayBuffer> => (!isExact ? at : isFirst ? decideFirst(memory, at) : decideNear(memory, at));

/**
 * at: byte addresses of Contacts. queryOf: a contact's four points at the start, then at the end. Decides
 * what floats could not, and tells it when; the others are contacts by a proof of theirs.
 */
export function decideNear(
  memory: ContactMemory,
  at: Uint32Array<ArrayBuffer>,
  queryOf = (address: number): Float64Array => pointsOf(memory, address),
): Uint32Array<ArrayBuffer> {
  return at.filter(address => !isNear(memory, address) || decide(memory, address, queryOf(address)));
}

/**
 * The first of these contacts alone, decided exactly. A contact is never earlier than the kernel has it:
 * those that are later than one that is known are not looked at, and of the others most are shown to come
 * after it without integers. The answer does not depend on the order of `at`.
 */
export function decideFirst(memory: ContactMemory, at: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const { f64 } = memory;
  const near = at.filter(address => isNear(memory, address));
  let first = -1;
  for (const address of at)
    if (!isNear(memory, address) && (first < 0 || isBefore(memory, address, first))) first = address;
  // Early ones first, in rounds of more and more: few have to be decided in full, and none has to be sorted.
  const times = Float64Array.from(near, address => f64[address / 8]).sort();
  let earliest = -1;
  for (let end = 1; end < ROUND * times.length; end *= ROUND) {
    const latest = times[Math.min(end, times.length) - 1];
    for (const address of near) {
      const time = f64[address / 8];
      if (time <= earliest || time > latest || (first >= 0 && time > f64[first / 8])) continue;
      const query = pointsOf(memory, address);
      if (first >= 0 && comesAfter(memory, address, first, query)) continue;
      if (decide(memory, address, query) && (first < 0 || isBefore(memory, address, first))) first = address;
    }
    earliest = latest;
  }
  return first < 0 ? new Uint32Array(0) : Uint32Array.of(first);
}

/** A contact's verdict is still open: floats could not tell. */
export const isNear = ({ u32 }: ContactMemory, address: number): boolean =>
  u32[(address + Contact.at.verdict) / 4] === continuousLimits.NEAR;

/** A round has so many times as many contacts as the one before. */
const ROUND = 16;

// Whether doubles show that the contact at `address`, if it is one, comes after the one that is known. Times
// are told in steps of 2^-48.
function comesAfter(memory: ContactMemory, address: number, known: number, query: Float64Array): boolean {
  const time = memory.f64[known / 8];
  return isSurelyNotBefore(
    query,
    isFaceAt(memory, address),
    isBefore(memory, address, known, true) ? time + 2 ** -48 : time,
  );
}

const isFaceAt = ({ u32 }: ContactMemory, address: number): boolean =>
  u32[(address + Contact.at.kind) / 4] !== sweptLimits.EDGE_EDGE;

const room = /* @__PURE__ */ new Float64Array(24);

/** The points of a contact, where it says that they are. Until the next call. */
export function pointsOf({ u32, f64 }: ContactMemory, address: number): Float64Array {
  for (let i = 0; i < 4; i++) {
    const point = u32[(address + Contact.at.points) / 4 + i] / 8;
    for (let axis = 0; axis < 3; axis++) {
      room[3 * i + axis] = f64[point + axis];
      room[12 + 3 * i + axis] = f64[point + 3 + axis];
    }
  }
  return room;
}

/** Decides a contact that is near by its points, and tells it when. @returns whether there is one */
export function decide(memory: ContactMemory, address: number, query: Float64Array): boolean {
  const contact = exactContact(query, isFaceAt(memory, address));
  const { f64 } = memory;
  if (!contact) return false;
  f64[(address + Contact.at.toi) / 8] = contact.toi;
  f64[(address + Contact.at.bound) / 8] = contact.bound;
  return true;
}
