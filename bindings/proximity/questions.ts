// Other questions of two placed meshes, and of many bodies -> what they add to an engine.
import type { EngineHost, Feature } from '../core/feature.js';
import type { Mesh } from '../mesh/mesh.js';
import { checkSurplus } from '../core/optionTable.js';
import { makeSolidVerbs, type SolidVerbs } from '../contact/classify.js';
import { ClearanceAsker, type ClearanceOptions } from './clearance.js';
import { DistanceAsker, type Distance, type DistanceOptions } from './distance.js';
import { ManyPoses, type BitsetOptions } from '../poses/manyPoses.js';
import type { PoseAnswers } from '../poses/poseAnswers.js';
import { PoseSearch } from '../poses/poseSearch.js';
import { Poses, type PosesOptions } from '../poses/poses.js';
import { SegmentFinder, type ManySegmentOptions, type SegmentOptions } from '../contact/segmentFinder.js';
import { nameLength, wasmGzipBase64 } from '../wasm/questions.wasm.js';

/** Verbs of other questions. */
export interface QuestionsVerbs extends SolidVerbs {
  /**
   * How far two placed meshes are apart, and their nearest triangles and points; null where one is empty, or all is farther than `max`. Synchronous, on all
   * threads. The distance is off by at most 2^-46 of the greatest extent of both triangles; 0 only where they share a point, decided exactly.
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  distance(a: Mesh, b: Mesh, options?: DistanceOptions): Distance | null;
  /**
   * In which of many poses of some bodies two of them share a point: exact, the same bits for any number of threads. Poses are shared out to all
   * threads; each stops at its first hit. Synchronous. @throws InvalidTransform naming pose and body, Unsupported, Disposed, Capacity
   */
  queryPoses(options: PosesOptions): PoseAnswers;
}

function makeVerbs(host: EngineHost): QuestionsVerbs {
  const distances = new DistanceAsker(host), finder = new SegmentFinder(host);
  const clearances = new ClearanceAsker(host), search = new PoseSearch(host), many = new ManyPoses(host, search), poses = new Poses(host, search);
  host.backend.further = {
    query: (a: Mesh, b: Mesh, options: { want?: string }) => (options?.want === 'segments' ? finder.segments(a, b, options as SegmentOptions) : clearances.query(a, b, options as ClearanceOptions)),
    queryMany: (options: object) => finder.segmentsOfMany(options as ManySegmentOptions) ?? clearances.queryMany(options) ?? many.ask(options as BitsetOptions),
  };
  return {
    ...makeSolidVerbs(host, finder, distances),
    distance: (a, b, options = {}, surplus?: unknown) => {
      host.tick();
      checkSurplus(surplus, 'distance(a, b, options)');
      return distances.ask(a, b, options);
    },
    queryPoses: (options, surplus?: unknown) => {
      host.tick();
      checkSurplus(surplus, 'queryPoses(options)');
      return poses.ask(options);
    },
  };
}

export const questions: Feature<QuestionsVerbs> = { inlined: { nameLength, wasmGzipBase64 }, makeVerbs };
