// Mutators for JSON: they change the tree of values, so that the text stays valid JSON.
import type { MutationContext, Mutator } from '../target.js';
import { ofLatin } from './text.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2,
  3,
  0.5,
  -0.5,
  4,
  5,
  6,
  12,
  16,
  252,
  255,
  65535,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e39,
  1e308,
  '',
  '2.0',
  '0',
  [],
  [0],
  [0, 1],
  [0, 0, 0],
  {},
  5120,
  5121,
  5122,
  5123,
  5125,
  5126,
  'SCALAR',
  'VEC2',
  'VEC3',
  'VEC4',
  'MAT2',
  'MAT3',
  'MAT4',
]; // prettier-ignore

/** A place in the tree: the container, and the key of the value in it. */
interface Place {
  container: Json[] | { [key: string]: Json };
  key: string;
}

function placesOf(root: Json): Place[] {
  const places: Place[] = [];
  const stack: Json[] = [root];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      places.push({ container: value, key });
      stack.push((value as { [key: string]: Json })[key]);
    }
  }
  return places;
}

const valueAt = ({ container, key }: Place): Json => (container as { [key: string]: Json })[key];
const setAt = ({ container, key }: Place, value: Json): void => {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
};
const copyOf = (value: Json): Json => structuredClone(value);

function tweak(value: number, { random }: MutationContext): number {
  const values = [
    value + 1,
    value - 1,
    -value,
    value * 2,
    value / 2,
    value + 4,
    value + 0.5,
    random.below(20),
    random.between(-2, 2),
  ];
  return values[random.below(values.length)];
}

function removeAt({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete container[key];
}

/** Changes, adds or removes one value of a tree, in place. */
export function changeJson(root: Json, context: MutationContext): void {
  const { random, dictionary } = context;
  const places = placesOf(root);
  if (places.length === 0) return;
  const place = places[random.below(places.length)];
  const value = valueAt(place);
  const other = valueAt(places[random.below(places.length)]);
  const word = dictionary[random.below(dictionary.length)] ?? '';
  const { container } = place;
  switch (random.below(10)) {
    case 0:
      return removeAt(place);
    case 1:
      return setAt(place, copyOf(VALUES[random.below(VALUES.length)]));
    case 2:
      return setAt(place, copyOf(other));
    case 3:
      if (Array.isArray(container)) container.push(copyOf(value));
      else setAt({ container, key: word }, copyOf(value));
      return;
    case 4:
      if (Array.isArray(container)) container.splice(Number(place.key), 0, copyOf(other));
      else setAt({ container, key: word }, copyOf(VALUES[random.below(VALUES.length)]));
      return;
    case 5:
      removeAt(place);
      if (!Array.isArray(container)) setAt({ container, key: word }, value);
      return;
    case 6:
      return setAt(place, [copyOf(value)]);
    case 7:
      return setAt(place, word);
    default:
      return setAt(place, typeof value === 'number' ? tweak(value, context) : copyOf(other));
  }
}

const parse = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** Changes the tree of a JSON text. Text that is not JSON stays as it is. */
export const jsonMutator: Mutator = (bytes, context) => {
  const root = parse(Buffer.from(bytes).toString());
  if (root === undefined) return bytes.slice();
  changeJson(root, context);
  return new Uint8Array(Buffer.from(JSON.stringify(root)));
};

/** Splits a GLB file; returns undefined if its JSON chunk cannot be parsed. */
function splitGlb(bytes: Uint8Array): { root: Json; rest: Uint8Array } | undefined {
  if (bytes.length < 20) return undefined;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  if (20 + length > bytes.length) return undefined;
  const root = parse(Buffer.from(bytes.subarray(20, 20 + length)).toString());
  return root === undefined ? undefined : { root, rest: bytes.slice(20 + length) };
}

function joinGlb(root: Json, rest: Uint8Array): Uint8Array {
  const text = Buffer.from(JSON.stringify(root));
  const jsonBytes = Math.ceil(text.length / 4) * 4;
  const bytes = new Uint8Array(20 + jsonBytes + rest.length).fill(0x20, 20, 20 + jsonBytes);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, jsonBytes, 0x4e4f534a].forEach((word, i) =>
    view.setUint32(4 * i, word, true),
  );
  bytes.set(text, 20);
  bytes.set(rest, 20 + jsonBytes);
  return bytes;
}

/**
 * Changes the tree in the JSON chunk of a GLB file, and updates the lengths in the headers of file and chunk.
 */
export const glbJsonMutator: Mutator = (bytes, context) => {
  const glb = splitGlb(bytes);
  if (!glb) return bytes.slice();
  for (let changes = 1 + context.random.below(2); changes > 0; changes--) changeJson(glb.root, context);
  return joinGlb(glb.root, glb.rest);
};

/** Gives a GLB file the binary chunk of another one. */
export const glbChunkMutator: Mutator = (bytes, { other }) => {
  const [glb, second] = [splitGlb(bytes), splitGlb(other)];
  return glb && second ? joinGlb(glb.root, second.rest) : bytes.slice();
};

/**
 * Turns a GLB file into a .gltf text in which a data URI holds the binary chunk. Returns undefined if the
 * file has no valid JSON chunk, no buffer or no binary chunk.
 */
export function asGltf(bytes: Uint8Array): Uint8Array | undefined {
  const glb = splitGlb(bytes);
  const [buffer] = (glb?.root as { buffers?: { byteLength: number; uri?: string }[] })?.buffers ?? [];
  if (!glb || !buffer || glb.rest.length < 8) return undefined;
  buffer.uri = `data:application/octet-stream;base64,${Buffer.from(glb.rest.subarray(8)).toString('base64')}`;
  return ofLatin(
    JSON.stringify(glb.root).replace(
      /[^\x00-\x7f]/g,
      letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}
