// Writes parts in the GLB format. A mesh that several parts share is stored once. Transforms are stored as
// node matrices in full precision.
import type { Part } from '../formats/readParts.js';
import { deduplicateMeshes } from '../report/deduplicateMeshes.js';

const FLOAT = 5126;
const UNSIGNED_INT = 5125;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;

/**
 * Returns the bytes of a GLB file. A reader of the file gets the same parts, except for parts without
 * triangles, which are left out because glTF cannot store them.
 */
export function writeGlb(parts: Part[]): Uint8Array {
  const withTriangles = parts.filter(({ indices }) => indices.length > 0);
  const { meshes, meshOfPart } = deduplicateMeshes(withTriangles);
  const json = {
    asset: { version: '2.0', generator: 'pfront' },
    scene: 0,
    scenes: [{ nodes: withTriangles.map((_, number) => number) }],
    nodes: withTriangles.map((part, number) => ({
      name: part.name,
      mesh: meshOfPart[number],
      matrix: [...part.transform],
    })),
    ...describeMeshes(meshes),
  };
  return container(json, meshes);
}

function describeMeshes(parts: Part[]) {
  const accessors: object[] = [];
  const bufferViews: object[] = [];
  let byteOffset = 0;
  const view = (byteLength: number, target: number): number => {
    const number = bufferViews.push({ buffer: 0, byteOffset, byteLength, target }) - 1;
    byteOffset += byteLength;
    return number;
  };
  const meshes = parts.map(({ positions, indices }) => {
    const POSITION =
      accessors.push({
        bufferView: view(positions.byteLength, ARRAY_BUFFER),
        componentType: FLOAT,
        type: 'VEC3',
        count: positions.length / 3,
        ...bounds(positions),
      }) - 1;
    const triangles =
      accessors.push({
        bufferView: view(indices.byteLength, ELEMENT_ARRAY_BUFFER),
        componentType: UNSIGNED_INT,
        type: 'SCALAR',
        count: indices.length,
      }) - 1;
    return { primitives: [{ attributes: { POSITION }, indices: triangles, mode: 4 }] };
  });
  return { meshes, accessors, bufferViews, buffers: [{ byteLength: byteOffset }] };
}

function bounds(positions: Float32Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3], positions[i]);
    max[i % 3] = Math.max(max[i % 3], positions[i]);
  }
  return { min, max };
}

function container(json: object, meshes: Part[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const jsonBytes = Math.ceil(text.length / 4) * 4;
  const binaryBytes = meshes.reduce(
    (sum, { positions, indices }) => sum + positions.byteLength + indices.byteLength,
    0,
  );
  const bytes = new Uint8Array(28 + jsonBytes + binaryBytes);
  const view = new DataView(bytes.buffer);
  const words = [0x46546c67, 2, bytes.length, jsonBytes, 0x4e4f534a];
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  bytes.fill(0x20, 20, 20 + jsonBytes);
  bytes.set(text, 20);
  view.setUint32(20 + jsonBytes, binaryBytes, true);
  view.setUint32(24 + jsonBytes, 0x004e4942, true);
  let at = 28 + jsonBytes;
  for (const { positions, indices } of meshes) {
    for (const array of [positions, indices]) {
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
      at += array.byteLength;
    }
  }
  return bytes;
}
