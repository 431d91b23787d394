// Serializes the content of a report in chunks that are small enough to compress one by one.
import { CONTACT_ARRAYS, type SceneContent } from './content.js';

const PIECE_BYTES = 1 << 22;

/**
 * Yields the bytes of the content, in the order that the comment of `SceneContent` describes. The header is
 * padded with spaces to a multiple of four bytes, so that the arrays are aligned.
 */
export function* contentBytes({
  header,
  meshes,
  contacts,
  doubles = [],
}: SceneContent): Generator<Uint8Array> {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const padded = new Uint8Array(4 + Math.ceil(text.length / 4) * 4).fill(0x20, 4);
  new DataView(padded.buffer).setUint32(0, padded.length - 4, true);
  padded.set(text, 4);
  yield* chunksOf(padded);
  for (const { positions, indices } of meshes) {
    yield* chunksOf(positions);
    yield* chunksOf(indices);
  }
  for (const contact of contacts) for (const name of CONTACT_ARRAYS) yield* chunksOf(contact[name]);
  for (const list of doubles) yield* chunksOf(list);
}

function* chunksOf({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array | Uint32Array | Float32Array | Float64Array): Generator<Uint8Array> {
  for (let at = 0; at < byteLength; at += PIECE_BYTES) {
    yield new Uint8Array(buffer, byteOffset + at, Math.min(PIECE_BYTES, byteLength - at));
  }
}
