// Records of meshes and queries that cross a language, described once -> field offsets for TypeScript,
// AssemblyScript and WGSL.
import { record } from './record.js';
import { treeLimits } from './treeLimits.js';

export * from './buildLayout.js';

/** Four child boxes of a 4-wide tree, structure of arrays, and where they lead. */
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
   * Of a mesh with spheres: bit i where child i uses its box in a second test, from bit 4 on the children's
   * level (that of the root's is 0).
   */
  sphereBoxes: 'u32',
  /** The same bits as bits 4 j + i of pairs of child i of A with child j of B: of A's node, and of B's. */
  sphereRows: 'u32',
  sphereColumns: 'u32',
});

/**
 * Up to four triangles, structure of arrays; unused lanes repeat lane 0 and carry NOTHING as id. Corners are
 * relative to the origin, lane 0's first corner, where float32 is sharpest; size: their greatest
 * |coordinate|.
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
 * A box around a leaf's triangles, turned as they lie: coordinates of three axes of unit length and, in the
 * last lane, of its centre; half extents along the axes.
 */
export const LeafBox = /* @__PURE__ */ record({
  x: ['f32', 4],
  y: ['f32', 4],
  z: ['f32', 4],
  half: ['f32', 4],
});

/**
 * A mesh and its tree: user's data, normalisation (stored = (x - center) * scale) and where the tree lies.
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
  /** Greatest error of a stored coordinate: 0 where center is 0, else 2^-25. */
  storedError: 'f32',
  middleX: 'f32',
  middleY: 'f32',
  middleZ: 'f32',
  /** A LeafBox a leaf; 0: it has none. */
  leafBoxesAt: 'u32',
});

/** Two placed meshes: the relative transform both ways, its error bounds, and the exact placements. */
export const PairRecord = /* @__PURE__ */ record({
  /**
   * B's normalised frame -> A's: three rows of four, float32, for boxes; and |linear part| by rows of three,
   * rounded up.
   */
  toA: ['f32', 12],
  absToA: ['f32', 9],
  /** A's normalised frame -> B's. Where there is no inverse: zeros, and slackB is infinite. */
  toB: ['f32', 12],
  absToB: ['f32', 9],
  /** Added to the extents in A's (B's) frame: covers storing, transform and test. */
  slackA: 'f32',
  slackB: 'f32',
  /** Error of a placed coordinate = pointError + localError * greatest local coordinate. */
  pointError: 'f32',
  localError: 'f32',
  /**
   * Added to triangles' boxes: three times the greatest error that a placed coordinate of these meshes can
   * have.
   */
  boxSlack: 'f32',
  /** Leaves side by side along a unit of A's frame: makes overlap weights of different pairs comparable. */
  leavesALength: 'f32',
  nodesA: 'u32',
  leavesA: 'u32',
  nodesB: 'u32',
  leavesB: 'u32',
  meshA: 'u32',
  meshB: 'u32',
  /** 1 where the mesh has a placement, 0 where its positions are the points themselves. */
  placedA: 'u32',
  placedB: 'u32',
  /** Set by placePairs: 1 where A's frame can be worked in. */
  fit: 'u32',
  /** LeafBoxes of the meshes; both 0 where one has none, or B's frame is skewed in A's. */
  leafBoxesA: 'u32',
  leafBoxesB: 'u32',
  /**
   * Added to what leaf boxes reach along A's axes and B's; the square of the length that an axis of B has in
   * A's frame.
   */
  axisSlackA: 'f32',
  axisSlackB: 'f32',
  axisSquare: 'f32',
  /**
   * What kernels of a kind need besides: a SelfTree (SELF), a Clearance (NEAR) or a SpherePair (SPHERES). The
   * kind of the kernel tells which.
   */
  pairingAt: 'u32',
  /**
   * What the meshes' own coordinates are off by in A's normalised frame: of placed copies, which are always
   * fit; else -1.
   */
  ownError: 'f64',
  /** B's normalised frame -> A's in doubles: brings leaf pairs to a local origin. */
  toAExact: ['f64', 12],
  /** The users' transforms, three rows of four: what the exact stage places vertices with. */
  placementA: ['f64', 12],
  placementB: ['f64', 12],
});

/**
 * A node of a front: two boxes named by slots (node * 4 + lane), the pair they belong to, and what they cost.
 */
export const FrontNode = /* @__PURE__ */ record({
  pair: 'u32',
  slotA: 'u32',
  slotB: 'u32',
  /** Its entry in this run's cost tree; before weighing, its entry in the last run's, or NOTHING. */
  entry: 'u32',
  /**
   * Predicted cost, before weighing the last one or less than 0 where there is none; box tests and leaf pairs
   * measured.
   */
  cost: 'f32',
  boxTests: 'u32',
  leafPairs: 'u32',
  /** Its entry in the last run's cost tree; NOTHING: a node above it was measured; GUESSED: none was. */
  last: 'u32',
});

/**
 * What a node of a front, or one that was expanded, cost in a run: starting nodes first, then children block
 * by block.
 */
export const CostEntry = /* @__PURE__ */ record({
  slotA: 'u32',
  slotB: 'u32',
  cost: 'f32',
  parent: 'u32',
  firstChild: 'u32',
  childCount: 'u32',
});

/** One worker's list of front nodes, its stacks and rings (structures of two arrays), and its output. */
export const ListRecord = /* @__PURE__ */ record({
  orderAt: 'u32',
  orderCount: 'u32',
  /** Next of the order; other workers take from it when theirs is done. */
  cursor: 'u32',
  /** Each stack: first array at ...At, second one `stride` bytes on. */
  nodesAt: 'u32',
  nodesStride: 'u32',
  mixedAAt: 'u32',
  mixedBAt: 'u32',
  mixedStride: 'u32',
  leavesAt: 'u32',
  leavesStride: 'u32',
  /** Local copies of a chunk of leaf pairs, its candidates, and room for expansions. */
  batchAt: 'u32',
  scratchAt: 'u32',
  candidatesAt: 'u32',
  unsureAt: 'u32',
  exactAt: 'u32',
  pairsAAt: 'u32',
  pairsBAt: 'u32',
  pairsCapacity: 'u32',
  pairsCount: 'u32',
  /** (pair, first output index) at every change of pair. */
  runsAt: 'u32',
  runsCount: 'u32',
  /** (pair, a, b) whose doubles span too many exponents for expansions: settled in TypeScript. */
  wideAt: 'u32',
  wideCapacity: 'u32',
  wideCount: 'u32',
  /** The pair that the ring belongs to, and how many leaf pairs wait there. */
  pair: 'u32',
  leavesCount: 'u32',
  rest: 'u32',
  boxTests: 'f64',
  leafPairs: 'f64',
  triangleTests: 'f64',
  unsure: 'f64',
  /** Of a run over trees with spheres: its SphereCounts by level. */
  sphereCountsAt: 'u32',
  /** Whole cache lines: no worker writes to one that another reads. */
  spare: ['u32', 11],
});

/** What pairs need of a mesh and its placement, whomever it is paired with. */
export const PlacedMesh = /* @__PURE__ */ record({
  /**
   * Of the placement's linear part, columns of four, the last of which are 0; and its condition, infinite
   * where there is no inverse.
   */
  inverse: ['f64', 12],
  condition: 'f64',
  /** What goes into each coordinate of a placed point, at most; greatest |coordinate| of the mesh. */
  reach: ['f64', 3],
  extent: 'f64',
  /**
   * Greatest stored |coordinate| on each axis, and of all and 1; side of a leaf if leaves tiled the mesh's
   * box.
   */
  sizes: ['f64', 3],
  size: 'f64',
  leafSize: 'f64',
});

/**
 * The job of `placePairs`: slices are pairs; one thread at a time, since all use the job's scratch: two
 * PlacedMeshes and an inverse.
 */
export const PlaceJob = /* @__PURE__ */ record({ pairsAt: 'u32', scratch: ['f64', 56] });

/** The job of `traverse` and `touchAny`: slice i runs list i. */
export const TraverseJob = /* @__PURE__ */ record({
  pairsAt: 'u32',
  frontAt: 'u32',
  listsAt: 'u32',
  packTableAt: 'u32',
  /**
   * 'any': one word a pair that turns 1 at its first hit; box tests after which a list gives up (0: never)
   * and sets `rest`.
   */
  hitsAt: 'u32',
  budget: 'u32',
  /** Lists to steal from: all of them, or 0 for a static partition. */
  stealCount: 'u32',
  listCount: 'u32',
  leafPairCost: 'f32',
});

/**
 * The job of `weighFront`, `expandFront` and `rememberCosts`: front nodes in, front nodes and their cost tree
 * out. expandFront takes an array of jobs, one a slice, each with its own part of the nodes, of the output
 * and of the tree.
 */
export const WeighJob = /* @__PURE__ */ record({
  pairsAt: 'u32',
  startAt: 'u32',
  startCount: 'u32',
  /**
   * Nodes out: at most outCapacity are written, all are counted. Likewise the entries of this run's cost
   * tree.
   */
  outAt: 'u32',
  outCapacity: 'u32',
  outCount: 'u32',
  /** Entries treeFirst <= i < treeCount are the job's, as far as treeCapacity. */
  treeAt: 'u32',
  treeFirst: 'u32',
  treeCapacity: 'u32',
  treeCount: 'u32',
  /** The last run's cost tree. */
  lastTreeAt: 'u32',
  stackAt: 'u32',
  /** A node that costs at least this is expanded (eq. 1, 5); one whose cost is guessed, at this (eq. 4). */
  bound: 'f32',
  guessBound: 'f32',
  /** 1: some nodes carry last run's cost; 0: overlap volume stands for all of them. weighFront may put 0. */
  coherent: 'u32',
  leafPairCost: 'f32',
  /** What a node's overlap weighs: WEIGHT_VOLUME, WEIGHT_ROOT or WEIGHT_DEPTH. */
  weight: 'u32',
  /** Jobs that rememberCosts sums up. */
  sliceCount: 'u32',
  /** Greatest measured cost of a front node. */
  greatest: 'f32',
  /** Sum of the last run's costs; then of the weighed nodes' costs, and of those of them that are guessed. */
  total: 'f64',
  guessed: 'f64',
});

/**
 * The job of `sortPairs`: the triangle pairs of each placed pair by a, then b; slices are of about as many
 * triangle pairs.
 */
export const SortJob = /* @__PURE__ */ record({
  aAt: 'u32',
  bAt: 'u32',
  /**
   * Pair i owns entries offsets[i] <= k < offsets[i + 1]; one byte a pair: 1 where its meshes have changed
   * places.
   */
  offsetsAt: 'u32',
  swappedAt: 'u32',
  pairsAt: 'u32',
  pairCount: 'u32',
  sliceCount: 'u32',
  /** SORT_TABLE_BYTES for digits and twice room for the longest list and sixteen more, a slice. */
  spareAt: 'u32',
  spareBytes: 'u32',
});

/**
 * The job of `decideTriangles`: 18 f64 a pair in, one u32 verdict a pair out, EXACT_SCRATCH_BYTES of scratch
 * a slice.
 */
export const DecideJob = /* @__PURE__ */ record({
  pointsAt: 'u32',
  pairCount: 'u32',
  verdictsAt: 'u32',
  scratchAt: 'u32',
  sliceCount: 'u32',
});

/** Numbers that both sides agree on. */
export const limits = /* @__PURE__ */ Object.assign({}, treeLimits, {
  /** In the place of an entry of the last run's cost tree: neither the node nor one above it was measured. */
  GUESSED: 0xfffffffe,
  /** Overlap weights: volume (eq. 3), its root, penetration depth. */
  WEIGHT_VOLUME: 0,
  WEIGHT_ROOT: 1,
  WEIGHT_DEPTH: 2,
  /** Pairs of boxes that are tested before their children are sorted out. */
  BATCH: 32,
  /** Leaf pairs that are brought to a local frame together. */
  LEAF_CHUNK: 32,
  /** Most leaf pairs waiting at once: a chunk less one, and what one step adds. */
  LEAF_RING: 48,
  /** Copy of B's leaf in the frame of A's leaf, and the error of both leaves' coordinates. */
  BLOCK_BYTES: 176,
  ERROR_AT: 160,
  /** Bytes of one half of the candidate list: 16 a leaf pair, and the overshoot of one store. */
  CANDIDATE_STRIDE: 4 * (48 * 16 + 8),
  /** Scratch of one exact triangle test: whole cache lines. */
  EXACT_SCRATCH_BYTES: 5632,
  /** Verdicts of the exact triangle test; TOO_WIDE: settle it with trianglesMeetExact. */
  APART: 0,
  MEET: 1,
  TOO_WIDE: 2,
  /**
   * Binary depth up to which the surface area heuristic splits; below it halves do, so the tree ends within
   * STACK_DEPTH.
   */
  SAH_DEPTH: 48,
  STACK_DEPTH: 80,
  /** Bytes of a slice's scratch in `growSubtrees` besides 96 bytes a triangle. */
  GROW_SCRATCH_BYTES: 16384,
  /** Bins of one range on three axes, and the choice among their borders. */
  BINS_BYTES: 3456,
  CORNERS_BYTES: 52,
  CORNERS_SLOT: 48,
  /** Table of digits of `sortPairs`. */
  SORT_TABLE_BYTES: 1024,
  /** Values of a digit of a radix sort, and its bits at most. */
  DIGIT_BUCKETS: 2048,
  DIGIT_BITS: 11,
} as const);
