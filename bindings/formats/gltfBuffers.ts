// Reads and checks the buffers and buffer views of a glTF file. A buffer view is a byte range of a buffer.

import { integerOf, type JsonObject, objectsOf, referenceOf, refuse } from './gltfJson.js';
import { meshoptView } from './gltfMeshopt.js';
import type { ReadContext } from './readContext.js';

type ReadBeside = ReadContext['readBeside'];

export interface BufferView {
  bytes: Uint8Array | undefined;
  byteLength: number;
  byteOffset: number;
  byteStride: number | undefined;
  /** Decodes the bytes of a compressed view. */
  decode: (() => Uint8Array) | undefined;
}

/**
 * Returns the buffer views of a file.
 * @param binary The binary chunk of a GLB file.
 * @param readBeside Reads a buffer from another file; undefined if other files must not be read.
 * @throws InvalidFile
 */
export function readBufferViews(
  root: JsonObject,
  binary: Uint8Array | undefined,
  { readBeside, decoders, budget }: Pick<ReadContext, 'readBeside' | 'decoders' | 'budget'>,
): BufferView[] {
  const buffers = objectsOf(root, 'buffers').map((buffer, number) =>
    readBuffer(buffer, number, binary, readBeside),
  );
  return objectsOf(root, 'bufferViews').map((view, number) => {
    const where = `bufferViews[${number}]`;
    const buffer = buffers[referenceOf(view, 'buffer', where, buffers.length, 'buffers')];
    const byteOffset =
      view.byteOffset === undefined ? 0 : integerOf(view, 'byteOffset', where, 0, Number.MAX_SAFE_INTEGER);
    const byteLength = integerOf(view, 'byteLength', where, 1, Number.MAX_SAFE_INTEGER);
    const byteStride =
      view.byteStride === undefined ? undefined : integerOf(view, 'byteStride', where, 4, 252);
    if (byteStride !== undefined && byteStride % 4 !== 0)
      refuse(`${where}.byteStride`, `is ${byteStride}, not a multiple of 4`);
    if (byteOffset + byteLength > buffer.byteLength)
      refuse(
        where,
        `covers bytes ${byteOffset} to ${byteOffset + byteLength}, but its buffer has ${buffer.byteLength} bytes`,
      );
    const decode = meshoptView(view, where, buffers, decoders?.meshopt, budget);
    // A compressed view may also have uncompressed bytes, for readers without a decoder. With a decoder,
    // these bytes are not used.
    const isDecoded = decode !== undefined && decoders?.meshopt !== undefined;
    return {
      bytes: isDecoded ? undefined : buffer.bytes?.subarray(byteOffset, byteOffset + byteLength),
      byteLength,
      byteOffset,
      byteStride,
      decode,
    };
  });
}

function readBuffer(
  buffer: JsonObject,
  number: number,
  binary: Uint8Array | undefined,
  readBeside: ReadBeside,
): { bytes: Uint8Array | undefined; byteLength: number } {
  const where = `buffers[${number}]`;
  const byteLength = integerOf(buffer, 'byteLength', where, 1, Number.MAX_SAFE_INTEGER);
  const bytes = bufferBytes(buffer, where, number === 0 ? binary : undefined, readBeside);
  if (bytes && bytes.length < byteLength)
    refuse(where, `declares ${byteLength} bytes, but has ${bytes.length}`);
  return { bytes, byteLength };
}

function bufferBytes(
  { uri }: JsonObject,
  where: string,
  binary: Uint8Array | undefined,
  readBeside: ReadBeside,
): Uint8Array | undefined {
  if (uri === undefined) return binary;
  if (typeof uri !== 'string') refuse(`${where}.uri`, 'is not a string');
  if (uri.startsWith('data:')) return decodeDataUri(uri, `${where}.uri`);
  if (!readBeside)
    refuse(
      `${where}.uri`,
      'names another file, which cannot be read here',
      'Pack the buffers into one .glb file, or provide them in the folder of the .gltf file.',
    );
  const path = relativePath(uri);
  if (path === undefined)
    refuse(
      `${where}.uri`,
      'is not a percent-encoded relative path, or has an empty, "." or ".." segment, a control character, "\\", ":", "?" or "#"',
      'Put the buffer into the folder of the file, and use its file name alone as uri.',
    );
  return readBeside(path);
}

function decodeDataUri(uri: string, where: string): Uint8Array {
  const head = /^data:application\/(?:octet-stream|gltf-buffer)(;base64)?,/i.exec(uri.slice(0, 64));
  if (!head)
    refuse(
      where,
      'is not data of type application/octet-stream or application/gltf-buffer, with or without ;base64',
    );
  const text = uri.slice(head[0].length);
  if (!head[1]) return decodePercent(text, where);
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) refuse(where, 'has invalid base64');
  return Buffer.from(text, 'base64');
}

function decodePercent(text: string, where: string): Uint8Array {
  // The pattern finds a fault. A pattern that matches a whole valid text would need memory for each character.
  if (/[^!-~]|%(?![0-9a-f]{2})/i.test(text))
    refuse(where, 'has a character that must be percent-encoded, or an invalid percent encoding');
  return Buffer.from(
    text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
}

function relativePath(uri: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(uri);
  } catch {
    return undefined;
  }
  const isPlain =
    path !== '' &&
    !/[\\:?#\x00-\x1f]/.test(path) &&
    path.split('/').every(step => step !== '' && step !== '.' && step !== '..');
  return isPlain ? path : undefined;
}

/** Returns the bytes of a view, decoded if it is compressed. @throws InvalidFile if its buffer has no data */
export function bytesOf(view: BufferView, where: string): Uint8Array {
  if (view.bytes) return view.bytes;
  if (view.decode) return (view.bytes = view.decode());
  return refuse(where, 'uses a buffer that has no uri and is not the binary chunk of a .glb file');
}
