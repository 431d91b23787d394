// Generates a robot arm on a table beside a shelf, and computes the placements of its seven moving bodies
// from the angles of its six joints.

import { createRandom, type Random } from './random.js';
import { box, slab, sphere, torus } from './shapes.js';
import { concatTransforms, product, rotation, translation, type Vector } from './transforms.js';
import type { MeshData } from './types.js';

/**
 * A robot arm of six links and a gripper, with its surroundings: a table and a shelf with objects. The arm is
 * about 2 units long; z is up.
 */
export interface RobotArm {
  /** The meshes of the links, starting with the base; then the gripper; then the surroundings. */
  meshes: MeshData[];
  /** The name of each mesh. */
  names: string[];
  /** Number of meshes that move: the first seven meshes. */
  movingCount: number;
  /** Placements of the meshes that do not move: column-major, 16 doubles each. */
  fixedTransforms: Float64Array;
  /**
   * Pairs of meshes that touch by design: neighboring links; the last link and the gripper; the base and the
   * table.
   */
  allowed: [number, number][];
  /**
   * The arm as a chain of joints, for `queryPoses` and `queryEdges`. The chain gives the placements that
   * `place` returns, but in doubles. The seventh joint is fixed and carries the gripper.
   */
  chain: {
    /** The joints, from the base to the gripper. */
    joints: ArmJoint[];
  };
  /** Minimum and maximum angle of each joint, in radians. */
  limits: [number, number][];
  /**
   * Returns the placements of the moving meshes for poses of six angles each: column-major, 16 floats for
   * each mesh, pose by pose.
   */
  place(angles: ArrayLike<number>): Float32Array;
  /**
   * Returns the angles of `count` random poses, uniformly distributed within the limits: six for each pose,
   * in radians.
   */
  randomAngles(count: number, seed?: number): Float64Array;
  /**
   * Returns the angles of `count` poses on a path through random poses: six angles for each pose, in radians.
   * The path takes `steps` equal steps from each random pose to the next.
   */
  pathAngles(count: number, seed?: number, steps?: number): Float64Array;
}

/** A joint of the arm's chain. */
export interface ArmJoint {
  /** The gripper's joint is fixed. */
  type: 'revolute' | 'fixed';
  /** The axis of the rotation. */
  axis: Vector;
  /** Placement in the frame of the previous link: 16 numbers, column-major. */
  origin: Float64Array;
}

const JOINTS = 6;
interface Link {
  name: string;
  radius: number;
  length: number;
  axis: Vector;
  limits: [number, number];
}
const UP: Vector = [0, 0, 1];
const SIDEWAYS: Vector = [0, 1, 0];
const links: Link[] = [
  { name: 'base', radius: 0.11, length: 0.3, axis: UP, limits: [-3, 3] },
  { name: 'upper arm', radius: 0.085, length: 0.55, axis: SIDEWAYS, limits: [-1.6, 1.6] },
  { name: 'forearm', radius: 0.07, length: 0.5, axis: SIDEWAYS, limits: [-2.4, 2.4] },
  { name: 'wrist 1', radius: 0.055, length: 0.16, axis: SIDEWAYS, limits: [-1.9, 1.9] },
  { name: 'wrist 2', radius: 0.05, length: 0.16, axis: UP, limits: [-3, 3] },
  { name: 'wrist 3', radius: 0.045, length: 0.14, axis: SIDEWAYS, limits: [-1.9, 1.9] },
];

/**
 * Generates the arm, the table, and the shelf with a ball and a ring. The bytes are the same each time.
 * @param triangles Number of triangles of each link: an even number, at least 8.
 * @throws InvalidMesh for any other number
 */
export function robotArm(triangles = 3000): RobotArm {
  const obstacles = makeObstacles(triangles);
  const meshes = [
    ...links.map(({ radius, length }) => capsule(triangles, radius, length)),
    gripper(triangles),
    ...obstacles.map(({ mesh }) => mesh),
  ];
  const moving = JOINTS + 1;
  const table = moving;
  return {
    meshes,
    movingCount: moving,
    names: [...links.map(({ name }) => name), 'gripper', ...obstacles.map(({ name }) => name)],
    fixedTransforms: concatTransforms(obstacles.map(({ at }) => translation(at))),
    allowed: [...Array.from({ length: JOINTS }, (_, link): [number, number] => [link, link + 1]), [0, table]],
    chain: {
      joints: [...links, { axis: UP }].map(({ axis }, i) => ({
        type: i < JOINTS ? 'revolute' : 'fixed',
        axis,
        origin: translation([0, 0, i > 0 ? links[i - 1].length : 0]),
      })),
    },
    limits: links.map(({ limits: [min, max] }) => [min, max]),
    place,
    randomAngles,
    pathAngles,
  };
}

function place(angles: ArrayLike<number>): Float32Array {
  const poseCount = Math.floor(angles.length / JOINTS);
  const placed = new Float32Array(16 * (JOINTS + 1) * poseCount);
  for (let pose = 0, at = 0; pose < poseCount; pose++) {
    let frame = translation([0, 0, 0]);
    links.forEach(({ axis, length }, joint) => {
      frame = product(frame, rotation(axis, angles[JOINTS * pose + joint]));
      placed.set(frame, at);
      at += 16;
      frame = product(frame, translation([0, 0, length]));
    });
    placed.set(frame, at);
    at += 16;
  }
  return placed;
}

const someAngles = (random: Random): number[] =>
  links.map(({ limits: [min, max] }) => random.between(min, max));

function randomAngles(count: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from(Array.from({ length: count }, () => someAngles(random)).flat());
}

function pathAngles(count: number, seed = 1, steps = 100): Float64Array {
  const random = createRandom(seed);
  const angles = new Float64Array(JOINTS * count);
  for (let pose = 0, from = someAngles(random), to = from; pose < count; pose++) {
    const step = pose % steps;
    if (step === 0) [from, to] = [to, someAngles(random)];
    for (let joint = 0; joint < JOINTS; joint++)
      angles[JOINTS * pose + joint] = from[joint] + ((to[joint] - from[joint]) * step) / steps;
  }
  return angles;
}

// Returns a capsule whose axis is the segment of the z axis from 0 to `length`, translated by [x, y, z]. The
// capsule reaches `radius` beyond both ends of the segment.
function capsule(triangles: number, radius: number, length: number, [x, y, z]: Vector = [0, 0, 0]): MeshData {
  const mesh = sphere(triangles);
  const { positions } = mesh;
  for (let at = 0; at < positions.length; at += 3) {
    const end = positions[at + 2] > 0 ? length : 0;
    positions[at] = radius * positions[at] + x;
    positions[at + 1] = radius * positions[at + 1] + y;
    positions[at + 2] = radius * positions[at + 2] + end + z;
  }
  return mesh;
}

// Returns a gripper of a palm and two fingers.
function gripper(triangles: number): MeshData {
  const each = Math.max(8, 2 * Math.floor(triangles / 6));
  return merge([
    capsule(each, 0.04, 0.03),
    capsule(each, 0.015, 0.09, [0.045, 0, 0.05]),
    capsule(each, 0.015, 0.09, [-0.045, 0, 0.05]),
  ]);
}

function merge(meshes: MeshData[]): MeshData {
  const total = (name: keyof MeshData): number => meshes.reduce((sum, mesh) => sum + mesh[name].length, 0);
  const positions = new Float32Array(total('positions'));
  const indices = new Uint32Array(total('indices'));
  let [firstCoordinate, firstIndex] = [0, 0];
  for (const mesh of meshes) {
    positions.set(mesh.positions, firstCoordinate);
    indices.set(
      Array.from(mesh.indices, vertex => vertex + firstCoordinate / 3),
      firstIndex,
    );
    firstCoordinate += mesh.positions.length;
    firstIndex += mesh.indices.length;
  }
  return { positions, indices };
}

interface Obstacle {
  name: string;
  mesh: MeshData;
  at: Vector;
}

function makeObstacles(triangles: number): Obstacle[] {
  const cells = Math.max(1, Math.floor(Math.sqrt(triangles / 4 + 1) - 1));
  const board = slab(cells, [-0.15, -0.5, -0.01], [0.15, 0.5, 0.01]);
  const side = box(0.15, 0.01, 0.6);
  const count = Math.max(18, 2 * Math.floor(triangles / 4));
  const ball = capsule(count, 0.07, 0);
  const ring = torus(count);
  ring.positions.forEach((value, i) => {
    ring.positions[i] = 0.08 * value;
  });
  return [
    { name: 'table', mesh: slab(cells, [-0.4, -0.8, -0.15], [0.9, 0.8, -0.05]), at: [0, 0, 0] },
    ...[0.15, 0.55, 0.95].map(
      (height, i): Obstacle => ({ name: `board ${i + 1}`, mesh: board, at: [0.75, 0, height] }),
    ),
    ...[-0.5, 0.5].map((y, i): Obstacle => ({ name: `side ${i + 1}`, mesh: side, at: [0.75, y, 0.55] })),
    { name: 'ball', mesh: ball, at: [0.72, -0.2, 0.24] },
    { name: 'ring', mesh: ring, at: [0.72, 0.25, 0.6] },
  ];
}
