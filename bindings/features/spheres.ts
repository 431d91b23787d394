// Meshes with a sphere beside each box -> what they add to an engine.
import type { EngineHost, Feature } from '../feature.js';

/** Spheres add no verb: `createMesh(data, { volume: 's-aabb' })` makes such meshes. */
export type SpheresVerbs = object;

function makeVerbs(_host: EngineHost): SpheresVerbs {
  return {};
}

export const spheres: Feature<SpheresVerbs> = { makeVerbs };
