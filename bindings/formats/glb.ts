// Splits a GLB file (binary glTF) into its JSON chunk and its binary chunk.
import { EXPORT_AGAIN, InvalidFile } from './part.js';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Returns whether a file begins with the magic number of GLB. */
export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === MAGIC;
}

/**
 * Returns the JSON chunk, and the binary chunk if there is one. Skips chunks of other types, as the glTF
 * specification requires, and bytes after the declared length of the file.
 * @throws InvalidFile
 */
export function readGlb(bytes: Uint8Array): { json: Uint8Array; binary?: Uint8Array } {
  if (bytes.length < 20)
    refuse(`has ${bytes.length} bytes, fewer than the 20 of a GLB header and the header of its first chunk`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isGlb(bytes)) refuse('does not begin with "glTF"');
  const version = view.getUint32(4, true);
  if (version !== 2)
    throw new InvalidFile(`is GLB version ${version}, not 2`, 'Export the file as glTF 2.0.');
  const length = view.getUint32(8, true);
  if (length > bytes.length) refuse(`declares ${length} bytes, but has ${bytes.length}`);
  const chunks = new Map<number, Uint8Array>();
  for (let at = 12, number = 0; at < length; number++) {
    if (at + 8 > length) refuse(`ends inside the header of chunk ${number}`);
    const chunkLength = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (chunkLength % 4 !== 0 || chunkLength > length - at - 8)
      refuse(
        `chunk ${number} declares ${chunkLength} bytes, which is not a multiple of 4 or exceeds the ${length - at - 8} bytes left`,
      );
    if (number === 0 && (type !== JSON_CHUNK || chunkLength === 0))
      refuse('its first chunk is not JSON or is empty');
    if (type === JSON_CHUNK || type === BINARY_CHUNK) {
      if (chunks.has(type) || number > 1)
        refuse(`chunk ${number} is a second JSON or binary chunk, or a binary chunk that is not chunk 1`);
      chunks.set(type, bytes.subarray(at + 8, at + 8 + chunkLength));
    }
    at += 8 + chunkLength;
  }
  const json = chunks.get(JSON_CHUNK);
  if (!json) refuse('has no JSON chunk');
  return { json, binary: chunks.get(BINARY_CHUNK) };
}

function refuse(what: string): never {
  throw new InvalidFile(what, EXPORT_AGAIN);
}
