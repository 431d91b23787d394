// Reads primitives of glTF files that are compressed with Draco (KHR_draco_mesh_compression). The description
// of the compressed mesh is checked here, and the package draco3d decodes its bytes.
import { CollisionError } from '../core/errors.js';
import type { Accessors } from './gltfAccessors.js';
import type { GltfDecoders } from './gltfDecoders.js';
import { integerOf, type JsonObject, objectOf, refuse } from './gltfJson.js';
import { DECOMPRESS } from './gltfMeshopt.js';
import type { MemoryBudget } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile } from './part.js';

/** The name of the extension. */
export const DRACO = 'KHR_draco_mesh_compression';

const TRIANGLES = 4;

/** A primitive as its JSON describes it. */
export interface DescribedPrimitive {
  where: string;
  mode: number;
  position: number | undefined;
  indices: number | undefined;
  /** The accessor of each attribute, by the attribute's name. */
  attributes: JsonObject;
}

/** Attributes that are decoded in addition to the positions: joints and weights of skins. */
const INFLUENCE = /^(JOINTS|WEIGHTS)_\d+$/;

/**
 * Checks the compression of a primitive, and returns a function that decodes it and gives the data to the
 * accessors. Returns undefined if the primitive is not compressed or has no positions, or if the file also has
 * the uncompressed data of its positions and indices.
 * @throws InvalidFile
 */
export function dracoPrimitive(
  primitive: JsonObject,
  { where, mode, position, indices, attributes }: DescribedPrimitive,
  accessors: Accessors,
  decoders: GltfDecoders | undefined,
  budget: MemoryBudget,
): (() => void) | undefined {
  const extensions = objectOf(primitive, 'extensions', where);
  const place = `${where}.extensions.${DRACO}`;
  const item = extensions && objectOf(extensions, DRACO, `${where}.extensions`);
  if (!item || position === undefined) return undefined;
  const isComplete = accessors.hasData(position) && (indices === undefined || accessors.hasData(indices));
  if (isComplete) return undefined;
  if (!decoders?.draco) throw new InvalidFile(`${where} is compressed with Draco`, DECOMPRESS);
  const { draco } = decoders;
  const view = integerOf(item, 'bufferView', place, 0, accessors.viewCount - 1);
  const ids = objectOf(item, 'attributes', place) ?? refuse(`${place}.attributes`, 'is missing');
  const idOf = (name: string): number => integerOf(ids, name, `${place}.attributes`, 0, 0xffffffff);
  const encoded = [
    { accessor: position, id: idOf('POSITION'), name: 'POSITION', components: 3, isFloat: true },
    ...Object.keys(ids).flatMap(name => {
      const accessor = attributes[name];
      return INFLUENCE.test(name) && typeof accessor === 'number' && !accessors.hasData(accessor)
        ? [{ accessor, id: idOf(name), name, components: 4, isFloat: accessors.isFloat(accessor) }]
        : [];
    }),
  ];
  if (mode !== TRIANGLES)
    refuse(`${where}.mode`, `is ${mode}, but with Draco only mode 4 (separate triangles) is supported`);
  if (indices === undefined)
    refuse(`${where}.indices`, 'is missing, but the primitive is compressed with Draco');
  return () => {
    const pointCount = accessors.elementCount(position) ?? 0;
    const sourceOf = ({ id }: { id: number }): string => `${view} ${id}`;
    const isDecoded = encoded.every(one => accessors.isDecodedFrom(one.accessor, sourceOf(one)));
    if (isDecoded && accessors.isDecodedFrom(indices, sourceOf(encoded[0]))) return;
    try {
      const decoded = draco(accessors.viewBytes(view, place), encoded, pointCount, bytes =>
        budget.take(bytes, `the decoded ${where}`),
      );
      encoded.forEach((one, i) => accessors.setDecoded(one.accessor, sourceOf(one), decoded.values[i]));
      accessors.setDecoded(indices, sourceOf(encoded[0]), decoded.indices);
    } catch (error) {
      if (error instanceof CollisionError) throw error;
      throw new InvalidFile(
        `${where} cannot be decompressed (${String((error as Error)?.message ?? error).split('\n')[0]})`,
        EXPORT_AGAIN,
      );
    }
  };
}
