// Layouts of the records for contact manifolds: the regions in which two bodies touch, with contact points.
import { record } from './record.js';

/**
 * The job of `findManifolds`. Entry i of pairsAt, swappedAt and startsAt belongs to placed pair i. The triangle
 * pairs of each placed pair are sorted by the triangle of the first body, then by the triangle of the second
 * body.
 */
export const ManifoldJob = /* @__PURE__ */ record({
  /** pairsAt: PairRecords. swappedAt: one byte each, 1 if the record has the two meshes in reverse order. */
  pairsAt: 'u32',
  swappedAt: 'u32',
  /** Index of the first triangle pair of each placed pair; a last entry holds the number of triangle pairs. */
  startsAt: 'u32',
  /** The two triangles of each triangle pair. */
  aAt: 'u32',
  bAt: 'u32',
  /** One ManifoldSlice per slice. */
  slicesAt: 'u32',
});

/**
 * A slice of `findManifolds`: the numbers of the placed pairs that it processes, from `begin` to end - 1, its
 * output, and its working memory.
 */
export const ManifoldSlice = /* @__PURE__ */ record({
  begin: 'u32',
  end: 'u32',
  /** Output: Manifold records. The count includes manifolds that did not fit. */
  manifoldsAt: 'u32',
  capacity: 'u32',
  count: 'u32',
  /**
   * One TriangleContact per triangle pair of a placed pair. There is room for the placed pair of this slice
   * that has the most triangle pairs.
   */
  contactsAt: 'u32',
  /** 2 * MAX_CANDIDATES ContactCandidates for each TriangleContact. */
  candidatesAt: 'u32',
  /**
   * One word per triangle of the largest second mesh: the last contact in the triangle's list (see
   * TriangleContact.previousOfB), or NOTHING. Every entry is NOTHING before and after a placed pair is
   * processed.
   */
  lastOfBAt: 'u32',
  /** CLIP_BYTES of working memory. */
  clipAt: 'u32',
  /** The present placed pair: its triangle pairs, MeshRecords and placements (0 for the identity). */
  aAt: 'u32',
  bAt: 'u32',
  meshA: 'u32',
  meshB: 'u32',
  placementA: 'u32',
  placementB: 'u32',
  /** 1, or -1 if the placement mirrors the mesh. */
  signA: 'f64',
  signB: 'f64',
});

/** The contact of two triangles, while the manifolds of a placed pair are computed. */
export const TriangleContact = /* @__PURE__ */ record({
  normal: ['f64', 3],
  /**
   * For the root of a manifold: the normal of its first contact, which is compared with those of other
   * manifolds.
   */
  axis: ['f64', 3],
  /** The greatest depth of its candidates. */
  depth: 'f64',
  /** Bound for rounding errors of its candidates. */
  tolerance: 'f64',
  /**
   * For the root of a manifold. manifoldDepth: the greatest depth of its contacts. manifoldSize: their number.
   * keptCount: how many of them were neither dropped nor moved to another manifold. resolver: NOTHING, or a
   * contact whose manifold resolves one of these contacts (see dropResolved in findManifolds.ts).
   */
  manifoldDepth: 'f64',
  manifoldSize: 'u32',
  keptCount: 'u32',
  resolver: 'u32',
  /**
   * The candidates of the contact: the number of the first one, and their count. A contact that was dropped has
   * none.
   */
  firstCandidate: 'u32',
  candidateCount: 'u32',
  /** 1 if both triangles face the same way. */
  isAligned: 'u32',
  /** Number of an earlier contact of the same manifold, or its own number if there is none. */
  root: 'u32',
  /** Number of the next contact of the same manifold, or NOTHING. */
  next: 'u32',
  /**
   * For the root of a manifold: the numbers of its first and last contacts in the list that `next` connects.
   */
  first: 'u32',
  last: 'u32',
  /** Number of the root of the manifold to which the contact was moved, or NOTHING. */
  assigned: 'u32',
  /** For the first contact of a triangle of A: the last contact of the list that previousOfA connects. */
  lastOfA: 'u32',
  /**
   * The previous contact in each of two lists. The list of previousOfA has one contact of each manifold that
   * contains the triangle of A. The list of previousOfB has one contact of each manifold that contains the
   * triangle of B. NOTHING ends a list.
   */
  previousOfA: 'u32',
  previousOfB: 'u32',
});

/** A possible contact point. */
export const ContactCandidate = /* @__PURE__ */ record({
  point: ['f64', 3],
  depth: 'f64',
  /**
   * name: which corner of which polygon the point is (see assembly/manifolds). contact: the number of the
   * contact to which the candidate belongs.
   */
  name: 'u32',
  contact: 'u32',
});

/** A manifold of placed pair number `pair`, with `count` points. */
export const Manifold = /* @__PURE__ */ record({
  normal: ['f64', 3],
  points: ['f64', 12],
  depths: ['f64', 4],
  features: ['u32', 4],
  pair: 'u32',
  count: 'u32',
});

/** Constants that are shared by TypeScript and the kernels. */
export const manifoldLimits = {
  /** A triangle that is clipped by three planes has at most six corners. */
  MAX_CANDIDATES: 6,
  /** Bytes of working memory for the corners, normals and clipped polygons of two triangles. */
  CLIP_BYTES: 2048,
} as const;
