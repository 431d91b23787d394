// Reads robots from URDF files: links with their shapes, and the joints between them.
import { identity } from '../../../formats/part.js';
import { multiplyAffine } from '../../../formats/transforms.js';
import { rotationMatrix } from '../../../motion/rotationKeys.js';
import { MAX_ANGLE } from '../../../samples/portableMath.js';
import {
  attributeOf,
  childOf,
  childrenOf,
  type Element,
  lengthAttribute,
  numbersOf,
  readXml,
  refuse,
} from './xmlFile.js';

export type Shape =
  | { kind: 'box'; size: number[] }
  | { kind: 'cylinder'; radius: number; length: number }
  | { kind: 'sphere'; radius: number }
  | { kind: 'mesh'; file: string; scale: number[] };

export interface PlacedShape {
  where: string;
  /** The transform from the shape's frame to the link's frame: 16 doubles, column-major. */
  origin: Float64Array;
  shape: Shape;
}

export interface Link {
  name: string;
  shapes: PlacedShape[];
  /** Whether `shapes` has the visual shapes of the link, because the link has no collision shapes. */
  isVisual: boolean;
}

export type JointKind = 'revolute' | 'continuous' | 'prismatic' | 'fixed';
export interface Joint {
  name: string;
  where: string;
  kind: JointKind;
  /** Indices of links. */
  parent: number;
  child: number;
  /**
   * The transform from the child's frame, with the joint at 0, to the parent's frame: 16 doubles,
   * column-major.
   */
  origin: Float64Array;
  /** A unit vector. */
  axis: number[];
  /** Minimum and maximum, in radians or meters; undefined if the joint has none. */
  limits: [number, number] | undefined;
  /**
   * The joint that this joint follows. The position of this joint is `multiplier` times the position of the
   * other joint, plus `offset`.
   */
  mimic: { joint: string; multiplier: number; offset: number } | undefined;
}

export interface Robot {
  name: string;
  links: Link[];
  /** Sorted so that each joint comes after the joints above it. */
  joints: Joint[];
}

const KINDS: readonly string[] = ['revolute', 'continuous', 'prismatic', 'fixed'];

/** Reads a robot. @throws InvalidFile, MissingPackage */
export async function readUrdf(path: string): Promise<Robot> {
  const root = await readXml(path);
  if (root.name !== 'robot') refuse(root.where, 'is the root, but the root of a URDF file is <robot>');
  const xacro = root.children.find(({ name }) => name === 'include' || name === 'macro');
  if (xacro) refuse(xacro.where, 'is an element of xacro', 'Convert the file to URDF with xacro first.');
  const links = childrenOf(root, 'link').map(readLink);
  if (links.length === 0) refuse(root.where, 'has no link');
  const numbers = new Map(links.map(({ name }, number) => [name, number]));
  if (numbers.size < links.length) refuse(root.where, 'has two links with the same name');
  const joints = childrenOf(root, 'joint').map(element => readJoint(element, numbers));
  if (new Set(joints.map(({ name }) => name)).size < joints.length)
    refuse(root.where, 'has two joints with the same name');
  return { name: attributeOf(root, 'name'), links, joints: sortJoints(joints, links) };
}

function readLink(element: Element): Link {
  const collisions = childrenOf(element, 'collision');
  const isVisual = collisions.length === 0;
  return {
    name: attributeOf(element, 'name'),
    shapes: (isVisual ? childrenOf(element, 'visual') : collisions).map(readShape),
    isVisual,
  };
}

function readShape(element: Element): PlacedShape {
  const geometry = childOf(element, 'geometry') ?? refuse(element.where, 'has no element <geometry>');
  const [item, second] = geometry.children;
  if (!item || second) refuse(geometry.where, `has ${geometry.children.length} shapes, not 1`);
  return { where: item.where, origin: readOrigin(element), shape: shapeOf(item) };
}

function shapeOf(item: Element): Shape {
  switch (item.name) {
    case 'box': {
      const size = numbersOf(item, 'size', 3) ?? refuse(item.where, 'has no attribute size');
      if (!size.every(value => value > 0)) refuse(item.where, 'has a size that is not greater than 0');
      return { kind: 'box', size };
    }
    case 'cylinder':
      return {
        kind: 'cylinder',
        radius: lengthAttribute(item, 'radius'),
        length: lengthAttribute(item, 'length'),
      };
    case 'sphere':
      return { kind: 'sphere', radius: lengthAttribute(item, 'radius') };
    case 'mesh': {
      const scale = numbersOf(item, 'scale', 3) ?? [1, 1, 1];
      if (scale.includes(0)) refuse(item.where, 'has the scale 0');
      return { kind: 'mesh', file: attributeOf(item, 'filename'), scale };
    }
    default:
      return refuse(item.where, 'is not a shape of URDF: box, cylinder, sphere or mesh');
  }
}

function readJoint(element: Element, links: Map<string, number>): Joint {
  const name = attributeOf(element, 'name');
  const kind = attributeOf(element, 'type');
  if (!KINDS.includes(kind))
    refuse(
      element.where,
      `has the type ${kind.slice(0, 40)}, but only ${KINDS.join(', ')} can be checked`,
      'Replace the joint by joints of these types.',
    );
  const end = (key: 'parent' | 'child'): number => {
    const item = childOf(element, key) ?? refuse(element.where, `has no element <${key}>`);
    const link = attributeOf(item, 'link');
    return links.get(link) ?? refuse(item.where, `names the link ${link}, which does not exist`);
  };
  const axisElement = childOf(element, 'axis');
  const axis = (axisElement && numbersOf(axisElement, 'xyz', 3)) ?? [1, 0, 0];
  const length = Math.sqrt(axis.reduce((sum, value) => sum + value * value, 0));
  if (kind !== 'fixed' && !(length > 1e-6)) refuse(axisElement!.where, 'has no direction');
  const mimic = childOf(element, 'mimic');
  return {
    name,
    where: element.where,
    kind: kind as JointKind,
    parent: end('parent'),
    child: end('child'),
    origin: readOrigin(element),
    axis: axis.map(value => value / length),
    limits: limitsOf(element, kind),
    mimic: mimic && {
      joint: attributeOf(mimic, 'joint'),
      multiplier: numbersOf(mimic, 'multiplier', 1)?.[0] ?? 1,
      offset: numbersOf(mimic, 'offset', 1)?.[0] ?? 0,
    },
  };
}

function limitsOf(element: Element, kind: string): [number, number] | undefined {
  if (kind !== 'revolute' && kind !== 'prismatic') return undefined;
  const limit = childOf(element, 'limit') ?? refuse(element.where, 'has no element <limit>');
  const lower = numbersOf(limit, 'lower', 1)?.[0] ?? 0;
  const upper = numbersOf(limit, 'upper', 1)?.[0] ?? 0;
  if (lower > upper) refuse(limit.where, `has the lower limit ${lower} above the upper limit ${upper}`);
  return [lower, upper];
}

// Reads a placement. URDF rotates about the fixed axes x, y and z, in this order.
function readOrigin(element: Element): Float64Array {
  const origin = childOf(element, 'origin');
  const xyz = (origin && numbersOf(origin, 'xyz', 3)) ?? [0, 0, 0];
  const angles = (origin && numbersOf(origin, 'rpy', 3)) ?? [0, 0, 0];
  if (angles.some(angle => Math.abs(angle) > MAX_ANGLE))
    refuse(origin!.where, `has an angle of more than ${MAX_ANGLE} rad in rpy`);
  const [roll, pitch, yaw] = angles;
  const rotations = [
    rotationMatrix([0, 0, 1], yaw),
    rotationMatrix([0, 1, 0], pitch),
    rotationMatrix([1, 0, 0], roll),
  ];
  const placed = rotations.reduce((product, matrix) => multiplyAffine(product, matrix), identity());
  placed.set(xyz, 12);
  return placed;
}

// Sorts the joints so that each comes after the joint above it. The links must form one tree.
function sortJoints(joints: Joint[], links: Link[]): Joint[] {
  const above = new Map<number, Joint>();
  for (const joint of joints) {
    if (above.has(joint.child))
      refuse(joint.where, `moves the link ${links[joint.child].name}, which another joint also moves`);
    above.set(joint.child, joint);
  }
  const roots = links.flatMap((_, link) => (above.has(link) ? [] : [link]));
  const order = [...roots];
  const sorted: Joint[] = [];
  for (let i = 0; i < order.length; i++) {
    for (const joint of joints) {
      if (joint.parent !== order[i]) continue;
      sorted.push(joint);
      order.push(joint.child);
    }
  }
  if (order.length < links.length) {
    const left = joints.find(joint => !sorted.includes(joint))!;
    refuse(left.where, 'is in a loop of joints');
  }
  if (roots.length > 1)
    refuse(
      `the link ${links[roots[1]].name}`,
      'is not connected to the first link by joints',
      'Add a fixed joint.',
    );
  return sorted;
}
