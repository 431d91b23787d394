// Layouts of the records of self-intersection queries, which find intersecting triangles of one mesh.
import { record } from './record.js';

/**
 * The boxes of a node's children, or of a leaf's triangles. A missing child or triangle has an empty box. The
 * array has one record for each node, then one for each leaf. The record of node i is record i; the record of
 * leaf i is record nodeCount + i. In a node's record, `child` has the record numbers of the children, and bit
 * i of `ownPairs` is set if child i is a leaf that contains two triangles without a common vertex. A leaf's
 * record has LeafLinks in place of `child`, `ownPairs` and `spare`.
 */
export const SelfBoxes = /* @__PURE__ */ record({
  lowX: ['f32', 4],
  lowY: ['f32', 4],
  lowZ: ['f32', 4],
  highX: ['f32', 4],
  highY: ['f32', 4],
  highZ: ['f32', 4],
  child: ['u32', 4],
  ownPairs: 'u32',
  spare: ['u32', 3],
});

/**
 * A leaf L, and the leaves with higher numbers that share a vertex with L: up to 8 entries of 16 bits in each
 * field. The first entry is L itself. steps: the number of the entry's leaf minus the number of L; unused
 * entries are 0. unrelated: for each entry, one bit per triangle pair. Bit 4 * j + i is set if triangle i of L
 * and triangle j of the entry's leaf share no vertex. In the first entry, only bits with i < j are used for
 * pairs, and bit 0 is set if at least one leaf that should have an entry has none.
 */
export const LeafLinks = /* @__PURE__ */ record({ steps: ['u32', 4], unrelated: ['u32', 4] });

/**
 * The vertex numbers of a leaf's up to four triangles (the first vertices of all triangles, then the second
 * vertices, then the third vertices), and the numbers of the triangles.
 */
export const LeafVertices = /* @__PURE__ */ record({
  first: ['u32', 4],
  second: ['u32', 4],
  third: ['u32', 4],
  id: ['u32', 4],
});

/**
 * The data that self-intersection queries need in addition to a mesh's tree. It is also the job of
 * `weldVertices`, `listVertices`, `linkLeaves`, `listChildren` and `fillBoxes`. numbersAt: for each vertex,
 * the lowest number of a vertex with the same coordinates. The address 0 means that each vertex keeps its own
 * number. tableAt: hash table of 2^tableBits words, all NOTHING before the job. startsAt, entriesAt: the
 * triangle corners at each vertex. The corners of vertex v are the entries from startsAt[v] up to, but not
 * including, startsAt[v + 1]; an entry is one word, 4 * leaf + lane. slotsAt: for each leaf, the slot of its
 * box (4 * node + lane).
 */
export const SelfTree = /* @__PURE__ */ record({
  meshAt: 'u32',
  boxesAt: 'u32',
  verticesAt: 'u32',
  slotsAt: 'u32',
  numbersAt: 'u32',
  tableAt: 'u32',
  tableBits: 'u32',
  startsAt: 'u32',
  entriesAt: 'u32',
  sliceCount: 'u32',
});

/** Constants that are shared by TypeScript and the kernels. */
export const deformingLimits = {
  /**
   * LINKED_LEAVES: number of entries of LeafLinks. LINKS_AT: byte offset of LeafLinks in the SelfBoxes record
   * of a leaf.
   */
  LINKED_LEAVES: 8,
  LINKS_AT: 96,
  /**
   * Masks of pairs of children (i, j) of one node; the pair has bit 4 * j + i. UPPER_TRIANGLE: the pairs with
   * i <= j. STRICT_UPPER_TRIANGLE: the pairs with i < j. DIAGONAL: the pairs with i = j.
   */
  UPPER_TRIANGLE: 0xf731,
  STRICT_UPPER_TRIANGLE: 0x7310,
  DIAGONAL: 0x8421,
} as const;
