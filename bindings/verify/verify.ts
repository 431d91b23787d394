// Checks a certificate: that the triangle pairs of a query's result, and no others, share a point. This file
// imports nothing, so it can be read and trusted alone. Coordinates are only compared, or computed with in
// integers, so that nothing is rounded after the vertices have been placed.

/** A mesh as it was passed to `createMesh`. */
export interface VerifiableMesh {
  /** x, y, z of each vertex. */
  positions: Float32Array;
  /** Three vertex numbers per triangle. Default: 0, 1, 2, ... */
  indices?: ArrayLike<number>;
}

/** Triangle pairs: triangle a[i] of mesh A and triangle b[i] of mesh B share a point. */
export interface VerifiablePairs {
  /** Triangles of A. */
  a: ArrayLike<number>;
  /** Triangles of B. */
  b: ArrayLike<number>;
}

/** A certificate, as `query` returns it. */
export interface VerifiableCertificate {
  /** The version of the format. */
  version: number;
  /** The triangles of mesh A, in the order that its nodes divide. */
  orderA: Uint32Array;
  /** The triangles of mesh B, in the order that its nodes divide. */
  orderB: Uint32Array;
  /** One byte per step. */
  steps: Uint8Array;
}

/** A query, its result and its certificate. */
export interface Claim {
  /** Mesh A. */
  a: VerifiableMesh;
  /** Mesh B. */
  b: VerifiableMesh;
  /** Placement of A: 16 numbers, column-major. Default: none. */
  transformA?: ArrayLike<number>;
  /** Placement of B, in the same format. Default: none. */
  transformB?: ArrayLike<number>;
  /** The result. The order of the pairs does not matter. */
  pairs: VerifiablePairs;
  /** The certificate. */
  certificate: VerifiableCertificate;
}

/** What `verify` found out. */
export interface Verdict {
  /** Whether the certificate proves that the pairs are exactly those that share a point. */
  isValid: boolean;
  /** The first thing that is wrong; empty if the certificate is valid. */
  problem: string;
  /** Number of steps that were read. */
  steps: number;
  /** Number of pairs of nodes whose boxes are apart. */
  boxes: number;
  /** Number of pairs of triangles that are apart. */
  triangles: number;
  /** Number of pairs of triangles that share a point. */
  common: number;
}

type Vector = readonly [bigint, bigint, bigint];

/** A placed mesh: 9 coordinates per triangle, and the box of each node (minimum, then maximum). */
interface Side {
  corners: Float64Array;
  order: Uint32Array;
  boxes: Float64Array;
}

class Problem extends Error {}

function require(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Problem(problem);
}

/**
 * Checks a certificate. It proves that the triangle pairs are complete, because the steps divide the pair of
 * both meshes until each pair of nodes is apart or is one of the triangle pairs. It also proves that both
 * triangles of each pair share a point. The time is linear in the sizes of the meshes and the number of steps.
 * Invalid input is a problem that the verdict names, not an error.
 */
export function verify(claim: Claim): Verdict {
  const verdict: Verdict = { isValid: false, problem: '', steps: 0, boxes: 0, triangles: 0, common: 0 };
  try {
    check(claim, verdict);
    verdict.isValid = true;
  } catch (error) {
    verdict.problem = error instanceof Problem ? error.message : `invalid input: ${String(error)}`;
  }
  return verdict;
}

function check({ a, b, transformA, transformB, pairs, certificate }: Claim, verdict: Verdict): void {
  const { version, orderA, orderB, steps } = certificate;
  require(version === 1, `version ${version} is not supported, only 1`);
  require(steps instanceof Uint8Array, 'steps are not a Uint8Array');
  const sideA = sideOf('A', a, transformA, orderA);
  const sideB = sideOf('B', b, transformB, orderB);
  const expected = pairSet(pairs, orderA.length, orderB.length);
  // Six numbers per pair of nodes: the number and range of A's node, then of B's.
  const stack: number[] = [];
  if (orderA.length > 0 && orderB.length > 0) stack.push(0, 0, orderA.length, 0, 0, orderB.length);
  while (stack.length > 0) {
    const [nodeA, lowA, highA, nodeB, lowB, highB] = stack.splice(-6);
    require(verdict.steps <
      steps.length, `the steps end after ${steps.length}, before all pairs are covered`);
    const step = steps[verdict.steps++];
    const where = `step ${verdict.steps - 1} (${step})`;
    if (step === 0) {
      require(highA - lowA > 1, `${where} splits a single triangle of A`);
      const middle = (lowA + highA) >>> 1;
      stack.push(nodeA + 2 * (middle - lowA), middle, highA, nodeB, lowB, highB);
      stack.push(nodeA + 1, lowA, middle, nodeB, lowB, highB);
    } else if (step === 1) {
      require(highB - lowB > 1, `${where} splits a single triangle of B`);
      const middle = (lowB + highB) >>> 1;
      stack.push(nodeA, lowA, highA, nodeB + 2 * (middle - lowB), middle, highB);
      stack.push(nodeA, lowA, highA, nodeB + 1, lowB, middle);
    } else if (step >= 3 && step < 9) {
      const axis = step % 3;
      const [below, atBelow] = step < 6 ? [sideA, nodeA] : [sideB, nodeB];
      const [above, atAbove] = step < 6 ? [sideB, nodeB] : [sideA, nodeA];
      const isApart = below.boxes[6 * atBelow + axis + 3] < above.boxes[6 * atAbove + axis];
      require(isApart, `${where}: the boxes of nodes ${nodeA} and ${nodeB} are not apart`);
      verdict.boxes++;
    } else {
      require(step < 47, `${where} has no meaning`);
      require(highA - lowA === 1 && highB - lowB === 1, `${where} is about triangles, but nodes have more`);
      const [triangleA, triangleB] = [orderA[lowA], orderB[lowB]];
      const names = `triangle ${triangleA} of A and triangle ${triangleB} of B`;
      const points = pointsOf(sideA.corners, triangleA, sideB.corners, triangleB);
      if (step === 2) {
        require(expected.delete(
          triangleA * orderB.length + triangleB,
        ), `${where}: ${names} are not in the result`);
        require(shareAPoint(points), `${where}: ${names} share no point`);
        verdict.common++;
      } else {
        require(areApart(points, step - 9), `${where}: ${names} are not apart along direction ${step - 9}`);
        verdict.triangles++;
      }
    }
  }
  require(verdict.steps === steps.length, `${steps.length - verdict.steps} steps are left over`);
  require(expected.size === 0, `${expected.size} pairs of the result are not in the certificate`);
}

function pairSet({ a, b }: VerifiablePairs, countA: number, countB: number): Set<number> {
  require(a.length === b.length, `the result has ${a.length} triangles of A, but ${b.length} of B`);
  const pairs = new Set<number>();
  for (let i = 0; i < a.length; i++) {
    require(isBelow(a[i], countA) && isBelow(b[i], countB), `pair ${i} is ${a[i]}, ${b[i]}: no triangles`);
    pairs.add(a[i] * countB + b[i]);
  }
  require(pairs.size === a.length, `${a.length - pairs.size} pairs of the result occur twice`);
  return pairs;
}

const isBelow = (index: number, count: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < count;

function sideOf(
  name: string,
  { positions, indices }: VerifiableMesh,
  transform: ArrayLike<number> | undefined,
  order: Uint32Array,
): Side {
  require(positions instanceof Float32Array, `positions of ${name} are not a Float32Array`);
  const lastRow = transform && [3, 7, 11, 15].map(i => transform[i]).join();
  const isPlaced = transform === undefined || (transform.length === 16 && lastRow === '0,0,0,1');
  require(isPlaced, `the transform of ${name} is not 16 numbers with the last row 0 0 0 1`);
  const cornerCount = indices ? indices.length : positions.length / 3;
  require(cornerCount % 3 === 0, `${name} has ${cornerCount} corners, which is not divisible by 3`);
  const corners = new Float64Array(3 * cornerCount);
  for (let i = 0; i < cornerCount; i++) {
    const vertex = indices ? indices[i] : i;
    require(isBelow(vertex, positions.length / 3), `corner ${i} of ${name} is vertex ${vertex}: no vertex`);
    const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
    corners.set(transform ? [0, 1, 2].map(axis => placed(transform, axis, x, y, z)) : [x, y, z], 3 * i);
  }
  require(corners.every(Number.isFinite), `a placed vertex of ${name} is not finite`);
  requirePermutation(name, order, cornerCount / 3);
  return { corners, order, boxes: boxesOf(corners, order) };
}

/** The definition of a placed coordinate. Each operation is rounded to a double, in this order. */
const placed = (m: ArrayLike<number>, axis: number, x: number, y: number, z: number): number =>
  m[axis] * x + m[axis + 4] * y + m[axis + 8] * z + m[axis + 12];

function requirePermutation(name: string, order: Uint32Array, count: number): void {
  require(order instanceof Uint32Array, `the order of ${name} is not a Uint32Array`);
  require(order.length === count, `${name} has ${count} triangles, but ${order.length} in its order`);
  const isSeen = new Uint8Array(count);
  for (const triangle of order) {
    require(triangle < count &&
      isSeen[triangle] === 0, `triangle ${triangle} is not once in the order of ${name}`);
    isSeen[triangle] = 1;
  }
}

// The box of each node: its minimum, then its maximum. A node's children are the next node and the one after
// the first child's descendants.
function boxesOf(corners: Float64Array, order: Uint32Array): Float64Array {
  const boxes = new Float64Array(Math.max(0, 12 * order.length - 6));
  const fill = (node: number, low: number, high: number): void => {
    const middle = (low + high) >>> 1;
    const second = node + 2 * (middle - low);
    if (high - low > 1) {
      fill(node + 1, low, middle);
      fill(second, middle, high);
    }
    for (let axis = 0; axis < 3; axis++) {
      const values =
        high - low > 1
          ? [node + 1, second].flatMap(child => [boxes[6 * child + axis], boxes[6 * child + axis + 3]])
          : [0, 3, 6].map(corner => corners[9 * order[low] + corner + axis]);
      boxes[6 * node + axis] = Math.min(...values);
      boxes[6 * node + axis + 3] = Math.max(...values);
    }
  };
  if (order.length > 0) fill(0, 0, order.length);
  return boxes;
}

const bits = new DataView(new ArrayBuffer(8));

// Returns mantissa and exponent of a finite double, which is mantissa * 2^exponent.
function split(value: number): { mantissa: bigint; exponent: number } {
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const size = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: word >> 63n ? -size : size, exponent: Math.max(1, exponent) - 1075 };
}

// Returns the six corners, A's first, as integers: all coordinates multiplied by one power of two.
function pointsOf(cornersA: Float64Array, a: number, cornersB: Float64Array, b: number): Vector[] {
  const values = [...cornersA.subarray(9 * a, 9 * a + 9), ...cornersB.subarray(9 * b, 9 * b + 9)].map(split);
  const used = values.filter(({ mantissa }) => mantissa !== 0n);
  const smallest = Math.min(...used.map(({ exponent }) => exponent), 1024);
  const integers = values.map(({ mantissa, exponent }) =>
    mantissa === 0n ? 0n : mantissa << BigInt(exponent - smallest),
  );
  return Array.from(
    { length: 6 },
    (_, i): Vector => [integers[3 * i]!, integers[3 * i + 1]!, integers[3 * i + 2]!],
  );
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

// Returns one of the 38 directions of two triangles: the normals, the products of two edges, the differences
// of two corners, and the perpendiculars from the line of an edge to a corner. If two triangles share no
// point, the line between their nearest points has one of these directions, even if they have no area.
function directionOf(points: readonly Vector[], direction: number): Vector {
  const edge = (triangle: number, i: number): Vector =>
    minus(points[3 * triangle + ((i + 1) % 3)]!, points[3 * triangle + i]!);
  if (direction < 2) return cross(edge(direction, 0), edge(direction, 1));
  const kind = Math.floor((direction - 2) / 9);
  const i = Math.floor(((direction - 2) % 9) / 3);
  const j = (direction - 2) % 3;
  if (kind === 0) return cross(edge(0, i), edge(1, j));
  if (kind === 1) return minus(points[3 + j]!, points[i]!);
  const along = edge(kind - 2, i);
  const toCorner = kind === 2 ? minus(points[3 + j]!, points[i]!) : minus(points[j]!, points[3 + i]!);
  return cross(along, cross(toCorner, along));
}

// Whether all projections of one triangle on a direction are above those of the other.
function areApart(points: readonly Vector[], direction: number): boolean {
  const along = directionOf(points, direction);
  const [a0, a1, a2, b0, b1, b2] = points.map(point => dot(along, point)) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const isBelowAll = (value: bigint, x: bigint, y: bigint, z: bigint): boolean =>
    value < x && value < y && value < z;
  const aBelow = [a0, a1, a2].every(value => isBelowAll(value, b0, b1, b2));
  return aBelow || [b0, b1, b2].every(value => isBelowAll(value, a0, a1, a2));
}

function shareAPoint(points: readonly Vector[]): boolean {
  for (let direction = 0; direction < 38; direction++) if (areApart(points, direction)) return false;
  return true;
}
