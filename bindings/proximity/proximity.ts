// The engine module 'proximity': distance, clearance, contact and pose queries.

import { findCertifiedPairs } from '../certificate/certifiedPairs.js';
import { SolidMethods } from '../contact/classify.js';
import { rejectSegmentOptions } from '../contact/overlapMeasurer.js';
import { type ManySegmentOptions, SegmentFinder, type SegmentOptions } from '../contact/segmentFinder.js';
import { rejectExtraArgument } from '../core/checkOptions.js';
import type { EngineHost, EngineModule, ExtendedQueries } from '../core/module.js';
import type { Transforms } from '../core/transform.js';
import type { Mesh } from '../mesh/mesh.js';
import { type KinematicChain, readChain, readValues } from '../poses/chain.js';
import { placeBodies } from '../poses/chainMemory.js';
import type { EdgeAnswers } from '../poses/edgeAnswers.js';
import { EdgeSearch } from '../poses/edgeSearch.js';
import { Edges, type EdgesOptions } from '../poses/edges.js';
import type { PoseAnswers } from '../poses/poseAnswers.js';
import { type BitsetOptions, PoseBitsets } from '../poses/poseBitsets.js';
import { PoseSearch } from '../poses/poseSearch.js';
import { Poses, type PosesOptions } from '../poses/poses.js';
import { type ClearanceOptions, ClearanceQuery } from './clearanceQuery.js';
import { type Distance, type DistanceOptions, DistanceQuery } from './distanceQuery.js';
import { nameLength, wasmGzipBase64 } from '../wasm/proximity.wasm.js';

/** The engine's methods for distance, contact and pose queries. */
export class ProximityMethods extends SolidMethods {
  readonly #host: EngineHost;
  readonly #distances: DistanceQuery;
  readonly #poses: Poses;
  readonly #edges: Edges;
  /** @internal */
  readonly extendedQueries: ExtendedQueries;

  /** @internal */
  constructor(host: EngineHost) {
    const distances = new DistanceQuery(host);
    const finder = new SegmentFinder(host);
    const clearances = new ClearanceQuery(host);
    const search = new PoseSearch(host, clearances, distances);
    super(host, finder, distances);
    this.#host = host;
    this.#distances = distances;
    this.#poses = new Poses(host, search);
    this.#edges = new Edges(host, new EdgeSearch(host));
    this.extendedQueries = makeExtendedQueries(host, this, finder, clearances, new PoseBitsets(host, search));
  }

  /**
   * Returns the distance between two placed meshes, and their nearest triangles and points. Returns null if a
   * mesh is empty, or if the meshes are farther apart than `max`. The call is synchronous and uses all
   * threads. The error of the distance is at most 2^-46 times the largest extent of the box around both
   * nearest triangles. The distance is 0 only if the triangles share a point, which is decided exactly.
   * Source: Larsen et al. 2000 (search of pairs of tree nodes); Hjaltason and Samet 1999 (best-first search).
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  distance(a: Mesh, b: Mesh, options?: DistanceOptions): Distance | null;
  distance(a: Mesh, b: Mesh, options: DistanceOptions = {}, surplus?: unknown): Distance | null {
    this.#host.beginCall();
    rejectExtraArgument(surplus, 'distance(a, b, options)');
    return this.#distances.run(a, b, options);
  }

  /**
   * Tests many poses of several bodies at once, and finds the poses in which the two bodies of a tested pair
   * share a point or, with `clearance`, are at most `clearance` apart. The result equals the results of single
   * queries, and is the same for any number of threads. Poses are distributed to all threads. If `want` is
   * 'any' or 'first', the test of a pose stops at the first hit. Synchronous. Source: Gottschalk, Lin and
   * Manocha 1996 (oriented boxes); MoveIt (allowed collision matrix).
   * @throws InvalidTransform naming the pose and the body; Unsupported, Disposed, Capacity
   */
  queryPoses(options: PosesOptions): PoseAnswers;
  queryPoses(options: PosesOptions, surplus?: unknown): PoseAnswers {
    rejectExtraArgument(surplus, 'queryPoses(options)');
    return this.#poses.run(options);
  }

  /**
   * Tests many edges of a motion planner: along an edge, every joint value changes linearly from one pose to
   * another. An edge is free if no tested pair of bodies shares a point or, with `clearance`, comes within
   * `clearance` anywhere along the edge. No collision is missed; a pair that comes nearer than `clearance +
   * tolerance` may count as a collision. The result is the same for any number of threads. Synchronous. Source:
   * Schwarzer, Saha and Latombe 2005 (adaptive dynamic collision checking).
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  queryEdges(options: EdgesOptions): EdgeAnswers;
  queryEdges(options: EdgesOptions, surplus?: unknown): EdgeAnswers {
    rejectExtraArgument(surplus, 'queryEdges(options)');
    return this.#edges.run(options);
  }

  /**
   * Computes the placements of a chain's bodies for each pose, as `queryPoses` and `queryEdges` use them: 16
   * numbers per body, column-major, in the common frame, pose by pose. The numbers are the same on every
   * machine. jointValues: one number for each joint that is not fixed, pose by pose; angles in radians.
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  placeChain(chain: KinematicChain, jointValues: Transforms | readonly number[]): Float64Array;
  placeChain(
    description: KinematicChain,
    jointValues: Transforms | readonly number[],
    surplus?: unknown,
  ): Float64Array {
    rejectExtraArgument(surplus, 'placeChain(chain, jointValues)');
    const chain = readChain(description);
    const values = readValues('jointValues', jointValues, chain);
    this.#host.beginCall();
    return placeBodies(this.#host.context, chain, values);
  }
}

function makeExtendedQueries(
  host: EngineHost,
  solids: SolidMethods,
  finder: SegmentFinder,
  clearances: ClearanceQuery,
  many: PoseBitsets,
): ExtendedQueries {
  return {
    query: (a, b, options) => {
      if (options.want !== 'segments') rejectSegmentOptions(options);
      if (options.certificate) return findCertifiedPairs(host, a, b, options);
      return options.want === 'segments'
        ? solids.findSegments(a, b, options as SegmentOptions)
        : clearances.query(a, b, options as ClearanceOptions);
    },
    queryMany: options => {
      if (options.want !== 'segments') rejectSegmentOptions(options);
      return (
        finder.findManySegments(options as ManySegmentOptions) ??
        clearances.queryMany(options) ??
        many.run(options as BitsetOptions)
      );
    },
  };
}

export const proximity: EngineModule<ProximityMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeMethods: host => new ProximityMethods(host),
};
