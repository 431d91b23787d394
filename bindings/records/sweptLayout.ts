// Records of meshes that move from one placement to the next, and of where their features meet.
import { SweepFeaturesJob } from './continuousLayout.js';
import { record } from './record.js';

/**
 * A mesh in motion. Points: a vertex's x, y, z at the start, then at the end, doubles. Faces: three vertex
 * numbers, then three numbers of edges (edge k from corner k to the next), each with OWN_BIT where this face
 * is the first that has it; NOTHING for an edge of one vertex. Edges: two vertex numbers, the smaller first.
 * Boxes: six floats a face, over the whole motion. The faces that own vertices and edges, NOTHING where none
 * does.
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
  /** A StartFace a face; 0 where there are none. */
  startsAt: 'u32',
});

/**
 * A face at the start in floats: its corners' x, y and z; four directions, and how far down and up it reaches
 * along each, with what rounding may add.
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
 * The job of `placeSwept`: slices are of vertices. From a mesh's positions and two placements, three rows of
 * four, 0 where there is none.
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
 * The job of `boundSwept`: slices are of vertices, edges or faces, of so many `corners`. Boxes are grown by
 * `margin` all around. atStart: 0 where a box holds its feature over the whole motion; else where faces'
 * StartFaces go, and boxes hold them at the start alone. origin, scale: coordinates of StartFaces are (p -
 * origin) scale, at most 1; a scale of 0 tells nothing apart.
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

/** Two features that may meet: addresses of their four points, what kind, their numbers and their faces'. */
export const FeaturePair = /* @__PURE__ */ record({
  points: ['u32', 4],
  kind: 'u32',
  a: 'u32',
  b: 'u32',
  faceA: 'u32',
  faceB: 'u32',
});

/**
 * No contact before toi; one, or a distance within the tolerance (verdict NEAR), lies in toi..toi + bound.
 * Then its FeaturePair, and of which pair of bodies it is.
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

/** What is asked of features: the options of their tests, and which contacts are wanted. */
export const SweepQuestion = /* @__PURE__ */ record({
  /** 1: both are of one mesh, whose features that share a vertex are no pair. */
  isSelf: 'u32',
  /** 1: only contacts of the least time are wanted; 1: those that are only near will be decided exactly. */
  isFirst: 'u32',
  isExact: 'u32',
  /** 1: `sweepBodies` also looks for faces that share a point at the start. */
  atStart: 'u32',
  /** The separation and what rounding may take away of it; 0 where it is 0. */
  margin: 'f64',
  /** SweepFeaturesJobs of a vertex and a face, of two edges: their options alone. */
  faceOptions: ['f64', SweepFeaturesJob.size / 8],
  edgeOptions: ['f64', SweepFeaturesJob.size / 8],
});

/**
 * A body that turns at constant speed about an axis through its origin, which moves straight. At time t a
 * point p of the mesh is at turn(axis, t angle) (from + t change) p, and what the origin has come to; change:
 * how far rounding has made the linear part at the end no turned one.
 */
export const TurningBody = /* @__PURE__ */ record({
  /** Placements at both ends: three rows of four. */
  from: ['f64', 12],
  to: ['f64', 12],
  /** Three rows of three. */
  change: ['f64', 9],
  axis: ['f64', 3],
  angle: 'f64',
  /**
   * How far a point may be from the chord of its whole way; what rounding may add to any place; greatest
   * |coordinate|; distance from the origin.
   */
  bend: 'f64',
  rounding: 'f64',
  extent: 'f64',
  reach: 'f64',
  /** About as long as an edge. */
  grain: 'f64',
  positionsAt: 'u32',
});

/**
 * Two bodies of which one turns at least: the step is cut into 2^coarse pieces, in which features that may
 * meet are looked for, and these in turn into up to 2^fine, in which points move along chords that are as
 * near to their ways as the tolerance wants them.
 */
export const Turning = /* @__PURE__ */ record({
  /** A SweepQuestion of a coarse piece; the options of a test in any. */
  question: ['f64', SweepQuestion.size / 8],
  options: ['f64', SweepFeaturesJob.size / 8],
  /** Placements of A at the piece's start, at its end, of B: three rows of four each. */
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
  /** A contact's time, of those wanted that are known so far. */
  earliest: 'f64',
  isFirst: 'u32',
});

/**
 * The job of `turnPair`: a Turning of two TurningBodies and a SweepQuestion, with the placements of one of
 * its coarse pieces.
 */
export const TurnPairJob = /* @__PURE__ */ record({
  questionAt: 'u32',
  bodyA: 'u32',
  bodyB: 'u32',
  piece: 'u32',
  turningAt: 'u32',
});

/**
 * The job of `sweepPairs`: pairs of features whose boxes meet, taken some at a time by whoever is free; slice
 * i fills list i. kind: what a and b are. bodyA, bodyB: TurningBodies, of whose step this is a coarse piece;
 * 0: points move straight.
 */
export const SweepPairsJob = /* @__PURE__ */ record({
  bodyA: 'u32',
  bodyB: 'u32',
  piece: 'u32',
  questionAt: 'u32',
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
 * A body of a scene that moves: its BodyRecord tells where it ends; where it was, three rows of four; its
 * mesh's sphere; its features.
 */
export const MovingBody = /* @__PURE__ */ record({
  from: ['f64', 12],
  center: ['f64', 3],
  radius: 'f64',
  facesAt: 'u32',
  edgesAt: 'u32',
});

/**
 * The job of `boundMoving`: six floats a body over its whole motion, grown by margin; slices are of bodies.
 */
export const BoundMovingJob = /* @__PURE__ */ record({
  bodiesAt: 'u32',
  movingAt: 'u32',
  bodyCount: 'u32',
  sliceCount: 'u32',
  boxesAt: 'u32',
  /** A TurningBody a body; 0: they move straight. */
  turningAt: 'u32',
  margin: 'f64',
});

/**
 * The job of `sweepBodies`: pairs of bodies whose boxes meet, taken some at a time by whoever is free; slice
 * i fills list i.
 */
export const SweepBodiesJob = /* @__PURE__ */ record({
  questionAt: 'u32',
  bodiesAt: 'u32',
  movingAt: 'u32',
  /** A TurningBody a body; 0: they move straight. */
  turningAt: 'u32',
  /**
   * A word a pair: 1 where so many faces reach each other, or floats hold so little of where they are, that
   * they are left to `sweepPairs`.
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
 * One worker's contacts: as many as there is room for are written, all are counted; and what finding them
 * took.
 */
export const ContactList = /* @__PURE__ */ record({
  contactsAt: 'u32',
  capacity: 'u32',
  candidatesAt: 'u32',
  candidateCount: 'u32',
  /** A query, its SweptFeatures, and SWEEP_SCRATCH_BYTES. */
  queryAt: 'u32',
  /** The pair of bodies that contacts are of. */
  pair: 'u32',
  /** A Turning of its own. */
  turningAt: 'u32',
  /**
   * Of `sweepBodies`: two SweptMeshes with room for the largest mesh, their faces in the other's reach, the
   * boxes of B's four by four, and nodes to be looked at.
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
  /** Whole cache lines: no worker writes to one that another reads. */
  spare: ['u32', 8],
});

/** Numbers that both sides agree on. */
export const sweptLimits = {
  /** Set in a face's vertex or edge: the face is the first that has it. */
  OWN_BIT: 0x80000000,
  /**
   * What meets: a vertex of A and a face of B, a face of A and a vertex of B, two edges; two faces that share
   * a point at the start.
   */
  VERTEX_FACE: 0,
  FACE_VERTEX: 1,
  EDGE_EDGE: 2,
  START: 3,
  /** Feature pairs that are kept until they are settled; pairs that a worker takes at a time. */
  FEATURE_PAIRS: 512,
  PAIRS_A_TURN: 4096,
  /**
   * Pairs of reached faces of two bodies that one worker tests, one by one: so many, and so many for each
   * face of both meshes.
   */
  LEAST_LARGE: 1 << 20,
  LARGE_SHARE: 64,
} as const;
