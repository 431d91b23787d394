// Reduces the contacts of one pair of bodies to the first contact. In an exact query, also keeps the
// undecided contacts that may come before it. An exact test decides them later.
import { Contact, ContactList, NEAR, REACHED, START, SweepQuery } from '../records';

/**
 * Considers the list's contacts from index `first` on, and keeps only the first contact in the order (toi,
 * START before other kinds, faces, kind, features). In an exact query, keeps the first of the proven contacts
 * (REACHED), and all undecided contacts (NEAR) whose toi is not later. Does nothing if the list was too short
 * for all contacts, because the search then runs again with more capacity.
 */
export function keepEarliest(sweepQuery: usize, list: usize, first: u32): void {
  const count = <u32>load<f64>(list, ContactList.found);
  const contacts: usize = load<u32>(list, ContactList.contactsAt);
  if (count <= first + 1 || count > load<u32>(list, ContactList.capacity)) return;
  const isExact = load<u32>(sweepQuery, SweepQuery.isExact) != 0;
  let earliest: usize = 0;
  let to = contacts + <usize>first * Contact.SIZE;
  for (let i = first; i < count; i++) {
    const contact = contacts + <usize>i * Contact.SIZE;
    if (
      (!isExact || load<u32>(contact, Contact.verdict) == REACHED) &&
      (earliest == 0 || isBefore(contact, earliest))
    )
      earliest = contact;
  }
  const end = earliest == 0 ? Infinity : load<f64>(earliest, Contact.toi);
  for (let i = first; i < count; i++) {
    const contact = contacts + <usize>i * Contact.SIZE;
    if (
      contact != earliest &&
      !(isExact && load<u32>(contact, Contact.verdict) == NEAR && load<f64>(contact, Contact.toi) <= end)
    )
      continue;
    if (to != contact) memory.copy(to, contact, Contact.SIZE);
    to += Contact.SIZE;
  }
  store<f64>(list, <f64>((to - contacts) / Contact.SIZE), ContactList.found);
}

function isBefore(a: usize, b: usize): bool {
  const toiA = load<f64>(a, Contact.toi);
  const toiB = load<f64>(b, Contact.toi);
  if (toiA != toiB) return toiA < toiB;
  const isStart = load<u32>(a, Contact.kind) == START;
  if (isStart != (load<u32>(b, Contact.kind) == START)) return isStart;
  const faceA = load<u32>(a, Contact.faceA);
  const faceB = load<u32>(b, Contact.faceA);
  if (faceA != faceB) return faceA < faceB;
  const otherA = load<u32>(a, Contact.faceB);
  const otherB = load<u32>(b, Contact.faceB);
  if (otherA != otherB) return otherA < otherB;
  const kindA = load<u32>(a, Contact.kind);
  const kindB = load<u32>(b, Contact.kind);
  if (kindA != kindB) return kindA < kindB;
  const ownA = load<u32>(a, Contact.a);
  const ownB = load<u32>(b, Contact.a);
  return ownA != ownB ? ownA < ownB : load<u32>(a, Contact.b) < load<u32>(b, Contact.b);
}
