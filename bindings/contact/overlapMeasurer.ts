// Computes the figures of two placed meshes: bounds of the overlap depth, of the separation, of the common
// volume, and of the length and the area of the contact.

import { Unsupported } from '../core/errors.js';
import { type OverlapOptions, overlapOptionOf } from '../core/queryOptions.js';
import { ContactMeasure } from './contactSize/contactMeasure.js';
import type { MeshContacts } from './meshContacts.js';
import { type OverlapComponent, type OverlapComponents, overlapComponentsOf } from './overlapComponents.js';
import { type DepthSearch, MAX_PIECES, overlapDepthOf } from './overlapDepth/commonSolid.js';
import type { ContactFigures, OverlapDepth, OverlapFigures, RegionFigures } from './overlapFigures.js';
import { isClosed } from './overlapWithoutCrossing.js';
import { joinRegions, type Region, regionsOf } from './regions.js';
import type { SegmentFinder } from './segmentFinder.js';
import { type Separation, Separator } from './separator.js';
import { shellsOf } from './shells.js';
import { commonVolumeOf, componentVolumesOf, haveVolume } from './volume/commonVolume.js';
import type { ProvenBounds } from './volume/faceSums.js';
import { boundLoneComponents } from './volume/loneComponents.js';
import { MovedCrossings } from './volume/movedCrossings.js';

/** Bound of relative rounding errors: of the length of a direction, and of the volume of a ball. */
const ROUNDING = 2 ** -48;
/**
 * The components of a common solid share the budget of the pair, but each component may examine at least this
 * many pieces, unless the whole budget is smaller.
 */
const MIN_BUDGET = 256;

/**
 * Computes the figures of one placed pair of meshes. Reuses bounds that were found while the pair was
 * classified.
 */
export class OverlapMeasurer {
  readonly #finder: SegmentFinder;
  readonly #contacts: MeshContacts;
  // A translation by this length is proven to separate the meshes. So the overlap depth is at most this length.
  #maxDepth = Infinity;
  // Bounds that were found to compare the overlap depth with a tolerance.
  #compared: OverlapDepth | undefined;
  #contactMeasure: ContactMeasure | undefined;
  #movedCrossings: MovedCrossings | undefined;

  constructor(finder: SegmentFinder, contacts: MeshContacts) {
    this.#finder = finder;
    this.#contacts = contacts;
  }

  /**
   * Notes how far A has to move to leave B in one region. If there is at most one region, this movement
   * separates the meshes, so the overlap depth is at most its length: if A moved by less than the diameter of a
   * ball in both solids, the ball would move with A, and would still overlap its old position, which is in B.
   */
  noteSeparation({ depth, bound }: Separation, regionCount: number): void {
    if (regionCount < 2) this.#maxDepth = depth + 4 * (bound + ROUNDING * depth);
  }

  /**
   * Returns false if it is proven that the overlap depth is at most the tolerance, and true otherwise. If a
   * mesh is not closed, compares the penetration depth instead.
   * @param depth The penetration depth.
   */
  exceeds(depth: number, tolerance: number): boolean {
    if (this.#maxDepth <= tolerance) return false;
    // If there are several regions, a small `depth` proves nothing. It is measured at the regions, but
    // connected components of a mesh that lie inside the other mesh belong to no region.
    this.#compared = this.#search({ limit: tolerance });
    return this.#compared ? this.#compared.upper > tolerance : depth > tolerance;
  }

  /**
   * Returns the figures that the options ask for. isOverlap: whether the solids overlap; if not, depth and
   * volume are 0.
   */
  figures(options: OverlapOptions, isOverlap: boolean): OverlapFigures {
    const { a, b } = this.#contacts;
    const boundsIf = <Answer>(isRequested: boolean | undefined, compute: () => Answer | undefined) =>
      !isRequested || !isClosed(a) || !isClosed(b)
        ? undefined
        : isOverlap
          ? compute()
          : { lower: 0, upper: 0 };
    const overlapDepth = boundsIf(options.overlapDepth, () => this.#overlapDepth(options.depthBudget));
    const separation =
      overlapDepth &&
      boundsIf(true, () => ({
        lower: overlapDepth.lower,
        upper: Math.max(overlapDepth.lower, this.#maxDepth),
      }));
    const volume = boundsIf(options.volume, () => this.#volume());
    return {
      ...consistent(overlapDepth, volume),
      ...(separation && { separation }),
      ...this.contactFigures(options),
    };
  }

  /**
   * Returns, for each region, the figures of the component of the common solid that the region bounds. The last
   * parameter has the figures of the pair; figures that it lacks are not computed for regions either.
   */
  regionFigures(
    { depthBudget = MAX_PIECES }: OverlapOptions,
    regions: readonly Region[],
    isOverlap: boolean,
    { overlapDepth, volume }: OverlapFigures,
  ): RegionFigures[] {
    if (!overlapDepth && !volume) return regions.map(() => ({}));
    const divided = isOverlap ? this.#components(regions) : undefined;
    if (!divided)
      return regions.map((_, region) => ({
        component: isOverlap ? 0 : region,
        ...(overlapDepth && { overlapDepth: { ...overlapDepth } }),
        ...(volume && { volume: { ...volume } }),
      }));
    const { components, boundaries, boundariesOf, isLone } = divided;
    const volumes = volume && componentVolumesOf(this.#contacts, this.#crossings, components);
    // Components without regions count only in the figures of the pair.
    const withRegions = new Set(regions.map((_, region) => components.ofRegion(region)));
    const maxPieces = shareOf(depthBudget, withRegions.size);
    const figures = components.all.map((component, i) => {
      if (!component.isSolid || !withRegions.has(i)) return consistent(overlapDepth && ZERO, volume && ZERO);
      const depth = overlapDepth && this.#search({ maxPieces }, component);
      if (depth && overlapDepth)
        depth.upper = Math.max(depth.lower, Math.min(depth.upper, overlapDepth.upper));
      return consistent(depth, volumes?.[i]);
    });
    // Bounds of the depth at a boundary of a group whose components could not be told apart. The lower bound is
    // the diameter of a ball that is proven to lie in the component of this boundary. The upper bound holds for
    // all components of the group.
    const depths = new Map<number, OverlapDepth>();
    const depthAt = (boundary: number, component: number): OverlapDepth => {
      const known = depths.get(boundary);
      if (known) return known;
      const pieces = shareOf(maxPieces, boundariesOf[component].length);
      const { lower = 0, center } = this.#search({ maxPieces: pieces }, boundaries.all[boundary]) ?? {};
      const upper = Math.max(lower, figures[component].overlapDepth!.upper);
      const depth = { lower, upper, ...(center && { center }) };
      depths.set(boundary, depth);
      return depth;
    };
    return regions.map((_, region) => {
      const component = components.ofRegion(region);
      const boundary = boundaries.ofRegion(region);
      if (isLone[boundary] || !components.all[component].isSolid)
        return { component, ...structuredClone(figures[component]) };
      return {
        component,
        ...(overlapDepth && { overlapDepth: structuredClone(depthAt(boundary, component)) }),
      };
    });
  }

  // Returns the components of the common solid, and for each boundary whether it is proven to bound the only
  // component of its group (see overlapComponents.ts). Returns undefined if there is only one component.
  #components(regions: readonly Region[]): (OverlapComponents & { isLone: readonly boolean[] }) | undefined {
    const { a, b } = this.#contacts;
    const haveOneComponent = [a, b].every(({ mesh }) => shellsOf(mesh).componentTriangles.length < 2);
    if (regions.length < 2 && haveOneComponent) return undefined;
    const divided = overlapComponentsOf(this.#contacts, regions, this.#crossings);
    const isLone = boundLoneComponents(this.#finder, this.#contacts, this.#crossings, divided);
    return divided.boundariesOf.length < 2 && !isLone.includes(false) ? undefined : { ...divided, isLone };
  }

  get #crossings(): MovedCrossings {
    return (this.#movedCrossings ??= new MovedCrossings(this.#contacts));
  }

  /**
   * Returns the length and the area of the contact, or of a part of it, if the options ask for them.
   * @param pairs Numbers of triangle pairs; default: all.
   */
  contactFigures({ contactSize }: OverlapOptions, pairs?: readonly number[]): ContactFigures {
    if (!contactSize) return {};
    this.#contactMeasure ??= new ContactMeasure(this.#contacts);
    const { length, area } = this.#contactMeasure.sizeOf(pairs);
    return { contactLength: { ...length }, contactArea: { ...area } };
  }

  #overlapDepth(maxPieces: number | undefined): OverlapDepth | undefined {
    if (this.#maxDepth === Infinity) this.#separateAll();
    const bounds = this.#search({ maxPieces });
    if (!bounds || !this.#compared) return bounds;
    const { lower, center } = bounds.lower >= this.#compared.lower ? bounds : this.#compared;
    return {
      lower,
      upper: Math.max(lower, Math.min(bounds.upper, this.#compared.upper)),
      ...(center && { center }),
    };
  }

  // Separates all regions by one translation, as if they were one region.
  #separateAll(): void {
    const regions = regionsOf(this.#contacts);
    const all = regions.length === 0 ? undefined : joinRegions(regions);
    this.noteSeparation(new Separator(this.#finder, this.#contacts, []).separate(all), 1);
  }

  #volume(): ProvenBounds | undefined {
    return haveVolume(this.#finder, this.#contacts)
      ? commonVolumeOf(this.#contacts, this.#crossings)
      : undefined;
  }

  #search(bounds: Omit<DepthSearch, 'maxDepth'>, component?: OverlapComponent): OverlapDepth | undefined {
    return overlapDepthOf(this.#contacts, { ...bounds, maxDepth: this.#maxDepth }, component);
  }
}

// Returns the share of a budget for one of several searches.
const shareOf = (budget: number, count: number): number =>
  Math.min(budget, Math.max(MIN_BUDGET, Math.ceil(budget / count)));

const ZERO: ProvenBounds = { lower: 0, upper: 0 };

// Returns the overlap depth and the volume, but omits the volume if it is less than the volume of the ball that
// proves the depth. Such a volume is wrong: a shell turns itself inside out by intersecting itself, so volumes
// of opposite signs cancel out.
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

/** Rejects options that require want: 'segments'. Called if `want` has another value. @throws Unsupported */
export function rejectSegmentOptions(options: OverlapOptions & { want?: string; normals?: boolean }): void {
  const name = overlapOptionOf(options) ?? (options.normals ? 'normals' : undefined);
  if (name)
    throw new Unsupported(
      `the option ${name} requires that want is 'segments', but want is '${options.want ?? 'pairs'}'`,
      name === 'normals'
        ? "pass want: 'segments', or omit normals"
        : `pass want: 'segments', call classify, or omit ${name}`,
    );
}
