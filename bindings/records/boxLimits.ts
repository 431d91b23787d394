// Constants of the broad phase, shared by TypeScript and the kernels.

export const boxLimits = {
  /** Bits of a box's number in a SapBox. The other bits of the word are flags. */
  BOX_BITS: 27,
  /**
   * Flags of a box in a column. Two boxes that share a flag are not a pair there: both start before its cell
   * along the sweep, before its slab, or before the column itself (so another cell reports them); both are of
   * the first set, or of the second; both are passive. Passive boxes exist only with one set.
   */
  BEFORE_CELL: 1,
  BEFORE_SLAB: 2,
  BEFORE_COLUMN: 4,
  FIRST_SET: 8,
  SECOND_SET: 16,
  PASSIVE: 8,
  /** Maximum number of slabs. */
  MAX_SLABS: 1024,
  /**
   * A slab's boxes are sorted with at most 2^11 buckets. SLAB_COLUMNS: maximum number of columns in a slab.
   * BOXES_PER_COLUMN: minimum average number of boxes per column.
   */
  SWEEP_BUCKET_BITS: 11,
  SLAB_COLUMNS: 1024,
  BOXES_PER_COLUMN: 8,
  /** Cells along an axis of a slab: fewer than 2^15, so that some 15-bit values are beyond all cells. */
  SWEEP_CELLS: 0x7ff0,
  /**
   * TILE: number of boxes against which a box is tested at a time. TILE_STRIDE: bytes from one of their
   * arrays to the next, with capacity for one more block. MAX_BLOCKS, MAX_FOUND: capacity for blocks of eight
   * that contain pairs, and for pairs, before they are written.
   */
  TILE: 2048,
  TILE_STRIDE: 4160,
  MAX_BLOCKS: 1024,
  MAX_FOUND: 1024,
  /** Boxes that are distributed to cells at a time. */
  CELL_BATCH: 64,
  /**
   * Linear octree: number of levels, finest cells along an axis, and bits of the level in a key. A key is a
   * code of 3 bits per level, followed by the level.
   */
  OCTREE_LEVELS: 9,
  OCTREE_CELLS: 512,
  LEVEL_BITS: 4,
  /** Octants that a thread takes at a time. */
  OCTANT_CHUNK: 1024,
  /** Cells of the grid of moved boxes along each of two axes. Along the third axis, the grid has 64 cells. */
  NEAR_CELLS: 128,
  /**
   * LOOKUP_BLOCK: unmoved boxes that are looked up at a time. MAX_BUCKET_SIZE: maximum number of entries in a
   * bucket of the grid; beyond it the grid is not used.
   */
  LOOKUP_BLOCK: 64,
  MAX_BUCKET_SIZE: 64,
  /** Maximum number of nodes of a box tree whose pairs are distributed to threads. */
  BOX_TASKS: 512,
  /**
   * SORTED, FULL, OVER: states of an EndpointList, described there. SORT_BUCKETS, SORT_BITS: radix sort of
   * endpoints, 11 bits at a time. MAX_PASSED: pairs of endpoints that are tested at a time.
   */
  SORTED: 0,
  FULL: 1,
  OVER: 2,
  SORT_BUCKETS: 2048,
  SORT_BITS: 11,
  MAX_PASSED: 256,
  /** Number of digits of a key in a run. */
  RUN_DIGITS: 3,
} as const;
