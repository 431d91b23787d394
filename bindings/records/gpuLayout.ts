// Layouts of the records with which the GPU traverses the bounding volume test tree (BVTT) of mesh pairs:
// byte offsets for TypeScript, structs for WGSL. Records whose names end in Params are uniforms.
import { record } from './record.js';

/**
 * A pass of a traversal. count: number of items to process. leafPairs: number of leaf pairs that earlier
 * passes have found.
 */
export const GpuPass = /* @__PURE__ */ record({ count: 'u32', leafPairs: 'u32' });

/**
 * Uniforms of `writePassSize`. Pass `level` processes `counts[slot]` items. If there are more than
 * `capacity` items or more than `leafCapacity` leaf pairs, the pass processes only the first `beam` items.
 */
export const PassSizeParams = /* @__PURE__ */ record({
  slot: 'u32',
  capacity: 'u32',
  leafCapacity: 'u32',
  level: 'u32',
  beam: 'u32',
});

/**
 * Uniforms of `testFront` and `traverse`. level: number of the pass. listCapacity: capacity of the next pass's
 * list. leafCapacity: capacity of the list of leaf pairs. isAny: if not 0, `testFront` skips pairs of meshes
 * that are known to intersect.
 */
export const TraverseParams = /* @__PURE__ */ record({
  level: 'u32',
  listCapacity: 'u32',
  leafCapacity: 'u32',
  isAny: 'u32',
});

/**
 * Uniforms of `growFront`. level: number of the pass. Front nodes (pairs of boxes) with a cost of at least
 * `bound` are replaced by all pairs of their children, except pairs of leaves, which stay.
 */
export const GrowParams = /* @__PURE__ */ record({ level: 'u32', bound: 'u32', listCapacity: 'u32' });

/** Two placed meshes: the data of a PairRecord in the number formats of a GPU. */
export const GpuPair = /* @__PURE__ */ record({
  /**
   * toA0 to toA2: rows of the transform from B's normalized frame to A's. absToA0 to absToA2: the absolute
   * values of its linear part, rounded up; the fourth value of each row is added to half extents as slack.
   */
  toA0: ['f32', 4],
  toA1: ['f32', 4],
  toA2: ['f32', 4],
  absToA0: ['f32', 4],
  absToA1: ['f32', 4],
  absToA2: ['f32', 4],
  /** The same for the transform from A's normalized frame to B's. */
  toB0: ['f32', 4],
  toB1: ['f32', 4],
  toB2: ['f32', 4],
  absToB0: ['f32', 4],
  absToB1: ['f32', 4],
  absToB2: ['f32', 4],
  /**
   * toA with more precision, for the origins of leaves. Each entry of the matrix is split into an integer
   * `head` and a remainder `tail`. In the first three columns, head counts multiples of 2^14 * unit; in the
   * fourth column, it counts multiples of unit.
   */
  head0: ['i32', 4],
  head1: ['i32', 4],
  head2: ['i32', 4],
  tail0: ['f32', 4],
  tail1: ['f32', 4],
  tail2: ['f32', 4],
  /**
   * unit: a power of two. shift: log2(2^-14 / unit). An integer that counts multiples of 2^-14, shifted left by
   * this many bits, counts multiples of unit.
   */
  unit: 'f32',
  shift: 'u32',
  /**
   * Error bound of A's coordinates. It does not cover the rounding of corners to floats, for which
   * `testLeafPairs` adds a bound.
   */
  pointErrorA: 'f32',
  /**
   * Error bound of a placed triangle of B: pointErrorB + localError * M + offsetError * N. M is the maximum
   * |coordinate| of the triangle relative to the origin of its leaf. N is the maximum |coordinate| of this
   * origin relative to the origin of A's leaf.
   */
  pointErrorB: 'f32',
  localError: 'f32',
  offsetError: 'f32',
  /** Where the trees of A and B begin in the buffers of nodes and leaves. */
  firstNodeA: 'u32',
  firstLeafA: 'u32',
  firstNodeB: 'u32',
  firstLeafB: 'u32',
  /** If a mesh is paired with itself: where the vertices of its triangles begin. Otherwise NOTHING. */
  firstVertices: 'u32',
  /** Always 0. A shader compiler does not know this value, so it cannot reorder sums that depend on it. */
  zero: 'u32',
});

/**
 * Uniforms of `testLeafPairs`. Word `slot` of the buffer `passes` (the `count` of a GpuPass) is the number of
 * leaf pairs to test. If it exceeds `capacity`, only the first `capacity` of them are tested. The capacity is
 * at most 2^28. counts[certainSlot]: number of triangle pairs that certainly intersect; at most certainCapacity
 * are stored. counts[uncertainSlot] and uncertainCapacity: the same for the triangle pairs that floats cannot
 * decide. If isAny is not 0, the kernel writes, instead of the certain triangle pairs, one word per pair of
 * meshes: 1 if the meshes certainly intersect.
 */
export const LeafPairParams = /* @__PURE__ */ record({
  slot: 'u32',
  capacity: 'u32',
  certainSlot: 'u32',
  certainCapacity: 'u32',
  uncertainSlot: 'u32',
  uncertainCapacity: 'u32',
  isAny: 'u32',
  spare: 'u32',
});

/** Constants that are shared by TypeScript and WGSL. */
export const gpuLimits = {
  /**
   * Words of the buffer `counts`. Word i of the first LEVELS words is the number of items in the input of pass
   * i. Pass LEVELS tests the leaf pairs. Then come the numbers of leaf pairs, of triangle pairs that certainly
   * intersect, of uncertain triangle pairs, and of pairs of meshes that are known to intersect. From COUNTS on
   * there is one word per pair of meshes: 1 if the meshes are known to intersect.
   */
  LEVELS: 128,
  LEAF_PAIR_COUNT: 128,
  CERTAIN_COUNT: 129,
  UNCERTAIN_COUNT: 130,
  HIT_COUNT: 131,
  COUNTS: 132,
  /** Cost of a leaf pair, in box tests. */
  LEAF_COST: 12,
} as const;
