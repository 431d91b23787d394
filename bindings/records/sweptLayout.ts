// Layouts of the records of meshes that move from one placement to the next, and of the contacts of their
// features.
import { SweepFeaturesJob } from './continuousLayout.js';
import { record } from './record.js';

/**
 * A mesh in motion. pointsAt: x, y, z of each vertex at the start, then at the end, in doubles. facesAt:
 * three vertex numbers, then three edge numbers (edge k from corner k to the next), each with OWN_BIT if this
 * face is the first one with it; NOTHING for an edge whose vertices are the same. edgesAt: two vertex
 * numbers, the smaller first. boxesAt: six floats per face, over the whole motion. vertexFacesAt,
 * edgeFacesAt: the faces that own vertices and edges, NOTHING if there is none.
 */
export const SweptMesh = /* @__PURE__ */ record({
  pointsAt: 'u32',
  vertexCount: 'u32',
  facesAt: 'u32',
  faceCount: 'u32',
  edgesAt: 'u32',
  edgeCount: 'u32',
  boxesAt: 'u32',
  vertexFacesAt: 'u32',
  edgeFacesAt: 'u32',
  /** One StartFace per face; 0 if there are none. */
  startsAt: 'u32',
});

/**
 * A face at the start, in floats: x, y and z of its corners; four directions, and its minimum and maximum
 * along each, widened by the rounding error.
 */
export const StartFace = /* @__PURE__ */ record({
  x: ['f32', 4],
  y: ['f32', 4],
  z: ['f32', 4],
  axes: ['f32', 12],
  low: ['f32', 4],
  high: ['f32', 4],
});

/**
 * The job of `placeSwept`: computes the points of a mesh from its positions and two placements (three rows of
 * four; 0: identity). Slices are ranges of vertices.
 */
export const PlaceSweptJob = /* @__PURE__ */ record({
  sweptAt: 'u32',
  positionsAt: 'u32',
  isPlaced: 'u32',
  sliceCount: 'u32',
  from: ['f64', 12],
  to: ['f64', 12],
});

/**
 * The job of `boundSwept`: computes boxes of vertices, edges or faces, which have `corners` corners. Slices
 * are ranges of them. Boxes are enlarged by `margin` on all sides. atStart: 0 if a box contains its feature
 * over the whole motion; else the address of the faces' StartFaces, and boxes contain the faces at the start
 * only. origin, scale: coordinates of StartFaces are (p - origin) * scale, at most 1; with a scale of 0 they
 * separate nothing.
 */
export const BoundSweptJob = /* @__PURE__ */ record({
  sweptAt: 'u32',
  corners: 'u32',
  boxesAt: 'u32',
  sliceCount: 'u32',
  atStart: 'u32',
  margin: 'f64',
  scale: 'f64',
  origin: ['f64', 3],
});

/**
 * Two features that may touch: addresses of their four points, the kind, their numbers and those of their
 * faces.
 */
export const FeaturePair = /* @__PURE__ */ record({
  points: ['u32', 4],
  kind: 'u32',
  a: 'u32',
  b: 'u32',
  faceA: 'u32',
  faceB: 'u32',
});

/**
 * A contact. There is none before toi; a contact, or a distance within the tolerance (verdict NEAR), lies in
 * toi..toi + bound. points to faceB: the fields of its FeaturePair. pair: the number of its pair of bodies.
 */
export const Contact = /* @__PURE__ */ record({
  toi: 'f64',
  bound: 'f64',
  verdict: 'u32',
  points: ['u32', 4],
  kind: 'u32',
  a: 'u32',
  b: 'u32',
  faceA: 'u32',
  faceB: 'u32',
  pair: 'u32',
});

/** Options of the tests of features, and which contacts are wanted. */
export const SweepQuery = /* @__PURE__ */ record({
  /** 1: both features belong to one mesh. Features that share a vertex are not a pair. */
  isSelf: 'u32',
  /**
   * isFirst: 1: only the earliest contacts are wanted. isExact: 1: contacts that are only near will be
   * decided exactly.
   */
  isFirst: 'u32',
  isExact: 'u32',
  /** 1: `sweepBodies` also reports faces that intersect at the start. */
  atStart: 'u32',
  /** The minimum separation, enlarged by the rounding error; 0 if it is 0. */
  margin: 'f64',
  /** SweepFeaturesJobs for a vertex and a face, and for two edges: only their options. */
  faceOptions: ['f64', SweepFeaturesJob.size / 8],
  edgeOptions: ['f64', SweepFeaturesJob.size / 8],
});

/**
 * A body that rotates at constant speed about an axis through its origin, which moves linearly. At time t,
 * point p of the mesh is at rotation(axis, t angle) (from + t change) p plus the origin at time t. change:
 * how far the linear part at the end is from a rotation of that at the start, because of rounding.
 */
export const RotatingBody = /* @__PURE__ */ record({
  /** Placements at both ends: three rows of four. */
  from: ['f64', 12],
  to: ['f64', 12],
  /** Three rows of three. */
  change: ['f64', 9],
  axis: ['f64', 3],
  angle: 'f64',
  /**
   * bend: maximum distance of a point from the chord of its whole path. rounding: rounding error of a
   * position. extent: maximum |coordinate|. reach: maximum distance from the origin.
   */
  bend: 'f64',
  rounding: 'f64',
  extent: 'f64',
  reach: 'f64',
  /** Estimated length of an edge of the mesh. */
  edgeLength: 'f64',
  positionsAt: 'u32',
});

/**
 * Two bodies, at least one of which rotates. The step is divided into 2^coarse pieces, in which candidate
 * pairs of features are found. These are divided into up to 2^fine pieces, in which points move along chords
 * that are within the tolerance of their paths.
 */
export const RotationPlan = /* @__PURE__ */ record({
  /** sweepQuery: a SweepQuery for a coarse piece. options: of a test in any piece. */
  sweepQuery: ['f64', SweepQuery.size / 8],
  options: ['f64', SweepFeaturesJob.size / 8],
  /** Placements of A at the piece's start and at its end, then of B: three rows of four each. */
  rows: ['f64', 48],
  bodyA: 'u32',
  bodyB: 'u32',
  coarse: 'u32',
  fine: 'u32',
  piece: 'u32',
  /** Sums over both bodies. */
  bend: 'f64',
  rounding: 'f64',
  separation: 'f64',
  tolerance: 'f64',
  resolution: 'f64',
  /** The earliest known time of the requested contacts. */
  earliest: 'f64',
  isFirst: 'u32',
});

/**
 * The job of `planRotation`: writes the RotationPlan of two RotatingBody records and a SweepQuery, with the
 * placements of one of its coarse pieces.
 */
export const PlanRotationJob = /* @__PURE__ */ record({
  sweepQueryAt: 'u32',
  bodyA: 'u32',
  bodyB: 'u32',
  piece: 'u32',
  rotatingAt: 'u32',
});

/**
 * The job of `sweepPairs`: pairs of features whose boxes overlap; threads take some at a time, and slice i
 * fills list i. kind: kinds of a and b. bodyA, bodyB: two RotatingBody records, if this is a coarse piece of
 * their step; 0 if points move linearly.
 */
export const SweepPairsJob = /* @__PURE__ */ record({
  bodyA: 'u32',
  bodyB: 'u32',
  piece: 'u32',
  sweepQueryAt: 'u32',
  kind: 'u32',
  sweptA: 'u32',
  sweptB: 'u32',
  pairsAAt: 'u32',
  pairsBAt: 'u32',
  pairCount: 'u32',
  cursor: 'u32',
  listsAt: 'u32',
});

/**
 * A moving body of a scene. from: its placement at the start, three rows of four. Its placement at the end is
 * in its BodyRecord. center, radius: bounding sphere of its mesh. facesAt, edgesAt: its features.
 */
export const MovingBody = /* @__PURE__ */ record({
  from: ['f64', 12],
  center: ['f64', 3],
  radius: 'f64',
  facesAt: 'u32',
  edgesAt: 'u32',
});

/**
 * The job of `boundMoving`: writes six floats per body, its box over the whole motion, enlarged by margin.
 * Slices are ranges of bodies.
 */
export const BoundMovingJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  movingAt: 'u32',
  bodyCount: 'u32',
  sliceCount: 'u32',
  boxesAt: 'u32',
  /** One RotatingBody per body; 0: they move linearly. */
  rotatingAt: 'u32',
  margin: 'f64',
});

/**
 * The job of `sweepBodies`: pairs of bodies whose boxes overlap; threads take some at a time, and slice i
 * fills list i.
 */
export const SweepBodiesJob = /* @__PURE__ */ record({
  sweepQueryAt: 'u32',
  bodiesAt: 'u32',
  movingAt: 'u32',
  /** One RotatingBody per body; 0: they move linearly. */
  rotatingAt: 'u32',
  /**
   * One word per pair: 1 if it is left to `sweepPairs`, because too many faces are near each other, or
   * because floats are too inaccurate for their positions.
   */
  largeAt: 'u32',
  boxesAt: 'u32',
  pairsAAt: 'u32',
  pairsBAt: 'u32',
  pairCount: 'u32',
  cursor: 'u32',
  listsAt: 'u32',
});

/**
 * One worker's contacts, and counters of its work. Contacts beyond the capacity are counted but not written.
 */
export const ContactList = /* @__PURE__ */ record({
  contactsAt: 'u32',
  capacity: 'u32',
  candidatesAt: 'u32',
  candidateCount: 'u32',
  /** A query, its SweptFeatures, and SWEEP_SCRATCH_BYTES. */
  queryAt: 'u32',
  /** The pair of bodies of the contacts. */
  pair: 'u32',
  /** A RotationPlan of its own. */
  rotatingAt: 'u32',
  /**
   * Scratch of `sweepBodies`: two SweptMesh records with the capacity of the largest mesh, the faces of each
   * that are near the other, the boxes of B's faces four by four, and a stack of nodes.
   */
  bodiesAt: 'u32',
  pointsBytes: 'u32',
  boxesBytes: 'u32',
  facesBytes: 'u32',
  found: 'f64',
  facePairs: 'f64',
  featureTests: 'f64',
  searches: 'f64',
  moments: 'f64',
  earliest: 'f64',
  /** Padding to whole cache lines: no worker writes to a line that another reads. */
  spare: ['u32', 8],
});

/** Constants that are shared by TypeScript and the kernels. */
export const sweptLimits = {
  /** Set in a face's vertex or edge number: the face is the first one with it. */
  OWN_BIT: 0x80000000,
  /**
   * Kinds of contact: a vertex of A and a face of B, a face of A and a vertex of B, two edges, two faces that
   * intersect at the start.
   */
  VERTEX_FACE: 0,
  FACE_VERTEX: 1,
  EDGE_EDGE: 2,
  START: 3,
  /**
   * FEATURE_PAIRS: feature pairs that are collected before they are tested. PAIR_CHUNK: pairs that a worker
   * takes at a time.
   */
  FEATURE_PAIRS: 512,
  PAIR_CHUNK: 4096,
  /**
   * One worker tests the face pairs of two bodies one by one up to a maximum number: MIN_LARGE, plus
   * LARGE_FACTOR for each face of both meshes.
   */
  MIN_LARGE: 1 << 20,
  LARGE_FACTOR: 64,
} as const;
