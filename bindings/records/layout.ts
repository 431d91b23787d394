// Layouts of the records of meshes and queries, described once: field offsets for TypeScript, AssemblyScript
// and WGSL.
import { record } from './record.js';
import { treeLimits } from './treeLimits.js';

export * from './buildLayout.js';

/** A node of a 4-wide tree: four child boxes as structure of arrays, and the children's handles. */
export const Node = /* @__PURE__ */ record({
  centerX: ['f32', 4],
  centerY: ['f32', 4],
  centerZ: ['f32', 4],
  halfX: ['f32', 4],
  halfY: ['f32', 4],
  halfZ: ['f32', 4],
  child: ['u32', 4],
  parent: 'u32',
  /**
   * For meshes with a sphere tree. Bits 0 to 3: bit i is set if the box of child i is also tested, after its
   * sphere. From bit 4 on: the level of the children, which is 0 for the children of the root.
   */
  sphereBoxes: 'u32',
  /**
   * Bits 0 to 3 of sphereBoxes, repeated for the 16 pairs of children of a node of mesh A and a node of mesh
   * B: bit 4 * j + i stands for child i of A's node and child j of B's node. sphereRows is used if this node
   * is A's node, sphereColumns if it is B's node.
   */
  sphereRows: 'u32',
  sphereColumns: 'u32',
});

/**
 * A leaf: up to four triangles as structure of arrays. Unused lanes repeat lane 0, with NOTHING as id.
 * The leaf's origin is the first corner of lane 0. Corners are relative to this origin, so that float32
 * computations with them are more precise. size: the maximum |coordinate| of the corners.
 */
export const Leaf = /* @__PURE__ */ record({
  ax: ['f32', 4],
  ay: ['f32', 4],
  az: ['f32', 4],
  bx: ['f32', 4],
  by: ['f32', 4],
  bz: ['f32', 4],
  cx: ['f32', 4],
  cy: ['f32', 4],
  cz: ['f32', 4],
  id: ['u32', 4],
  originX: 'f32',
  originY: 'f32',
  originZ: 'f32',
  size: 'f32',
});

/**
 * Oriented bounding box of a leaf. x, y, z: coordinates of the three unit axes in lanes 0 to 2, and of the
 * center in lane 3. half: half extents along the axes.
 */
export const LeafBox = /* @__PURE__ */ record({
  x: ['f32', 4],
  y: ['f32', 4],
  z: ['f32', 4],
  half: ['f32', 4],
});

/**
 * A mesh: the addresses of the user's vertices and triangles and of the tree, and the normalization of
 * coordinates, stored = (x - center) * scale. middle, half: center and half extents of the root's box, in
 * stored coordinates. While the tree of a mesh with doubles is built, centerX, centerY and centerZ are 0,
 * because the vertices at positionsAt are already relative to the mesh's center.
 */
export const MeshRecord = /* @__PURE__ */ record({
  positionsAt: 'u32',
  indicesAt: 'u32',
  vertexCount: 'u32',
  triangleCount: 'u32',
  nodesAt: 'u32',
  nodeCount: 'u32',
  leavesAt: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  centerX: 'f32',
  centerY: 'f32',
  centerZ: 'f32',
  scale: 'f32',
  halfX: 'f32',
  halfY: 'f32',
  halfZ: 'f32',
  /**
   * Maximum error of a stored coordinate: 0 if all coordinates are stored exactly; otherwise 2^-25, or more
   * if stored coordinates exceed 1 because the scale is limited. For exact vertices in doubles, it includes
   * `rounding`.
   */
  storedError: 'f32',
  middleX: 'f32',
  middleY: 'f32',
  middleZ: 'f32',
  /** Address of the leaf boxes, one LeafBox per leaf; 0 if there are none. */
  leafBoxesAt: 'u32',
  /**
   * Address of the exact vertices, 3 f64 each, if they are not float32 numbers; otherwise 0. If it is not 0,
   * the vertices at positionsAt are relative to the center, and rounded.
   */
  doublesAt: 'u32',
  /** Maximum rounding error of a coordinate at positionsAt, in the user's units; 0 if doublesAt is 0. */
  rounding: 'f32',
});

/**
 * Two placed meshes: the relative transform in both directions, its error bounds, and the exact placements.
 */
export const PairRecord = /* @__PURE__ */ record({
  /**
   * toA: transform from B's normalized frame to A's, for boxes: three rows of four. absToA: absolute values
   * of its linear part, rounded up: three rows of three.
   */
  toA: ['f32', 12],
  absToA: ['f32', 9],
  /**
   * toB, absToB: the same for the transform from A's normalized frame to B's, the inverse of toA. If toA has
   * no inverse, or if the inverse is not accurate enough, they are zeros, and slackB is infinite.
   */
  toB: ['f32', 12],
  absToB: ['f32', 9],
  /**
   * slackA is added to half extents in A's frame, slackB to half extents in B's frame. Both cover the
   * rounding errors of the stored coordinates, of the transform and of the box test.
   */
  slackA: 'f32',
  slackB: 'f32',
  /**
   * Error bound of the coordinates of placed triangles, relative to the origin of A's leaf: pointError +
   * localError * M, where M is the maximum |coordinate| of these triangles.
   */
  pointError: 'f32',
  localError: 'f32',
  /**
   * Added to the boxes of triangles: three times the maximum error of a placed coordinate of these meshes.
   */
  boxSlack: 'f32',
  /**
   * 1 / (leaf size of A + leaf size of B), both measured in A's frame. This factor converts overlap weights to
   * units of leaf sizes, so that weights of different pairs are comparable.
   */
  leavesALength: 'f32',
  nodesA: 'u32',
  leavesA: 'u32',
  nodesB: 'u32',
  leavesB: 'u32',
  meshA: 'u32',
  meshB: 'u32',
  /** 1 if the mesh has a placement, 0 if its positions are used as they are. */
  placedA: 'u32',
  placedB: 'u32',
  /** Set by placePairs: 1 if tests can run in A's frame. */
  isFrameAccurate: 'u32',
  /**
   * Addresses of the leaf boxes of A and B. Both are 0 if either mesh has no leaf boxes, or if B's axes are
   * skewed in A's frame.
   */
  leafBoxesA: 'u32',
  leafBoxesB: 'u32',
  /**
   * axisSlackA, axisSlackB: added to the extents of leaf boxes along the axes of A's boxes and of B's boxes.
   * axisSquare: the squared length of a unit axis of B in A's frame.
   */
  axisSlackA: 'f32',
  axisSlackB: 'f32',
  axisSquare: 'f32',
  /**
   * Address of the extra record that a kernel variant needs: a SelfTree (SELF), a Clearance (NEAR) or a
   * SpherePair (SPHERES).
   */
  pairingAt: 'u32',
  /**
   * For a pair of placed copies of meshes: the error of the copies' own coordinates, in A's normalized frame;
   * isFrameAccurate is then always 1. For other pairs: -1.
   */
  ownError: 'f64',
  /**
   * Transform from B's normalized frame to A's in doubles. It is used to move leaf pairs to a local origin.
   */
  toAExact: ['f64', 12],
  /** The user's transforms, three rows of four. The exact triangle test places vertices with them. */
  placementA: ['f64', 12],
  placementB: ['f64', 12],
});

/**
 * A node of a front, which is a cut through the bounding volume test tree (BVTT). A node consists of two
 * boxes, each given by its slot (tree node * 4 + lane). A node also has the number of the pair of meshes to
 * which the boxes belong, and the cost of the tests below the node.
 */
export const FrontNode = /* @__PURE__ */ record({
  pair: 'u32',
  slotA: 'u32',
  slotB: 'u32',
  /**
   * Index of the node's entry in this run's cost tree. Before `estimateCosts`, it is the index of the node's
   * entry in the last run's cost tree, or NOTHING; if FrontJob.isSame is 1, that index is not used.
   */
  entry: 'u32',
  /**
   * cost: the predicted cost. Before `estimateCosts`, it is the last run's cost, or negative if there is none;
   * if FrontJob.isSame is 1, that cost is not used.
   * boxTests, leafPairs: numbers that the run has measured. While the front is being made, boxTests is the
   * number of overlapping children, or 0 if they have not been counted.
   */
  cost: 'f32',
  boxTests: 'u32',
  leafPairs: 'u32',
  /**
   * Index of the node's entry in the last run's cost tree. NOTHING: the last run measured an ancestor of this
   * node, but not the node itself. ESTIMATED: the last run measured neither this node nor an ancestor.
   */
  last: 'u32',
});

/**
 * An entry of a run's cost tree: the cost of a front node, or of a node that was expanded. The entries of the
 * starting nodes come first, then blocks of children.
 */
export const CostEntry = /* @__PURE__ */ record({
  slotA: 'u32',
  slotB: 'u32',
  cost: 'f32',
  parent: 'u32',
  firstChild: 'u32',
  childCount: 'u32',
});

/**
 * The work list of one worker: front nodes, stacks, buffers and output.
 */
export const ListRecord = /* @__PURE__ */ record({
  orderAt: 'u32',
  orderCount: 'u32',
  /** Position of the next node in the order. Workers that steal nodes from this list increase it, too. */
  cursor: 'u32',
  /**
   * Three stacks, and the buffer of leaf pairs (leaves). nodes: pairs of nodes. mixedA: pairs of a leaf of A
   * and a node of B. mixedB: pairs of a node of A and a leaf of B. Each has two arrays: the first at `...At`,
   * the second `...Stride` bytes after it. Both mixed stacks use mixedStride.
   */
  nodesAt: 'u32',
  nodesStride: 'u32',
  mixedAAt: 'u32',
  mixedBAt: 'u32',
  mixedStride: 'u32',
  leavesAt: 'u32',
  leavesStride: 'u32',
  /**
   * batchAt: box pairs that are tested together. scratchAt: local copies of the leaves of a chunk of leaf
   * pairs. candidatesAt: the triangle pairs of this chunk whose boxes overlap. uncertainAt: the candidates
   * that the float filter could not decide. exactAt: two placed triangles, and scratch for expansions.
   */
  batchAt: 'u32',
  scratchAt: 'u32',
  candidatesAt: 'u32',
  uncertainAt: 'u32',
  exactAt: 'u32',
  pairsAAt: 'u32',
  pairsBAt: 'u32',
  pairsCapacity: 'u32',
  /** One entry (pair, first output index) for each sequence of outputs that belong to the same pair. */
  runsAt: 'u32',
  /**
   * Triangle pairs (pair, a, b) whose coordinates have exponents that differ too much for exact arithmetic
   * with expansions. TypeScript decides these pairs with BigInt.
   */
  wideAt: 'u32',
  wideCapacity: 'u32',
  /** The pair that the buffer of leaf pairs belongs to. */
  pair: 'u32',
  /**
   * Counts of leaf pairs in the buffer and of entries of the outputs. At the start of a run, all fields from
   * leavesCount to `uncertain` are set to 0.
   */
  leavesCount: 'u32',
  pairsCount: 'u32',
  runsCount: 'u32',
  wideCount: 'u32',
  isUnfinished: 'u32',
  boxTests: 'f64',
  leafPairs: 'f64',
  triangleTests: 'f64',
  uncertain: 'f64',
  /** For sphere trees: address of the list's SphereCounts, one per level. */
  sphereCountsAt: 'u32',
  /**
   * Padding to whole cache lines, so that two lists share no line. Other workers access only the line of
   * `cursor`.
   */
  spare: ['u32', 11],
});

/**
 * The job of `placePairs`: each slice is one pair. The job runs on one thread, since all pairs use the same
 * scratch: two PlacedMeshes and an inverse.
 */
export const PlaceJob = /* @__PURE__ */ record({ pairsAt: 'u32', scratch: ['f64', 56] });

/** The job of `traverse` and `anyHit`: slice i runs list i. */
export const TraverseJob = /* @__PURE__ */ record({
  pairsAt: 'u32',
  frontAt: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
  /**
   * hitsAt: for 'any' queries one word per pair, set to 1 at the pair's first hit. budget: cost, in box
   * tests, after which `anyHit` stops a list and sets its isUnfinished (0: never).
   */
  hitsAt: 'u32',
  budget: 'u32',
  /** Number of lists to steal from: all, or 0 for a static partition. */
  stealCount: 'u32',
  listCount: 'u32',
});

/**
 * The job of `estimateCosts`, `expandFront` and `storeCosts`. Input: front nodes. Output: front nodes and
 * their cost tree. expandFront takes an array of jobs, one per slice, each with its own share of the nodes, of
 * the output and of the tree.
 */
export const FrontJob = /* @__PURE__ */ record({
  pairsAt: 'u32',
  startAt: 'u32',
  startCount: 'u32',
  /**
   * outCount counts all output nodes, but at most outCapacity are written. The entries of the cost tree are
   * handled in the same way.
   */
  outAt: 'u32',
  outCapacity: 'u32',
  outCount: 'u32',
  /**
   * The job's entries in this run's cost tree have the indices from treeFirst to treeCount - 1. Only entries
   * whose index is less than treeCapacity are stored.
   */
  treeAt: 'u32',
  treeFirst: 'u32',
  treeCapacity: 'u32',
  treeCount: 'u32',
  /** The last run's cost tree. */
  lastTreeAt: 'u32',
  /**
   * 1: the starting nodes are those of the last run, in the same order. Node k then has entry k of the last
   * run's cost tree, and `estimateCosts` reads the last costs from this tree instead of from the nodes.
   */
  isSame: 'u32',
  stackAt: 'u32',
  /**
   * bound: a node with a measured cost of at least this value is expanded (Zhang and Kim 2014, eq. 1, 5).
   * estimateBound: a node with an estimated cost of at least this value is expanded (eq. 4).
   */
  bound: 'f32',
  estimateBound: 'f32',
  /**
   * 1: some nodes have a cost from the last run. 0: the cost of every node is its overlap weight.
   * estimateCosts may change 1 to 0.
   */
  coherent: 'u32',
  /** Which overlap weight is used: WEIGHT_VOLUME, WEIGHT_ROOT or WEIGHT_DEPTH. */
  weight: 'u32',
  /**
   * 1: `expandFront` replaces the cost of each node that it does not expand by a weight that depends mostly on
   * the number of its overlapping children. For a static partition, these weights predict the costs better.
   */
  byCount: 'u32',
  /** Maximum measured cost of a front node. */
  maxNodeCost: 'f32',
  /**
   * Sums that `estimateCosts` computes. total: the predicted costs of the output nodes. estimated: the part
   * of `total` that comes from nodes that were not measured. lastTotal: the costs of the starting nodes in
   * the last run; 0 if `coherent` was 0.
   */
  total: 'f64',
  estimated: 'f64',
  lastTotal: 'f64',
});

/** The job of `distributeNodes`, which distributes the front nodes to lists. */
export const DistributeJob = /* @__PURE__ */ record({
  frontAt: 'u32',
  frontCount: 'u32',
  listsAt: 'u32',
  listCount: 'u32',
  /** The numbers of all nodes, list by list. */
  orderAt: 'u32',
  /** 1: the nodes of a list stay in the order of the front. 0: the heaviest nodes come first. */
  isInOrder: 'u32',
  /** Scratch: three words per node, WEIGHT_BUCKETS words, and three words per list. */
  scratchAt: 'u32',
});

/** The job of `copyRuns`: slice i copies the runs whose index k satisfies firsts[i] <= k < firsts[i + 1]. */
export const CopyJob = /* @__PURE__ */ record({
  copiesAt: 'u32',
  firstsAt: 'u32',
  aAt: 'u32',
  bAt: 'u32',
});

/** A run of triangle pairs: `count` words at fromA and at fromB, which become the entries from `to` on. */
export const RunCopy = /* @__PURE__ */ record({ fromA: 'u32', fromB: 'u32', to: 'u32', count: 'u32' });

/**
 * The job of `sortPairs`: sorts the triangle pairs of each placed pair by a, then b. Slices have about the
 * same number of triangle pairs.
 */
export const SortJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  /**
   * offsetsAt: pair i owns the entries whose index k satisfies offsets[i] <= k < offsets[i + 1]. swappedAt:
   * one byte per pair, 1 if its meshes were swapped.
   */
  offsetsAt: 'u32',
  swappedAt: 'u32',
  pairsAt: 'u32',
  pairCount: 'u32',
  sliceCount: 'u32',
  /**
   * Scratch of each slice: SORT_TABLE_BYTES for digits, and two words for each triangle pair of the placed
   * pair that has the most triangle pairs, plus padding.
   */
  spareAt: 'u32',
  spareBytes: 'u32',
});

/**
 * The job of `decideTriangles`: 18 f64 per pair in, one u32 verdict per pair out, EXACT_SCRATCH_BYTES of
 * scratch per slice.
 */
export const DecideJob = /* @__PURE__ */ record({
  pointsAt: 'u32',
  pairCount: 'u32',
  verdictsAt: 'u32',
  scratchAt: 'u32',
  sliceCount: 'u32',
});

/** Constants that only kernels use. */
export const kernelLimits = {
  /**
   * Replaces the index of an entry of the last run's cost tree if the last run measured neither the node nor an
   * ancestor of it.
   */
  ESTIMATED: 0xfffffffe,
  /**
   * Byte offset, in the copy of B's leaf (see `limits.BLOCK_BYTES`), of the error bound of the coordinates of
   * both leaves.
   */
  ERROR_AT: 160,
  /**
   * Down to this depth of the binary tree, ranges are split by the surface area heuristic. Below it, ranges are
   * split in half, so that the depth stays within `limits.STACK_DEPTH`.
   */
  SAH_DEPTH: 48,
} as const;

/** Constants that are shared by TypeScript and the kernels. */
export const limits = /* @__PURE__ */ Object.assign({}, treeLimits, {
  /** Overlap weights (Zhang and Kim 2014, eq. 2): volume, its square root, penetration depth. */
  WEIGHT_VOLUME: 0,
  WEIGHT_ROOT: 1,
  WEIGHT_DEPTH: 2,
  /**
   * Cost of a leaf pair (up to 16 triangle pairs) in box tests: k of Zhang and Kim 2014, section 2.2,
   * measured by `npm run bench -- cost`.
   */
  LEAF_PAIR_COST: 12,
  /**
   * Number of buckets into which the weights of front nodes are sorted by their leading bits. There are eight
   * buckets from each power of two to the next.
   */
  WEIGHT_BUCKETS: 2048,
  /** Number of box pairs that are tested before their children are distributed to the stacks. */
  BATCH: 32,
  /** Number of leaf pairs that are transformed to a local frame at a time. */
  LEAF_CHUNK: 32,
  /**
   * Capacity of the buffer of leaf pairs. The buffer may already hold LEAF_CHUNK - 1 leaf pairs when a pair of
   * nodes adds at most 16 more.
   */
  LEAF_RING: 48,
  /** Size of a copy of B's leaf in the frame of A's leaf. */
  BLOCK_BYTES: 176,
  /**
   * Bytes from the first array of the candidate list to the second. An array has room for 16 candidates for
   * each leaf pair in the buffer, and for the words that a SIMD store writes after the last candidate.
   */
  CANDIDATE_STRIDE: 4 * (48 * 16 + 8),
  /** Scratch of one exact triangle test: whole cache lines. */
  EXACT_SCRATCH_BYTES: 5632,
  /** Verdicts of the exact triangle test. TOO_WIDE: must be decided with trianglesIntersectExact. */
  APART: 0,
  INTERSECT: 1,
  TOO_WIDE: 2,
  STACK_DEPTH: 80,
  /** Values of BodyRecord.presence. */
  ABSENT: 0,
  HAS_TRIANGLES: 1,
  NO_TRIANGLES: 2,
  /** Bytes of a slice's scratch in `growSubtrees`, in addition to 96 bytes per triangle. */
  GROW_SCRATCH_BYTES: 16384,
  /** Bytes of the bins of one range on three axes, and of the chosen split. */
  BINS_BYTES: 3456,
  CORNERS_BYTES: 52,
  CORNERS_SLOT: 48,
  /** Bytes of the digit table of `sortPairs`. */
  SORT_TABLE_BYTES: 1024,
  /**
   * For the radix sorts of `moveDigits` and `sortRuns`. DIGIT_BUCKETS: number of values of a digit. DIGIT_BITS:
   * maximum number of bits of a digit.
   */
  DIGIT_BUCKETS: 2048,
  DIGIT_BITS: 11,
} as const);
