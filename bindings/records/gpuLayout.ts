// Layouts of the records of BVTT fronts on the GPU: byte offsets for TypeScript, structs for WGSL. Records
// whose names end in Params are uniforms.
import { record } from './record.js';

/**
 * A pass of a traversal: the workgroups of its indirect dispatch, the number of box pairs to process, and the
 * number of leaf pairs that were found before it.
 */
export const GpuPass = /* @__PURE__ */ record({
  groups: 'u32',
  groupsY: 'u32',
  groupsZ: 'u32',
  count: 'u32',
  leafPairs: 'u32',
  spare: ['u32', 3],
});

/**
 * Uniforms of `writeDispatch`. Pass `level` processes `counts[slot]` items with `each` invocations per item,
 * in at most `groups` workgroups. If the items did not fit, it processes only the first `beam`.
 */
export const DispatchParams = /* @__PURE__ */ record({
  slot: 'u32',
  capacity: 'u32',
  leafCapacity: 'u32',
  level: 'u32',
  each: 'u32',
  groups: 'u32',
  beam: 'u32',
});

/**
 * Uniforms of `testFront` and `traverse`. level: the pass. listCapacity: capacity of the next pass's list.
 * leafCapacity: capacity of the list of leaf pairs. isAny: 1: skip pairs of meshes that are known to
 * intersect.
 */
export const TraverseParams = /* @__PURE__ */ record({
  level: 'u32',
  listCapacity: 'u32',
  leafCapacity: 'u32',
  isAny: 'u32',
});

/**
 * Uniforms of `growFront`. level: the pass. Nodes with a cost of at least `bound` are replaced by their
 * children.
 */
export const GrowParams = /* @__PURE__ */ record({ level: 'u32', bound: 'u32', listCapacity: 'u32' });

/** Two placed meshes: the data of a PairRecord in the number formats of a GPU. */
export const GpuPair = /* @__PURE__ */ record({
  /**
   * Transform from B's stored frame to A's: rows of four. Then the absolute values of the linear part,
   * rounded up, with the slack of half extents as fourth value.
   */
  toA0: ['f32', 4],
  toA1: ['f32', 4],
  toA2: ['f32', 4],
  absToA0: ['f32', 4],
  absToA1: ['f32', 4],
  absToA2: ['f32', 4],
  /** Transform from A's stored frame to B's, likewise. */
  toB0: ['f32', 4],
  toB1: ['f32', 4],
  toB2: ['f32', 4],
  absToB0: ['f32', 4],
  absToB1: ['f32', 4],
  absToB2: ['f32', 4],
  /**
   * toA with more precision, for the origins of leaves. head: integer multiples of 2^14 units (in the fourth
   * column, of one unit). tail: the remainder of each entry.
   */
  head0: ['i32', 4],
  head1: ['i32', 4],
  head2: ['i32', 4],
  tail0: ['f32', 4],
  tail1: ['f32', 4],
  tail2: ['f32', 4],
  /**
   * unit: a power of two. shift: the number of bits by which multiples of 2^-14 are shifted to get multiples
   * of the unit.
   */
  unit: 'f32',
  shift: 'u32',
  /** Error bound of A's coordinates, in addition to rounding to floats. */
  pointErrorA: 'f32',
  /**
   * Error bound of a placed triangle of B: pointErrorB + localError * M + offsetError * N. M is its maximum
   * |coordinate|, N the maximum |coordinate| of the origin of its leaf, relative to the origin of A's leaf.
   */
  pointErrorB: 'f32',
  localError: 'f32',
  offsetError: 'f32',
  /** Where the trees begin in the buffers of nodes and leaves. */
  firstNodeA: 'u32',
  firstLeafA: 'u32',
  firstNodeB: 'u32',
  firstLeafB: 'u32',
  /** For a mesh paired with itself: where the vertices of its triangles begin; else NOTHING. */
  firstVertices: 'u32',
  spare: 'u32',
});

/**
 * Uniforms of `testLeafPairs`. There are counts[slot] leaf pairs, at most `capacity` (at most 2^28).
 * found[certainSlot] counts the triangle pairs that certainly intersect, of which certainCapacity are stored.
 * isAny: 1: writes one word per pair of meshes, whether it intersects, instead of the triangle pairs.
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
   * LEVELS: levels of a run; pass i starts from level i. The counters follow: leaf pairs, certain hits,
   * uncertain hits, pairs of meshes that are known to intersect; then one word per pair of meshes, 1 if it
   * intersects. The pass after the last level tests the leaf pairs.
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
