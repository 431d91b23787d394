// Layouts of the records of self-collision: pairs of triangles within one mesh.
import { record } from './record.js';

/**
 * The boxes of a node's children, or of a leaf's triangles; missing ones are empty. There is one record for
 * each node, then one for each leaf: its index is the node's number, or nodeCount plus the leaf's number. In
 * a node's record: `child` has the children's record numbers, and bit i of `ownPairs` is set if child i is a
 * leaf in which two triangles share no vertex. In a leaf's record: LeafLinks in the place of the children.
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
 * Leaves that share a vertex with this leaf, as 16-bit values, stored in the place of a node's children.
 * steps: the number of each such leaf minus the number of this leaf; the first entry is this leaf itself, and
 * unused entries are 0. unrelated: one bit per triangle pair for each of these leaves. Bit 4 j + i is set if
 * triangle i of this leaf and triangle j of the other share no vertex. Bit 0 of this leaf's own entry is set
 * if some leaves did not fit.
 */
export const LeafLinks = /* @__PURE__ */ record({ steps: ['u32', 4], unrelated: ['u32', 4] });

/**
 * Vertex numbers of a leaf's triangles: all first vertices, then all second and all third ones; and the
 * triangles' numbers.
 */
export const LeafVertices = /* @__PURE__ */ record({
  first: ['u32', 4],
  second: ['u32', 4],
  third: ['u32', 4],
  id: ['u32', 4],
});

/**
 * What self-collision needs in addition to a mesh's tree; also the job of `weldVertices`, `listVertices`,
 * `linkLeaves`, `listChildren` and `fillBoxes`. numbersAt: one number per vertex, the lowest vertex with the
 * same coordinates; 0: each vertex has its own number. tableAt: 2^tableBits words, all NOTHING. startsAt,
 * entriesAt: the corners at each vertex: one start per vertex and one more, and one word per corner, 4 leaf +
 * lane. slotsAt: one word per leaf, the slot of its box (4 node + lane).
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
  /** LINKED_LEAVES: capacity of LeafLinks in leaves. LINKS_AT: their byte offset in a SelfBoxes record. */
  LINKED_LEAVES: 8,
  LINKS_AT: 96,
  /**
   * Child pairs of a node with itself as bits 4 j + i: those with i <= j, those with i < j, and the pairs of
   * a child with itself.
   */
  UPPER_TRIANGLE: 0xf731,
  STRICT_UPPER_TRIANGLE: 0x7310,
  DIAGONAL: 0x8421,
} as const;
