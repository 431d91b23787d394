// Lists the WGSL functions in which comparisons of floats decide a result, and checks the error bounds of these
// floats on random inputs.

import { createRandom, type Random } from '../../dist/samples/random.js';
import { HostileDevice, randomBehavior } from './hostileFloats.js';
import { Checks } from './precisionChecks.js';
import { farApartSites } from './precisionSitesOfMotion.js';
import { triangleSites } from './precisionSitesOfTriangles.js';
import { type Choice, type Edit, translateWgsl, type WgslModule } from './wgslFunctions.js';

/** A part of the shaders in which comparisons of floats decide a result. */
export interface Site extends Choice {
  name: string;
  /** The WGSL files, without the extension. */
  files: readonly string[];
  /** Checks the bounds for one random input, on the device of `checks`. */
  run(module: WgslModule, random: Random, checks: Checks): void;
}

export const sites: readonly Site[] = [...triangleSites, ...farApartSites];

/**
 * Checks a site on random inputs and devices, until at least `checkCount` computed values were compared with
 * their bounds. edits: mistakes to introduce into the shaders. @throws Violation
 */
export function checkSite(site: Site, seed: number, checkCount: number, edits: readonly Edit[] = []): Checks {
  const random = createRandom(seed);
  const module = translateWgsl(site.files, { ...site, edits });
  const checks = new Checks();
  while (checks.count < checkCount) {
    checks.device = new HostileDevice(randomBehavior(random), random);
    site.run(module, random, checks);
  }
  return checks;
}
