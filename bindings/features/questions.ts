// Other questions of two placed meshes -> what they add to an engine.
import type { EngineHost, Feature } from '../feature.js';
import type { Mesh } from '../mesh.js';
import { makeSolidVerbs, type SolidVerbs } from '../questions/classify.js';
import { ClearanceAsker } from '../questions/clearance.js';
import { DistanceAsker, type Distance, type DistanceOptions } from '../questions/distance.js';
import { SegmentFinder, type SegmentOptions } from '../questions/segmentFinder.js';
import { nameLength, wasmGzipBase64 } from '../wasm/questions.wasm.js';

/** Verbs of other questions. */
export interface QuestionsVerbs extends SolidVerbs {
  /**
   * How far two placed meshes are apart, and their nearest triangles and points; null where one is empty, or all is farther than `max`. Synchronous, on all
   * threads. The distance is off by at most 2^-46 of the greatest extent of both triangles; 0 only where they share a point, decided exactly.
   * @throws InvalidTransform, Unsupported, Disposed, Capacity
   */
  distance(a: Mesh, b: Mesh, options?: DistanceOptions): Distance | null;
  queryPoses: unknown;
}

function makeVerbs(host: EngineHost): QuestionsVerbs {
  const distances = new DistanceAsker(host), clearances = new ClearanceAsker(host), finder = new SegmentFinder(host);
  host.backend.further = {
    query: (a: Mesh, b: Mesh, options: { want?: string }) => (options?.want === 'segments' ? finder.segments(a, b, options as SegmentOptions) : clearances.query(a, b, options as object)),
    queryMany: (options: object) => clearances.queryMany(options),
  };
  return {
    ...makeSolidVerbs(host, finder, distances),
    distance: (a: Mesh, b: Mesh, options: DistanceOptions = {}) => {
      host.tick();
      return distances.ask(a, b, options);
    },
  } as QuestionsVerbs;
}

export const questions: Feature<QuestionsVerbs> = { inlined: { nameLength, wasmGzipBase64 }, makeVerbs };
