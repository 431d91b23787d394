// Records of a mesh paired with itself: what bindings/records/layout.ts is for queries.
import { record } from './record.js';

/**
 * The boxes of a node's children or of a leaf's triangles, those that are missing empty. One record a node,
 * then one a leaf: a record's number is the node's, or nodeCount and the leaf's. Of a node: its children's
 * numbers, and bit i where two triangles of leaf i share no vertex. Of a leaf: see LeafLinks.
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
 * The leaves that share a vertex with this one, at the place of a node's children: words of 16 bits. steps:
 * how many leaves later each of them stands, itself first; 0 where there are fewer. unrelated: for each of
 * them a bit a triangle pair, 4 j + i for triangle i of this leaf and j of that one, set where they share no
 * vertex. Bit 0 of its own says that some leaves had no room.
 */
export const LeafLinks = /* @__PURE__ */ record({ steps: ['u32', 4], unrelated: ['u32', 4] });

/**
 * Of a leaf: the numbers of its triangles' vertices, all first ones, then all second and third ones; and its
 * triangles' own.
 */
export const LeafVertices = /* @__PURE__ */ record({
  first: ['u32', 4],
  second: ['u32', 4],
  third: ['u32', 4],
  id: ['u32', 4],
});

/**
 * What pairs within a mesh need beside its tree; and the job of `weldVertices`, `listVertices`, `linkLeaves`,
 * `listChildren` and `fillBoxes`. numbersAt: a number a vertex, the least vertex of the same coordinates; 0:
 * each has its own. tableAt: 2^tableBits words, all NOTHING. startsAt: a word a vertex and one more;
 * entriesAt: a word a corner, 4 leaf + lane: the corners at each vertex, from its start on. slotsAt: a word a
 * leaf, the place of its box: 4 node + lane.
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

/** Numbers that both sides agree on. */
export const deformingLimits = {
  /** Leaves that LeafLinks has room for, and where they begin in a record of SelfBoxes. */
  LINKED_LEAVES: 8,
  LINKS_AT: 96,
  /**
   * Of the child pairs of a node with itself, bits 4 j + i: those with i <= j, those with i < j, and the
   * pairs of a child with itself.
   */
  EACH_ONCE: 0xf731,
  TWO_CHILDREN: 0x7310,
  WITH_ITSELF: 0x8421,
} as const;
