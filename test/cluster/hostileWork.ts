// Makes messages of jobs, box pairs and swarms, each with an impossible value. Decoding must refuse such a
// message before the value is used.

import { BoxReport, BoxTask } from '../../dist/cluster/jobs/boxTasks.js';
import * as jobs from '../../dist/cluster/jobs/messages.js';
import { PairReport, PairTask } from '../../dist/cluster/jobs/pairTasks.js';
import type { MessageKind } from '../../dist/cluster/message.js';
import { splitMessage } from '../../dist/cluster/messageAssembler.js';
import * as octree from '../../dist/cluster/octree/messages.js';
import { Presence } from '../../dist/cluster/presence.js';
import * as swarm from '../../dist/cluster/swarm/messages.js';
import { type Hostile, heading } from './hostile.js';

const u32 = (...words: number[]): Uint32Array => Uint32Array.from(words);
const u8 = (length: number): Uint8Array => new Uint8Array(length);
const f64 = (...numbers: number[]): Float64Array => Float64Array.from(numbers);
const none = u32();

/**
 * Makes a valid message from the values in `some`, and an invalid message for each element of `changes`, which
 * replaces some of these values. reason: a pattern of the expected error message.
 */
function wrong<V extends object>(
  kind: MessageKind<V>,
  some: Partial<V>,
  ...changes: [what: string, values: Partial<V>, reason: RegExp][]
): { kind: MessageKind<unknown>; good: Uint8Array; hostile: Hostile[] } {
  // Values that are omitted are 0.
  const all = (values: Partial<V>): V =>
    new Proxy(values as V, { get: (of, name) => (name in of ? of[name as keyof V] : 0) });
  const good = all(some);
  const hostile = changes.map(
    ([what, values, reason]): Hostile => ({
      name: `${kind.name}: ${what}`,
      packets: splitMessage(kind.encode(heading, all({ ...some, ...values })), 1 << 20),
      reason,
    }),
  );
  return { kind: kind as MessageKind<unknown>, good: kind.encode(heading, good), hostile };
}

export const hostileWork = [
  wrong(
    jobs.NodeStatus,
    { slots: 2, heard: 0, isLeaving: 0, holds: none, name: u8(4) },
    ['a secret that is not a number', { membership: NaN }, /NaN is not a token/],
    ['a very long name', { name: u8(257) }, /name has 257 bytes/],
    ['too many slots', { slots: 2 ** 31 }, /tasks, more than/],
    ['more tasks than allowed', { holds: new Uint32Array(70_000) }, /tasks, more than/],
  ),
  wrong(
    jobs.Grant,
    {
      taskKind: 1,
      settled: none,
      tasks: u32(4, 5),
      leases: f64(6, 7),
      offsets: u32(0, 8, 16),
      bodies: u8(16),
    },
    ['fewer leases than tasks', { leases: f64(6) }, /1 leases for 2 tasks/],
    ['a lease that is negative', { leases: f64(6, -7) }, /-7 is not a token/],
    ['offsets of too few bodies', { offsets: u32(0, 16) }, /2 offsets for 2/],
    ['a body that ends before it begins', { offsets: u32(0, 20, 16) }, /not ascending/],
    ['bodies beyond the message', { offsets: u32(0, 8, 4096) }, /to 4096, not from 0 to 16/],
  ),
  wrong(
    jobs.Failed,
    {
      task: 1,
      slots: 1,
      heard: 0,
      neededBytes: 0,
      holds: none,
      missing: none,
      code: u8(2),
      text: u8(2),
      fix: u8(2),
    },
    ['memory that is not a number', { neededBytes: NaN }, /neededBytes is NaN/],
  ),
  wrong(
    jobs.ChunkRequest,
    { ticket: 1, first: 0, count: 4, chunkBytes: 4096, viaRun: 0, name: u32(1) },
    ['too many chunks', { count: 2 ** 32 - 1 }, /4294967295 chunks/],
    ['no chunks', { count: 0 }, /0 chunks/],
    ['chunks of no bytes', { chunkBytes: 0 }, /chunks of 0/],
    ['no name', { name: none }, /name has 0 words/],
    ['a name that is too long', { name: new Uint32Array(9) }, /name has 9 words/],
  ),
  wrong(
    jobs.Chunk,
    { ticket: 1, index: 0, total: 8, bytes: u8(8) },
    ['more bytes than the total', { total: 4 }, /8 bytes of a block of 4/],
    ['a total of 2^60', { total: 2 ** 60 }, /block of 115292150460684/],
    ['a total that is not a number', { total: NaN }, /block of NaN/],
    ['a chunk after the last one', { index: 9 }, /chunk 9/],
  ),
  wrong(
    PairTask,
    {
      want: 0,
      clearance: -1,
      hashes: new Uint32Array(16),
      a: u32(0),
      b: u32(1),
      placeA: u32(0),
      placeB: u32(1),
      places: new Float64Array(12),
    },
    ['a mesh beyond the task', { b: u32(2) }, /pair 0 refers to a mesh or placement/],
    ['a placement beyond the task', { placeB: u32(2) }, /pair 0 refers to a mesh or placement/],
    ['half a hash', { hashes: new Uint32Array(20) }, /20 words/],
    ['lists of different lengths', { placeA: u32(0, 0) }, /lists have different lengths/],
    ['an unknown value of want', { want: 9 }, /want is 9/],
  ),
  wrong(
    PairReport,
    { at: u32(0, 1), a: u32(3), b: u32(4), distances: f64() },
    ['offsets that fall', { at: u32(0, 2, 1) }, /not ascending from 0/],
    ['halves of pairs', { b: none }, /1 and 0 triangles/],
  ),
  wrong(BoxTask, { count: 1, hash: new Uint32Array(8) }, [
    'half a hash',
    { hash: new Uint32Array(4) },
    /4 words/,
  ]),
  wrong(BoxReport, { a: u32(1), b: u32(2) }, ['halves of pairs', { a: none }, /0 and 1 boxes/]),
  wrong(
    Presence,
    {
      threads: 1,
      isLeaving: 0,
      tasks: 0,
      failures: 0,
      tests: 0,
      cpuSeconds: 0,
      residentBytes: 0,
      upSeconds: 0,
      sentMessages: 0,
      sentBytes: 0,
      receivedMessages: 0,
      receivedBytes: 0,
      name: u8(3),
      gpu: u8(0),
    },
    ['a count that is not a number', { tests: NaN }, /NaN/],
    ['a very long name', { name: u8(5000) }, /name has 5000/],
    ['a GPU with a very long name', { gpu: u8(5000) }, /name has 5000/],
  ),
  wrong(
    octree.OctreeTask,
    {
      kind: 1,
      count: 10,
      subset: 0,
      subsetCount: 2,
      encoding: 1,
      silence: 100,
      sample: 9,
      grid: new Float64Array(6),
      range: none,
      needs: u32(0),
      holders: u32(7),
    },
    ['a subset after the last one', { subset: 2 }, /subset is 2/],
    ['more boxes than memory can hold', { count: 2 ** 31 }, /2147483648 boxes/],
    ['needed data that no node holds', { holders: none }, /1 needs, but 0/],
    [
      'data that this task does not need',
      { kind: 4, range: u32(0, 0, 1, 1) },
      /a task of kind 4 cannot have 1 needs/,
    ],
    ['half a grid', { grid: new Float64Array(3) }, /grid has 3/],
    ['a range for a task without ranges', { range: u32(0, 0, 1, 1) }, /range has 4/],
  ),
  wrong(
    octree.OctreeReport,
    { bounds: f64(), sampleKeys: none, sampleIds: none, histogram: new Float32Array(2) },
    ['half a sample', { sampleKeys: u32(1) }, /sample has 1 keys/],
    ['a large sample', { sampleKeys: new Uint32Array(3000), sampleIds: new Uint32Array(3000) }, /3000 keys/],
    ['too many buckets', { histogram: new Float32Array(5000) }, /5000 buckets/],
    ['a bucket that is not a number', { histogram: Float32Array.of(1, NaN) }, /the value NaN/],
    ['an infinite bucket', { histogram: Float32Array.of(Infinity) }, /the value Infinity/],
    ['a negative bucket', { histogram: Float32Array.of(-1) }, /the value -1/],
    ['half a bound', { bounds: f64(1, 2, 3) }, /bounds have 3/],
  ),
  wrong(swarm.Invite, { patience: 1000, retryInterval: 100, world: u8(4) }, [
    'an invalid patience',
    { patience: NaN },
    /patience is NaN/,
  ]),
  wrong(
    swarm.Start,
    {
      bodyCount: 4,
      stateLength: 2,
      ground: [0, 0, 1, 1],
      across: 1,
      along: 1,
      m: 1,
      collect: 0,
      members: u32(7),
      owners: u32(7),
      ids: u32(0),
      states: f64(1, 2),
    },
    ['an owner that is not a member', { owners: u32(8) }, /not a member/],
    ['an infinite ground', { ground: [0, 0, Infinity, 1] }, /ground is not finite/],
    ['more columns than owners', { m: 65536 }, /owners for/],
    ['a body after the last one', { ids: u32(4) }, /a body does not exist/],
    ['a state that is not a number', { states: f64(1, NaN) }, /not finite/],
    ['more owners than columns', { owners: u32(7, 7) }, /2 owners for/],
    ['no members', { members: none }, /0 members/],
    ['half a state', { states: f64(1) }, /1 numbers for the states of 1 bodies/],
    ['states that are too long', { stateLength: 5000 }, /with 5000 numbers/],
    ['too many bodies', { bodyCount: 2 ** 31 }, /2147483648 bodies/],
  ),
  wrong(
    swarm.Crossing,
    { ids: u32(1), rows: new Float64Array(24), floats: new Float32Array(0), migrants: none, states: f64() },
    ['a placement that is not a number', { rows: new Float64Array(24).fill(NaN) }, /placement/],
    ['an infinite placement', { rows: new Float64Array(24).fill(Infinity) }, /placement/],
    ['half a placement', { rows: new Float64Array(23) }, /1 bodies, but/],
    ['placements twice', { floats: new Float32Array(24) }, /1 bodies, but/],
    ['a body that has not been sent', { migrants: u32(1) }, /not in the message/],
  ),
  wrong(
    swarm.PairContacts,
    { bodies: u32(1), others: u32(2), toi: f64(0.5), origins: f64(0, 0, 0) },
    ['a time that is not a number', { toi: f64(NaN) }, /not finite/],
    ['a contact without the other body', { others: none }, /1 bodies, 0 others/],
  ),
  wrong(
    swarm.States,
    { ids: u32(1), states: f64(1) },
    ['an infinite state', { states: f64(-Infinity) }, /not finite/],
    ['a state that is not a number', { states: f64(NaN) }, /not finite/],
  ),
];
