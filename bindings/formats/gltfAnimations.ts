// Reads the node hierarchy and the animations of a glTF file.

import type {
  AnimatedScene,
  AnimationChannel,
  Interpolation,
  SceneAnimation,
  SceneNode,
} from './animation.js';
import { nounFor } from './formatCount.js';
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
import { unitQuaternion } from './gltfNodes.js';
import { quote } from './part.js';

const PATHS = ['translation', 'rotation', 'scale', 'weights'] as const;
const INTERPOLATIONS = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;

interface Sampler {
  where: string;
  interpolation: Interpolation;
  times: Float64Array;
  output: number;
}

/**
 * Returns the nodes and animations of a file whose nodes have been checked for cycles. @throws InvalidFile
 */
export function readAnimatedScene(root: JsonObject, accessors: Accessors): AnimatedScene {
  const nodes = readNodes(root);
  const animations = objectsOf(root, 'animations').map((item, number) =>
    readAnimation(item, `animations[${number}]`, nodes, accessors),
  );
  return { nodes, animations };
}

function readNodes(root: JsonObject): SceneNode[] {
  const items = objectsOf(root, 'nodes');
  const joints = objectsOf(root, 'skins').map((skin, number) =>
    referencesOf(skin, 'joints', `skins[${number}]`, items.length, 'nodes'),
  );
  const nodes = items.map((item, number): SceneNode => {
    const where = `nodes[${number}]`;
    const matrix = numbersOf(item, 'matrix', where, 16);
    return {
      name: nameOf(item),
      parent: undefined,
      matrix: matrix && Float64Array.from(matrix),
      translation: numbersOf(item, 'translation', where, 3) ?? [0, 0, 0],
      rotation: unitQuaternion(numbersOf(item, 'rotation', where, 4) ?? [0, 0, 0, 1], `${where}.rotation`),
      scale: numbersOf(item, 'scale', where, 3) ?? [1, 1, 1],
      joints: item.skin === undefined ? [] : joints[referenceOf(item, 'skin', where, joints.length, 'skins')],
    };
  });
  items.forEach((item, number) => {
    for (const child of referencesOf(item, 'children', `nodes[${number}]`, items.length, 'nodes'))
      nodes[child].parent = number;
  });
  return nodes;
}

function readAnimation(
  item: JsonObject,
  where: string,
  nodes: SceneNode[],
  accessors: Accessors,
): SceneAnimation {
  checkKeys(item, where, ['name', 'channels', 'samplers']);
  const samplers = objectsOf(item, 'samplers', `${where}.samplers`).map((sampler, number) =>
    readSampler(sampler, `${where}.samplers[${number}]`, accessors),
  );
  const channels = objectsOf(item, 'channels', `${where}.channels`).flatMap((channel, number) =>
    readChannel(channel, `${where}.channels[${number}]`, samplers, nodes, accessors),
  );
  const targets = channels.map(({ node, path }) => `the ${path} of node ${node}`);
  const seen = new Set<string>();
  const twice = targets.find(target => {
    const isKnown = seen.has(target);
    seen.add(target);
    return isKnown;
  });
  if (twice !== undefined) refuse(`${where}.channels`, `set ${twice} twice`);
  return { name: nameOf(item), channels };
}

function readSampler(item: JsonObject, where: string, accessors: Accessors): Sampler {
  checkKeys(item, where, ['input', 'output', 'interpolation']);
  const interpolation = item.interpolation ?? 'LINEAR';
  if (!INTERPOLATIONS.includes(interpolation as Interpolation))
    refuse(`${where}.interpolation`, `is ${shown(interpolation)}, not one of ${INTERPOLATIONS.join(', ')}`);
  const times = accessors.samples(referenceOf(item, 'input', where, accessors.count, 'accessors'), 'SCALAR');
  times.forEach((time, key) => {
    if (!(time >= 0)) refuse(`${where}.input`, `has the time ${time}, which is not a number >= 0`);
    if (key > 0 && !(time > times[key - 1]))
      refuse(`${where}.input`, `has the time ${time} after ${times[key - 1]}, but times must ascend`);
  });
  return {
    where,
    interpolation: interpolation as Interpolation,
    times,
    output: referenceOf(item, 'output', where, accessors.count, 'accessors'),
  };
}

// Returns a list of one channel. The list is empty if the channel's target names no node, because the
// specification requires that such a channel is ignored.
function readChannel(
  item: JsonObject,
  where: string,
  samplers: Sampler[],
  nodes: SceneNode[],
  accessors: Accessors,
): AnimationChannel[] {
  checkKeys(item, where, ['sampler', 'target']);
  const sampler = samplers[referenceOf(item, 'sampler', where, samplers.length, 'samplers')];
  const target = objectOf(item, 'target', where) ?? refuse(`${where}.target`, 'is missing');
  checkKeys(target, `${where}.target`, ['node', 'path']);
  const path = target.path as (typeof PATHS)[number];
  if (!PATHS.includes(path))
    refuse(
      `${where}.target.path`,
      `is ${shown(path)}, not one of ${PATHS.join(', ')}`,
      'Export the animation as motion of nodes.',
    );
  if (target.node === undefined) return [];
  const node = referenceOf(target, 'node', `${where}.target`, nodes.length, 'nodes');
  if (nodes[node].matrix && path !== 'weights')
    refuse(`${where}.target`, `sets the ${path} of node ${node}, which has a matrix`);
  const { interpolation, times } = sampler;
  return [{ where, node, path, interpolation, times, values: readValues(sampler, path, accessors) }];
}

function readValues({ where, interpolation, times, output }: Sampler, path: string, accessors: Accessors) {
  if (path === 'weights') return new Float64Array(0);
  const isRotation = path === 'rotation';
  const values = accessors.samples(output, isRotation ? 'VEC4' : 'VEC3');
  const size = isRotation ? 4 : 3;
  const perKey = interpolation === 'CUBICSPLINE' ? 3 : 1;
  const expected = perKey * times.length;
  if (values.length !== size * expected)
    refuse(
      `${where}.output`,
      `has ${values.length / size} ${nounFor(values.length / size, 'value')}, but its ${times.length} times need ${expected}`,
    );
  const wrong = values.find(value => !Number.isFinite(value));
  if (wrong !== undefined) refuse(`${where}.output`, `has the value ${wrong}, which is not a finite number`);
  if (!isRotation) return values;
  for (let key = 0; key < times.length; key++) {
    // With CUBICSPLINE, the value of a key is stored between the two tangents of the key.
    const at = 4 * (perKey * key + (perKey === 3 ? 1 : 0));
    const rotation = unitQuaternion([...values.subarray(at, at + 4)], `${where}.output (key ${key})`);
    if (perKey === 1) values.set(rotation, at);
  }
  return values;
}

function checkKeys(item: JsonObject, where: string, allowed: string[]): void {
  const unknown = Object.keys(item).find(key => ![...allowed, 'extensions', 'extras'].includes(key));
  if (unknown !== undefined) refuse(where, `has the property ${quote(unknown)}, which glTF does not define`);
}

const shown = (value: unknown): string => quote(String(JSON.stringify(value)));
