// Contacts some of which are only near -> those that are contacts, exactly.
import { continuousLimits } from './continuousLayout.js';
import { exactContact } from './exactContact.js';
import type { ContactMemory } from './sweptContacts.js';
import { Contact, sweptLimits } from './sweptLayout.js';

const POINT_DOUBLES = 6;

/**
 * at: byte addresses of Contacts. queryOf: a contact's four points at the start, then at the end. Decides what floats could not, and
 * tells it when; the others are contacts by a proof of theirs.
 */
export function decideNear(memory: ContactMemory, at: Uint32Array<ArrayBuffer>, queryOf = (address: number): Float64Array => pointsOf(memory, address)): Uint32Array<ArrayBuffer> {
  return at.filter((address) => memory.u32[(address + Contact.at.verdict) / 4] !== continuousLimits.NEAR || decide(memory, address, queryOf(address)));
}

// Where the contact says that they are.
function pointsOf({ u32, f64 }: ContactMemory, address: number): Float64Array {
  const query = new Float64Array(24);
  for (let i = 0; i < 4; i++) {
    const point = u32[(address + Contact.at.points) / 4 + i]! / 8;
    query.set(f64.subarray(point, point + POINT_DOUBLES / 2), 3 * i);
    query.set(f64.subarray(point + POINT_DOUBLES / 2, point + POINT_DOUBLES), 12 + 3 * i);
  }
  return query;
}

function decide({ u32, f64 }: ContactMemory, address: number, query: Float64Array): boolean {
  const contact = exactContact(query, u32[(address + Contact.at.kind) / 4] !== sweptLimits.EDGE_EDGE);
  if (!contact) return false;
  f64[(address + Contact.at.toi) / 8] = contact.toi;
  f64[(address + Contact.at.bound) / 8] = contact.bound;
  return true;
}
