// Four pairs of features in motion -> the differences of their points, in floats, a vector of four pairs each.
import { EDGE_EDGE, FeaturePair } from './layout';

/** Bytes of what `fourDifferences` writes; and of a point's x, y, z. At the start those of four points, then at the end. */
// @ts-ignore: decorator
@inline export const DIFFERENCES: usize = 384;
// @ts-ignore: decorator
@inline export const DIFFERENCE: usize = 48;

// @ts-ignore: decorator
@inline function pointOf(pair: usize, point: usize): usize { return load<u32>(pair + FeaturePair.points + (point << 2)); }
// @ts-ignore: decorator
@inline function isEdges(pair: usize): bool { return load<u32>(pair, FeaturePair.kind) == EDGE_EDGE; }
/** The point that the second and third difference begin at; and the one that the first one leads to. */
// @ts-ignore: decorator
@inline function second(pair: usize): usize { return isEdges(pair) ? pointOf(pair, 1) : pointOf(pair, 0); }
// @ts-ignore: decorator
@inline function firstOther(pair: usize): usize { return isEdges(pair) ? pointOf(pair, 2) : pointOf(pair, 1); }

/**
 * a, b, c, d: addresses of FeaturePairs. The differences are a Motion's (bindings/continuousLayout.ts), each rounded to a float;
 * beyond these it is infinite.
 */
export function fourDifferences(a: usize, b: usize, c: usize, d: usize, to: usize): void {
  subtract(pointOf(a, 0), firstOther(a), pointOf(b, 0), firstOther(b), pointOf(c, 0), firstOther(c), pointOf(d, 0), firstOther(d), to);
  subtract(second(a), pointOf(a, 2), second(b), pointOf(b, 2), second(c), pointOf(c, 2), second(d), pointOf(d, 2), to + DIFFERENCE);
  subtract(second(a), pointOf(a, 3), second(b), pointOf(b, 3), second(c), pointOf(c, 3), second(d), pointOf(d, 3), to + 2 * DIFFERENCE);
  subtract(pointOf(a, 0), pointOf(a, 3), pointOf(b, 0), pointOf(b, 3), pointOf(c, 0), pointOf(c, 3), pointOf(d, 0), pointOf(d, 3), to + 3 * DIFFERENCE);
}

// x, y, z at the start and x at the end.
// @ts-ignore: decorator
@inline function early(from: usize, other: usize): v128 {
  return v128.shuffle<f64>(
    f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from), v128.load(other))),
    f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from, 16), v128.load(other, 16))), 0, 2);
}

// y and z at the end.
// @ts-ignore: decorator
@inline function late(from: usize, other: usize): v128 { return f32x4.demote_f64x2_zero(f64x2.sub(v128.load(from, 32), v128.load(other, 32))); }

// One difference of four pairs, at the start, and half of DIFFERENCES further at the end.
function subtract(a: usize, otherA: usize, b: usize, otherB: usize, c: usize, otherC: usize, d: usize, otherD: usize, to: usize): void {
  const earlyA = early(a, otherA), earlyB = early(b, otherB), earlyC = early(c, otherC), earlyD = early(d, otherD);
  const xyAB = v128.shuffle<f32>(earlyA, earlyB, 0, 4, 1, 5), xyCD = v128.shuffle<f32>(earlyC, earlyD, 0, 4, 1, 5);
  const zxAB = v128.shuffle<f32>(earlyA, earlyB, 2, 6, 3, 7), zxCD = v128.shuffle<f32>(earlyC, earlyD, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f64>(xyAB, xyCD, 0, 2));
  v128.store(to, v128.shuffle<f64>(xyAB, xyCD, 1, 3), 16);
  v128.store(to, v128.shuffle<f64>(zxAB, zxCD, 0, 2), 32);
  v128.store(to, v128.shuffle<f64>(zxAB, zxCD, 1, 3), DIFFERENCES / 2);
  const yzAB = v128.shuffle<f32>(late(a, otherA), late(b, otherB), 0, 4, 1, 5), yzCD = v128.shuffle<f32>(late(c, otherC), late(d, otherD), 0, 4, 1, 5);
  v128.store(to, v128.shuffle<f64>(yzAB, yzCD, 0, 2), DIFFERENCES / 2 + 16);
  v128.store(to, v128.shuffle<f64>(yzAB, yzCD, 1, 3), DIFFERENCES / 2 + 32);
}
