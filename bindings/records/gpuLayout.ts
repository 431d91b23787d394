// Records of the GPU's kernels for fronts, described once -> offsets for TypeScript, structs for WGSL. Those
// ending in Params are uniforms.
import { record } from './record.js';

/**
 * Of a pass: the workgroups of its indirect dispatch, how many pairs of boxes it has to do, and the leaf
 * pairs that were there before it.
 */
export const GpuPass = /* @__PURE__ */ record({
  groups: 'u32',
  one: 'u32',
  alsoOne: 'u32',
  count: 'u32',
  leafPairs: 'u32',
  spare: ['u32', 3],
});

/**
 * Of `writeDispatch`: pass `level` does `counts[slot]`, `each` invocations apiece, in at most `groups`
 * workgroups; where these had no room as many as `beam` of them.
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
 * Of `testFront` and `traverse`: the pass that they do. Capacities are items of the next pass's list, and
 * leaf pairs. isAny: pairs that are known to meet are left out.
 */
export const TraverseParams = /* @__PURE__ */ record({
  level: 'u32',
  listCapacity: 'u32',
  leafCapacity: 'u32',
  isAny: 'u32',
});

/** Of `growFront`: the pass; nodes that cost at least `bound` are replaced. */
export const GrowParams = /* @__PURE__ */ record({ level: 'u32', bound: 'u32', listCapacity: 'u32' });

/** Two placed meshes, as PairRecord, in what a GPU computes with. */
export const GpuPair = /* @__PURE__ */ record({
  /**
   * B's stored frame -> A's: rows of four. Then sizes of the linear part, rounded up, and as fourth what half
   * extents grow by.
   */
  toA0: ['f32', 4],
  toA1: ['f32', 4],
  toA2: ['f32', 4],
  absToA0: ['f32', 4],
  absToA1: ['f32', 4],
  absToA2: ['f32', 4],
  /** A's stored frame -> B's, likewise. */
  toB0: ['f32', 4],
  toB1: ['f32', 4],
  toB2: ['f32', 4],
  absToB0: ['f32', 4],
  absToB1: ['f32', 4],
  absToB2: ['f32', 4],
  /**
   * toA more sharply, for the origins of leaves: whole multiples of 2^14 units (as fourth of one unit), and
   * what is left of each entry.
   */
  head0: ['i32', 4],
  head1: ['i32', 4],
  head2: ['i32', 4],
  tail0: ['f32', 4],
  tail1: ['f32', 4],
  tail2: ['f32', 4],
  /** A unit, a power of two; and by how many bits multiples of 2^-14 are shifted to be multiples of it. */
  unit: 'f32',
  shift: 'u32',
  /** What A's coordinates may be off by, beside rounding to floats. */
  pointErrorA: 'f32',
  /**
   * Of a placed triangle of B: pointErrorB + localError * its greatest |coordinate| + offsetError * the
   * greatest of its leaf's origin.
   */
  pointErrorB: 'f32',
  localError: 'f32',
  offsetError: 'f32',
  /** Where the trees begin in the buffers of nodes and leaves. */
  firstNodeA: 'u32',
  firstLeafA: 'u32',
  firstNodeB: 'u32',
  firstLeafB: 'u32',
  /** Of a mesh paired with itself where its triangles' vertices begin; else NOTHING. */
  firstVertices: 'u32',
  spare: 'u32',
});

/**
 * Of `touchLeaves`. counts[slot] leaf pairs, at most `capacity` (2^28 at most); found[sureSlot] counts the
 * triangle pairs that surely meet, of whom sureCapacity are kept. isAny: a word a pair tells whether it
 * meets, in place of them.
 */
export const TouchParams = /* @__PURE__ */ record({
  slot: 'u32',
  capacity: 'u32',
  sureSlot: 'u32',
  sureCapacity: 'u32',
  unsureSlot: 'u32',
  unsureCapacity: 'u32',
  isAny: 'u32',
  spare: 'u32',
});

/** Numbers that TypeScript and WGSL agree on. */
export const gpuLimits = {
  /**
   * Levels of a run: what pass i starts from is level i. Then counts of leaf pairs, of sure hits, of unsure
   * ones, of pairs that are known to meet; and a word a pair: 1 where it does. The pass behind the levels is
   * that of leaf pairs.
   */
  LEVELS: 128,
  LEAF_PAIR_COUNT: 128,
  SURE_COUNT: 129,
  UNSURE_COUNT: 130,
  HIT_COUNT: 131,
  COUNTS: 132,
  /** What a leaf pair costs, in tests of boxes. */
  LEAF_COST: 12,
} as const;
