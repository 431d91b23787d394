// The engine module for distance, clearance, contact and pose queries.

import { SolidVerbs } from '../contact/classify.js';
import { type ManySegmentOptions, SegmentFinder, type SegmentOptions } from '../contact/segmentFinder.js';
import type { EngineHost, EngineModule, FurtherAnswers } from '../core/module.js';
import { checkSurplus } from '../core/optionTable.js';
import type { Mesh } from '../mesh/mesh.js';
import { type BitsetOptions, ManyPoses } from '../poses/manyPoses.js';
import type { PoseAnswers } from '../poses/poseAnswers.js';
import { PoseSearch } from '../poses/poseSearch.js';
import { Poses, type PosesOptions } from '../poses/poses.js';
import { ClearanceAsker, type ClearanceOptions } from './clearance.js';
import { type Distance, DistanceAsker, type DistanceOptions } from './distance.js';
import { nameLength, wasmGzipBase64 } from '../wasm/questions.wasm.js';

/** The engine's methods for distance, contact and pose queries. */
export class QuestionsVerbs extends SolidVerbs {
  readonly #host: EngineHost;
  readonly #distances: DistanceAsker;
  readonly #poses: Poses;
  /** @internal */
  readonly further: FurtherAnswers;

  /** @internal */
  constructor(host: EngineHost) {
    const distances = new DistanceAsker(host);
    const finder = new SegmentFinder(host);
    const search = new PoseSearch(host);
    super(host, finder, distances);
    this.#host = host;
    this.#distances = distances;
    this.#poses = new Poses(host, search);
    this.further = furtherAnswers(finder, new ClearanceAsker(host), new ManyPoses(host, search));
  }

  /**
   * Returns the distance between two placed meshes with their nearest triangles and points; null if one mesh
   * is empty, or if they are farther apart than `max`. Synchronous, on all threads. The error of the distance
   * is at most 2^-46 of the largest extent of both triangles; it is 0 only if they share a point, which is
   * decided exactly.
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  distance(a: Mesh, b: Mesh, options?: DistanceOptions): Distance | null;
  distance(a: Mesh, b: Mesh, options: DistanceOptions = {}, surplus?: unknown): Distance | null {
    this.#host.tick();
    checkSurplus(surplus, 'distance(a, b, options)');
    return this.#distances.ask(a, b, options);
  }

  /**
   * Finds the poses in which two of several bodies share a point, for many poses at once. Exact, with the
   * same bits for any number of threads. Poses are distributed to all threads; each pose stops at its first
   * hit. Synchronous.
   * @throws InvalidTransform naming the pose and the body; Unsupported, Disposed, Capacity
   */
  queryPoses(options: PosesOptions): PoseAnswers;
  queryPoses(options: PosesOptions, surplus?: unknown): PoseAnswers {
    this.#host.tick();
    checkSurplus(surplus, 'queryPoses(options)');
    return this.#poses.ask(options);
  }
}

function furtherAnswers(finder: SegmentFinder, clearances: ClearanceAsker, many: ManyPoses): FurtherAnswers {
  return {
    query: (a, b, options) =>
      options.want === 'segments'
        ? finder.segments(a, b, options as SegmentOptions)
        : clearances.query(a, b, options as ClearanceOptions),
    queryMany: options =>
      finder.segmentsOfMany(options as ManySegmentOptions) ??
      clearances.queryMany(options) ??
      many.ask(options as BitsetOptions),
  };
}

export const questions: EngineModule<QuestionsVerbs> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeVerbs: host => new QuestionsVerbs(host),
};
