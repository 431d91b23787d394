// Statistics of finished runs, as users see them.

/** Statistics of one work list. List i ran on thread i if there were at least as many threads as lists. */
export interface ThreadStats {
  /** Pairs of boxes tested; a step of 4 x 4 counts as 16. */
  boxTests: number;
  /** Leaf pairs whose boxes overlap: up to 16 triangle pairs each. */
  leafPairs: number;
  /** Triangle pairs whose boxes overlap and that were tested. */
  triangleTests: number;
  /** Number of these pairs that the float filter could not decide, so that doubles or expansions decided them. */
  exactTests: number;
  /** Number of pairs found. */
  pairs: number;
  /** Time that the thread took for the list, in milliseconds; 0 if there were more lists than threads. */
  milliseconds: number;
}

/**
 * Statistics of a query and of the distribution of its work. Counters are the same on every machine; times
 * are not.
 */
export interface QueryStats {
  /** One entry per work list. */
  threads: ThreadStats[];
  /** Number of nodes of the starting front, N_s of Zhang and Kim, section 5.3. */
  startingFrontNodes: number;
  /** Number of nodes of the front that was distributed, N_p. */
  frontNodes: number;
  /** Maximum over mean cost of the lists, in box tests + k leaf pairs. 1 is perfect balance. */
  imbalance: number;
  /**
   * Number of threads with which the next query would run fastest: limited by the amount of work and, if a
   * front was distributed (parts > 1), by eq. 6.
   */
  threadsWorthwhile: number;
  /** Milliseconds of the run: fronts, traversal and write-back, without sorting. */
  milliseconds: number;
  /** Bytes of starting fronts, front, cost tree and orders (N_s + N_p). */
  frontBytes: number;
  /** Bytes of engine memory in use, in total. */
  bytes: number;
  /** What costs were predicted from: the last run's costs ('on') or overlap volumes ('off'). */
  coherence: 'on' | 'off';
  /**
   * For pairs of meshes with spheres: statistics for each level, starting with the root's children. The level
   * of a pair of nodes is that of its deeper node. Missing for other meshes.
   */
  spheres?: SphereTests[];
}

/** How pairs of nodes with spheres were tested. The five counters add up to the pairs tested, `boxTests`. */
export interface SphereTests {
  /** The spheres are disjoint: no other test. */
  apart: number;
  /** The spheres overlap, and both nodes use only spheres: no other test. */
  spheres: number;
  /** The spheres overlap, and both nodes use their boxes in a second test. */
  boxBox: number;
  /** The box of A's node is tested against the sphere of B's. */
  boxSphere: number;
  /** The sphere of A's node is tested against the box of B's. */
  sphereBox: number;
}

/**
 * Stages of finding box pairs. All methods: 'statistics' (copy in, check, bounds and sizes), 'search' (box
 * tests) and 'join' (gather into one list, sorted on request). Between statistics and search: 'distribute'
 * (boxes to slabs or cells), or 'codes', 'sort' and 'gather' (octree: octal codes, sorted, with their boxes;
 * tree: codes, sorted, then leaves and node bounds). In a broad phase 'join' includes computing what began
 * and ended; if few boxes moved there is 'keep' (pairs of the other boxes, and which boxes are near).
 * 'sap-persistent': 'sort' (its endpoints), and 'join' (events merged into the pairs).
 */
export type BoxPairsStage =
  | 'statistics'
  | 'distribute'
  | 'codes'
  | 'sort'
  | 'gather'
  | 'search'
  | 'join'
  | 'keep';

/** Statistics of finding box pairs. */
export interface BoxPairsStats {
  /** The method that ran. */
  method: 'sap' | 'cells' | 'octree' | 'tree' | 'sap-persistent';
  /** The reason for this method, if the engine chose it. */
  reason: string;
  /** Number of pairs of boxes tested. */
  tests: number;
  /**
   * Number of entries in all places (columns of slabs or cells, octants, or lists of endpoints) to which
   * boxes were distributed. A box may have an entry in several places.
   */
  places: number;
  /** 'sap-persistent': number of endpoints that passed each other. */
  swaps?: number;
  /**
   * 'octree' in a broad phase: number of octants that were out of order, removed or inserted; the number of
   * all octants if the list was built from scratch.
   */
  changed?: number;
  /** Milliseconds of the whole call. */
  milliseconds: number;
  /**
   * Milliseconds of each stage that ran, in order; stages that ran several times, as for chunks, are added
   * up.
   */
  stages: Partial<Record<BoxPairsStage, number>>;
}

/**
 * Stages of a sweep: vertices are placed, boxes of features or bodies are computed, pairs of bodies or of
 * features are found, features are tested, contacts are collected.
 */
export type SweepStage = 'place' | 'bound' | 'bodies' | 'pairs' | 'features' | 'collect';

/** Statistics of a sweep. */
export interface SweepStats {
  /**
   * In a scene: number of pairs of faces whose boxes overlap during the motion. 0 in a sweep of meshes, which
   * compares the boxes of vertices, edges and faces directly.
   */
  facePairs: number;
  /** Number of pairs of features whose boxes overlap during the motion; all of them were tested. */
  featurePairs: number;
  /** Number of those pairs that the filter could not separate. */
  searchedPairs: number;
  /** Number of directions along which a first contact was searched for. */
  directions: number;
  /** Milliseconds in total. */
  milliseconds: number;
  /** Milliseconds of each stage. */
  stages: Partial<Record<SweepStage, number>>;
}

/** Statistics of a frame of a scene. */
export interface SceneStats {
  /** Number of body slots. */
  bodies: number;
  /** Number of pairs whose boxes overlap. */
  boxPairs: number;
  /** Number of those pairs that may collide according to their groups and oriented boxes. */
  candidates: number;
  /** Number of those pairs that were queried, because one of their bodies moved. */
  tested: number;
  /** Statistics of their queries: at most one entry, or several if 'counts' ran in pieces. */
  queries: QueryStats[];
  /** Bytes of the costs that are kept for each pair for the next frame. */
  cachedBytes: number;
  /** Statistics of the broad phase. */
  broadPhase: BoxPairsStats;
  /** Milliseconds of each part of the frame. */
  milliseconds: {
    /** Updating the boxes and finding their pairs. */
    broad: number;
    /** Checking groups, masks and oriented boxes; reusing results of the last frame. */
    choose: number;
    /** Querying triangles and comparing contacts. */
    narrow: number;
  };
}
