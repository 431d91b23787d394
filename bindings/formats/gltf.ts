// Reads glTF 2.0 files (.gltf and .glb). Each node that has a mesh with triangles becomes a part, with its
// world transform in doubles; a node with instances becomes one part per instance. In a file without nodes,
// each mesh becomes a part. A general glTF loader is not used, because such loaders accept wrong counts,
// offsets and references, and also load materials.

import { nounFor } from './formatCount.js';
import { isGlb, readGlb } from './glb.js';
import { Accessors } from './gltfAccessors.js';
import { readAnimatedScene } from './gltfAnimations.js';
import { readBufferViews } from './gltfBuffers.js';
import type { GltfDecoders } from './gltfDecoders.js';
import { DRACO } from './gltfDraco.js';
import { type JsonObject, nameOf, objectOf, objectsOf, parseJson, refuse } from './gltfJson.js';
import { unknownProperties } from './gltfKeys.js';
import { Meshes } from './gltfMeshes.js';
import { DECOMPRESS, MESHOPT } from './gltfMeshopt.js';
import { hasNodes, INSTANCING, type PlacedMesh, placedMeshes } from './gltfNodes.js';
import { type MemoryBudget, PART_BYTES } from './memoryBudget.js';
import { identity, type Part, type WarningHandler } from './part.js';
import { pathNames } from './pathNames.js';
import { everyHundredth, type ReadContext } from './readContext.js';
import { uniqueNames } from './uniqueNames.js';

// Extensions that a file may require, but that are ignored, because they change neither positions nor
// triangles.
const HARMLESS =
  /^(KHR_materials_\w+|KHR_texture_\w+|EXT_texture_\w+|KHR_lights_punctual|EXT_lights_\w+|KHR_xmp\w*|KHR_animation_pointer)$/;
const QUANTIZATION = 'KHR_mesh_quantization';
const COMPRESSIONS = [DRACO, ...MESHOPT];

/**
 * Reads a glTF text file, whose buffers may be other files in the same folder, or a GLB file, which must
 * contain its buffers.
 * @throws InvalidFile
 */
export function parseGltf(bytes: Uint8Array, reading: ReadContext): Part[] {
  if (isGlb(bytes)) return parseGlb(bytes, reading);
  return partsOf(parseJson(bytes, reading.budget), undefined, reading);
}

/** Reads a GLB file, which must contain its buffers. @throws InvalidFile */
export function parseGlb(bytes: Uint8Array, reading: ReadContext): Part[] {
  const { json, binary } = readGlb(bytes);
  const root = parseJson(json, reading.budget);
  const [first] = objectsOf(root, 'buffers');
  if (first && first.uri === undefined && !binary)
    refuse('buffers[0]', 'has no uri, but the file has no binary chunk');
  return partsOf(root, binary, { ...reading, readBeside: undefined });
}

function partsOf(root: JsonObject, binary: Uint8Array | undefined, reading: ReadContext): Part[] {
  const { budget, onWarning, onProgress, decoders, onScene } = reading;
  checkVersion(root);
  const unknown = unknownProperties(root);
  const used = checkExtensions(root, decoders);
  const accessors = new Accessors(
    root,
    readBufferViews(root, binary, reading),
    used.includes(QUANTIZATION),
    budget,
  );
  const meshes = new Meshes(root, accessors, budget, decoders);
  const { placed, outsideCount } = hasNodes(root)
    ? placedMeshes(root, meshes.items.length, accessors, budget)
    : { placed: meshes.items.map((_, mesh) => atOrigin(mesh, budget)), outsideCount: 0 };
  const report = everyHundredth(placed.length, onProgress);
  const parts = placed.map((instance, number) => {
    report(number);
    return {
      ...meshes.geometry(instance.mesh, instance.weights, instance.skin),
      transform: instance.world,
      ...(onScene ? { node: instance.node } : {}),
    };
  });
  const names = namesOf(placed, meshes.items, budget);
  if (outsideCount > 0)
    onWarning(
      `left out ${counted(outsideCount, 'mesh')} outside of the default scene`,
      'Add them to the default scene to include them in the clash check.',
    );
  warnAboutOmissions(meshes, unknown, onWarning);
  onScene?.(readAnimatedScene(root, accessors));
  return parts
    .map((part, number): Part => ({ name: names[number], unit: 'm', up: 'y', ...part }))
    .filter(part => part.indices.length > 0);
}

function warnAboutOmissions({ omitted }: Meshes, unknown: Set<string>, warn: WarningHandler): void {
  const { withoutArea, withoutPositions, corners } = omitted;
  const again = 'Export the file again if something is missing.';
  if (withoutArea > 0)
    warn(
      `left out ${counted(withoutArea, 'primitive')} of points or lines, which have no area`,
      'Export them as surfaces to include them in the clash check.',
    );
  if (withoutPositions > 0)
    warn(`left out ${counted(withoutPositions, 'primitive')} without positions`, again);
  if (corners > 0)
    warn(`left out ${counted(corners, 'corner')} after the last whole triangle of a primitive`, again);
  if (unknown.size === 0) return;
  const shown = [...unknown].slice(0, 3).join(', ') + (unknown.size > 3 ? ', ...' : '');
  warn(
    `left out properties that glTF does not define: ${shown}`,
    'Check their spelling if something is missing.',
  );
}

const counted = (count: number, noun: string): string => `${count} ${nounFor(count, noun)}`;

function checkVersion(root: JsonObject): void {
  const { version, minVersion } = objectOf(root, 'asset', 'the file') ?? refuse('asset', 'is missing');
  if (typeof version !== 'string' || !/^2\.\d+$/.test(version))
    refuse('asset.version', `is ${JSON.stringify(version)}, not 2.0`, 'Export the file as glTF 2.0.');
  if (minVersion === undefined) return;
  if (minVersion !== '2.0')
    refuse(
      'asset.minVersion',
      `is ${JSON.stringify(minVersion)}, but only 2.0 can be read`,
      'Export the file as glTF 2.0.',
    );
}

function checkExtensions(root: JsonObject, decoders: GltfDecoders = {}): string[] {
  const [used, required] = ['extensionsUsed', 'extensionsRequired'].map(key => {
    const names = root[key] ?? [];
    if (!Array.isArray(names) || !names.every(name => typeof name === 'string'))
      refuse(key, 'is not a list of names');
    if (new Set(names).size < names.length) refuse(key, 'names an extension twice');
    return names as string[];
  });
  for (const name of required!) {
    const isDecoded =
      (MESHOPT.includes(name) && decoders.meshopt !== undefined) ||
      (name === DRACO && decoders.draco !== undefined);
    if (COMPRESSIONS.includes(name) && !isDecoded)
      refuse('the file', `requires ${name}: its meshes are compressed`, DECOMPRESS);
    if (!used!.includes(name)) refuse('extensionsRequired', `names ${name}, which extensionsUsed does not`);
    if (!isDecoded && name !== QUANTIZATION && name !== INSTANCING && !HARMLESS.test(name))
      refuse(
        'the file',
        `requires the extension ${name}, which is not supported`,
        'Export the file without that extension.',
      );
  }
  return used!;
}

function atOrigin(mesh: number, budget: MemoryBudget): PlacedMesh {
  budget.take(PART_BYTES, 'its parts');
  return { mesh, node: undefined, weights: undefined, skin: undefined, world: identity(), path: [] };
}

// Names each part after its node. If the node has no name, the part is named after its mesh. If the mesh has
// no name either, the part is named after the number of the mesh, as in `mesh 3`.
function namesOf(placed: PlacedMesh[], meshes: JsonObject[], budget: MemoryBudget): string[] {
  const paths = placed.map(({ mesh, path }) => [
    ...path.slice(0, -1),
    path.at(-1) ?? nameOf(meshes[mesh]) ?? `mesh ${mesh}`,
  ]);
  return uniqueNames(pathNames(paths, budget), budget);
}
