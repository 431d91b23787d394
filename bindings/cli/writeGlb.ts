// Writes parts in the GLB format. A mesh that several parts share is stored once. Transforms are stored as
// node matrices in full precision.
import type { Part } from '../formats/readParts.js';
import { deduplicateMeshes } from '../report/deduplicateMeshes.js';

const FLOAT = 5126;
const UNSIGNED_INT = 5125;
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;

/** An animation that translates one part. */
export interface PartAnimation {
  name: string;
  /** The index of the part. The part must have triangles, and its transform must be a translation. */
  part: number;
  /** The times of the keys in seconds. */
  times: Float32Array;
  /** x, y, z of each key: the translation that replaces the part's own. Keys are interpolated linearly. */
  translations: Float32Array;
}

/**
 * Returns the bytes of a GLB file. A reader of the file gets the same parts, except for parts without
 * triangles, which are left out because glTF cannot store them.
 */
export function writeGlb(parts: Part[], animation?: PartAnimation): Uint8Array {
  const withTriangles = parts.filter(({ indices }) => indices.length > 0);
  const { meshes, meshOfPart } = deduplicateMeshes(withTriangles);
  const arrays = new Arrays();
  const moving = animation && parts[animation.part];
  const json = {
    asset: { version: '2.0', generator: 'pfront' },
    scene: 0,
    scenes: [{ nodes: withTriangles.map((_, number) => number) }],
    nodes: withTriangles.map((part, number) => ({
      name: part.name,
      mesh: meshOfPart[number],
      // glTF does not allow a matrix in a node that an animation moves.
      ...(part === moving
        ? { translation: [...part.transform.subarray(12, 15)] }
        : { matrix: [...part.transform] }),
    })),
    meshes: meshes.map(({ positions, indices }) => {
      const POSITION = arrays.add(positions, 'VEC3', ARRAY_BUFFER);
      const triangles = arrays.add(indices, 'SCALAR', ELEMENT_ARRAY_BUFFER);
      return { primitives: [{ attributes: { POSITION }, indices: triangles, mode: 4 }] };
    }),
    ...(animation && { animations: [describeAnimation(animation, withTriangles.indexOf(moving!), arrays)] }),
    accessors: arrays.accessors,
    bufferViews: arrays.bufferViews,
    buffers: [{ byteLength: arrays.byteLength }],
  };
  return container(json, arrays);
}

function describeAnimation({ name, times, translations }: PartAnimation, node: number, arrays: Arrays) {
  const input = arrays.add(times, 'SCALAR');
  const output = arrays.add(translations, 'VEC3');
  return {
    name,
    channels: [{ sampler: 0, target: { node, path: 'translation' } }],
    samplers: [{ input, output, interpolation: 'LINEAR' }],
  };
}

/** The arrays of the binary chunk, with their accessors and buffer views. */
class Arrays {
  readonly accessors: object[] = [];
  readonly bufferViews: object[] = [];
  readonly all: (Float32Array | Uint32Array)[] = [];
  byteLength = 0;

  /** Adds an array, and returns the number of its accessor. target: undefined for keys of an animation. */
  add(array: Float32Array | Uint32Array, type: 'SCALAR' | 'VEC3', target?: number): number {
    const { byteLength } = array;
    const size = type === 'VEC3' ? 3 : 1;
    this.bufferViews.push({ buffer: 0, byteOffset: this.byteLength, byteLength, ...(target && { target }) });
    this.accessors.push({
      bufferView: this.bufferViews.length - 1,
      componentType: array instanceof Float32Array ? FLOAT : UNSIGNED_INT,
      type,
      count: array.length / size,
      // glTF requires the bounds of positions and of the times of keys.
      ...(array instanceof Float32Array && bounds(array, size)),
    });
    this.all.push(array);
    this.byteLength += byteLength;
    return this.accessors.length - 1;
  }
}

function bounds(values: Float32Array, size: number): { min: number[]; max: number[] } {
  const min = Array<number>(size).fill(Infinity);
  const max = Array<number>(size).fill(-Infinity);
  for (let i = 0; i < values.length; i++) {
    min[i % size] = Math.min(min[i % size], values[i]);
    max[i % size] = Math.max(max[i % size], values[i]);
  }
  return { min, max };
}

function container(json: object, { all, byteLength }: Arrays): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const jsonBytes = Math.ceil(text.length / 4) * 4;
  const bytes = new Uint8Array(28 + jsonBytes + byteLength);
  const view = new DataView(bytes.buffer);
  const words = [0x46546c67, 2, bytes.length, jsonBytes, 0x4e4f534a];
  words.forEach((word, i) => view.setUint32(4 * i, word, true));
  bytes.fill(0x20, 20, 20 + jsonBytes);
  bytes.set(text, 20);
  view.setUint32(20 + jsonBytes, byteLength, true);
  view.setUint32(24 + jsonBytes, 0x004e4942, true);
  let at = 28 + jsonBytes;
  for (const array of all) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  return bytes;
}
