// Makes invalid variants of a valid message, with changes in its packets, its header, its counts or values.
import { messageKind } from '../../dist/cluster/message.js';
import { MAX_FRAGMENTS, MAX_MESSAGE_BYTES, splitMessage } from '../../dist/cluster/messageAssembler.js';

/** The hash of the scene that sender and receiver use, as eight words. */
export const SCENE = [1, 2, 3, 4, 5, 6, 7, 8];
export const RUN = [11, 12] as const;

/**
 * A message kind whose fields are of all the types that receivers can validate: a hash, a number, points of
 * three coordinates, indices of points, and bytes.
 */
export const Mesh = messageKind(
  'mesh',
  9999,
  { time: 'f64', scene: ['u32', 8] },
  { positions: 'f32', indices: 'u32', marks: 'u8' },
  ({ time, scene, positions, indices }) =>
    !(time >= 0 && time <= 1)
      ? `the time ${time}`
      : SCENE.some((word, i) => scene[i] !== word)
        ? 'another scene'
        : positions.length % 3 !== 0
          ? `${positions.length} coordinates`
          : positions.some(value => !Number.isFinite(value))
            ? 'a position that is not finite'
            : indices.some(index => index >= positions.length / 3)
              ? 'an index beyond its points'
              : undefined,
);
/** Another message kind, which receivers of meshes do not expect. */
export const Other = messageKind('other', 9998, { cell: 'u32' }, {});

export const heading = { run: RUN, step: 3, from: 4 } as const;
export const good = {
  time: 0.5,
  scene: SCENE,
  positions: Float32Array.from({ length: 300 }, (_, i) => i),
  indices: Uint32Array.from({ length: 99 }, (_, i) => i),
  marks: Uint8Array.of(1, 2, 3),
};

/** Byte offsets of fields in a message. The fields before `time` are in the header, the others in the body. */
const at = {
  magic: 0,
  version: 4,
  kind: 8,
  bytes: 12,
  run: 16,
  time: 32,
  scene: 40,
  positionsCount: 72,
  indicesCount: 76,
  marksCount: 80,
  positions: 96,
};
const PACKET = 512;
const FRAGMENTED = 256;

type Change = (view: DataView, bytes: Uint8Array) => void;

/** An invalid message: its packets, and a pattern of the error message with which it must be refused. */
export interface Hostile {
  name: string;
  packets: Uint8Array[];
  reason: RegExp;
}

const message = (values: Partial<typeof good> = {}): Uint8Array =>
  Mesh.encode(heading, { ...good, ...values });

/** Makes one packet that contains a message with a change. */
function changed(name: string, reason: RegExp, change: Change): Hostile {
  const bytes = message();
  change(new DataView(bytes.buffer), bytes);
  return { name, reason, packets: splitMessage(bytes, 1 << 20) };
}

/**
 * Makes a packet of a valid message with changes in the packet's own header. The words of that header are the
 * id (two words), index, count, bytes, fragmentBytes, from, and an unused word. words: new values by index.
 */
function wrongFragment(name: string, reason: RegExp, words: Record<number, number>): Hostile {
  const packet = splitMessage(message(), PACKET)[0];
  const view = new DataView(packet.buffer);
  for (const [word, value] of Object.entries(words)) view.setUint32(4 * Number(word), value, true);
  return { name, reason, packets: [packet] };
}

const sent = (name: string, reason: RegExp, ...packets: Uint8Array[]): Hostile => ({ name, reason, packets });

/** Makes the first packet of the valid message and the second packet of `second`, both with the same id. */
function sameId(name: string, reason: RegExp, second: Uint8Array, packetBytes: number): Hostile {
  const first = splitMessage(message(), PACKET)[0];
  const other = splitMessage(second, packetBytes)[1];
  other.set(first.subarray(0, 8));
  return { name, reason, packets: [first, other] };
}

const word =
  (offset: number, value: number): Change =>
  view =>
    view.setUint32(offset, value, true);
const text = (words: string): Uint8Array => new TextEncoder().encode(words);

export function hostileKinds(): Hostile[] {
  const whole = splitMessage(message(), 1 << 20)[0];
  const packets = splitMessage(message(), PACKET);
  const forged = packets[0].slice();
  forged[100] ^= 255;
  return [
    sent('nothing', /packet has 0 bytes/, new Uint8Array(0)),
    sent('half a header', /packet has 31 bytes/, whole.subarray(0, 31)),
    sent('zeros', /fragment 0 \(counted from 0\) of 0/, new Uint8Array(64)),
    sent('ones', /4294967295 bytes/, new Uint8Array(64).fill(255)),
    sent('JSON', /message has|fragment/, text('{"kind":"mesh","positions":[0,0,0],"indices":[0,0,0]}')),
    sent(
      'an HTTP request',
      /message has|fragment/,
      text('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\n\r\n'),
    ),
    sent('a message without the header of a packet', /message has|fragment/, message()),
    sent('a truncated packet', /fragment 0 has/, whole.subarray(0, 200)),
    sent('a packet with one byte too many', /fragment 0 has/, Uint8Array.of(...whole, 0)),
    sent('a packet in a packet', /begins with/, ...splitMessage(whole, 1 << 20)),
    wrongFragment('an index beyond the count', /fragment 9/, { 2: 9 }),
    wrongFragment('no fragments', /fragment 0 \(counted from 0\) of 0/, { 3: 0 }),
    wrongFragment('more fragments than bytes', /fragment 0 \(counted from 0\) of 7/, { 3: 7 }),
    wrongFragment('4 GiB', /4294967295 bytes/, { 4: 2 ** 32 - 1 }),
    wrongFragment('one byte more than the max', /268435457 bytes/, { 4: MAX_MESSAGE_BYTES + 1 }),
    wrongFragment('a fragment for each of 2^28 bytes', /in 268435456 fragments/, {
      3: MAX_MESSAGE_BYTES,
      4: MAX_MESSAGE_BYTES,
      5: 1,
    }),
    wrongFragment('one fragment more than the max', /in 65537 fragments/, {
      3: MAX_FRAGMENTS + 1,
      4: (MAX_FRAGMENTS + 1) * (PACKET - 32),
    }),
    wrongFragment('fragments of no bytes', /0 bytes per fragment/, { 5: 0 }),
    wrongFragment('a value in an unused word', /unused word/, { 7: 1 }),
    sent('a fragment that is sent again with other bytes', /second time/, packets[0], forged),
    sameId('fragments that overlap', /in fragments of 224/, message(), FRAGMENTED),
    sameId('an id that is in use', /the message size as/, message({ marks: new Uint8Array(300) }), PACKET),
    changed('another beginning', /begins with/, word(at.magic, 0x21494850)),
    changed('bytes in the other order', /big-endian/, view =>
      view.setUint32(at.magic, view.getUint32(at.magic, true), false),
    ),
    changed('an old version', /version 0/, word(at.version, 0)),
    changed('a future version', /version 4294967295/, word(at.version, 2 ** 32 - 1)),
    changed('shorter than its header says', /heading says/, view =>
      view.setUint32(at.bytes, view.getUint32(at.bytes, true) + 8, true),
    ),
    changed('longer than its header says', /heading says/, view =>
      view.setUint32(at.bytes, view.getUint32(at.bytes, true) - 8, true),
    ),
    changed('an unknown kind', /kind 12345/, word(at.kind, 12345)),
    sent(
      'a kind for other receivers',
      /kind 9998/,
      ...splitMessage(Other.encode(heading, { cell: 1 }), 1 << 20),
    ),
    sent(
      'a header without a body',
      /mesh' is invalid: it has 32 bytes/,
      ...splitMessage(
        Mesh.encode(heading, good)
          .slice(0, 32)
          .map((byte, i) => (i === 12 ? 32 : i === 13 ? 0 : byte)),
        1 << 20,
      ),
    ),
    changed('2^32 - 1 positions', /4294967295 positions/, word(at.positionsCount, 2 ** 32 - 1)),
    changed('positions of 2^32 bytes', /1073741824 positions/, word(at.positionsCount, 2 ** 30)),
    changed('one index more than fits', /indices/, view => view.setUint32(at.indicesCount, 200, true)),
    changed('fewer marks than sent', /mesh' is invalid: it has 1704 bytes/, word(at.marksCount, 0)),
    changed('bytes between lists', /between its lists/, (_, bytes) => {
      bytes[bytes.length - 1] = 7;
    }),
    changed('a time that is not a number', /the time NaN/, view => view.setFloat64(at.time, NaN, true)),
    changed('an infinite time', /the time Infinity/, view => view.setFloat64(at.time, Infinity, true)),
    changed('a position that is not a number', /not finite/, view =>
      view.setFloat32(at.positions + 40, NaN, true),
    ),
    changed('an index beyond the mesh', /index beyond/, view =>
      view.setUint32(at.positions + 4 * 300 + 12, 100, true),
    ),
    changed('another scene', /another scene/, word(at.scene, 99)),
    sent(
      'coordinates that are not a multiple of three',
      /298 coordinates/,
      ...splitMessage(message({ positions: new Float32Array(298) }), 1 << 20),
    ),
    changed('another run', /another run/, word(at.run, 99)),
  ];
}
