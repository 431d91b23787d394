// Walks the scene graph of a glTF file and returns each node that has a mesh, or each instance of such a
// node, with its world transform in doubles and the names of the nodes on the path to it.

import { lengthOf } from '../core/vectorLength.js';
import type { Accessors } from './gltfAccessors.js';
import {
  type JsonObject,
  nameOf,
  numbersOf,
  objectOf,
  objectsOf,
  referenceOf,
  referencesOf,
  refuse,
} from './gltfJson.js';
import { type Skin, Skins } from './gltfSkins.js';
import { type MemoryBudget, PART_BYTES } from './memoryBudget.js';
import { identity, quote } from './part.js';
import { compose, multiplyAffine } from './transforms.js';

export interface PlacedMesh {
  mesh: number;
  /** Index of the node; undefined in a file without nodes. */
  node: number | undefined;
  /** Weights of the mesh's morph targets, if the node sets them. */
  weights: number[] | undefined;
  /** The skin that deforms the mesh. */
  skin: Skin | undefined;
  /** World transform: 16 doubles, column-major. */
  world: Float64Array;
  /**
   * Names of the nodes from the root to the node itself, at most the last 16. The entry of a node without a
   * name is undefined.
   */
  path: (string | undefined)[];
}

interface Node {
  where: string;
  item: JsonObject;
  children: number[];
  parent: number;
}

/** The extension with which one node places many copies of its mesh. */
export const INSTANCING = 'EXT_mesh_gpu_instancing';

/** Estimated bytes of memory per node during the walk. */
const NODE_BYTES = 320;

/**
 * Returns the placed meshes of the default scene, and the number of meshes that are left out: meshes of nodes
 * outside of the scene, and meshes that no node uses. If the file names no default scene, the first scene is
 * used. If the file has no scenes, all root nodes are used.
 * @throws InvalidFile
 */
export function placedMeshes(
  root: JsonObject,
  meshCount: number,
  accessors: Accessors,
  budget: MemoryBudget,
): { placed: PlacedMesh[]; outsideCount: number } {
  const nodes = readNodes(root, budget);
  const skins = new Skins(root, nodes.length, accessors, worldTransforms(nodes), budget);
  const placed: PlacedMesh[] = [];
  let nodeCount = 0;
  const stack = sceneRoots(root, nodes)
    .reverse()
    .map(number => ({ number, parent: identity(), path: [] as (string | undefined)[] }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { where, item, children } = nodes[next.number];
    const world = multiplyAffine(next.parent, localMatrix(item, where));
    if (!world.every(Number.isFinite)) refuse(where, 'has a world transform beyond the range of doubles');
    const path =
      children.length > 0 || item.mesh !== undefined ? [...next.path.slice(-15), nameOf(item)] : [];
    if (item.mesh !== undefined) {
      const mesh = referenceOf(item, 'mesh', where, meshCount, 'meshes');
      nodeCount++;
      const weights = numbersOf(item, 'weights', where);
      // The joints of a skin place the mesh in the world; the transform of its node has no effect.
      const skin =
        item.skin === undefined
          ? undefined
          : skins.read(referenceOf(item, 'skin', where, skins.count, 'skins'));
      for (const instance of instanceMatrices(item, where, accessors, budget)) {
        if (skin && instance) refuse(where, 'has both a skin and instances');
        budget.take(PART_BYTES, 'its parts');
        const placement = skin ? identity() : instance ? multiplyAffine(world, instance) : world;
        if (!placement.every(Number.isFinite))
          refuse(where, 'has an instance whose world transform is beyond the range of doubles');
        placed.push({ mesh, node: next.number, weights, skin, world: placement, path });
      }
    } else if (item.skin !== undefined) refuse(`${where}.skin`, 'is set, but the node has no mesh');
    for (let i = children.length - 1; i >= 0; i--) stack.push({ number: children[i], parent: world, path });
  }
  const meshes = nodes.flatMap(({ item }) => (item.mesh === undefined ? [] : [item.mesh]));
  return { placed, outsideCount: meshes.length - nodeCount + meshCount - new Set(meshes).size };
}

/**
 * Returns whether the file has nodes. A file without nodes is a library of meshes.
 * @throws InvalidFile if the file has no nodes, but has invalid scenes
 */
export function hasNodes(root: JsonObject): boolean {
  if (objectsOf(root, 'nodes').length > 0) return true;
  sceneRoots(root, []);
  return false;
}

// Returns a function that returns the world transform of a node.
function worldTransforms(nodes: Node[]): (number: number) => Float64Array {
  const worlds: Float64Array[] = [];
  return number => {
    const path: number[] = [];
    for (let at = number; at >= 0 && !worlds[at]; at = nodes[at].parent) path.push(at);
    for (const at of path.reverse()) {
      const { item, where, parent } = nodes[at];
      worlds[at] = multiplyAffine(parent < 0 ? identity() : worlds[parent], localMatrix(item, where));
    }
    return worlds[number];
  };
}

// Yields the transform of each instance of a node, relative to the node, one at a time, because there may be
// many. Yields undefined once if the node has no instances.
function* instanceMatrices(
  item: JsonObject,
  where: string,
  accessors: Accessors,
  budget: MemoryBudget,
): Generator<Float64Array | undefined> {
  const extensions = objectOf(item, 'extensions', where);
  const place = `${where}.extensions.${INSTANCING}`;
  const extension = extensions && objectOf(extensions, INSTANCING, `${where}.extensions`);
  if (!extension) return yield undefined;
  const attributes = objectOf(extension, 'attributes', place) ?? refuse(`${place}.attributes`, 'is missing');
  const unknown = Object.keys(attributes).find(name => !/^(TRANSLATION|ROTATION|SCALE|_.*)$/s.test(name));
  if (unknown !== undefined)
    refuse(`${place}.attributes`, `have ${quote(unknown)}, which is not an attribute of instances`);
  const numbers = Object.keys(attributes).map(name =>
    referenceOf(attributes, name, `${place}.attributes`, accessors.count, 'accessors'),
  );
  const counts = new Set(
    numbers.map(
      number =>
        accessors.elementCount(number) ??
        refuse(`${place}.attributes`, `refer to accessor ${number}, whose type is unknown`),
    ),
  );
  if (counts.size !== 1)
    refuse(
      `${place}.attributes`,
      `refer to accessors with different counts, or are empty (${[...counts].join(', ')})`,
    );
  const valuesOf = (name: string, type: 'VEC3' | 'VEC4'): Float64Array | undefined =>
    attributes[name] === undefined ? undefined : accessors.vectors(attributes[name] as number, type);
  const translations = valuesOf('TRANSLATION', 'VEC3');
  const rotations = valuesOf('ROTATION', 'VEC4');
  const scales = valuesOf('SCALE', 'VEC3');
  const count = [...counts][0]!;
  const pick = (values: Float64Array | undefined, size: number, i: number, none: number[]): number[] =>
    values ? [...values.subarray(size * i, size * (i + 1))] : none;
  for (let i = 0; i < count; i++)
    yield compose(
      pick(translations, 3, i, [0, 0, 0]),
      unitQuaternion(pick(rotations, 4, i, [0, 0, 0, 1]), `${place}.attributes.ROTATION (instance ${i})`),
      pick(scales, 3, i, [1, 1, 1]),
    );
  for (const values of [translations, rotations, scales]) budget.release(values?.byteLength ?? 0);
}

// Checks that each node has at most one parent and that there is no cycle, so that a walk from the roots ends
// and visits every node once.
function readNodes(root: JsonObject, budget: MemoryBudget): Node[] {
  const items = objectsOf(root, 'nodes');
  budget.take(NODE_BYTES * items.length, 'its nodes');
  const nodes: Node[] = items.map((item, number) => {
    const where = `nodes[${number}]`;
    return {
      where,
      item,
      children: referencesOf(item, 'children', where, items.length, 'nodes'),
      parent: -1,
    };
  });
  for (const [number, { where, children }] of nodes.entries()) {
    for (const child of children) {
      if (nodes[child].parent >= 0)
        refuse(`${where}.children`, `names node ${child}, which already has a parent`);
      nodes[child].parent = number;
    }
  }
  const reached = nodes.flatMap(({ parent }, number) => (parent < 0 ? [number] : []));
  for (let i = 0; i < reached.length; i++)
    for (const child of nodes[reached[i]].children) reached.push(child);
  if (reached.length < nodes.length) refuse('nodes', 'have a cycle: some node is its own ancestor');
  return nodes;
}

function sceneRoots(root: JsonObject, nodes: Node[]): number[] {
  const scenes = objectsOf(root, 'scenes');
  if (scenes.length === 0) {
    if (root.scene !== undefined) refuse('scene', 'is set, but the file has no scenes');
    return nodes.flatMap(({ parent }, number) => (parent < 0 ? [number] : []));
  }
  const allRoots = scenes.map((scene, number) => {
    const where = `scenes[${number}]`;
    const roots = referencesOf(scene, 'nodes', where, nodes.length, 'nodes');
    for (const number of roots)
      if (nodes[number].parent >= 0) refuse(`${where}.nodes`, `names node ${number}, which is not a root`);
    if (new Set(roots).size < roots.length) refuse(`${where}.nodes`, 'names a node twice');
    return roots;
  });
  const scene =
    root.scene === undefined ? 0 : referenceOf(root, 'scene', 'the file', scenes.length, 'scenes');
  return allRoots[scene];
}

function localMatrix(item: JsonObject, where: string): Float64Array {
  const matrix = numbersOf(item, 'matrix', where, 16);
  const translation = numbersOf(item, 'translation', where, 3);
  const rotation = numbersOf(item, 'rotation', where, 4);
  const scale = numbersOf(item, 'scale', where, 3);
  if (matrix) {
    if (translation || rotation || scale)
      refuse(where, 'has both a matrix and a translation, rotation or scale');
    const lastRow = [3, 7, 11, 15].map(i => matrix[i] + 0).join(' ');
    if (lastRow !== '0 0 0 1') refuse(`${where}.matrix`, `has the last row ${lastRow}, not 0 0 0 1`);
    return Float64Array.from(matrix);
  }
  return compose(
    translation ?? [0, 0, 0],
    unitQuaternion(rotation ?? [0, 0, 0, 1], `${where}.rotation`),
    scale ?? [1, 1, 1],
  );
}

/**
 * Normalizes a quaternion. Its length may differ slightly from 1, because numbers in files are rounded. A
 * larger difference is an error in the file: such a quaternion would also scale the mesh. where: the place of
 * the quaternion in the file, for error messages.
 * @throws InvalidFile
 */
export function unitQuaternion(rotation: number[], where: string): number[] {
  const length = lengthOf(rotation);
  if (!(Math.abs(length - 1) <= 0.01)) refuse(where, `has length ${length}, not 1`);
  return rotation.map(value => value / length);
}
