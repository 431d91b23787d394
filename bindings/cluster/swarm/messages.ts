// The messages of a swarm: invitations, pieces of reliable messages, and the contents of those messages.
import { messageKind } from '../message.js';

const MAX_BODIES = 2 ** 24;
const MAX_MEMBERS = 4096;
const areFinite = (values: Float64Array): boolean => values.every(value => Number.isFinite(value));
const isPlaced = (values: Float64Array | Float32Array): boolean =>
  values.every(value => Math.abs(value) <= 2 ** 200);
const isBelow = (values: Uint32Array, limit: number): boolean => values.every(value => value < limit);

/** Coordinator to all nodes: an invitation. world: its name in UTF-8; patience: milliseconds. */
export const Invite = messageKind(
  'an invitation',
  300,
  { patience: 'f64', retryInterval: 'f64' },
  { world: 'u8' },
  ({ patience, retryInterval, world }) =>
    !(patience > 0 && patience < 2 ** 31 && retryInterval > 0 && retryInterval < 2 ** 31)
      ? `a patience of ${patience}, requests repeated after ${retryInterval} ms`
      : world.length > 4096
        ? `a name of ${world.length} bytes`
        : undefined,
);
/** Node to coordinator: an offer to take part. */
export const Offer = messageKind('an offer', 301, {}, { name: 'u8' }, ({ name }) =>
  name.length > 256 ? `a name of ${name.length} bytes` : undefined,
);

/** A piece of a reliable message. `step` of the heading is the message's. */
export const Piece = messageKind(
  'a piece',
  302,
  { epoch: 'u32', round: 'u32', index: 'u32', count: 'u32' },
  { bytes: 'u8' },
  ({ index, count, round }) =>
    count === 0 || count > 65536 || index >= count
      ? `index ${index} of ${count}`
      : round >= ROUNDS
        ? `round ${round}`
        : undefined,
);
/** Requests a message that has not arrived. missing: the missing pieces; empty: all. */
export const Ask = messageKind(
  'a question',
  303,
  { epoch: 'u32', round: 'u32' },
  { missing: 'u32' },
  ({ round, missing }) =>
    round >= ROUNDS
      ? `round ${round}`
      : missing.length > 65536
        ? `${missing.length} missing pieces`
        : undefined,
);
/**
 * A sign of life from a member that does not have the requested message yet. waitingFor: the members whose
 * messages it waits for. isOver: it has taken part to the end. failure: why it cannot continue, in UTF-8.
 */
export const Alive = messageKind(
  'a sign of life',
  304,
  { epoch: 'u32', isOver: 'u32' },
  { waitingFor: 'u32', failure: 'u8' },
  ({ waitingFor, failure }) =>
    waitingFor.length > MAX_MEMBERS
      ? `${waitingFor.length} waited for`
      : failure.length > 4096
        ? `a failure of ${failure.length} bytes`
        : undefined,
);

/** The rounds of a step: one message from each sender to each receiver per round. */
export const Round = {
  start: 0,
  crossing: 1,
  meetings: 2,
  report: 3,
  states: 4,
  contacts: 5,
  go: 6,
} as const;
export const ROUNDS = 7;

/**
 * Coordinator to member: everything needed to begin after `step` of the heading. owners: ids of nodes, by
 * column.
 */
export const Start = messageKind(
  'a start',
  310,
  {
    bodyCount: 'u32',
    stateLength: 'u32',
    ground: ['f64', 4],
    across: 'u32',
    along: 'u32',
    m: 'u32',
    collect: 'u32',
  },
  { members: 'u32', owners: 'u32', ids: 'u32', states: 'f64' },
  ({ bodyCount, stateLength, members, owners, ids, states, across, along, m, ground }) =>
    Array.from(ground).some(edge => !Number.isFinite(edge))
      ? 'a ground without an end'
      : bodyCount > MAX_BODIES || stateLength > 1024
        ? `${bodyCount} bodies of ${stateLength} numbers`
        : members.length === 0 || members.length > MAX_MEMBERS
          ? `${members.length} members`
          : owners.length !== 0 && owners.length !== across * along * m * m
            ? `${owners.length} owners of ${across} x ${along} x ${m} x ${m} columns`
            : owners.some(id => !members.includes(id))
              ? 'an owner that is no member'
              : states.length !== ids.length * stateLength || !isBelow(ids, bodyCount)
                ? `${ids.length} bodies with ${states.length} numbers`
                : !areFinite(states)
                  ? 'a state that is not finite'
                  : undefined,
);
/**
 * Coordinator to member: continue with the step of the heading. columns[i] is reassigned to owners[i]. isEnd:
 * there is no further step. wantsStates: report the states after this step. m: doubled if columns were split.
 */
export const Go = messageKind(
  'a word to go on',
  311,
  { isEnd: 'u32', wantsStates: 'u32', m: 'u32' },
  { members: 'u32', columns: 'u32', owners: 'u32' },
  ({ members, columns, owners }) =>
    columns.length !== owners.length
      ? `${columns.length} columns and ${owners.length} owners`
      : members.length > MAX_MEMBERS
        ? `${members.length} members`
        : undefined,
);
/**
 * Member to member: bodies that reach into its columns, 24 numbers each for the placements before and after,
 * as floats if those are exact; and, for the bodies that migrate, their indices in ids (stayers) and their
 * states.
 */
export const Crossing = messageKind(
  'a crossing',
  312,
  {},
  { ids: 'u32', rows: 'f64', floats: 'f32', stayers: 'u32', states: 'f64' },
  ({ ids, rows, floats, stayers }) =>
    rows.length + floats.length !== 24 * ids.length || rows.length * floats.length > 0
      ? `${ids.length} bodies at ${rows.length / 12} and ${floats.length / 12} placements`
      : !isPlaced(rows) || !isPlaced(floats)
        ? 'a placement that is not finite'
        : !isBelow(stayers, ids.length)
          ? 'a body that stays and is not there'
          : undefined,
);
/**
 * Member to member: contacts of the receiver's home bodies: the time, and the origin of the other body at the
 * end of the step.
 */
export const Meetings = messageKind(
  'meetings',
  313,
  {},
  { bodies: 'u32', others: 'u32', toi: 'f64', origins: 'f64' },
  ({ bodies, others, toi, origins }) =>
    others.length !== bodies.length || toi.length !== bodies.length || origins.length !== 3 * bodies.length
      ? `${bodies.length} bodies and ${others.length} others`
      : !areFinite(origins) || !areFinite(toi)
        ? 'a place that is not finite'
        : undefined,
);
/**
 * Member to coordinator: the report of a step. Sums are two words each, low word first; bytes and messages
 * are those to other members.
 */
export const Report = messageKind(
  'a report',
  314,
  {
    isLeaving: 'u32',
    homeBodies: 'u32',
    localBodies: 'u32',
    arrived: 'u32',
    contacts: 'u32',
    tested: 'u32',
    boxTests: 'f64',
    facePairs: 'f64',
    featurePairs: 'f64',
    milliseconds: ['f64', 3],
    sentBytes: 'f64',
    sentMessages: 'u32',
    contactSum: ['u32', 2],
    stateSum: ['u32', 2],
  },
  { columns: 'u32', loads: 'u32', candidates: 'u32' },
  ({ columns, loads, candidates }) =>
    loads.length !== columns.length || candidates.length !== columns.length
      ? `${columns.length} columns and ${loads.length} loads`
      : undefined,
);
/** Member to coordinator: the states of all its home bodies. */
export const States = messageKind('states', 315, {}, { ids: 'u32', states: 'f64' }, ({ states }) =>
  areFinite(states) ? undefined : 'a state that is not finite',
);
/** The lists that describe contacts. */
export const contactLists = {
  a: 'u32',
  b: 'u32',
  toi: 'f64',
  bound: 'f64',
  kind: 'u8',
  featureA: 'u32',
  featureB: 'u32',
  triangleA: 'u32',
  triangleB: 'u32',
} as const;
export const contactNames = Object.keys(contactLists) as (keyof typeof contactLists)[];
/** Member to coordinator: its contacts, sorted by a, then b. */
export const Contacts = messageKind('contacts', 316, {}, contactLists, lists =>
  contactNames.some(name => lists[name].length !== lists.a.length) ? 'lists of different lengths' : undefined,
);
