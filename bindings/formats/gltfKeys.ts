// Checks the property names of the glTF objects that determine where triangles are. If a misspelled property
// were ignored, a mesh could be missing or in the wrong place.

import { type JsonObject, objectOf, objectsOf, refuse } from './gltfJson.js';
import { quote } from './part.js';

const COMMON_PROPERTIES = ['extensions', 'extras'];
const PROPERTIES = {
  root: [
    'asset',
    'scene',
    'scenes',
    'nodes',
    'meshes',
    'accessors',
    'bufferViews',
    'buffers',
    'animations',
    'cameras',
    'images',
    'materials',
    'samplers',
    'skins',
    'textures',
    'extensionsUsed',
    'extensionsRequired',
  ],
  scene: ['name', 'nodes'],
  node: [
    'name',
    'camera',
    'children',
    'skin',
    'matrix',
    'mesh',
    'rotation',
    'scale',
    'translation',
    'weights',
  ],
  mesh: ['name', 'primitives', 'weights'],
  primitive: ['attributes', 'indices', 'material', 'mode', 'targets'],
  accessor: [
    'name',
    'bufferView',
    'byteOffset',
    'componentType',
    'normalized',
    'count',
    'type',
    'max',
    'min',
    'sparse',
  ],
  sparse: ['count', 'indices', 'values'],
  sparsePart: ['bufferView', 'byteOffset', 'componentType'],
  bufferView: ['name', 'buffer', 'byteOffset', 'byteLength', 'byteStride', 'target'],
  buffer: ['name', 'uri', 'byteLength'],
};
type Kind = keyof typeof PROPERTIES;

/**
 * Returns the properties that glTF does not define, each once as KIND.NAME, such as `node.color`. The
 * specification lets readers ignore such properties.
 * @throws InvalidFile if a property that is read here does not have the required type (an object or a list of
 * objects); if an unknown name contains a control character; or if an unknown name is probably a misspelling of
 * a known name that the object lacks. A misspelling differs only by case, or only by one letter that is wrong,
 * missing, added or swapped with the next letter.
 */
export function unknownProperties(root: JsonObject): Set<string> {
  const unknown = new Set<string>();
  const check = (kind: Kind, item: JsonObject, where: string): void => {
    for (const name of Object.keys(item)) {
      if (PROPERTIES[kind].includes(name) || COMMON_PROPERTIES.includes(name)) continue;
      const meant = [...PROPERTIES[kind], ...COMMON_PROPERTIES].find(
        known => !Object.hasOwn(item, known) && isMisspelling(name, known),
      );
      if (/[\x00-\x1f]/.test(name))
        refuse(where || 'the file', `has a property whose name contains a control character, ${quote(name)}`);
      if (meant)
        refuse(`${where}${where && '.'}${name}`, `is not a property of glTF; did you mean ${meant}?`);
      unknown.add(`${kind}.${name}`);
    }
  };
  check('root', root, '');
  const lists = [
    ['scenes', 'scene'],
    ['nodes', 'node'],
    ['meshes', 'mesh'],
    ['accessors', 'accessor'],
    ['bufferViews', 'bufferView'],
    ['buffers', 'buffer'],
  ] as const;
  for (const [key, kind] of lists)
    objectsOf(root, key).forEach((item, i) => check(kind, item, `${key}[${i}]`));
  objectsOf(root, 'meshes').forEach((mesh, i) => {
    objectsOf(mesh, 'primitives', `meshes[${i}].primitives`).forEach((item, j) =>
      check('primitive', item, `meshes[${i}].primitives[${j}]`),
    );
  });
  objectsOf(root, 'accessors').forEach((accessor, i) => checkSparse(accessor, `accessors[${i}]`, check));
  return unknown;
}

function checkSparse(
  accessor: JsonObject,
  where: string,
  check: (kind: Kind, item: JsonObject, where: string) => void,
): void {
  const sparse = objectOf(accessor, 'sparse', where);
  if (!sparse) return;
  check('sparse', sparse, `${where}.sparse`);
  for (const key of ['indices', 'values']) {
    const part = objectOf(sparse, key, `${where}.sparse`);
    if (part) check('sparsePart', part, `${where}.sparse.${key}`);
  }
}

// Returns whether two names differ only by case, or only by one letter that was replaced, removed, added or
// swapped with the next letter.
function isMisspelling(name: string, known: string): boolean {
  if (name.toLowerCase() === known.toLowerCase()) return true;
  if (Math.abs(name.length - known.length) > 1) return false;
  let start = 0;
  while (start < name.length && name[start] === known[start]) start++;
  const rest = (text: string, skipped: number): string => text.slice(start + skipped);
  return (
    rest(name, 1) === rest(known, 1) ||
    rest(name, 1) === rest(known, 0) ||
    rest(name, 0) === rest(known, 1) ||
    (name[start] === known[start + 1] && name[start + 1] === known[start] && rest(name, 2) === rest(known, 2))
  );
}
