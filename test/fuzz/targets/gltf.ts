// Fuzz target for the reader of glTF and GLB files.
import { writeGlb } from '../../../dist/cli/writeGlb.js';
import { glb, packed, SQUARE, squareGltf } from '../../formats/smallFiles.js';
import { byteMutators } from '../mutators/bytes.js';
import { asGltf, glbChunkMutator, glbJsonMutator, jsonMutator } from '../mutators/json.js';
import { latin } from '../mutators/text.js';
import { requireSameAsLibrary } from '../oracles/gltfTransform.js';
import { checkParts, read, requireSameParts } from '../oracles/parts.js';
import { require, type Target } from '../target.js';
import { dataFiles } from './seeds.js';

const DICTIONARY = [
  'asset',
  'version',
  'minVersion',
  'scene',
  'scenes',
  'nodes',
  'mesh',
  'meshes',
  'children',
  'matrix',
  'translation',
  'rotation',
  'scale',
  'weights',
  'primitives',
  'attributes',
  'POSITION',
  'NORMAL',
  'TEXCOORD_0',
  '_X',
  'indices',
  'mode',
  'targets',
  'accessors',
  'bufferView',
  'bufferViews',
  'byteOffset',
  'byteLength',
  'byteStride',
  'componentType',
  'normalized',
  'count',
  'type',
  'min',
  'max',
  'sparse',
  'values',
  'buffer',
  'buffers',
  'uri',
  'name',
  'skin',
  'camera',
  'extensions',
  'extras',
  'extensionsUsed',
  'extensionsRequired',
  'KHR_mesh_quantization',
  'KHR_draco_mesh_compression',
  'EXT_meshopt_compression',
  'EXT_mesh_gpu_instancing',
  'KHR_materials_unlit',
  '__proto__',
  'constructor',
  'toString',
  'length',
  'data:application/octet-stream;base64,AAAA',
  'data:,a',
  'a.bin',
  '2.0',
  'VEC3',
  'SCALAR',
]; // prettier-ignore

/**
 * Makes a GLB file with every feature that determines where triangles are: strips, fans, sparse and quantized
 * data, morph targets, and a tree of nodes.
 */
function richGlb(): Uint8Array {
  const { binary, ...storage } = packed(
    SQUARE,
    Uint16Array.of(0, 1, 2, 0, 2, 3),
    Uint8Array.of(0, 1, 2, 3),
    Float32Array.of(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, -1),
    Uint16Array.of(1, 3),
    Float32Array.of(2, 0, 0, 0, 2, 0),
    Int16Array.of(0, 0, 0, 32767, 0, 0, 0, 32767, 0, 1, 1, -32768),
  );
  const position = { componentType: 5126, type: 'VEC3', count: 4 };
  return glb(
    {
      asset: { version: '2.0', minVersion: '2.0' },
      extensionsUsed: ['KHR_mesh_quantization'],
      extensionsRequired: ['KHR_mesh_quantization'],
      scene: 0,
      scenes: [{ name: 's', nodes: [0, 2] }],
      nodes: [
        { name: 'top', children: [1], translation: [1, 2, 3], rotation: [0, 0, 0.6, 0.8], scale: [1, 2, 1] },
        { mesh: 0, weights: [0.5], matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1] },
        { name: 'top', mesh: 1 },
      ],
      meshes: [
        {
          name: 'a',
          weights: [1],
          primitives: [{ attributes: { POSITION: 0, _A: 3 }, indices: 1, targets: [{ POSITION: 3 }] }],
        },
        {
          primitives: [
            { attributes: { POSITION: 0 }, indices: 2, mode: 5 },
            { attributes: { POSITION: 4 }, mode: 6 },
            { attributes: { POSITION: 5 }, mode: 5 },
            { attributes: { POSITION: 0 }, mode: 0 },
          ],
        },
      ],
      accessors: [
        { bufferView: 0, ...position, min: [0, 0, 0], max: [1, 1, 0] },
        { bufferView: 1, componentType: 5123, type: 'SCALAR', count: 6 },
        { bufferView: 2, componentType: 5121, type: 'SCALAR', count: 4, min: [0], max: [3] },
        { bufferView: 3, ...position },
        {
          bufferView: 0,
          ...position,
          sparse: { count: 2, indices: { bufferView: 4, componentType: 5123 }, values: { bufferView: 5 } },
        },
        { bufferView: 6, componentType: 5122, normalized: true, type: 'VEC3', count: 4 },
      ],
      ...storage,
    },
    binary,
  ); // prettier-ignore
}

function placedGlb(): Uint8Array {
  const { json, binary } = squareGltf();
  json.nodes = [
    { name: 'a', children: [1, 2], translation: [1, 2, 3] },
    { mesh: 0, scale: [2, 2, 2] },
    { name: 'b', mesh: 0, rotation: [0, 1, 0, 0] },
  ]; // prettier-ignore
  return glb(json, binary);
}

const jsonOf = (bytes: Uint8Array): string =>
  latin(bytes.subarray(20, 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true)));

/** Fails if a node has two parents or is its own ancestor: such a node would be lost or placed twice. */
function checkTree(json: string): void {
  const { nodes = [] } = JSON.parse(json) as { nodes?: { children?: number[] }[] };
  const parents = nodes.map((_, node) =>
    nodes.flatMap(({ children = [] }, parent) => (children.includes(node) ? [parent] : [])),
  );
  require(parents.every(list => list.length <= 1), () => 'a node has two parents');
  nodes.forEach((_, node) => {
    let at = parents[node][0];
    for (let steps = 0; at !== undefined; steps++) {
      require(steps < nodes.length, () => `node ${node} is its own ancestor`);
      at = parents[at][0];
    }
  });
}

/** Inputs that begin with `{` are .gltf texts; all others are GLB files. */
const nameOf = (bytes: Uint8Array): string => (bytes[0] === 0x7b ? 'file.gltf' : 'file.glb');

export const gltf: Target = {
  name: 'glTF',
  covers: /^formats\/(glb|gltf\w*|jsonText|vertexPicker|uniqueNames|memoryBudget)\.js$/,
  mutants: 12_500,
  maxBytes: 8192,
  mutators: [...byteMutators, ...Array(8).fill(glbJsonMutator), jsonMutator, jsonMutator, glbChunkMutator],
  dictionary: DICTIONARY,
  seeds: () => {
    const { json, binary } = squareGltf();
    const own = [glb(json, binary), placedGlb(), richGlb()];
    return [
      ...own,
      asGltf(own[0])!,
      asGltf(own[2])!,
      ...dataFiles('malformed/hand/glb', /\.glb$/),
      ...dataFiles('malformed/peers', /\.glb$/),
    ];
  },
  async check(bytes) {
    const name = nameOf(bytes);
    const file = read(name, bytes);
    if (!file) return false;
    checkParts(file.parts);
    requireSameParts('the second read', read(name, bytes), file.parts);
    // Files without parts cannot be written.
    if (file.parts.length > 0)
      requireSameParts('written as GLB and read', read('file.glb', writeGlb(file.parts)), file.parts);
    checkTree(name === 'file.gltf' ? Buffer.from(bytes).toString() : jsonOf(bytes));
    if (name === 'file.gltf') return true;
    const text = asGltf(bytes);
    const isPlain = text !== undefined && !/"uri"/.test(jsonOf(bytes)) && /^\s*\{/.test(jsonOf(bytes));
    if (isPlain) requireSameParts('as .gltf', read('file.gltf', text), file.parts);
    // The library is slow, so it reads only one file in four; the bytes of a file decide whether it is read.
    // Files with warnings are skipped, because the library may understand properties that glTF does not
    // define.
    if (bytes.reduce((sum, byte) => sum + byte, 0) % 4 === 0 && file.warnings.length === 0)
      await requireSameAsLibrary(bytes, file.parts, jsonOf(bytes));
    return true;
  },
};
