// Fuzz targets for what a cluster node receives: messages of every kind, the encoded lists in messages, and
// the packets into which messages are split.
import { inflateRawSync } from 'node:zlib';
import * as boxTasks from '../../../dist/cluster/jobs/boxTasks.js';
import { readMesh, writeMesh } from '../../../dist/cluster/jobs/meshContent.js';
import * as jobs from '../../../dist/cluster/jobs/messages.js';
import { PairReport, PairTask } from '../../../dist/cluster/jobs/pairTasks.js';
import { Leave } from '../../../dist/cluster/leave.js';
import { headingOf, type MessageKind } from '../../../dist/cluster/message.js';
import { MessageAssembler, splitMessage } from '../../../dist/cluster/messageAssembler.js';
import {
  boxesOfSubset,
  decodeBoxesWithIds,
  encodeBoxesWithIds,
} from '../../../dist/cluster/octree/boxBytes.js';
import { decodeHalo, encodeHalo } from '../../../dist/cluster/octree/halo.js';
import { decodeList, encodeList } from '../../../dist/cluster/octree/listEncoding.js';
import * as octree from '../../../dist/cluster/octree/messages.js';
import { decodePairs } from '../../../dist/cluster/octree/pairChange.js';
import * as sessions from '../../../dist/cluster/octree/sessionMessages.js';
import { Presence } from '../../../dist/cluster/presence.js';
import * as swarm from '../../../dist/cluster/swarm/messages.js';
import { hostileKinds, Mesh } from '../../cluster/hostile.js';
import { hostileWork } from '../../cluster/hostileWork.js';
import { byteMutators } from '../mutators/bytes.js';
import { requireSameNumbers } from '../oracles/parts.js';
import { type Mutator, require, requireTypedError, type Target } from '../target.js';

type Kind = MessageKind<Record<string, unknown>>;
const isKind = (value: unknown): value is Kind => typeof (value as Kind | undefined)?.decode === 'function';
const kinds = new Map(
  [jobs, boxTasks, octree, sessions, swarm, { PairTask, PairReport, Leave, Presence, Mesh }]
    .flatMap(module => Object.values(module as object).filter(isKind))
    .map(kind => [kind.code, kind]),
);
/** The first two words of every message: the magic number and the version. */
const messageHead = new Uint32Array(Leave.encode({ run: [1, 2], step: 3, from: 4 }, {}).buffer).subarray(
  0,
  2,
);
/** The byte offset at which the heading of a message stores the length of the message. */
const LENGTH_AT = 12;
const REFUSED = ['Cluster'];

/** Runs a decoder; returns undefined if it refuses the bytes. */
function decoded<Result>(decode: () => Result): Result | undefined {
  try {
    return decode();
  } catch (error) {
    requireTypedError(error, REFUSED);
    return undefined;
  }
}

/**
 * Returns messages of a kind with different lengths, in which all numbers are 0 and all lists are empty. One
 * of them has the length that is right for the kind.
 */
function zeroMessages({ code }: Kind): Uint8Array[] {
  return Array.from({ length: 24 }, (_, i) => {
    const words = new Uint32Array(8 + 4 * i);
    words.set([...messageHead, code, words.byteLength]);
    return new Uint8Array(words.buffer);
  });
}

/** Makes a mutator that also sets the length in the heading to the length of the changed message. */
const withLength =
  (mutator: Mutator): Mutator =>
  (bytes, context) => {
    const changed = mutator(bytes, context).slice();
    if (changed.length >= LENGTH_AT + 4)
      new DataView(changed.buffer).setUint32(LENGTH_AT, changed.length, true);
    return changed;
  };

/**
 * Adds or removes words. Also adjusts an earlier word, as if it were the length of the list that has grown or
 * shrunk.
 */
const resize: Mutator = (bytes, { random }) => {
  const words = [...new Uint32Array(bytes.slice(0, bytes.length & ~3).buffer)];
  if (words.length < 10) return bytes.slice();
  const count = 8 + random.below(Math.min(words.length - 8, 24));
  const at = count + 1 + random.below(words.length - count);
  const added = 2 * (1 + random.below(3));
  const isRemoved = random.below(2) === 0;
  if (isRemoved) words.splice(at, added);
  else words.splice(at, 0, ...Array.from({ length: added }, () => random.below(4)));
  words[count] += (isRemoved ? -added : added) / (random.below(2) === 0 ? 1 : 2);
  return new Uint8Array(Uint32Array.from(words).buffer);
};

export const clusterMessages: Target = {
  name: 'cluster message',
  covers:
    /^cluster\/(message|presence|leave|jobs\/(messages|boxTasks|pairTasks)|octree\/(messages|sessionMessages)|swarm\/messages)\.js$/,
  mutants: 50_000,
  maxBytes: 2048,
  mutators: [
    ...byteMutators.map(withLength),
    withLength(resize),
    withLength(resize),
    ...byteMutators.slice(0, 3),
  ],
  dictionary: [],
  seeds: () => [
    ...hostileWork.flatMap(({ good, hostile }) => [
      good,
      ...hostile.map(({ packets }) => packets[0].slice(32)),
    ]),
    ...[...kinds.values()].flatMap(zeroMessages),
  ],
  check(bytes) {
    const heading = decoded(() => headingOf(bytes));
    const kind = heading && kinds.get(heading.kind);
    const values = kind && decoded(() => kind.decode(bytes));
    if (!values) return false;
    for (const [name, value] of Object.entries(values))
      require(typeof value !== 'number' || Number.isFinite(value), () =>
        `${kind.name}.${name} is ${String(value)}`);
    const again = kind.encode({ run: heading.run, step: heading.step, from: heading.from }, values);
    requireSameNumbers(`${kind.name}, encoded again`, again, bytes);
    return true;
  },
};

const ID_LIMIT = 1000;

/** Decodes a list in a slow and simple way, with JavaScript numbers, which do not overflow at 32 bits. */
function slowList(bytes: Uint8Array): { keys: number[]; ids: number[] } {
  const [encoding, count, minId, idBytes, keyBytes] = new Uint32Array(bytes.slice(0, 20).buffer);
  const body = encoding === 2 ? new Uint8Array(inflateRawSync(bytes.subarray(24))) : bytes.subarray(24);
  if (encoding === 0) {
    const words = [...new Uint32Array(body.slice().buffer)];
    return { keys: words.slice(0, count), ids: words.slice(count) };
  }
  const keys: number[] = [];
  let difference = 0;
  let scale = 1;
  for (const byte of body.subarray(0, keyBytes)) {
    difference += (byte % 128) * scale;
    scale *= 128;
    if (byte > 127) continue;
    keys.push((keys.at(-1) ?? 0) + difference);
    [difference, scale] = [0, 1];
  }
  const ids = Array.from({ length: count }, (_, i) => {
    let id = minId;
    for (let plane = 0; plane < idBytes; plane++) id += body[keyBytes + plane * count + i] * 256 ** plane;
    return id;
  });
  return { keys, ids };
}

async function checkList(bytes: Uint8Array): Promise<boolean> {
  let list: Awaited<ReturnType<typeof decodeList>>;
  try {
    list = await decodeList(bytes, ID_LIMIT);
  } catch (error) {
    requireTypedError(error, REFUSED);
    return false;
  }
  const slow = slowList(bytes);
  requireSameNumbers('keys', list.keys, slow.keys);
  requireSameNumbers('ids', list.ids, slow.ids);
  const again = await decodeList(await encodeList(list, bytes[0]), ID_LIMIT);
  requireSameNumbers('keys, encoded again', again.keys, list.keys);
  requireSameNumbers('ids, encoded again', again.ids, list.ids);
  return true;
}

async function checkPairs(bytes: Uint8Array): Promise<boolean> {
  const before = { a: Uint32Array.of(1, 1, 2), b: Uint32Array.of(2, 3, 5) };
  try {
    const { a, b } = await decodePairs(bytes, before, ID_LIMIT);
    const isRight = [...a].every(
      (box, i) =>
        box < ID_LIMIT &&
        b[i] < ID_LIMIT &&
        (i === 0 || box > a[i - 1] || (box === a[i - 1] && b[i] > b[i - 1])),
    );
    require(a.length === b.length && isRight, () =>
      `the pairs are not sorted, or an id is beyond the limit: ${a.join()} and ${b.join()}`);
    return true;
  } catch (error) {
    requireTypedError(error, REFUSED);
    return false;
  }
}

function checkHalo(bytes: Uint8Array): boolean {
  const halo = decoded(() => decodeHalo(bytes, ID_LIMIT));
  if (!halo) return false;
  require([...halo.removed, ...halo.changed.ids].every(id => id < ID_LIMIT), () => 'an id beyond the limit');
  require(halo.changed.boxes.every(Number.isFinite), () => 'a coordinate that is not finite');
  const { isWhole, changed } = halo;
  requireSameNumbers('a halo, encoded again', encodeHalo({ ...halo, all: changed }, isWhole), bytes);
  return true;
}

function checkBoxes(bytes: Uint8Array): boolean {
  const subset = decoded(() => boxesOfSubset(bytes, 1, 3, 10));
  if (subset)
    requireSameNumbers(
      'a subset',
      new Uint8Array(subset.buffer, subset.byteOffset, subset.byteLength),
      bytes,
    );
  const boxes = decoded(() => decodeBoxesWithIds(bytes, ID_LIMIT));
  if (boxes) requireSameNumbers('boxes, encoded again', encodeBoxesWithIds(boxes), bytes);
  return subset !== undefined || boxes !== undefined;
}

function checkMeshContent(bytes: Uint8Array): boolean {
  const mesh = decoded(() => readMesh(bytes));
  if (!mesh) return false;
  try {
    requireSameNumbers('a mesh, encoded again', writeMesh(mesh).bytes.subarray(32), bytes.subarray(32));
  } catch (error) {
    requireTypedError(error, ['InvalidMesh']);
  }
  return true;
}

/** Each function checks one decoder. The first byte of an input chooses the function. */
const decoders = [checkList, checkPairs, checkHalo, checkBoxes, checkMeshContent];

async function listSeeds(): Promise<Uint8Array[]> {
  const list = { keys: Uint32Array.of(1, 1, 200, 70000, 4e9), ids: Uint32Array.of(7, 300, 2, 999, 0) };
  const lists = await Promise.all([0, 1, 2].map(encoding => encodeList(list, encoding)));
  const pairs = lists.map(
    bytes => new Uint8Array(Buffer.concat([Uint8Array.of(1, 0, 0, 0, bytes.length, 0, 0, 0), bytes, bytes])),
  );
  const boxes = { ids: Uint32Array.of(1, 2, 3), boxes: Float32Array.from({ length: 18 }, (_, i) => i) };
  const halo = encodeHalo({ all: boxes, isWhole: false, removed: Uint32Array.of(5), changed: boxes }, false);
  const mesh = writeMesh({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices: [0, 1, 2] }).bytes;
  return [lists, pairs, [halo], [encodeBoxesWithIds(boxes), new Uint8Array(72)], [mesh]].flatMap(
    (all, decoder) => all.map(bytes => Uint8Array.of(decoder, ...bytes)),
  );
}

export const clusterLists: Target = {
  name: 'cluster list',
  covers: /^cluster\/(octree\/(listEncoding|pairChange|halo|boxBytes)|jobs\/meshContent)\.js$/,
  mutants: 37_500,
  maxBytes: 1024,
  mutators: byteMutators,
  dictionary: ['\0\0\0\0', '\xff\xff\xff\xff', '\x80\x80\x80\x80\x0f', '\x01\0\0\0'],
  seeds: listSeeds,
  // slice() copies the bytes after the first, so that they are aligned, as most received bytes are.
  check: bytes => (bytes.length === 0 ? false : decoders[bytes[0] % decoders.length](bytes.slice(1))),
};

/** Splits an input into packets. The two bytes before each packet are its length, low byte first. */
function packetsOf(bytes: Uint8Array): Uint8Array[] {
  const packets: Uint8Array[] = [];
  for (let at = 0; at + 2 <= bytes.length && packets.length < 100; ) {
    const end = at + 2 + bytes[at] + 256 * bytes[at + 1];
    packets.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return packets;
}
const joinPackets = (packets: Uint8Array[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(
      packets.flatMap(packet => [Uint8Array.of(packet.length & 255, packet.length >> 8), packet]),
    ),
  );

/** Changes one packet, or the order of the packets. */
const packetMutator: Mutator = (bytes, context) => {
  const packets = packetsOf(bytes);
  if (packets.length === 0) return bytes.slice();
  const { random, other } = context;
  const at = random.below(packets.length);
  const others = packetsOf(other);
  const choice = random.below(6);
  if (choice === 0) packets.splice(at, 1);
  else if (choice === 1) packets.splice(random.below(packets.length), 0, packets[at]);
  else if (choice === 2) packets.push(...packets.splice(at, 1));
  else if (choice === 3) packets.splice(at, 0, ...others);
  else packets[at] = byteMutators[random.below(4)](packets[at], context);
  return joinPackets(packets.slice(0, 100));
};

const LIMITS = { bytes: 4096, messages: 8 };

export const clusterPackets: Target = {
  name: 'cluster packet',
  covers: /^cluster\/messageAssembler\.js$/,
  mutants: 25_000,
  maxBytes: 8192,
  mutators: [...byteMutators, ...Array(10).fill(packetMutator)],
  dictionary: [],
  seeds: () => [
    ...hostileKinds().map(({ packets }) => joinPackets(packets)),
    // splitMessage writes a random id into the packets. It is overwritten, because the seeds must be the same
    // in every run.
    ...[100, 1000].map((length, message) =>
      joinPackets(
        splitMessage(new Uint8Array(length).fill(message), 132, message).map(packet =>
          packet.fill(message, 0, 8),
        ),
      ),
    ),
  ],
  check(bytes) {
    const assembler = new MessageAssembler({ ...LIMITS, now: () => 0 });
    const fragments = new Map<string, Map<number, Uint8Array>>();
    const completed = new Set<string>();
    let isAccepted = false;
    for (const packet of packetsOf(bytes)) {
      const message = decoded(() => ({ bytes: assembler.addPacket(packet) }));
      if (!message) continue;
      isAccepted = true;
      const [a, b, index, count, length, , from] = new Uint32Array(packet.slice(0, 28).buffer);
      const key = `${from} ${a} ${b}`;
      const known = fragments.get(key) ?? new Map<number, Uint8Array>();
      fragments.set(key, known);
      // A fragment that comes again must have the same bytes, unless its message is complete or a message was
      // dropped.
      const isKept = known.has(index) && assembler.dropped === 0 && !completed.has(key);
      if (isKept) requireSameNumbers('a fragment that comes again', known.get(index)!, packet.subarray(32));
      if (!known.has(index)) known.set(index, packet.slice(32));
      if (!message.bytes) continue;
      if (count > 1) completed.add(key);
      require(message.bytes.length === length, () =>
        `a message has ${message.bytes!.length} bytes, not ${length}`);
      const expected =
        count === 1
          ? packet.subarray(32)
          : Buffer.concat(Array.from({ length: count }, (_, i) => known.get(i)!));
      if (assembler.dropped === 0) requireSameNumbers('a message', message.bytes, expected);
      // The assembler keeps nothing of a message that is in a single packet.
      if (count === 1) known.delete(index);
    }
    return isAccepted;
  },
};
