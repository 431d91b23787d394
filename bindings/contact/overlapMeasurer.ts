// Computes the figures of two placed meshes: bounds of the overlap depth, of the common volume, and of the length and the
// area of the contact.

import { Unsupported } from '../core/errors.js';
import { type OverlapOptions, overlapOptionOf } from '../core/queryOptions.js';
import { ContactMeasure } from './contactSize/contactMeasure.js';
import type { MeshContacts } from './meshContacts.js';
import { type OverlapComponent, OverlapComponents } from './overlapComponents.js';
import { type DepthSearch, MAX_PIECES, overlapDepthOf } from './overlapDepth/commonSolid.js';
import type { ContactFigures, OverlapDepth, OverlapFigures, RegionFigures } from './overlapFigures.js';
import { isClosed } from './overlapWithoutCrossing.js';
import type { Region } from './regions.js';
import type { SegmentFinder } from './segmentFinder.js';
import type { Separation } from './separator.js';
import { shellsOf } from './shells.js';
import { commonVolumeOf, componentVolumesOf, haveVolume } from './volume/commonVolume.js';
import type { ProvenBounds } from './volume/faceSums.js';
import { MovedCrossings } from './volume/movedCrossings.js';

/** Relative rounding error of directions. */
const ROUNDING = 2 ** -48;
/** The components of a common solid share the budget of the pair, but each may examine so many pieces. */
const MIN_BUDGET = 256;

/** Computes figures of the overlap of two placed meshes from what is found out about the pair. */
export class OverlapMeasurer {
  readonly #finder: SegmentFinder;
  readonly #contacts: MeshContacts;
  // A length that the overlap depth does not exceed.
  #most = Infinity;
  // Bounds that were found to compare the overlap depth with a tolerance.
  #compared: OverlapDepth | undefined;
  #contactMeasure: ContactMeasure | undefined;
  #movedCrossings: MovedCrossings | undefined;

  constructor(finder: SegmentFinder, contacts: MeshContacts) {
    this.#finder = finder;
    this.#contacts = contacts;
  }

  /**
   * Notes the distance to separate the meshes. If there is one region, the overlap depth is not larger: a ball in both
   * solids keeps them from separating until one of them has moved by the ball's diameter.
   */
  noteSeparation({ depth, bound }: Separation, regionCount: number): void {
    if (regionCount < 2) this.#most = depth + 4 * (bound + ROUNDING * depth);
  }

  /**
   * Returns whether it is not proven that the solids overlap by at most the tolerance. depth: the penetration depth,
   * which is compared if a mesh is not closed.
   */
  exceeds(depth: number, tolerance: number): boolean {
    if (this.#most <= tolerance) return false;
    // If the contact has several regions, `depth` says nothing about bodies that lie inside the other mesh.
    this.#compared = this.#search({ limit: tolerance });
    return this.#compared ? this.#compared.upper > tolerance : depth > tolerance;
  }

  /** Returns the figures that the options ask for. isOverlap: whether the solids overlap. */
  figures(options: OverlapOptions, isOverlap: boolean): OverlapFigures {
    const { a, b } = this.#contacts;
    const boundsIf = <Answer>(isAsked: boolean | undefined, compute: () => Answer | undefined) =>
      !isAsked || !isClosed(a) || !isClosed(b) ? undefined : isOverlap ? compute() : { lower: 0, upper: 0 };
    const overlapDepth = boundsIf(options.overlapDepth, () => this.#overlapDepth(options.depthBudget));
    const volume = boundsIf(options.volume, () => this.#volume());
    return { ...consistent(overlapDepth, volume), ...this.contactFigures(options) };
  }

  /**
   * Returns the figures of the component of the common solid that each region bounds.
   * @param whole The figures of the pair.
   */
  regionFigures(
    { depthBudget = MAX_PIECES }: OverlapOptions,
    regions: readonly Region[],
    isOverlap: boolean,
    { overlapDepth, volume }: OverlapFigures,
  ): RegionFigures[] {
    if (!overlapDepth && !volume) return regions.map(() => ({}));
    const components = isOverlap ? this.#components(regions) : undefined;
    if (!components)
      return regions.map((_, region) => ({
        component: isOverlap ? 0 : region,
        ...(overlapDepth && { overlapDepth: { ...overlapDepth } }),
        ...(volume && { volume: { ...volume } }),
      }));
    const volumes = volume && componentVolumesOf(this.#contacts, this.#crossings, components);
    // Other components count only in the figures of the pair.
    const withRegions = new Set(regions.map((_, region) => components.ofRegion(region)));
    const maxPieces = Math.min(depthBudget, Math.max(MIN_BUDGET, Math.ceil(depthBudget / withRegions.size)));
    const figures = components.all.map((component, i) => {
      if (!component.isSolid || !withRegions.has(i)) return consistent(overlapDepth && ZERO, volume && ZERO);
      const depth = overlapDepth && this.#search({ maxPieces }, component);
      if (depth && overlapDepth)
        depth.upper = Math.max(depth.lower, Math.min(depth.upper, overlapDepth.upper));
      return consistent(depth, volumes?.[i]);
    });
    return regions.map((_, region) => {
      const component = components.ofRegion(region);
      return { component, ...structuredClone(figures[component]) };
    });
  }

  // Returns the components of the common solid, or undefined if there is only one.
  #components(regions: readonly Region[]): OverlapComponents | undefined {
    const { a, b } = this.#contacts;
    const haveOnePiece = [a, b].every(({ mesh }) => shellsOf(mesh).pieceTriangles.length < 2);
    if (regions.length < 2 && haveOnePiece) return undefined;
    const components = new OverlapComponents(this.#contacts, regions, this.#crossings);
    return components.all.length < 2 ? undefined : components;
  }

  get #crossings(): MovedCrossings {
    return (this.#movedCrossings ??= new MovedCrossings(this.#contacts));
  }

  /**
   * Returns the figures of a part of the contact, if the options ask for them.
   * @param pairs Numbers of triangle pairs; default: all.
   */
  contactFigures({ contactSize }: OverlapOptions, pairs?: readonly number[]): ContactFigures {
    if (!contactSize) return {};
    this.#contactMeasure ??= new ContactMeasure(this.#contacts);
    const { length, area } = this.#contactMeasure.sizeOf(pairs);
    return { contactLength: { ...length }, contactArea: { ...area } };
  }

  #overlapDepth(maxPieces: number | undefined): OverlapDepth | undefined {
    const bounds = this.#search({ maxPieces });
    if (!bounds || !this.#compared) return bounds;
    const { lower, center } = bounds.lower >= this.#compared.lower ? bounds : this.#compared;
    return {
      lower,
      upper: Math.max(lower, Math.min(bounds.upper, this.#compared.upper)),
      ...(center && { center }),
    };
  }

  #volume(): ProvenBounds | undefined {
    return haveVolume(this.#finder, this.#contacts)
      ? commonVolumeOf(this.#contacts, this.#crossings)
      : undefined;
  }

  #search(bounds: Omit<DepthSearch, 'most'>, component?: OverlapComponent): OverlapDepth | undefined {
    return overlapDepthOf(this.#contacts, { ...bounds, most: this.#most }, component);
  }
}

const ZERO: ProvenBounds = { lower: 0, upper: 0 };

// Returns the figures without a volume that they contradict: if a proven ball does not fit into the volume, a shell that
// turns itself inside out has made volumes cancel.
function consistent(
  overlapDepth: OverlapDepth | undefined,
  volume: ProvenBounds | undefined,
): Pick<OverlapFigures, 'overlapDepth' | 'volume'> {
  const ballVolume = (Math.PI / 6) * (overlapDepth?.lower ?? 0) ** 3;
  return {
    ...(overlapDepth && { overlapDepth }),
    ...(volume && volume.upper >= ballVolume * (1 - ROUNDING) && { volume }),
  };
}

/** Rejects a budget for a search that is not asked for. @throws Unsupported */
export function checkDepthBudget({ overlapDepth, depthBudget }: OverlapOptions): void {
  if (depthBudget !== undefined && !overlapDepth)
    throw new Unsupported(
      `depthBudget is ${depthBudget}, but overlapDepth is not true, so there is no search to limit`,
      'pass overlapDepth: true, or omit depthBudget',
    );
}

/** Rejects options for figures of an overlap in a query that does not return them. @throws Unsupported */
export function rejectOverlapOptions(options: OverlapOptions & { want?: string }): void {
  const name = overlapOptionOf(options);
  if (name)
    throw new Unsupported(
      `the option ${name} requires that want is 'segments', but want is '${options.want ?? 'pairs'}'`,
      `pass want: 'segments', call classify, or omit ${name}`,
    );
}
