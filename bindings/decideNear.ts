// Contacts some of which are only near -> those that are contacts, exactly.
import { continuousLimits } from './continuousLayout.js';
import { exactContact } from './exactContact.js';
import type { SweepHow } from './sweepOptions.js';
import { isBefore, type ContactMemory } from './sweptContacts.js';
import { Contact, sweptLimits } from './sweptLayout.js';

/** What a question about meshes is to be told of the contacts that the kernel found. */
export const decideFor = (memory: ContactMemory, at: Uint32Array<ArrayBuffer>, { isExact, isFirst }: SweepHow): Uint32Array<ArrayBuffer> => (!isExact ? at : isFirst ? decideFirst(memory, at) : decideNear(memory, at));

/**
 * at: byte addresses of Contacts. queryOf: a contact's four points at the start, then at the end. Decides what floats could not, and
 * tells it when; the others are contacts by a proof of theirs.
 */
export function decideNear(memory: ContactMemory, at: Uint32Array<ArrayBuffer>, queryOf = (address: number): Float64Array => pointsOf(memory, address)): Uint32Array<ArrayBuffer> {
  return at.filter((address) => memory.u32[(address + Contact.at.verdict) / 4] !== continuousLimits.NEAR || decide(memory, address, queryOf(address)));
}

/**
 * The first of these contacts alone, decided exactly. A contact is never earlier than the kernel has it: those that are later than one that is
 * known are not looked at.
 */
export function decideFirst(memory: ContactMemory, at: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const { u32, f64 } = memory, isNear = (address: number): boolean => u32[(address + Contact.at.verdict) / 4] === continuousLimits.NEAR;
  let first = at.reduce((known, address) => (isNear(address) || (known >= 0 && !isBefore(memory, address, known)) ? known : address), -1);
  for (const address of at.filter(isNear).sort((x, y) => f64[x / 8]! - f64[y / 8]!)) {
    if (first >= 0 && f64[address / 8]! > f64[first / 8]!) break;
    if (decide(memory, address, pointsOf(memory, address)) && (first < 0 || isBefore(memory, address, first))) first = address;
  }
  return first < 0 ? new Uint32Array(0) : Uint32Array.of(first);
}

const room = /* @__PURE__ */ new Float64Array(24);

// Where the contact says that they are. Until the next call.
function pointsOf({ u32, f64 }: ContactMemory, address: number): Float64Array {
  for (let i = 0; i < 4; i++) {
    const point = u32[(address + Contact.at.points) / 4 + i]! / 8;
    for (let axis = 0; axis < 3; axis++) {
      room[3 * i + axis] = f64[point + axis]!;
      room[12 + 3 * i + axis] = f64[point + 3 + axis]!;
    }
  }
  return room;
}

function decide({ u32, f64 }: ContactMemory, address: number, query: Float64Array): boolean {
  const contact = exactContact(query, u32[(address + Contact.at.kind) / 4] !== sweptLimits.EDGE_EDGE);
  if (!contact) return false;
  f64[(address + Contact.at.toi) / 8] = contact.toi;
  f64[(address + Contact.at.bound) / 8] = contact.bound;
  return true;
}
