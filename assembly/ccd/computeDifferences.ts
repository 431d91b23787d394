// Computes the differences between the points of four pairs of moving features, in floats, one lane per pair.

import { EDGE_EDGE, FeaturePair } from '../records';
import { add, and, load4, sub } from '../simd/lanes';

/**
 * Layout of the output of `computeDifferences`. (Two features touch if the convex hull of the differences of
 * their points contains the origin.) First come the differences at the start of the step, then the
 * differences at its end. Each of these two groups holds x, y and z of three differences, and space for a
 * fourth. A mask follows, in which all bits of a lane are set if the lane's pair is two edges. The rest is
 * space for values derived from the differences.
 */
export const DIFFERENCE_BYTES: usize = 48;
export const DIFFERENCES: usize = 8 * DIFFERENCE_BYTES;
export const ARE_EDGES: usize = DIFFERENCES;
export const DERIVED_OFFSET: usize = DIFFERENCES + 16;
/** Bytes of the whole output. */
export const DIFFERENCES_OUTPUT_BYTES: usize = DERIVED_OFFSET + 4 * DIFFERENCE_BYTES;

/**
 * Writes the differences of four FeaturePairs. For a vertex p and a face f: p - f0, p - f1, p - f2. For two
 * edges a and b: a1 - b0, a0 - b0, a0 - b1; the fourth difference, a1 - b1, is the first minus the second
 * plus the third. Each difference is rounded to a float, or infinite if it is out of the range of floats.
 */
export function computeDifferences(pairs: usize, to: usize): void {
  let kinds = v128.load32_zero(pairs, FeaturePair.kind);
  kinds = v128.load32_lane(pairs, kinds, 1, FeaturePair.SIZE + FeaturePair.kind);
  kinds = v128.load32_lane(pairs, kinds, 2, 2 * FeaturePair.SIZE + FeaturePair.kind);
  v128.store(
    to,
    i32x4.eq(
      v128.load32_lane(pairs, kinds, 3, 3 * FeaturePair.SIZE + FeaturePair.kind),
      i32x4.splat(EDGE_EDGE),
    ),
    ARE_EDGES,
  );
  subtractFirst(pairs, to);
  subtractOthers(pairs, to + DIFFERENCE_BYTES);
}

/**
 * Computes the fourth difference of each pair. For a vertex and a face, the fourth difference repeats the
 * third.
 */
export function completeDifferences(differences: usize): void {
  const areEdges = load4(differences, ARE_EDGES);
  for (let at = differences, end = at + DIFFERENCES; at < end; at += DIFFERENCES / 2) {
    for (let axis: usize = 0; axis < 48; axis += 16) {
      const first = at + axis;
      v128.store(
        first,
        add(
          load4(first, 2 * DIFFERENCE_BYTES),
          and(areEdges, sub(load4(first), load4(first, DIFFERENCE_BYTES))),
        ),
        3 * DIFFERENCE_BYTES,
      );
    }
  }
}

// Computes the first difference of each pair: p - f0 for a vertex and a face, or a1 - b0 for two edges. The
// addresses of the points of a pair are stored in the order p, f0, f1, f2 or a0, a1, b0, b1. So for two edges,
// the addresses of both operands are one word later in the pair than for a vertex and a face. `shifted` relies
// on EDGE_EDGE being 2, a bit that VERTEX_FACE and FACE_VERTEX do not have.
function subtractFirst(pairs: usize, to: usize): void {
  const a = shifted(pairs);
  const b = shifted(pairs + FeaturePair.SIZE);
  const c = shifted(pairs + 2 * FeaturePair.SIZE);
  const d = shifted(pairs + 3 * FeaturePair.SIZE);
  subtract(
    load<u32>(a),
    load<u32>(a, 4),
    load<u32>(b),
    load<u32>(b, 4),
    load<u32>(c),
    load<u32>(c, 4),
    load<u32>(d),
    load<u32>(d, 4),
    to,
  );
}

function shifted(pair: usize): usize {
  return pair + FeaturePair.points + ((<usize>load<u32>(pair, FeaturePair.kind) & EDGE_EDGE) << 1);
}

// Computes the second and third differences of each pair: its first point minus each of its last two points.
function subtractOthers(pairs: usize, to: usize): void {
  const a: usize = load<u32>(pairs, FeaturePair.points);
  const b: usize = load<u32>(pairs, FeaturePair.points + FeaturePair.SIZE);
  const c: usize = load<u32>(pairs, FeaturePair.points + 2 * FeaturePair.SIZE);
  const d: usize = load<u32>(pairs, FeaturePair.points + 3 * FeaturePair.SIZE);
  subtract(
    a,
    load<u32>(pairs, FeaturePair.points + 8),
    b,
    load<u32>(pairs, FeaturePair.points + 8 + FeaturePair.SIZE),
    c,
    load<u32>(pairs, FeaturePair.points + 8 + 2 * FeaturePair.SIZE),
    d,
    load<u32>(pairs, FeaturePair.points + 8 + 3 * FeaturePair.SIZE),
    to,
  );
  subtract(
    a,
    load<u32>(pairs, FeaturePair.points + 12),
    b,
    load<u32>(pairs, FeaturePair.points + 12 + FeaturePair.SIZE),
    c,
    load<u32>(pairs, FeaturePair.points + 12 + 2 * FeaturePair.SIZE),
    d,
    load<u32>(pairs, FeaturePair.points + 12 + 3 * FeaturePair.SIZE),
    to + DIFFERENCE_BYTES,
  );
}

// Writes one difference of each of four pairs. The difference at the start of the step is written to `to`, and
// the difference at its end is written to the address `to + DIFFERENCES / 2`.
// @ts-ignore: decorator
@inline
function subtract(
  a: usize,
  otherA: usize,
  b: usize,
  otherB: usize,
  c: usize,
  otherC: usize,
  d: usize,
  otherD: usize,
  to: usize,
): void {
  const earlyA = early(a, otherA);
  const earlyB = early(b, otherB);
  const earlyC = early(c, otherC);
  const earlyD = early(d, otherD);
  const xyAB = v128.shuffle<f32>(earlyA, earlyB, 0, 4, 1, 5);
  const xyCD = v128.shuffle<f32>(earlyC, earlyD, 0, 4, 1, 5);
  const zxAB = v128.shuffle<f32>(earlyA, earlyB, 2, 6, 3, 7);
  const zxCD = v128.shuffle<f32>(earlyC, earlyD, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f64>(xyAB, xyCD, 0, 2));
  v128.store(to, v128.shuffle<f64>(xyAB, xyCD, 1, 3), 16);
  v128.store(to, v128.shuffle<f64>(zxAB, zxCD, 0, 2), 32);
  v128.store(to, v128.shuffle<f64>(zxAB, zxCD, 1, 3), DIFFERENCES / 2);
  const yzAB = v128.shuffle<f32>(late(a, otherA), late(b, otherB), 0, 4, 1, 5);
  const yzCD = v128.shuffle<f32>(late(c, otherC), late(d, otherD), 0, 4, 1, 5);
  v128.store(to, v128.shuffle<f64>(yzAB, yzCD, 0, 2), DIFFERENCES / 2 + 16);
  v128.store(to, v128.shuffle<f64>(yzAB, yzCD, 1, 3), DIFFERENCES / 2 + 32);
}

// Returns a difference's x, y, z at the start and its x at the end.
function early(from: usize, other: usize): v128 {
  return v128.shuffle<f64>(
    f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from), v128.load(other))),
    f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from, 16), v128.load(other, 16))),
    0,
    2,
  );
}

// Returns a difference's y and z at the end.
function late(from: usize, other: usize): v128 {
  return f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from, 32), v128.load(other, 32)));
}
