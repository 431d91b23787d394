// Layouts of the records of continuous collision detection: meshes that move from one placement to another,
// and the contacts of their features (vertices, edges and faces).
import { SweepFeaturesJob } from './continuousLayout.js';
import { record } from './record.js';

/**
 * A mesh in motion. pointsAt: x, y, z of each vertex at the start, then at the end, in doubles. facesAt: for
 * each face three vertex numbers, then three edge numbers; edge k runs from corner k to the next corner.
 * The first face that has a vertex or edge owns it. OWN_BIT is set in a vertex or edge number of a face if
 * the face owns that vertex or edge. An edge whose vertices are the same has the number NOTHING. edgesAt: for
 * each edge two vertex numbers, the smaller one first. boxesAt: for each face six floats, its box over the
 * whole motion. vertexFacesAt: for each vertex, the face that owns it; NOTHING if no face uses the vertex.
 * edgeFacesAt: for each edge, the face that owns it.
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
  /** Address of one StartFace per face; 0 if there are no StartFaces. */
  startsAt: 'u32',
});

/**
 * A face at the start of the motion, in floats. Two faces are proven not to intersect at the start if one of
 * the four directions of either face separates them. x, y, z: the coordinates of the three corners, in lanes
 * 0 to 2. Lane 3 of x, y and z holds the face's first, second and third vertex number. axes: the four
 * directions. low, high: minimum and maximum of the face along each direction, widened by the rounding error.
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
 * The job of `placeSwept`: computes the points of a SweptMesh from the positions of the mesh and two
 * placements, from and to (three rows of four). If isPlaced is 0, the positions are used as they are. Slices
 * are ranges of vertices.
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
 * The job of `boundSwept`: computes the boxes of the vertices (corners is 1), edges (2) or faces (3) of a
 * SweptMesh. Slices are ranges of these features. If atStart is 0, a box contains its feature over the whole
 * motion, enlarged by `margin` on all sides. Otherwise the box of a face contains the face at the start only,
 * and the StartFaces of all faces are written to the address atStart. origin, scale: the coordinates in
 * StartFaces are (p - origin) * scale, with a magnitude of at most 1. If scale is 0, the test with StartFaces
 * never separates two faces.
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
 * Two features that may touch. points: addresses of the four vertices of both features. kind: see
 * sweptLimits. a, b: numbers of the features. faceA: number of a face that contains feature a. faceB: number
 * of a face that contains feature b.
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
 * The first contact of two features. Before time toi, the features do not touch. From toi to toi + bound,
 * there is a time at which they touch, unless the verdict is NEAR: then toi and bound are as in
 * SweptFeatures. points, kind, a, b, faceA, faceB: as in FeaturePair. pair: number of the pair of bodies.
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

/** Options for testing pairs of features. They also say which contacts are wanted. */
export const SweepQuery = /* @__PURE__ */ record({
  /** 1: both features belong to one mesh. Features that share a vertex are not a pair. */
  isSelf: 'u32',
  /**
   * isFirst: 1 if only the earliest contacts are wanted. isExact: 1 if the verdict NEAR is not final: the
   * caller will decide by an exact test whether such features touch.
   */
  isFirst: 'u32',
  isExact: 'u32',
  /** 1: `sweepBodies` also reports faces that intersect at the start. */
  atStart: 'u32',
  /** The minimum separation, enlarged by the rounding error; 0 if the minimum separation is 0. */
  margin: 'f64',
  /** faceOptions: a SweepFeaturesJob with the options for a vertex and a face. edgeOptions: for two edges. */
  faceOptions: ['f64', SweepFeaturesJob.size / 8],
  edgeOptions: ['f64', SweepFeaturesJob.size / 8],
});

/**
 * A body that rotates at constant speed about an axis through its origin, while the origin moves linearly. At
 * time t, point p of the mesh is at R * (L + t * change) * p + o. R: rotation by t * angle about axis. L:
 * linear part of `from`. o: position of the body's origin at time t. change: a matrix that is 0 except for
 * rounding. This matrix corrects L so that, at the end, the rotation yields exactly the linear part of `to`.
 */
export const RotatingBody = /* @__PURE__ */ record({
  /** Placements at both ends: three rows of four. */
  from: ['f64', 12],
  to: ['f64', 12],
  /** change: three rows of three. axis: unit vector. angle: in radians, over the whole step. */
  change: ['f64', 9],
  axis: ['f64', 3],
  angle: 'f64',
  /**
   * bend: maximum distance of a point from the chord of its whole path. rounding: rounding error of a
   * position. extent: maximum |coordinate|. reach: maximum distance of a point from the body's origin.
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
 * Two bodies, at least one of which rotates. The step is divided into coarse substeps, in which candidate pairs
 * of features are found. The contacts of these pairs are refined in smaller substeps, down to fine
 * substeps. coarse, fine: the step has 2^coarse substeps of the coarse size, or 2^fine of the fine size. In a
 * fine substep, points move along chords that are within the tolerance of their true paths.
 */
export const RotationPlan = /* @__PURE__ */ record({
  /** sweepQuery: a SweepQuery for a coarse substep. options: options of a test in a substep of any size. */
  sweepQuery: ['f64', SweepQuery.size / 8],
  options: ['f64', SweepFeaturesJob.size / 8],
  /**
   * Placements of A at the substep's start and at its end, then of B: three rows of four each. If no body
   * rotates, `sweepBodies` uses only this field of the plan, with the placements at the start and at the end of
   * the whole step.
   */
  rows: ['f64', 48],
  bodyA: 'u32',
  bodyB: 'u32',
  coarse: 'u32',
  fine: 'u32',
  substep: 'u32',
  /** bend, rounding: sums over both bodies. */
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
 * The job of `planRotation`: writes a RotationPlan to the address rotatingAt. Its inputs are two RotatingBody
 * records and a SweepQuery. The plan gets the placements at the start and at the end of the coarse substep with
 * number `substep`.
 */
export const PlanRotationJob = /* @__PURE__ */ record({
  sweepQueryAt: 'u32',
  bodyA: 'u32',
  bodyB: 'u32',
  substep: 'u32',
  rotatingAt: 'u32',
});

/**
 * The job of `sweepPairs`: tests pairs of features whose boxes overlap. Threads take PAIR_CHUNK pairs at a
 * time, and slice i writes its contacts to list i. kind: the kind of all pairs (see sweptLimits). bodyA,
 * bodyB: addresses of two RotatingBody records if the pairs belong to a coarse substep of a rotation; 0 if
 * points move linearly.
 */
export const SweepPairsJob = /* @__PURE__ */ record({
  bodyA: 'u32',
  bodyB: 'u32',
  substep: 'u32',
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
 * in its BodyRecord. center, radius: bounding sphere of its mesh. facesAt, edgesAt: its faces and edges, as
 * in SweptMesh.
 */
export const MovingBody = /* @__PURE__ */ record({
  from: ['f64', 12],
  center: ['f64', 3],
  radius: 'f64',
  facesAt: 'u32',
  edgesAt: 'u32',
});

/**
 * The job of `boundMoving`: writes the box of each body over the whole motion, enlarged by margin: six
 * floats. Slices are ranges of bodies.
 */
export const BoundMovingJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  movingAt: 'u32',
  bodyCount: 'u32',
  sliceCount: 'u32',
  boxesAt: 'u32',
  /** Address of one RotatingBody per body; 0 if the bodies move linearly. */
  rotatingAt: 'u32',
  margin: 'f64',
});

/**
 * The job of `sweepBodies`: finds the contacts of pairs of bodies whose boxes overlap. Threads take one pair
 * at a time, and slice i writes its contacts to list i.
 */
export const SweepBodiesJob = /* @__PURE__ */ record({
  sweepQueryAt: 'u32',
  bodiesAt: 'u32',
  movingAt: 'u32',
  /** Address of one RotatingBody per body; 0 if the bodies move linearly. */
  rotatingAt: 'u32',
  /**
   * One word per pair: 1 if the pair is left to `sweepPairs`, because all contacts are wanted and too many
   * faces are near each other, or because coordinates are too large for floats, or because the exact test
   * cannot decide whether faces intersect at the start.
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
  /**
   * Scratch for one test of two features: the 24 f64 of a query, its SweptFeatures record, then
   * SWEEP_SCRATCH_BYTES bytes of working memory.
   */
  queryAt: 'u32',
  /** Number of the pair of bodies that the worker is processing. */
  pair: 'u32',
  /** Address of a RotationPlan that only this worker uses. */
  rotatingAt: 'u32',
  /**
   * Scratch of `sweepBodies`: two SweptMesh records with the capacity of the largest mesh, a list of the
   * faces of each mesh that are near the other mesh, the boxes of B's faces in groups of four, and a
   * TreeDescent or a stack of nodes.
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

/** The working memory of `descendTrees`, followed by a stack of pairs of nodes or leaves. */
export const TreeDescent = /* @__PURE__ */ record({
  /** Placements of A at the start and at the end, then of B: three rows of four each. */
  placements: ['f64', 48],
  /**
   * Placements of the trees of A and B in floats, at the start and at the end: see assembly/ccd/placedTree.ts.
   */
  treeA: ['f32', 48],
  treeB: ['f32', 48],
  /** Bounds of four moving boxes of A and of B. */
  boxesA: ['f32', 48],
  boxesB: ['f32', 48],
  /** The times at which the boxes of each pair begin to overlap. */
  times: ['f32', 16],
  /** A box of six floats. Coordinates of the trees are relative to its center. */
  region: ['f32', 8],
  /** Addresses of the MeshRecords. */
  meshA: 'u32',
  meshB: 'u32',
  /** The first pair of faces that is known to intersect at the start; startA is NOTHING if there is none. */
  startA: 'u32',
  startB: 'u32',
  /**
   * The smallest number of a face of A that is known to have, at time 0, a contact of a kind other than
   * START; NOTHING if there is none.
   */
  firstA: 'u32',
  /** 1 if only proven contacts count for firstA: undecided ones are decided later. */
  isExact: 'u32',
  /** Boxes count as overlapping if their gap is at most this. */
  reach: 'f32',
  spare: 'u32',
});

/** Constants that are shared by TypeScript and the kernels. */
export const sweptLimits = {
  /** Set in a face's vertex or edge number if the face is the first one that has this vertex or edge. */
  OWN_BIT: 0x80000000,
  /**
   * Kinds of contact. VERTEX_FACE: a vertex of A and a face of B. FACE_VERTEX: a face of A and a vertex of B.
   * EDGE_EDGE: two edges. START: two faces that intersect at the start.
   */
  VERTEX_FACE: 0,
  FACE_VERTEX: 1,
  EDGE_EDGE: 2,
  START: 3,
  /**
   * FEATURE_PAIRS: number of feature pairs that are collected before they are tested. PAIR_CHUNK: number of
   * pairs that a worker takes at a time.
   */
  FEATURE_PAIRS: 512,
  PAIR_CHUNK: 4096,
  /**
   * If all contacts are wanted, `sweepBodies` leaves a pair of bodies to `sweepPairs` if the number of its
   * candidate face pairs exceeds MIN_LARGE + LARGE_FACTOR * (number of faces of both meshes). Candidates are
   * all pairs of a face of A that is near B and a face of B that is near A.
   */
  MIN_LARGE: 1 << 20,
  LARGE_FACTOR: 64,
} as const;
