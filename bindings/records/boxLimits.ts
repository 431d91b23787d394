// Numbers of finding overlapping boxes that both sides agree on.

export const boxLimits = {
  /** Bits of a box's number in a SweptBox; what is left of its word are flags. */
  BOX_BITS: 27,
  /**
   * Why two boxes of a column are no pair of it: both start before its cell along the sweep, before its slab,
   * before the column itself; both are of the first set, of the second; both are bystanders, of which two
   * sets have none.
   */
  BEFORE_CELL: 1,
  BEFORE_SLAB: 2,
  BEFORE_COLUMN: 4,
  FIRST_SET: 8,
  SECOND_SET: 16,
  BYSTANDER: 8,
  /** Slabs of a sweep, at most. */
  MOST_SLABS: 1024,
  /**
   * A slab's boxes are sorted into 2^11 buckets at most; most columns of a slab, and boxes that each is
   * worth.
   */
  SWEEP_BUCKET_BITS: 11,
  SLAB_COLUMNS: 1024,
  BOXES_A_COLUMN: 8,
  /** Cells of an axis of a slab: 15 bits, less some that are beyond all of them. */
  SWEEP_CELLS: 0x7ff0,
  /**
   * Boxes that are tested against together, bytes from one of their arrays to the next, with room for a block
   * more; blocks of eight that hold pairs, and pairs, that are kept until they are written.
   */
  TILE: 2048,
  TILE_STRIDE: 4160,
  MOST_BLOCKS: 1024,
  MOST_FOUND: 1024,
  /** Boxes that are dealt to cells together. */
  DEALT_BOXES: 64,
  /**
   * Levels of the linear octree, finest cells an axis, bits of a key: a code of 3 bits a level, and the
   * level.
   */
  OCTREE_LEVELS: 9,
  OCTREE_CELLS: 512,
  LEVEL_BITS: 4,
  /** Octants that a thread takes at a time. */
  OCTANTS_A_TURN: 1024,
  /** Cells of the grid of movers on two axes; on the third it has 64. */
  NEAR_CELLS: 128,
  /** Still boxes that are looked up together; movers of a cell, at most, before cells are given up. */
  MEET_BLOCK: 64,
  MOST_CROWD: 64,
  /** Nodes of a tree of boxes whose pairs are dealt to threads, at most. */
  BOX_TASKS: 512,
  /**
   * What has become of an EndpointList; buckets that its endpoints are sorted into, 11 bits at a time; pairs
   * of endpoints that are tested together.
   */
  SORTED: 0,
  FULL: 1,
  OVER: 2,
  SORT_BUCKETS: 2048,
  SORT_BITS: 11,
  MOST_PASSED: 256,
  /** Digits of a key in a run. */
  RUN_DIGITS: 3,
} as const;
