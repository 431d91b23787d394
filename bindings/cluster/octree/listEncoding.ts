// Encodes sorted lists of keys and ids: raw, as differences, or as deflated differences (Lucchesi, section
// 6.2, item 2).
import { bytesOf, concatBytes } from '../bytes.js';
import { Malformed, SAME_VERSION } from '../errors.js';

/**
 * Keys in ascending order, each with an id. Pairs are stored in the same way, with a as keys and b as ids.
 */
export interface KeyedList {
  keys: Uint32Array;
  ids: Uint32Array;
}

/**
 * The encodings of lists. 'raw': 8 bytes per entry. 'delta': the difference of each key from the key before it,
 * and the difference of each id from the smallest id. All differences of ids have the same number of bytes,
 * which is the number of bytes that the largest difference needs. 'deflate': the bytes of 'delta', deflated.
 */
export const listEncodings = ['raw', 'delta', 'deflate'] as const;
export type ListEncoding = (typeof listEncodings)[number];

/**
 * The size of the header in bytes. The header has five u32: the encoding, the number of entries, the min id,
 * the bytes per id, and the bytes of all keys before compression. It ends with 4 unused bytes.
 */
const HEADER = 24;
/** The maximum number of entries of a list. */
const MAX_ENTRIES = 2 ** 28;

/** Encodes a list. encoding: an index into `listEncodings`. */
export function encodeList({ keys, ids }: KeyedList, encoding: number): Uint8Array | Promise<Uint8Array> {
  if (encoding === 0) return withHeader([0, keys.length, 0, 4, 4 * keys.length], bytesOf(keys), bytesOf(ids));
  let minId = keys.length === 0 ? 0 : 0xffffffff;
  let maxId = 0;
  for (const id of ids) {
    if (id < minId) minId = id;
    if (id > maxId) maxId = id;
  }
  const idBytes = Math.ceil((32 - Math.clz32(maxId - minId)) / 8);
  const differences = writeDifferences(keys);
  const planes = writePlanes(ids, minId, idBytes);
  const header = [encoding, keys.length, minId, idBytes, differences.length];
  if (encoding === 1) return withHeader(header, differences, planes);
  return pipe(concatBytes([differences, planes]), new CompressionStream('deflate-raw')).then(packed =>
    withHeader(header, packed),
  );
}

/**
 * Decodes a list.
 * @param idLimit All ids must be less than this.
 * @param requested The encoding that was requested. A list in any other encoding is refused, because a few
 * deflated bytes could unpack to gigabytes.
 * @throws Malformed
 */
export async function decodeList(bytes: Uint8Array, idLimit: number, requested?: number): Promise<KeyedList> {
  if (bytes.length < HEADER)
    throw new Malformed(
      `a list has ${bytes.length} bytes, fewer than the minimum of ${HEADER}`,
      SAME_VERSION,
    );
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [encoding, count, minId, idBytes, keyBytes] = [0, 4, 8, 12, 16].map(at => view.getUint32(at, true));
  if (requested !== undefined && encoding !== requested)
    throw new Malformed(`a list has the encoding ${encoding}, but ${requested} was requested`, SAME_VERSION);
  if (encoding > 2 || count > MAX_ENTRIES || idBytes > 4 || keyBytes < count || keyBytes > 5 * count)
    throw new Malformed(
      `a list has the invalid header ${[encoding, count, idBytes, keyBytes].join(', ')}`,
      SAME_VERSION,
    );
  const body = bytes.subarray(HEADER);
  const expected = keyBytes + idBytes * count;
  const packed = encoding === 2 ? await pipe(body, new DecompressionStream('deflate-raw'), expected) : body;
  if (packed.length !== expected || (encoding === 0 && (idBytes !== 4 || keyBytes !== 4 * count)))
    throw new Malformed(`a list has ${packed.length} bytes, but its header says ${expected}`, SAME_VERSION);
  const list =
    encoding === 0
      ? { keys: words(packed.slice(0, keyBytes)), ids: words(packed.slice(keyBytes)) }
      : {
          keys: readDifferences(packed.subarray(0, keyBytes), count),
          ids: readPlanes(packed.subarray(keyBytes), count, minId, idBytes),
        };
  check(list, idLimit);
  return list;
}

function check({ keys, ids }: KeyedList, idLimit: number): void {
  let previous = 0;
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] < previous)
      throw new Malformed(`key ${i} is ${keys[i]}, less than the key before it, ${previous}`, SAME_VERSION);
    if (ids[i] >= idLimit)
      throw new Malformed(`entry ${i} is box ${ids[i]}, but there are ${idLimit} boxes`, SAME_VERSION);
    previous = keys[i];
  }
}

// Writes the difference of each key from the key before it, as a variable-length integer (LEB128): seven bits
// per byte, lowest first. The eighth bit tells whether more bytes follow.
function writeDifferences(keys: Uint32Array): Uint8Array {
  let bytes = new Uint8Array(2 * keys.length + 16);
  let top = 0;
  let previous = 0;
  for (const key of keys) {
    if (top + 5 > bytes.length) {
      const larger = new Uint8Array(2 * bytes.length);
      larger.set(bytes);
      bytes = larger;
    }
    let rest = key - previous;
    previous = key;
    for (; rest > 127; rest >>>= 7) bytes[top++] = (rest & 127) | 128;
    bytes[top++] = rest;
  }
  return bytes.subarray(0, top);
}

function readDifferences(bytes: Uint8Array, count: number): Uint32Array {
  const keys = new Uint32Array(count);
  let at = 0;
  let previous = 0;
  for (let i = 0; i < count; i++) {
    let difference = 0;
    let byte = 128;
    for (let shift = 0; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 256;
      if (byte === 256 || shift > 28)
        throw new Malformed(`difference ${i} of a list has no end`, SAME_VERSION);
      difference += (byte & 127) * 2 ** shift;
    }
    previous += difference;
    if (previous > 0xffffffff)
      throw new Malformed(`key ${i} is ${previous}, more than 32 bits`, SAME_VERSION);
    keys[i] = previous;
  }
  if (at !== bytes.length)
    throw new Malformed(
      `a list has ${bytes.length} bytes of differences, but its keys use only ${at} of them`,
      SAME_VERSION,
    );
  return keys;
}

// Writes the lowest bytes of all ids, then their second-lowest bytes, and so on. Equal bytes are then
// adjacent, which improves compression.
function writePlanes(ids: Uint32Array, minId: number, idBytes: number): Uint8Array {
  const { length } = ids;
  const bytes = new Uint8Array(length * idBytes);
  for (let plane = 0; plane < idBytes; plane++) {
    const at = plane * length;
    const shift = 8 * plane;
    for (let i = 0; i < length; i++) bytes[at + i] = (ids[i] - minId) >>> shift;
  }
  return bytes;
}

function readPlanes(bytes: Uint8Array, count: number, minId: number, idBytes: number): Uint32Array {
  const ids = new Uint32Array(count);
  for (let plane = 0; plane < idBytes; plane++) {
    const at = plane * count;
    const shift = 8 * plane;
    for (let i = 0; i < count; i++) ids[i] = (ids[i] | (bytes[at + i] << shift)) >>> 0;
  }
  for (let i = 0; i < count; i++) {
    const id = ids[i] + minId;
    if (id > 0xffffffff) throw new Malformed(`id ${i} is ${id}, more than 32 bits`, SAME_VERSION);
    ids[i] = id;
  }
  return ids;
}

const words = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);

function withHeader(header: readonly number[], ...blocks: Uint8Array[]): Uint8Array {
  const head = new Uint8Array(HEADER);
  const view = new DataView(head.buffer);
  header.forEach((word, i) => view.setUint32(4 * i, word, true));
  return concatBytes([head, ...blocks]);
}

// Pipes bytes through a stream and returns the output. @throws Malformed if the input is invalid, or as soon
// as the output exceeds `maxBytes`
async function pipe(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  maxBytes = Infinity,
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const chunks: Uint8Array[] = [];
  const written = writer.write(bytes as Uint8Array<ArrayBuffer>).then(() => writer.close());
  written.catch(() => {});
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > maxBytes) throw new RangeError('it is longer than its header says');
    }
    await written;
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw new Malformed(
      `a packed list cannot be unpacked: ${(error as Error).message}`,
      'check the network: the list is damaged or truncated',
    );
  }
  return concatBytes(chunks);
}
