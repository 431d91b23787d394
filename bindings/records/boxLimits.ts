// Constants of the broad phase, shared by TypeScript and the kernels.

export const boxLimits = {
  /** Number of bits of a box's number in the `tag` of a SapBox. The other bits of the tag are flags. */
  BOX_BITS: 27,
  /**
   * Flags of a box. A cell of space is divided into slabs, and a slab into columns. If two boxes have a flag in
   * common, they are not reported as a pair in this column. BEFORE_CELL, BEFORE_SLAB, BEFORE_COLUMN: the box
   * starts before the cell (along the sweep axis), before the slab, or before the column. If both boxes of a
   * pair start before the cell, slab or column, another cell, slab or column reports the pair. FIRST_SET,
   * SECOND_SET: the set of the box; boxes of the same set are not a pair. PASSIVE: two passive boxes are not a
   * pair. Passive boxes exist only if there is one set.
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
   * SWEEP_BUCKET_BITS: the boxes of a slab are sorted with at most 2^11 buckets. SLAB_COLUMNS: maximum number
   * of columns in a slab. BOXES_PER_COLUMN: minimum average number of boxes per column.
   */
  SWEEP_BUCKET_BITS: 11,
  SLAB_COLUMNS: 1024,
  BOXES_PER_COLUMN: 8,
  /**
   * Number of cells along an axis of a slab. It is less than 2^15, so that a sentinel can have a 15-bit value
   * that is greater than every cell number.
   */
  SWEEP_CELLS: 0x7ff0,
  /**
   * A box is tested against one tile of boxes after another, in blocks of eight boxes. TILE: number of boxes
   * in a tile. TILE_STRIDE: bytes from one array of a tile to the next; an array also has space for a block
   * of sentinels. MAX_BLOCKS: number of blocks with possible pairs that are collected before their pairs
   * are written. MAX_FOUND: maximum number of pairs that are written at a time.
   */
  TILE: 2048,
  TILE_STRIDE: 4160,
  MAX_BLOCKS: 1024,
  MAX_FOUND: 1024,
  /** Number of boxes that are distributed to cells at a time. */
  CELL_BATCH: 64,
  /**
   * Linear octree. OCTREE_LEVELS: number of levels. OCTREE_CELLS: number of finest cells along an axis. A
   * sort key is an octal code of 3 bits per level, followed by the level in LEVEL_BITS bits.
   */
  OCTREE_LEVELS: 9,
  OCTREE_CELLS: 512,
  LEVEL_BITS: 4,
  /** Number of octants that a thread takes at a time. */
  OCTANT_CHUNK: 1024,
  /**
   * Number of cells along two axes of the grid in which `findNear` marks moved boxes. Along the third axis,
   * this grid has 64 cells.
   */
  NEAR_CELLS: 128,
  /**
   * LOOKUP_BLOCK: number of unmoved boxes that `lookUpMovedBoxes` looks up in the hash grid of moved boxes at a
   * time. MAX_BUCKET_SIZE: maximum number of entries in a bucket of the hash grid. If a bucket has more
   * entries, the hash grid is not used.
   */
  LOOKUP_BLOCK: 64,
  MAX_BUCKET_SIZE: 64,
  /**
   * Stored instead of a cell of the hash grid for boxes that are in no cell: empty boxes and large boxes. The
   * numbers of all cells are smaller.
   */
  EMPTY_BOX: 0x40000000,
  LARGE_BOX: 0x80000000,
  /**
   * The pairs of nodes of one level of a box tree are distributed to threads. This is the maximum number of
   * nodes of that level.
   */
  BOX_TASKS: 512,
  /**
   * SORTED, FULL, OVER: states of an EndpointList (see incrementalLayout.ts). SORT_BUCKETS, SORT_BITS:
   * buckets and bits per pass of the radix sort of endpoints. MAX_PASSED: number of pairs of endpoints that
   * are tested at a time.
   */
  SORTED: 0,
  FULL: 1,
  OVER: 2,
  SORT_BUCKETS: 2048,
  SORT_BITS: 11,
  MAX_PASSED: 256,
  /**
   * Linear octree: number of digits in the radix sort of a run, which makes one pass per digit. A run is the
   * list of octants of one thread.
   */
  RUN_DIGITS: 3,
} as const;
