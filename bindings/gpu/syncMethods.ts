// Declares the engine's synchronous methods, which run on the CPU. `engine.async` calls them when it does not
// use the GPU.

import type { BoxPairsOptions } from '../broadphase/boxPairs.js';
import type { FeatureContacts, FeatureSweepOptions } from '../ccd/featureSweep.js';
import type { PlacedSweepOptions, SweepOptions } from '../ccd/sweepOptions.js';
import type { SweptContact, SweptContacts } from '../ccd/sweptContacts.js';
import type { Coordinates } from '../core/checkOptions.js';
import type { SelfQueryOptions } from '../core/moduleOptions.js';
import type { QueryManyOptions, QueryOptions } from '../core/queryOptions.js';
import type { BoxPairs, ManyTrianglePairs, TrianglePairs } from '../core/results.js';
import type { Mesh } from '../mesh/mesh.js';

/** The synchronous methods that `engine.async` calls. */
export interface SyncMethods {
  query(a: Mesh, b: Mesh, options?: QueryOptions): TrianglePairs | boolean;
  queryMany(options: QueryManyOptions): ManyTrianglePairs | Uint32Array;
  selfQuery(mesh: Mesh, options?: SelfQueryOptions): TrianglePairs | boolean;
  boxPairs(boxes: Float32Array, options?: BoxPairsOptions): BoxPairs;
  sweepVertices(
    mesh: Mesh,
    from: Coordinates,
    to: Coordinates,
    options?: SweepOptions,
  ): SweptContacts | SweptContact | undefined;
  sweep(a: Mesh, b: Mesh, options?: PlacedSweepOptions): SweptContacts | SweptContact | undefined;
  sweepFeatures(kind: 'VF' | 'EE', queries: Float64Array, options?: FeatureSweepOptions): FeatureContacts;
  contactTimes(kind: 'VF' | 'EE', points: Float64Array, options?: FeatureSweepOptions): Float64Array;
}

/** Names of the synchronous methods that also exist in `engine.async`. */
export const syncMethodNames = [
  'query',
  'queryMany',
  'selfQuery',
  'boxPairs',
  'sweepVertices',
  'sweep',
  'sweepFeatures',
  'contactTimes',
] as const;
