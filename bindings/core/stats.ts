// Counters of a finished run -> what users see of it.

/** What one list of a front cost; list i ran on thread i while there were as many threads as lists. */
export interface ThreadStats {
  /** Pairs of boxes tested; a step of 4 x 4 counts 16. */
  boxTests: number;
  /** Leaf pairs whose boxes met: up to 16 triangle pairs each. */
  leafPairs: number;
  /** Triangle pairs whose boxes met and that were tested. */
  triangleTests: number;
  /** Of these, the ones the float filter left to doubles and expansions. */
  exactTests: number;
  /** Pairs found. */
  pairs: number;
  /** Time that the list took its thread; 0 where there were more lists than threads. */
  milliseconds: number;
}

/** What a query cost, and how its work was dealt. Counters are the same on every machine, times are not. */
export interface QueryStats {
  /** An entry a list of the partition. */
  threads: ThreadStats[];
  /** Nodes of the starting front, N_s of Zhang and Kim, section 5.3. */
  startingFrontNodes: number;
  /** Nodes of the front that was dealt, N_p. */
  frontNodes: number;
  /** Greatest over mean cost of the lists, in box tests + k leaf pairs. 1 is perfect. */
  imbalance: number;
  /**
   * Threads worth using next time: no more than the work pays for, and eq. 6 where a front was dealt (parts >
   * 1).
   */
  threadsWorthwhile: number;
  /** Of the run: fronts, traversal and write-back, without sorting. */
  milliseconds: number;
  /** Bytes of starting fronts, front, cost tree and orders (N_s + N_p). */
  frontBytes: number;
  /** Bytes of engine memory that are in use, all together. */
  bytes: number;
  /** Predicted-cost basis: last run's costs ('on') or overlap volumes ('off'). */
  coherence: 'on' | 'off';
  /**
   * Of pairs of meshes with spheres, by level: of the two nodes' that which is farther down, the root's
   * children first. Without such meshes missing.
   */
  spheres?: SphereTests[];
}

/**
 * How pairs of nodes with spheres were told apart, or not. All five together are the pairs tested,
 * `boxTests`.
 */
export interface SphereTests {
  /** Their spheres are apart: no other test. */
  apart: number;
  /** Their spheres meet, and both keep them: no other test. */
  spheres: number;
  /** Their spheres meet, and both use their boxes in a second test. */
  boxBox: number;
  /** The box of A's node and the sphere of B's. */
  boxSphere: number;
  /** The sphere of A's node and the box of B's. */
  sphereBox: number;
}

/**
 * Steps of finding box pairs. Of all methods: 'survey' (copy in, check, bounds and sizes), 'search' (tests
 * within the places) and 'join' (one list, sorted where asked). Between survey and search: 'distribute'
 * (boxes to slabs or cells), or 'codes', 'sort' and 'gather' (octal codes, sorted, with their boxes; of a
 * tree codes sorted, then leaves and hulls). Of a broad phase 'join' is also what began and ended; in which
 * few boxes moved: 'keep' (the others' pairs, who is near). Of 'sap-persistent': 'sort' (its endpoints), and
 * 'join' (events merged into the pairs).
 */
export type BoxPairsStage =
  | 'survey'
  | 'distribute'
  | 'codes'
  | 'sort'
  | 'gather'
  | 'search'
  | 'join'
  | 'keep';

/** What finding box pairs cost. */
export interface BoxPairsStats {
  /** The method that ran. */
  method: 'sap' | 'cells' | 'octree' | 'tree' | 'sap-persistent';
  /** Why, where it was left to the engine. */
  reason: string;
  /** Pairs of boxes that were tested. */
  tests: number;
  /**
   * Places that boxes were dealt to and tested in: columns of slabs or cells, octants, or lists of endpoints;
   * a box may be in several.
   */
  places: number;
  /** Of 'sap-persistent': endpoints that passed one another. */
  swaps?: number;
  /**
   * Of a broad phase by 'octree': octants that were out of order, taken out or put in; all of them where they
   * were listed anew.
   */
  changed?: number;
  /** Of the whole call. */
  milliseconds: number;
  /**
   * Milliseconds of each step that was taken, in order; steps that ran several times, as for chunks, are
   * added up.
   */
  stages: Partial<Record<BoxPairsStage, number>>;
}

/**
 * Steps of a sweep: vertices are placed, features or bodies get their boxes, pairs of bodies or of features
 * are found, features are tested, contacts are collected.
 */
export type SweepStage = 'place' | 'bound' | 'bodies' | 'pairs' | 'features' | 'collect';

/** What a sweep cost. */
export interface SweepStats {
  /**
   * Of a scene: pairs of faces whose boxes meet on the way. Of meshes, whose vertices, edges and faces are
   * paired by boxes of their own, 0.
   */
  facePairs: number;
  /** Pairs of features whose boxes meet on the way: all of them were tested. */
  featurePairs: number;
  /** Those of them that the filter could not tell to be apart. */
  searchedPairs: number;
  /** Directions that were looked along for their first contacts. */
  directions: number;
  /** All of it. */
  milliseconds: number;
  /** Milliseconds of each step. */
  stages: Partial<Record<SweepStage, number>>;
}

/** What a frame of a scene cost. */
export interface SceneStats {
  /** Slots of bodies. */
  bodies: number;
  /** Pairs whose boxes overlap. */
  boxPairs: number;
  /** Those of them that may touch, by groups and oriented boxes. */
  candidates: number;
  /** Those of them that had to be asked, since a body of theirs moved. */
  asked: number;
  /** What asking those cost, an entry a call: one, or none; more where 'counts' went in pieces. */
  queries: QueryStats[];
  /** Bytes of costs that are kept for the next frame, pair by pair. */
  keptBytes: number;
  /** What finding the pairs of boxes cost. */
  broadPhase: BoxPairsStats;
  /** Milliseconds of each part of the frame. */
  milliseconds: {
    /** Boxes placed, and their pairs. */
    broad: number;
    /** Groups, masks and oriented boxes; what the last frame knows. */
    choose: number;
    /** Surfaces asked, and contacts compared. */
    narrow: number;
  };
}
