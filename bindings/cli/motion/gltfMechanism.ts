// Makes a mechanism from an animation of a glTF file: each node becomes a coordinate frame.
import type { AnimatedScene, AnimationChannel, SceneAnimation } from '../../formats/animation.js';
import { InvalidFile, identity } from '../../formats/part.js';
import { compose, multiplyAffine } from '../../formats/transforms.js';
import { type Attached, type Frame, type FrameMotion, isMoving, placeChain } from '../../motion/frames.js';
import type { Interpolation, KeyedValue } from '../../motion/keys.js';
import { makeKeys } from '../../motion/makeKeys.js';
import type { NamedPart } from '../clash/readModel.js';
import { attach, chainTo, findDeformed, inverseOf, type Mechanism, timesOf } from './mechanism.js';

const EXPORT = 'Export the animation as translations and rotations of nodes.';

/** Thrown if an animation deforms a part, because only rigid motion can be checked. */
export class DeformingAnimation extends InvalidFile {
  /** @param reason What deforms the part, without the path of the file. */
  constructor(
    path: string,
    readonly reason: string,
    fix: string,
  ) {
    super(`${path}: ${reason}`, fix);
  }
}

/** A file with animations, and its placement in the scene. */
export interface AnimatedFile {
  path: string;
  scene: AnimatedScene;
  /** The transform from the file's frame to the scene: 16 doubles, column-major. */
  root: Float64Array;
}

/** Returns the name of an animation, or a name made from its number if the file gives it none. */
export function animationName({ name }: SceneAnimation, number: number): string {
  return name ?? `animation ${number}`;
}

/**
 * Makes the mechanism of one animation; undefined if the animation moves no node.
 * @param number Index of the animation.
 * @param name The name of the motion.
 * @param parts All parts of the scene. Parts of other files do not move.
 * @throws InvalidFile; DeformingAnimation if the animation deforms a part
 */
export function gltfMechanism(
  file: AnimatedFile,
  number: number,
  name: string,
  parts: NamedPart[],
): Mechanism | undefined {
  const { scene, root, path } = file;
  const animation = scene.animations[number];
  const refuse = (where: string, what: string, fix = EXPORT): never => {
    throw new InvalidFile(`${path}: ${where} ${what}`, fix);
  };
  const refuseDeformed = (where: string, what: string, fix = EXPORT): never => {
    throw new DeformingAnimation(path, `${where} ${what}`, fix);
  };
  const channels = new Map(animation.channels.map(channel => [`${channel.node} ${channel.path}`, channel]));
  for (const { where, path } of animation.channels)
    if (path === 'weights') refuseDeformed(where, 'deforms a mesh, but only rigid motion can be checked');
  const order = nodesFromRoots(scene);
  const frameOf = new Map(order.map((node, i) => [node, i + 1]));
  const rest: Float64Array[] = [root];
  const frames: Frame[] = [{ parent: undefined, placement: root }];
  for (const node of order) {
    const { parent, matrix, translation, rotation, scale } = scene.nodes[node];
    const above = parent === undefined ? 0 : frameOf.get(parent)!;
    rest.push(multiplyAffine(rest[above], matrix ?? compose(translation, rotation, scale)));
    const [translations, rotations, scales] = (['translation', 'rotation', 'scale'] as const).map(key =>
      channels.get(`${node} ${key}`),
    );
    const motion: FrameMotion = {
      translation: (translations && keysOf(translations, refuse)) ?? translation,
      rotation: (rotations && keysOf(rotations, refuse)) ?? rotation,
      scale: (scales && constantScale(scales, refuse, refuseDeformed)) ?? scale,
    };
    const isStill = Array.isArray(motion.translation) && Array.isArray(motion.rotation);
    frames.push({
      parent: above,
      placement: isStill
        ? (matrix ?? compose(motion.translation as number[], motion.rotation as number[], [...motion.scale]))
        : motion,
    });
  }
  const times = timesOf(frames);
  if (!times || !(times.end > times.start)) return undefined;
  const where = `${path}: the animation "${name}"`;
  const deformed = findDeformed(frames, times.start);
  if (deformed !== undefined)
    refuseDeformed(
      `nodes[${order[deformed - 1]}]`,
      'rotates below a node that scales its axes differently, which deforms its parts',
      'Apply the scale of the nodes in the program that wrote the file.',
    );
  const attached = parts.map((part): Attached => {
    if (part.file !== path || part.node === undefined) return attach(part, undefined, part.transform);
    const { joints } = scene.nodes[part.node];
    if (joints.length > 0) {
      const moved = joints.find(joint => !isAtRest(frames, frameOf.get(joint)!, rest));
      if (moved !== undefined)
        refuseDeformed(
          `nodes[${part.node}]`,
          `is deformed by its skin, because the joint nodes[${moved}] moves, but only rigid motion can be checked`,
        );
      return attach(part, undefined, part.transform);
    }
    const frame = frameOf.get(part.node)!;
    const inverse =
      inverseOf(rest[frame]) ??
      refuse(`nodes[${part.node}]`, 'is scaled to zero', 'Set a scale that is not zero.');
    return attach(part, frame, multiplyAffine(inverse, part.transform));
  });
  return { name, where, ...times, frames, attached };
}

// Returns whether a frame always has the placement that its node has without the animation.
function isAtRest(frames: Frame[], frame: number, rest: Float64Array[]): boolean {
  const chain = chainTo(frames, frame).map(number => frames[number]);
  if (chain.some(isMoving)) return false;
  const placed = placeChain(identity(), chain, 0, 0);
  return placed.every((value, i) => value === rest[frame][i]);
}

// Returns the indices of the nodes, each after its parent.
function nodesFromRoots({ nodes }: AnimatedScene): number[] {
  const children = nodes.map((): number[] => []);
  const order: number[] = [];
  nodes.forEach(({ parent }, node) => (parent === undefined ? order : children[parent]).push(node));
  for (let i = 0; i < order.length; i++) for (const child of children[order[i]]) order.push(child);
  return order;
}

type Refuse = (where: string, what: string) => never;

// Returns the keys of a translation, rotation or scale. If the value is the same at all times, returns the
// value itself.
function keysOf(channel: AnimationChannel, refuse: Refuse): KeyedValue | number[] {
  const { where, path, interpolation, times, values } = channel;
  const size = path === 'rotation' ? 4 : 3;
  const isCubic = interpolation === 'CUBICSPLINE';
  const read = (slot: number): number[] => [...values.subarray(size * slot, size * (slot + 1))];
  const valueAt = (key: number): number[] => read(isCubic ? 3 * key + 1 : key);
  const isConstant = times.every((_, key) => valueAt(key).every((value, i) => value === valueAt(0)[i]));
  const isZero = (slot: number): boolean => read(slot).every(value => value === 0);
  const last = times.length - 1;
  // The tangents before the first key and after the last one have no effect.
  const isFlat =
    !isCubic ||
    times.every((_, key) => (key === 0 || isZero(3 * key)) && (key === last || isZero(3 * key + 2)));
  if (isConstant && isFlat) return valueAt(0);
  return makeKeys({ interpolation: kindOf(path, interpolation), times, values }, key =>
    refuse(
      where,
      `has a rotation spline that starts at key ${key} and passes near the zero quaternion, so the rotation is undefined there`,
    ),
  );
}

function kindOf(
  path: AnimationChannel['path'],
  interpolation: AnimationChannel['interpolation'],
): Interpolation {
  if (interpolation === 'STEP') return 'step';
  if (interpolation === 'LINEAR') return path === 'rotation' ? 'slerp' : 'linear';
  return path === 'rotation' ? 'cubicRotation' : 'cubic';
}

function constantScale(channel: AnimationChannel, refuse: Refuse, refuseDeformed: Refuse): number[] {
  const value = keysOf(channel, refuse);
  if (!Array.isArray(value))
    return refuseDeformed(channel.where, 'changes the scale of a node, but only rigid motion can be checked');
  return value;
}
