// Defines the messages of a swarm (a simulation of moving bodies on many nodes): invitations, fragments of
// reliable messages, and the contents of reliable messages.
import { messageKind } from '../message.js';

const MAX_BODIES = 2 ** 24;
const MAX_MEMBERS = 4096;
/**
 * The largest value that `patience` or `retryInterval` may have, in milliseconds. A node takes part in only one
 * swarm at a time, and any process can send it an invitation. The limit bounds how long a silent coordinator
 * can keep the node from joining another swarm.
 */
export const MAX_PATIENCE = 86_400_000;
/** The maximum length of a world's name in UTF-8. */
export const MAX_WORLD_BYTES = 4096;
const areFinite = (values: Float64Array): boolean => values.every(value => Number.isFinite(value));
const isPlaced = (values: Float64Array | Float32Array): boolean =>
  values.every(value => Math.abs(value) <= 2 ** 200);
const isBelow = (values: Uint32Array, limit: number): boolean => values.every(value => value < limit);

/**
 * Coordinator to all nodes: an invitation. world: the name of the world in UTF-8. patience, retryInterval:
 * milliseconds.
 */
export const Invite = messageKind(
  'invitation',
  300,
  { patience: 'f64', retryInterval: 'f64' },
  { world: 'u8' },
  ({ patience, retryInterval, world }) =>
    !(patience > 0 && patience <= MAX_PATIENCE && retryInterval > 0 && retryInterval <= MAX_PATIENCE)
      ? `patience is ${patience} ms and retryInterval is ${retryInterval} ms`
      : world.length > MAX_WORLD_BYTES
        ? `the name of its world has ${world.length} bytes, more than ${MAX_WORLD_BYTES}`
        : undefined,
);
/** Node to coordinator: an offer to take part. */
export const Offer = messageKind('offer', 301, {}, { name: 'u8' }, ({ name }) =>
  name.length > 256 ? `its name has ${name.length} bytes, more than 256` : undefined,
);

/** A fragment of a reliable message. The step in the fragment's heading is the step of the whole message. */
export const Fragment = messageKind(
  'fragment',
  302,
  { epoch: 'u32', round: 'u32', index: 'u32', count: 'u32' },
  { bytes: 'u8' },
  ({ index, count, round }) =>
    count === 0 || count > 65536 || index >= count
      ? `index is ${index} and count is ${count}`
      : round >= ROUNDS
        ? `round is ${round}, not below ${ROUNDS}`
        : undefined,
);
/**
 * Requests a message that has not arrived. missing: the indices of the missing fragments; if empty, all
 * fragments are requested.
 */
export const MessageRequest = messageKind(
  'request',
  303,
  { epoch: 'u32', round: 'u32' },
  { missing: 'u32' },
  ({ round, missing }) =>
    round >= ROUNDS
      ? `round is ${round}, not below ${ROUNDS}`
      : missing.length > 65536
        ? `it requests ${missing.length} fragments, more than 65536`
        : undefined,
);
/**
 * A sign of life, which answers a request for a message that the sender has not made yet, or announces a
 * failure of the sender or the end of the swarm. waitingFor: the members whose messages the sender waits for.
 * isOver: whether the swarm is over for the sender. failure: the reason for which the sender cannot continue,
 * in UTF-8; empty if the sender can continue.
 */
export const Alive = messageKind(
  'alive',
  304,
  { epoch: 'u32', isOver: 'u32' },
  { waitingFor: 'u32', failure: 'u8' },
  ({ waitingFor, failure }) =>
    waitingFor.length > MAX_MEMBERS
      ? `waitingFor has ${waitingFor.length} members, more than ${MAX_MEMBERS}`
      : failure.length > 4096
        ? `failure has ${failure.length} bytes, more than 4096`
        : undefined,
);

/** The rounds of a step. In a round, each sender sends at most one message to each receiver. */
export const Round = {
  start: 0,
  crossing: 1,
  pairContacts: 2,
  report: 3,
  states: 4,
  contacts: 5,
  go: 6,
} as const;
export const ROUNDS = 7;

/**
 * Coordinator to member: everything that the member needs to begin after the step in the heading. ground,
 * across, along, m: the division of the ground into columns (see `Columns`). collect: 1 if members must report
 * the pairs of bodies in contact. owners: the id of the node that owns each column; empty if members own fixed
 * regions. ids, states: the bodies that the member owns, and their states, stateLength numbers each.
 */
export const Start = messageKind(
  'start',
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
      ? 'its ground is not finite'
      : bodyCount > MAX_BODIES || stateLength > 1024
        ? `it has ${bodyCount} bodies with ${stateLength} numbers each, but at most ${MAX_BODIES} bodies with 1024 numbers each are allowed`
        : members.length === 0 || members.length > MAX_MEMBERS
          ? `it has ${members.length} members, not 1 to ${MAX_MEMBERS}`
          : owners.length !== 0 && owners.length !== across * along * m * m
            ? `it has ${owners.length} owners for ${across} x ${along} x ${m} x ${m} columns`
            : owners.some(id => !members.includes(id))
              ? 'an owner is not a member'
              : states.length !== ids.length * stateLength
                ? `it has ${states.length} numbers for the states of ${ids.length} bodies`
                : !isBelow(ids, bodyCount)
                  ? 'a body does not exist'
                  : !areFinite(states)
                    ? 'a state is not finite'
                    : undefined,
);
/**
 * Coordinator to member: continue with the step in the heading. isEnd: 1 if there is no further step for this
 * member. members: the nodes that take part in the step. columns[i] is reassigned to owners[i]. wantsStates:
 * not 0 if the member must report the states after this step. m: the number of columns along each side of a
 * sub-space, which is twice the earlier number if columns were split.
 */
export const Go = messageKind(
  'go',
  311,
  { isEnd: 'u32', wantsStates: 'u32', m: 'u32' },
  { members: 'u32', columns: 'u32', owners: 'u32' },
  ({ members, columns, owners }) =>
    columns.length !== owners.length
      ? `it has ${columns.length} columns, but ${owners.length} owners`
      : members.length > MAX_MEMBERS
        ? `it has ${members.length} members, more than ${MAX_MEMBERS}`
        : undefined,
);
/**
 * Member to member: bodies that reach into the receiver's columns or migrate to it. Each body has 24 numbers,
 * for its placements before and after the step. All these numbers are sent in `floats` if float32 represents
 * them exactly, and in `rows` otherwise. migrants: the indices in `ids` of the bodies that migrate. states:
 * the states of those bodies.
 */
export const Crossing = messageKind(
  'crossing',
  312,
  {},
  { ids: 'u32', rows: 'f64', floats: 'f32', migrants: 'u32', states: 'f64' },
  ({ ids, rows, floats, migrants }) =>
    rows.length + floats.length !== 24 * ids.length || rows.length * floats.length > 0
      ? `it has ${ids.length} bodies, but ${rows.length / 12} placements in doubles and ${floats.length / 12} in floats`
      : !isPlaced(rows) || !isPlaced(floats)
        ? 'a placement has a number that is not finite, or whose magnitude exceeds 2^200'
        : !isBelow(migrants, ids.length)
          ? 'a body that migrates is not in the message'
          : undefined,
);
/**
 * Member to member: the contacts of the receiver's owned bodies. Each contact has the receiver's body, the
 * other body, the time of impact, and the origin of the other body at the end of the step.
 */
export const PairContacts = messageKind(
  'pair contacts',
  313,
  {},
  { bodies: 'u32', others: 'u32', toi: 'f64', origins: 'f64' },
  ({ bodies, others, toi, origins }) =>
    others.length !== bodies.length || toi.length !== bodies.length || origins.length !== 3 * bodies.length
      ? `its lists have different lengths: ${bodies.length} bodies, ${others.length} others, ${toi.length} times and ${origins.length / 3} origins`
      : !areFinite(origins) || !areFinite(toi)
        ? 'a time or an origin is not finite'
        : undefined,
);
/**
 * Member to coordinator: the report of a step. contactSum, stateSum: digests of two words each, low word
 * first. milliseconds: CPU milliseconds of three phases (see NodeRow). sentBytes, sentMessages: bytes and
 * number of the messages to other members. columns: the columns in which pairs were tested. loads: the number
 * of contacts in each of these columns. candidates: the number of tested pairs in each of these columns.
 */
export const Report = messageKind(
  'report',
  314,
  {
    isLeaving: 'u32',
    ownedBodies: 'u32',
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
      ? `its lists have different lengths: ${columns.length} columns, ${loads.length} loads and ${candidates.length} candidates`
      : undefined,
);
/** Member to coordinator: the states of all owned bodies of the member. */
export const States = messageKind('states', 315, {}, { ids: 'u32', states: 'f64' }, ({ states }) =>
  areFinite(states) ? undefined : 'a state is not finite',
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
/** Member to coordinator: the contacts that the member found, sorted by a, then b. */
export const Contacts = messageKind('contacts', 316, {}, contactLists, lists =>
  contactNames.some(name => lists[name].length !== lists.a.length)
    ? 'its lists have different lengths'
    : undefined,
);
