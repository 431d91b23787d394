// Declares the statistics of finished runs, as users see them.

/**
 * Statistics of one work list (a share of the work of a query). If there were at least as many threads as
 * lists, list i was given to thread i. If that thread did not begin the list in time, the calling thread ran
 * the list.
 */
export interface ThreadStats {
  /**
   * Number of pairs of boxes tested. For two nodes, all pairs of their children are tested, which counts as 16
   * tests; a node and a leaf count as 4 tests.
   */
  boxTests: number;
  /** Number of leaf pairs whose boxes overlap. Each has up to 16 triangle pairs. */
  leafPairs: number;
  /** Number of triangle pairs that were tested because their boxes overlap. */
  triangleTests: number;
  /**
   * Number of tested triangle pairs that the filter, which uses floats, could not decide. They were decided
   * with doubles, with exact expansions (sums of doubles) or with BigInt.
   */
  exactTests: number;
  /** Number of pairs found. */
  pairs: number;
  /** Time that the thread took for the list, in milliseconds; 0 if there were more lists than threads. */
  milliseconds: number;
}

/**
 * Statistics of a query and of the distribution of its work. For the same number of work lists, the sums of the
 * lists' counters are the same on every machine. Times differ. With stealing, the counters of each list differ,
 * too.
 */
export interface QueryStats {
  /** One entry per work list. */
  threads: ThreadStats[];
  /**
   * Number of nodes of the starting front, from which the front is built: N_s in Zhang and Kim, section 5.3.
   */
  startingFrontNodes: number;
  /**
   * Number of nodes of the front that was distributed to the work lists: N_p in Zhang and Kim, section 5.3.
   */
  frontNodes: number;
  /**
   * Maximum cost of a work list divided by the mean cost; 1 is perfect balance. The cost of a work list is
   * the number of box tests plus 12 times the number of leaf pairs.
   */
  imbalance: number;
  /**
   * Number of threads with which the next query would run fastest. It is limited by the amount of work and,
   * if a front was distributed (parts > 1), by eq. 6 of Zhang and Kim.
   */
  threadsWorthwhile: number;
  /**
   * Milliseconds of the run: building fronts, traversing trees and storing costs. Sorting is not included.
   */
  milliseconds: number;
  /** Bytes of the starting fronts, the front, the cost tree and the node indices of the work lists. */
  frontBytes: number;
  /** Bytes of engine memory in use, in total. */
  bytes: number;
  /** How costs were predicted: from the costs of the last run ('on') or from overlap volumes ('off'). */
  coherence: 'on' | 'off';
  /**
   * For pairs of meshes with spheres: statistics for each level, starting with the root's children. The level
   * of a pair of nodes is the level of the deeper node. Undefined for meshes without spheres.
   */
  spheres?: SphereTests[];
}

/**
 * How pairs of nodes with spheres were tested. The sum of the five counters is the number of pairs tested. If
 * all meshes have spheres, the sum over all levels is the sum of `boxTests` over all work lists.
 */
export interface SphereTests {
  /** The spheres are disjoint: no other test. */
  apart: number;
  /** The spheres overlap, and both nodes use only spheres: no other test. */
  spheres: number;
  /** The spheres overlap, and both nodes use their boxes in a second test. */
  boxBox: number;
  /** The box of A's node is tested against the sphere of B's node. */
  boxSphere: number;
  /** The sphere of A's node is tested against the box of B's node. */
  sphereBox: number;
}

/**
 * Stages of finding box pairs.
 * - All methods: 'statistics' copies and checks the boxes and computes their bounds and sizes; 'search' tests
 *   boxes; 'join' gathers the pairs in one list, and sorts them on request.
 * - 'sap' and 'cells': 'distribute' assigns the boxes to slabs or cells.
 * - 'octree': 'codes' computes octal codes, 'sort' sorts them, and 'gather' stores the octants with their
 *   boxes.
 * - 'tree': 'sort' computes and sorts codes of the boxes, and 'gather' fills the leaves and computes the
 *   bounds of the nodes.
 * - In a broad phase, 'join' includes computing which pairs began and ended. If few boxes moved, 'keep' finds
 *   the pairs that are kept from the last frame. It also finds the boxes or octants that may be near a moved
 *   box or, with 'tree', updates the tree.
 * - 'sap-persistent': 'sort' sorts the endpoints, and 'join' merges the events into the pairs.
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
  /**
   * Why the engine chose this method; 'requested' if the caller chose it. In a broad phase, this may instead be
   * how the pairs of the frame were found.
   */
  reason: string;
  /** Number of pairs of boxes tested. */
  tests: number;
  /**
   * Number of entries in all places (cells, octants, columns of slabs, or lists of endpoints) to which boxes
   * were distributed. A box may have an entry in several places.
   */
  places: number;
  /** 'sap-persistent': number of endpoints that passed each other. */
  swaps?: number;
  /**
   * 'octree' in a broad phase: number of octants that were removed from the sorted list of octants or
   * inserted into it; the number of all octants if this list was built from scratch.
   */
  changed?: number;
  /** Milliseconds of the whole call. */
  milliseconds: number;
  /**
   * Milliseconds of each stage that ran, in order. The times of a stage that ran several times, for example
   * once per chunk of boxes, are added up.
   */
  stages: Partial<Record<BoxPairsStage, number>>;
}

/**
 * Stages of a sweep: 'place' transforms vertices, 'bound' computes boxes of features or bodies, 'bodies'
 * finds pairs of bodies, 'pairs' finds pairs of features, 'features' tests pairs of features, and 'collect'
 * collects the contacts.
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
  /** Number of feature pairs that the filter did not rule out: their first contact was searched for. */
  searchedPairs: number;
  /**
   * Number of moments (times within the motion) that these searches evaluated. Each evaluation computes one
   * separating direction.
   */
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
  /** Number of pairs of bodies whose boxes overlap. */
  boxPairs: number;
  /**
   * Number of these box pairs that may collide according to their groups, masks, oriented boxes and separating
   * planes.
   */
  candidates: number;
  /**
   * Number of candidates whose triangles were queried. A candidate is not queried if it was already a
   * candidate in the last frame, neither of its bodies has moved since, and `narrow` is the same: its result
   * of the last frame is then reused.
   */
  tested: number;
  /**
   * Statistics of the triangle queries. With narrow: 'counts', the pairs may be queried in several calls, with
   * one entry for each call; otherwise there is at most one entry.
   */
  queries: QueryStats[];
  /** Number of bytes that store the costs of all pairs for the next frame. */
  cachedBytes: number;
  /** Statistics of the broad phase. */
  broadPhase: BoxPairsStats;
  /** Milliseconds of each stage of the frame. */
  milliseconds: {
    /**
     * Updating the boxes, finding their pairs, and checking groups, masks, oriented boxes and separating
     * planes.
     */
    broad: number;
    /** Listing the candidates to test. The other candidates reuse their results of the last frame. */
    choose: number;
    /** Querying triangles and comparing contacts. */
    narrow: number;
  };
}
