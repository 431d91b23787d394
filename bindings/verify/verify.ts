// Checks certificates: that the listed triangle pairs, and no others, share a point. This file imports only
// types, so it can be read and trusted alone. Once the vertices have been placed, nothing is rounded:
// coordinates are only compared, or converted to integers for further computation.

import type { Claim, ModelClaim, Verdict, VerifiablePairs, VerifiablePart } from './claims.js';

type Vector = readonly [bigint, bigint, bigint];

/** A node of a tree: the number of its box, and its range low <= i < high of the tree's `order`. */
type Node = readonly [at: number, low: number, high: number];

/**
 * A tree whose leaves are triangles, or parts of a model. points: 3 points for each triangle (its corners), or
 * 2 for each part (the minimum and maximum of its box). order: the numbers of the leaves; each node is a range
 * of this list. boxes: minimum and maximum of each node's box.
 */
type Tree = { points: Float64Array; order: Uint32Array; boxes: Float64Array };

/** The steps of a certificate, and the verdict, which counts the steps that were read. */
type Proof = { steps: Uint8Array; verdict: Verdict };

class Problem extends Error {}

function require(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Problem(problem);
}

function refuseStep({ steps, verdict }: Proof, problem: string): never {
  throw new Problem(`step ${verdict.steps - 1} (value ${steps[verdict.steps - 1]}) ${problem}`);
}

/**
 * Checks the certificate of a query. A valid certificate proves that the triangle pairs are complete: its
 * steps divide both meshes into ever smaller pairs of nodes, until the two nodes of each pair are apart or
 * are one of the triangle pairs. It also proves that the two triangles of each pair share a point. The time
 * is linear in the sizes of the meshes and the number of steps, except for the time to sort the pairs. Never
 * throws: if the input is invalid, the verdict names the problem. Source: McConnell, Mehlhorn, Näher and
 * Schweitzer 2011 (certifying algorithms).
 */
export function verify(claim: Claim): Verdict {
  return checkClaim(claim, ({ a, b, transformA, transformB, pairs, certificate }, proof) => {
    const treeA = meshTree('A', { ...a, transform: transformA }, certificate.orderA);
    const treeB = meshTree('B', { ...b, transform: transformB }, certificate.orderB);
    checkPairs(treeA, treeB, pairs, proof);
  });
}

/**
 * Checks the certificate of a model. A valid certificate proves that exactly the listed pairs of parts share a
 * point, and that the triangle pairs of each pair of parts are complete. Never throws: if the input is invalid,
 * the verdict names the problem. Source: as for `verify`.
 */
export function verifyModel(claim: ModelClaim): Verdict {
  return checkClaim(claim, ({ parts, clashes, certificate: { partOrder, orders } }, proof) => {
    require(orders.length === parts.length, `${parts.length} parts, but ${orders.length} triangle orders`);
    const trees = parts.map((part, i) => meshTree(`part ${i}`, part, orders[i]!));
    require(trees.every(({ order }) => order.length > 0), 'a part has no triangles');
    const boxes = Float64Array.from(trees.flatMap(tree => [...tree.boxes.subarray(0, 6)]));
    const tree = treeOf('the parts', boxes, 6, partOrder);
    require(clashes.length <= 2 ** 24, 'more than 2^24 clashes: a Map cannot have more entries');
    const claimed = new Map(clashes.map(({ a, b, pairs }) => [`${a},${b}`, pairs]));
    require(claimed.size === clashes.length, 'two clashes are of the same pair of parts');
    follow(tree, tree, proof, (first, second, step) => {
      if (step !== 2) refuseStep(proof, 'is about triangles, but the nodes are parts');
      const [a, b] = [Math.min(first, second), Math.max(first, second)];
      const pairs = claimed.get(`${a},${b}`);
      require(pairs?.a.length !== 0, `the clash of parts ${a} and ${b} has no triangle pairs`);
      checkPairs(trees[a]!, trees[b]!, pairs ?? { a: [], b: [] }, proof);
      claimed.delete(`${a},${b}`);
    });
    require(claimed.size === 0, `${claimed.size} clashes are not in the certificate`);
  });
}

function checkClaim<C extends Claim | ModelClaim>(
  claim: C,
  check: (claim: C, proof: Proof) => void,
): Verdict {
  const verdict: Verdict = { isValid: false, problem: '', steps: 0, boxes: 0, triangles: 0, common: 0 };
  try {
    const { version, steps } = claim.certificate;
    require(version === 1, `version ${version} is not supported, only version 1`);
    require(steps instanceof Uint8Array, 'the steps are not a Uint8Array');
    check(claim, { steps, verdict });
    require(verdict.steps === steps.length, `${steps.length - verdict.steps} steps are left over at the end`);
    verdict.isValid = true;
  } catch (error) {
    verdict.problem = error instanceof Problem ? error.message : `invalid input: ${String(error)}`;
  }
  return verdict;
}

type OnLeaves = (a: number, b: number, step: number) => void;

// Follows the steps that divide two trees, or one tree that is paired with itself, until each pair of nodes is
// apart or is a pair of single leaves. Calls `onLeaves` for each pair of leaves, unless a step proves that
// their boxes are apart.
function follow(a: Tree, b: Tree, proof: Proof, onLeaves: OnLeaves): void {
  const { steps, verdict } = proof;
  const stack: [Node, Node][] = [];
  if (a.order.length > 0 && b.order.length > 0) stack.push([rootOf(a), rootOf(b)]);
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [nodeA, nodeB] = pair;
    if (a === b && nodeA[0] === nodeB[0]) {
      // A node paired with itself is divided without a step; a leaf paired with itself is skipped.
      if (isLeaf(nodeA)) continue;
      const [first, second] = halvesOf(nodeA);
      stack.push([second, second], [first, second], [first, first]);
      continue;
    }
    if (verdict.steps >= steps.length)
      throw new Problem(`the steps end after ${steps.length}, before all pairs are covered`);
    const step = steps[verdict.steps++]!;
    if (step < 2) {
      const [first, second] = halvesOf(step === 0 ? nodeA : nodeB);
      if (isLeaf(step === 0 ? nodeA : nodeB)) refuseStep(proof, 'divides a single leaf');
      if (step === 0) stack.push([second, nodeB], [first, nodeB]);
      else stack.push([nodeA, second], [nodeA, first]);
    } else if (step >= 3 && step < 9) {
      const [atA, atB] = [6 * nodeA[0] + (step % 3), 6 * nodeB[0] + (step % 3)];
      const isApart = step < 6 ? a.boxes[atA + 3]! < b.boxes[atB]! : b.boxes[atB + 3]! < a.boxes[atA]!;
      if (!isApart)
        refuseStep(proof, `is wrong: the boxes of nodes ${nodeA[0]} and ${nodeB[0]} are not apart`);
      verdict.boxes++;
    } else {
      if (step > 46) refuseStep(proof, 'is not a valid step');
      if (!isLeaf(nodeA) || !isLeaf(nodeB))
        refuseStep(proof, 'requires two single leaves, but a node of the pair has more than one leaf');
      onLeaves(a.order[nodeA[1]]!, b.order[nodeB[1]]!, step);
    }
  }
}

const rootOf = ({ order }: Tree): Node => [0, 0, order.length];
const isLeaf = ([, low, high]: Node): boolean => high - low === 1;

// Returns the children of a node. Nodes are numbered in depth-first order. So the first child has the next
// number after its parent, and the second child has the next number after all descendants of the first child.
function halvesOf([at, low, high]: Node): [Node, Node] {
  const middle = (low + high) >>> 1;
  const first: Node = [at + 1, low, middle];
  return [first, [at + 2 * (middle - low), middle, high]];
}

// Checks that the next steps prove the triangle pairs of two placed meshes.
function checkPairs(a: Tree, b: Tree, pairs: VerifiablePairs, proof: Proof): void {
  const [countA, countB] = [a.order.length, b.order.length];
  require(countA * countB <= 2 ** 53, 'the meshes have more than 2^53 pairs of triangles');
  const keys = new Float64Array(pairs.a.length); // One number per pair. A Set can have only 2^24 entries.
  require(keys.length === pairs.b.length, 'the lists a and b of the result differ in length');
  for (let i = 0; i < keys.length; i++) {
    const [triangleA, triangleB] = [pairs.a[i]!, pairs.b[i]!];
    const exist = isBelow(triangleA, countA) && isBelow(triangleB, countB);
    require(exist, `pair ${i} of the result is ${triangleA}, ${triangleB}, but such triangles do not exist`);
    keys[i] = triangleA * countB + triangleB;
  }
  keys.sort();
  require(keys.every((key, i) => key !== keys[i - 1]), 'a pair of the result occurs twice');
  let found = 0;
  follow(a, b, proof, (triangleA, triangleB, step) => {
    const fail = (problem: string): never =>
      refuseStep(proof, `is wrong: triangle ${triangleA} of A and triangle ${triangleB} of B ${problem}`);
    const corners = integerPoints([
      ...a.points.subarray(9 * triangleA, 9 * triangleA + 9),
      ...b.points.subarray(9 * triangleB, 9 * triangleB + 9),
    ]);
    if (step === 2) {
      if (!isInSorted(keys, triangleA * countB + triangleB)) fail('are not in the result');
      if (!shareAPoint(corners)) fail('share no point');
      found++; // The division reaches each pair of triangles at most once, so no pair is counted twice.
      proof.verdict.common++;
    } else {
      if (!areApart(corners, step - 9)) fail(`are not apart along direction ${step - 9}`);
      proof.verdict.triangles++;
    }
  });
  require(found === keys.length, `${keys.length - found} pairs of the result are not in the certificate`);
}

// Returns whether an ascending list contains a value at an index low <= i < high.
function isInSorted(list: Float64Array, value: number, low = 0, high = list.length): boolean {
  if (low === high) return false;
  const middle = Math.floor((low + high) / 2);
  if (list[middle]! < value) return isInSorted(list, value, middle + 1, high);
  return list[middle] === value || isInSorted(list, value, low, middle);
}

const isBelow = (i: number, count: number): boolean => Number.isInteger(i) && i >= 0 && i < count;

function meshTree(name: string, { positions, indices, transform }: VerifiablePart, order: Uint32Array): Tree {
  const areTyped = positions instanceof Float32Array || positions instanceof Float64Array;
  require(areTyped, `the positions of ${name} are neither a Float32Array nor a Float64Array`);
  const lastRow = transform && [transform.length, ...[3, 7, 11, 15].map(i => transform[i])].join();
  const is4x4 = !transform || lastRow === '16,0,0,0,1';
  require(is4x4, `the transform of ${name} is not 4x4 with last row 0 0 0 1`);
  const cornerCount = indices ? indices.length : positions.length / 3;
  require(cornerCount % 3 === 0, `${name} has ${cornerCount} corners, not a multiple of 3`);
  const points = new Float64Array(3 * cornerCount);
  for (let i = 0; i < cornerCount; i++) {
    const vertex = indices ? indices[i]! : i;
    require(isBelow(vertex, positions.length / 3), `an index of ${name} is not the number of a vertex`);
    const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
    points.set(transform ? [0, 1, 2].map(axis => placed(transform, axis, x!, y!, z!)) : [x!, y!, z!], 3 * i);
  }
  require(points.every(Number.isFinite), `a placed vertex of ${name} is not finite`);
  return treeOf(name, points, 9, order);
}

/** Returns a placed coordinate. It is defined as the result of these operations, each rounded to a double. */
const placed = (m: ArrayLike<number>, axis: number, x: number, y: number, z: number): number =>
  m[axis]! * x + m[axis + 4]! * y + m[axis + 8]! * z + m[axis + 12]!;

// Returns the tree of leaves with `size` coordinates each.
function treeOf(name: string, points: Float64Array, size: number, order: Uint32Array): Tree {
  const count = points.length / size;
  require(order instanceof Uint32Array, `the order of ${name} is not a Uint32Array`);
  require(order.length === count, `the order of ${name} has ${order.length} entries, not ${count}`);
  const seen = new Uint8Array(count);
  for (const leaf of order)
    require(leaf < count && seen[leaf]++ === 0, `${leaf} is invalid or repeated in the order of ${name}`);
  const boxes = new Float64Array(Math.max(0, 12 * count - 6));
  const fill = (node: Node): Float64Array => {
    const [at, leaf] = [6 * node[0], size * order[node[1]]!];
    const inside = isLeaf(node)
      ? points.subarray(leaf, leaf + size)
      : halvesOf(node).flatMap(half => [...fill(half)]);
    const box = boxes.subarray(at, at + 6);
    box.fill(Infinity, 0, 3).fill(-Infinity, 3);
    for (let i = 0; i < inside.length; i++) {
      box[i % 3] = Math.min(box[i % 3]!, inside[i]!);
      box[3 + (i % 3)] = Math.max(box[3 + (i % 3)]!, inside[i]!);
    }
    return box;
  };
  const tree = { points, order, boxes };
  if (count > 0) fill(rootOf(tree));
  return tree;
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

/** Converts the coordinates of six points to integers by multiplying all of them by one power of two. */
export function integerPoints(coordinates: number[]): Vector[] {
  const values = coordinates.map(split);
  const exponents = values.map(({ mantissa, exponent }) => (mantissa === 0n ? 1024 : exponent));
  const minExponent = Math.min(...exponents);
  const integers = values.map(({ mantissa }, i) => mantissa << BigInt(exponents[i]! - minExponent));
  return [0, 3, 6, 9, 12, 15].map((i): Vector => [integers[i]!, integers[i + 1]!, integers[i + 2]!]);
}

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

// Returns one of the 38 directions of two triangles: the normals, the cross products of an edge of A and an
// edge of B, the differences of a corner of A and a corner of B, and the perpendiculars from the line of an
// edge to a corner of the other triangle. If the triangles share no point, the line between their nearest
// points has one of these directions, even if a triangle has no area.
function directionOf(points: readonly Vector[], direction: number): Vector {
  const edge = (triangle: number, i: number): Vector =>
    minus(points[3 * triangle + ((i + 1) % 3)]!, points[3 * triangle + i]!);
  if (direction < 2) return cross(edge(direction, 0), edge(direction, 1));
  const rest = direction - 2;
  const [kind, i, j] = [Math.floor(rest / 9), Math.floor(rest / 3) % 3, rest % 3];
  if (kind === 0) return cross(edge(0, i), edge(1, j));
  if (kind === 1) return minus(points[3 + j]!, points[i]!);
  const along = edge(kind - 2, i);
  const toCorner = kind === 2 ? minus(points[3 + j]!, points[i]!) : minus(points[j]!, points[3 + i]!);
  return cross(along, cross(toCorner, along));
}

// Returns whether a direction separates the triangles: all corners of one are below all corners of the other.
function areApart(points: readonly Vector[], direction: number): boolean {
  const along = directionOf(points, direction);
  const on = points.map(point => dot(along, point));
  const [onA, onB] = [on.slice(0, 3), on.slice(3)];
  const isBelowAll = (below: bigint[], above: bigint[]): boolean => below.every(x => above.every(y => x < y));
  return isBelowAll(onA, onB) || isBelowAll(onB, onA);
}

/** Returns whether two triangles share a point. @param points - the corners of A, then the corners of B */
export function shareAPoint(points: readonly Vector[]): boolean {
  for (let direction = 0; direction < 38; direction++) if (areApart(points, direction)) return false;
  return true;
}
