// Decodes the buffer views of glTF files that are compressed with meshopt (EXT_meshopt_compression and
// KHR_meshopt_compression). The description of a view is checked here, and the package meshoptimizer decodes
// its bytes.
import { CollisionError } from '../core/errors.js';
import type { MeshoptDecode } from './gltfDecoders.js';
import { integerOf, type JsonObject, objectOf, referenceOf, refuse } from './gltfJson.js';
import type { MemoryBudget } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile } from './part.js';

export const DECOMPRESS = 'Export the file without mesh compression, or decompress it first.';
/** The names of the extension. */
export const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

const MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const FILTERS = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'];

/** The buffers of a file: their sizes, and their bytes, if they have any. */
export type Buffers = readonly { bytes: Uint8Array | undefined; byteLength: number }[];

/**
 * Checks the compression of a view, and returns a function that decodes the view; undefined if the view is not
 * compressed.
 * @param decode The decoder; undefined if there is none. The returned function then throws.
 * @throws InvalidFile
 */
export function meshoptView(
  view: JsonObject,
  where: string,
  buffers: Buffers,
  decode: MeshoptDecode | undefined,
  budget: MemoryBudget,
): (() => Uint8Array) | undefined {
  const extensions = objectOf(view, 'extensions', where);
  const name = MESHOPT.find(name => extensions && Object.hasOwn(extensions, name));
  const place = `${where}.extensions.${name}`;
  const item = name && objectOf(extensions!, name, `${where}.extensions`);
  if (!item) return undefined;
  const buffer = buffers[referenceOf(item, 'buffer', place, buffers.length, 'buffers')];
  const byteOffset =
    item.byteOffset === undefined ? 0 : integerOf(item, 'byteOffset', place, 0, Number.MAX_SAFE_INTEGER);
  const byteLength = integerOf(item, 'byteLength', place, 1, Number.MAX_SAFE_INTEGER);
  const stride = integerOf(item, 'byteStride', place, 1, 256);
  const count = integerOf(item, 'count', place, 1, 0xffffffff);
  if (view.byteStride !== undefined && view.byteStride !== stride)
    refuse(`${place}.byteStride`, `is ${stride}, but that of the buffer view is ${String(view.byteStride)}`);
  const mode = wordOf(item, 'mode', place, MODES);
  const filter = item.filter === undefined ? 'NONE' : wordOf(item, 'filter', place, FILTERS);
  if (byteOffset + byteLength > buffer.byteLength)
    refuse(
      place,
      `covers bytes ${byteOffset} to ${byteOffset + byteLength}, but its buffer has ${buffer.byteLength} bytes`,
    );
  if (count * stride !== view.byteLength)
    refuse(
      place,
      `has ${count} elements of ${stride} bytes, but the buffer view has ${String(view.byteLength)} bytes`,
    );
  if (mode === 'ATTRIBUTES' ? stride % 4 !== 0 : stride !== 2 && stride !== 4)
    refuse(`${place}.byteStride`, `is ${stride}, which is not valid for ${mode}`);
  if (mode === 'TRIANGLES' && count % 3 !== 0)
    refuse(`${place}.count`, `is ${count}, not a multiple of 3, the corners of a triangle`);
  if (mode !== 'ATTRIBUTES' && filter !== 'NONE')
    refuse(`${place}.filter`, `is ${filter}, but the mode is ${mode}`);
  return () => {
    if (!decode) throw new InvalidFile(`${where} is compressed with meshopt`, DECOMPRESS);
    if (!buffer.bytes) refuse(place, 'uses a buffer without data');
    budget.take(count * stride, `the decoded ${where}`);
    const target = new Uint8Array(count * stride);
    try {
      decode(target, count, stride, buffer.bytes.subarray(byteOffset, byteOffset + byteLength), mode, filter);
    } catch (error) {
      if (error instanceof CollisionError) throw error;
      throw new InvalidFile(
        `${where} cannot be decompressed (${String((error as Error)?.message ?? error)})`,
        EXPORT_AGAIN,
      );
    }
    return target;
  };
}

function wordOf(item: JsonObject, key: string, where: string, words: string[]): string {
  const value = item[key];
  if (!words.includes(value as string))
    refuse(`${where}.${key}`, `is ${JSON.stringify(value)}, not one of ${words.join(', ')}`);
  return value as string;
}
