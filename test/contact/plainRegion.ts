// Removes the figures of the overlap from a contact region.

import type { Penetration } from '../../dist/index.js';

/** Returns a region as `penetration` returns it without the options `overlapDepth` and `volume`. */
export function plainRegion({
  component: _,
  overlapDepth: __,
  volume: ___,
  ...region
}: Penetration): Penetration {
  return region;
}
