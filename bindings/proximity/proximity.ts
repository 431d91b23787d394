// The engine module 'proximity': distance, clearance, contact and pose queries.

import { findCertifiedPairs } from '../certificate/certifiedPairs.js';
import { SolidMethods } from '../contact/classify.js';
import { rejectSegmentOptions } from '../contact/overlapMeasurer.js';
import { type ManySegmentOptions, SegmentFinder, type SegmentOptions } from '../contact/segmentFinder.js';
import { rejectExtraArgument } from '../core/checkOptions.js';
import type { EngineHost, EngineModule, ExtendedQueries } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
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
  /** @internal */
  readonly extendedQueries: ExtendedQueries;

  /** @internal */
  constructor(host: EngineHost) {
    const distances = new DistanceQuery(host);
    const finder = new SegmentFinder(host);
    const clearances = new ClearanceQuery(host);
    const search = new PoseSearch(host, clearances);
    super(host, finder, distances);
    this.#host = host;
    this.#distances = distances;
    this.#poses = new Poses(host, search);
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
   * share a point or, with `clearance`, are at most `clearance` apart. The result equals that of single
   * queries, and is the same for any number of threads. Poses are distributed to all threads. Unless `want` is
   * 'pairs-any', the test of a pose stops at the first hit. Synchronous. Source: Gottschalk, Lin and Manocha
   * 1996 (oriented boxes); MoveIt (allowed collision matrix).
   * @throws InvalidTransform naming the pose and the body; Unsupported, Disposed, Capacity
   */
  queryPoses(options: PosesOptions): PoseAnswers;
  queryPoses(options: PosesOptions, surplus?: unknown): PoseAnswers {
    rejectExtraArgument(surplus, 'queryPoses(options)');
    return this.#poses.run(options);
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
