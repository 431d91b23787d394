// Makes small mesh files in memory for tests of the readers.

export const text = (...lines: string[]): Uint8Array => new TextEncoder().encode(lines.join('\n'));

export const triangleCount = (parts: { indices: Uint32Array }[]): number =>
  parts.reduce((sum, part) => sum + part.indices.length / 3, 0);

/**
 * Returns the coordinates of every corner in the order of the triangles, so that vertex numbering does not
 * matter.
 */
export function corners({ positions, indices }: { positions: Float32Array; indices: Uint32Array }): number[] {
  return [...indices].flatMap(vertex => [...positions.subarray(3 * vertex, 3 * vertex + 3)]);
}

/** Makes a GLB file from any JSON. binary: the content of the second chunk, to which padding is added. */
export function glb(json: unknown, binary: Uint8Array = new Uint8Array()): Uint8Array {
  const body = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json));
  const jsonBytes = Math.ceil(body.length / 4) * 4;
  const binaryBytes = Math.ceil(binary.length / 4) * 4;
  const bytes = new Uint8Array(20 + jsonBytes + (binaryBytes ? 8 + binaryBytes : 0));
  const view = new DataView(bytes.buffer);
  bytes.fill(0x20, 20 + body.length, 20 + jsonBytes);
  [0x46546c67, 2, bytes.length, jsonBytes, 0x4e4f534a].forEach((word, i) =>
    view.setUint32(4 * i, word, true),
  );
  bytes.set(body, 20);
  if (binaryBytes) {
    view.setUint32(20 + jsonBytes, binaryBytes, true);
    view.setUint32(24 + jsonBytes, 0x004e4942, true);
    bytes.set(binary, 28 + jsonBytes);
  }
  return bytes;
}

/** Joins typed arrays into one buffer, with one buffer view for each array, aligned to 4 bytes. */
export function packed(
  ...arrays: (Float32Array | Int8Array | Uint8Array | Uint16Array | Uint32Array | Int16Array)[]
) {
  const bufferViews: Record<string, number>[] = [];
  let length = 0;
  for (const array of arrays) {
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: array.byteLength });
    length += Math.ceil(array.byteLength / 4) * 4;
  }
  const binary = new Uint8Array(length);
  arrays.forEach((array, i) =>
    binary.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), bufferViews[i].byteOffset),
  );
  return { binary, bufferViews, buffers: [{ byteLength: length }] };
}

export const SQUARE = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0);

/** Makes a glTF file of one square: its JSON, which a test may change, and its bytes. */
export function squareGltf() {
  const { binary, ...storage } = packed(SQUARE, Uint16Array.of(0, 1, 2, 0, 2, 3));
  const json: any = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, type: 'VEC3', count: 4, min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5123, type: 'SCALAR', count: 6 },
    ],
    ...storage,
  };
  return { json, binary };
}

export function binaryStl(positions: number[], count = positions.length / 9): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * (positions.length / 9));
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  positions.forEach((value, i) =>
    view.setFloat32(84 + 50 * Math.floor(i / 9) + 12 + 4 * (i % 9), value, true),
  );
  return bytes;
}

/** Makes a PLY file of one quad. littleEndian: undefined for text. */
export function squarePly(littleEndian?: boolean): Uint8Array {
  const format =
    littleEndian === undefined ? 'ascii' : littleEndian ? 'binary_little_endian' : 'binary_big_endian';
  const header = text(
    'ply',
    `format ${format} 1.0`,
    'comment square',
    'element vertex 4',
    'property float x',
    'property float y',
    'property float z',
    'property uchar red',
    'element face 1',
    'property list uchar int vertex_indices',
    'end_header',
    '',
  );
  if (littleEndian === undefined)
    return concatenate(header, text('0 0 0 9', '1 0 0 9', '1 1 0 9', '0 1 0 9', '4 0 1 2 3', ''));
  const body = new DataView(new ArrayBuffer(4 * 13 + 17));
  SQUARE.forEach((value, i) => body.setFloat32(13 * Math.floor(i / 3) + 4 * (i % 3), value, littleEndian));
  body.setUint8(52, 4);
  [0, 1, 2, 3].forEach((vertex, i) => body.setInt32(53 + 4 * i, vertex, littleEndian));
  return concatenate(header, new Uint8Array(body.buffer));
}

export function concatenate(...pieces: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}
