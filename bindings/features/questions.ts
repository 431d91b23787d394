// Other questions of two placed meshes -> what they add to an engine.
import type { EngineHost, Feature } from '../feature.js';
import { makeSolidVerbs, type SolidVerbs } from '../questions/classify.js';
import { SegmentFinder, type SegmentOptions } from '../questions/segmentFinder.js';
import type { Mesh } from '../mesh.js';
import { nameLength, wasmGzipBase64 } from '../wasm/questions.wasm.js';

/** Verbs of other questions. */
export interface QuestionsVerbs extends SolidVerbs {
  distance: unknown; queryPoses: unknown;
}

function makeVerbs(host: EngineHost): QuestionsVerbs {
  const finder = new SegmentFinder(host);
  host.backend.further = {
    query: (a: Mesh, b: Mesh, options: { want?: string }) => (options?.want === 'segments' ? finder.segments(a, b, options as SegmentOptions) : undefined),
    queryMany: () => undefined,
  };
  return { ...makeSolidVerbs(host, finder, () => NaN) } as QuestionsVerbs;
}

export const questions: Feature<QuestionsVerbs> = { inlined: { nameLength, wasmGzipBase64 }, makeVerbs };
