// Determines how two placed solids relate: whether one contains the other, how deep they penetrate each other
// in each contact region, and the class of the pair.

import {
  copyOptions,
  integer,
  nonNegative,
  type OptionTable,
  rejectExtraArgument,
  trueOrFalse,
} from '../core/checkOptions.js';
import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { printAs } from '../core/printing.js';
import { PLACED } from '../core/queryOptions.js';
import type { Mesh } from '../mesh/mesh.js';
import type { DistanceQuery } from '../proximity/distanceQuery.js';
import { retry } from '../runtime/retry.js';
import { areDuplicates } from './areDuplicates.js';
import { exchangedClass, exchangedRegion, isOutOfOrder } from './fixedOrder.js';
import { containedShare, isContained } from './isContained.js';
import { findMeshContacts, type MeshContacts, type Placements } from './meshContacts.js';
import { type DepthSearch, overlapDepthOf } from './overlapDepth/commonSolid.js';
import { isClosed, overlapWithoutCrossing } from './overlapWithoutCrossing.js';
import { type Region, regionsOf } from './regions.js';
import type { SegmentFinder } from './segmentFinder.js';
import { type Separation, Separator, type Vector } from './separator.js';
import { shellsOf } from './shells.js';
import { Surface } from './surface.js';
import { commonVolumeOf } from './volume/commonVolume.js';
import type { ProvenBounds } from './volume/faceSums.js';

/**
 * How two placed meshes relate, from far to near. 'apart': the surfaces do not intersect, and their distance
 * is more than the option `clearance`. 'clearance': the surfaces do not intersect, and their distance is at
 * most `clearance`. 'touch': the surfaces intersect, but the solids overlap by no more than the option
 * `tolerance`. 'coplanar': like 'touch', but the contact is an area. 'hard' has three cases: the solids
 * overlap by more than `tolerance`; the surfaces do not intersect, but a solid contains only a part of the
 * other mesh; or both meshes have the same triangles. 'contained': one mesh lies inside the other's solid and
 * their surfaces do not intersect.
 */
export type PairClass = 'apart' | 'clearance' | 'touch' | 'coplanar' | 'hard' | 'contained';

/** Options of `classify`; all are optional. */
export interface ClassifyOptions extends Placements {
  /**
   * Meshes that do not intersect and whose distance is at most this value have class 'clearance'. In units of
   * the common frame, 0 or more. Default 0.
   */
  clearance?: number;
  /**
   * Meshes whose overlap depth (see `overlapDepth`) is at most this value have class 'touch' or 'coplanar'
   * instead of 'hard'. If a mesh is not closed, `depth` is compared instead. In units of the common frame, 0 or
   * more. Default 0.
   */
  tolerance?: number;
  /** Whether to compute `overlapDepth`. This may take much longer than the class. Default false. */
  overlapDepth?: boolean;
  /**
   * Limits the search for `overlapDepth`: how many pieces of the surfaces are examined at most. If the search ends
   * early, the bounds are farther apart, but hold. The class does not depend on it. A whole number from 1 to
   * 1,000,000. Default 50,000.
   */
  depthBudget?: number;
  /** Whether to compute `volume`. Default false. */
  volume?: boolean;
}

/** The largest `depthBudget`. */
const MAX_BUDGET = 1_000_000;

/** Relative rounding error of directions. */
const ROUNDING = 2 ** -48;

const CLASSIFY: OptionTable<ClassifyOptions> = {
  ...PLACED,
  clearance: nonNegative,
  tolerance: nonNegative,
  overlapDepth: trueOrFalse,
  depthBudget: /* @__PURE__ */ integer(1, MAX_BUDGET),
  volume: trueOrFalse,
};

/** How two placed meshes relate. */
export interface Classification {
  /** The class of the pair. */
  class: PairClass;
  /** Only for class 'contained': which of the two contains the other. */
  which?: 'a' | 'b';
  /**
   * How far A has to move to leave B in the deepest contact region, or to leave B entirely if the class is
   * 'contained'. 0 if the solids do not overlap.
   */
  depth: number;
  /** The direction in which A has to move: a unit vector in the common frame. Omitted if the solids do not overlap. */
  direction?: [number, number, number];
  /** Distance of the surfaces, as `distance` returns it: 0 if they intersect, Infinity if a mesh is empty. */
  distance: number;
  /** Largest extent of the contact along an axis of the common frame; 0 if the surfaces do not intersect. */
  size: number;
  /** Number of intersecting pairs of triangles. */
  pairs: number;
  /** Whether both meshes have the same triangles at the same positions, in any order. */
  duplicate: boolean;
  /**
   * How deeply the solids overlap: the diameter of the largest ball that lies in both solids and crosses no
   * triangle. Only with the option `overlapDepth`, and only if both meshes are closed.
   */
  overlapDepth?: OverlapDepth;
  /**
   * The volume of the common solid, in cubic units of the common frame. If shells of a mesh overlap, their common part
   * counts once for each shell. Only with the option `volume`, and only if both meshes are closed. Missing if the
   * meshes overlap and shells of a mesh face in different directions: some outward, some inward, as that of a cavity.
   * The bounds assume that no shell turns itself inside out by intersecting itself.
   */
  volume?: ProvenBounds;
}

/**
 * Bounds of the depth to which two solids overlap, in units of the common frame. Both hold for the placed vertices,
 * whose positions are computed in doubles.
 */
export interface OverlapDepth {
  /** The diameter of a ball that lies in both solids, proven in exact arithmetic; 0 if no such ball was found. */
  lower: number;
  /**
   * No larger ball lies in both solids. Rounding errors of the search are included: 2^-42 of the largest coordinate.
   * At most 1 % above `lower`, unless the search ends early: see `depthBudget`, and the guide "Contacts".
   */
  upper: number;
  /** The center of the ball with the diameter `lower`. Omitted if `lower` is 0. */
  center?: [number, number, number];
}

/** A region in which two placed meshes intersect. Points and directions are in the common frame. */
export interface Penetration {
  /**
   * How far A has to move along `direction` to leave B in this region, up to an error of `bound`. 0 if the
   * meshes only touch in this region.
   */
  depth: number;
  /** A unit vector; 0, 0, 0 if the solids do not overlap in this region. */
  direction: [number, number, number];
  /** Upper bound of the rounding error of the depth. */
  bound: number;
  /** The point of A that is deepest in B along `direction`. */
  pointA: [number, number, number];
  /** The point of B that is deepest in A, against `direction`. */
  pointB: [number, number, number];
  /** Number of intersecting pairs of triangles in this region. */
  pairs: number;
  /** Number of triangles of A in those pairs. */
  trianglesA: number;
  /** Number of triangles of B in those pairs. */
  trianglesB: number;
  /** Largest extent of the shared points along an axis of the common frame. */
  size: number;
}

const printedPenetration = printAs({} as Penetration, 'Penetration');
const printedClassified = printAs({} as Classification, 'Classification');

/** Queries about solids: containment, penetration and classification. */
export class SolidMethods {
  readonly #host: EngineHost;
  readonly #finder: SegmentFinder;
  readonly #distances: DistanceQuery;

  /** @internal */
  constructor(host: EngineHost, finder: SegmentFinder, distances: DistanceQuery) {
    this.#host = host;
    this.#finder = finder;
    this.#distances = distances;
  }

  /**
   * Returns whether all of mesh B lies inside the solid that mesh A bounds, without touching A's surface. The
   * result is exact.
   * @throws Unsupported if A is not closed; InvalidTransform, Disposed, Capacity
   */
  contains(a: Mesh, b: Mesh, options?: Placements): boolean;
  contains(a: Mesh, b: Mesh, options: Placements = {}, surplus?: unknown): boolean {
    return this.#run('contains', PLACED, a, b, options, surplus, contains);
  }

  /**
   * Returns the regions in which two placed meshes intersect, deepest first. The depth of the first region is
   * the depth that `classify` returns. If the surfaces do not intersect but one solid contains the other mesh or a
   * part of it, returns one region without triangles.
   * @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  penetration(a: Mesh, b: Mesh, options?: Placements): Penetration[];
  penetration(a: Mesh, b: Mesh, options: Placements = {}, surplus?: unknown): Penetration[] {
    const answer = (contacts: MeshContacts): Penetration[] => penetrations(this.#finder, contacts);
    const exchange = (regions: Penetration[]): Penetration[] => regions.map(exchangedRegion);
    return this.#run('penetration', PLACED, a, b, options, surplus, answer, exchange).map(region => ({
      __proto__: printedPenetration,
      ...region,
    }));
  }

  /**
   * Returns the class of two placed meshes. The class is exact, but `clearance` and `tolerance` are compared with
   * lengths computed in doubles. Depth, size and distance are rounded.
   * @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  classify(a: Mesh, b: Mesh, options?: ClassifyOptions): Classification;
  classify(a: Mesh, b: Mesh, options: ClassifyOptions = {}, surplus?: unknown): Classification {
    const answer = (contacts: MeshContacts, plain: ClassifyOptions): Classification =>
      new Classifier(this.#finder, contacts, plain, this.#distances).answer();
    const found = this.#run('classify', CLASSIFY, a, b, options, surplus, answer, exchangedClass);
    return { __proto__: printedClassified, ...found } as Classification;
  }

  // Answers a call. exchange: makes the answer for exchanged meshes from an answer; omitted if answers are exact. With it,
  // the answer is computed in an order of the meshes that does not depend on the call.
  #run<Options extends Placements, Answer>(
    method: string,
    table: OptionTable<Options>,
    a: Mesh,
    b: Mesh,
    given: Options,
    surplus: unknown,
    answer: (contacts: MeshContacts, options: Options) => Answer,
    exchange?: (answer: Answer) => Answer,
  ): Answer {
    this.#host.beginCall();
    const options = copyOptions(table, given);
    rejectExtraArgument(surplus, `${method}(a, b, options)`);
    const run = (first: Mesh, second: Mesh, placed: Options): Answer =>
      retry(() => answer(findMeshContacts(this.#finder, first, second, placed), placed));
    const { transformA, transformB } = options;
    return exchange && this.#isOutOfOrder(a, b, options)
      ? exchange(run(b, a, { ...options, transformA: transformB, transformB: transformA }))
      : run(a, b, options);
  }

  // Meshes of another engine are left in order, so that the search refuses them.
  #isOutOfOrder(a: Mesh, b: Mesh, { transformA, transformB }: Placements): boolean {
    if (!this.#host.owns(a) || !this.#host.owns(b)) return false;
    return isOutOfOrder(new Surface(a, transformA, 'transformA'), new Surface(b, transformB, 'transformB'));
  }
}

function contains({ a, b, pairs }: MeshContacts): boolean {
  const { openEdges } = shellsOf(a.mesh);
  if (openEdges > 0) {
    throw new Unsupported(
      `mesh ${a.mesh.id} is not closed: ${openEdges} of its edges are not used equally often in both directions`,
      'close the mesh, or flip triangles so that neighbors use their common edge in opposite directions',
    );
  }
  return pairs.a.length === 0 && isContained(b, a);
}

const sizeOf = (points: ArrayLike<number>): number => {
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    let min = Infinity;
    let max = -Infinity;
    for (let i = axis; i < points.length; i += 3) {
      min = Math.min(min, points[i]);
      max = Math.max(max, points[i]);
    }
    size = Math.max(size, max - min);
  }
  return size;
};

// Returns whether the solids overlap: triangles cross, or one solid reaches into the other although no
// triangles cross.
const solidsOverlap = ({ a, b, pairs }: MeshContacts, regions: readonly Region[]): boolean =>
  regions.some(region => region.crossingCount > 0) || overlapWithoutCrossing(a, b, pairs);

/**
 * Returns which solid contains the whole other mesh, or 'in part' if a solid contains only a part of the
 * other mesh. The surfaces must not intersect.
 */
function containerOf({ a, b }: MeshContacts): 'neither' | 'a' | 'b' | 'in part' {
  const bInA = containedShare(b, a);
  const aInB = containedShare(a, b);
  if (bInA === 'none' && aInB === 'none') return 'neither';
  if (bInA === 'all' && aInB === 'none') return 'a';
  return aInB === 'all' && bInA === 'none' ? 'b' : 'in part';
}

function penetrations(finder: SegmentFinder, contacts: MeshContacts): Penetration[] {
  if (contacts.pairs.a.length === 0) {
    return containerOf(contacts) !== 'neither'
      ? [
          {
            ...new Separator(finder, contacts, []).separate(undefined),
            pairs: 0,
            trianglesA: 0,
            trianglesB: 0,
            size: 0,
          },
        ]
      : [];
  }
  const regions = regionsOf(contacts);
  const separations = separationsOf(
    finder,
    contacts,
    regions,
    solidsOverlap(contacts, regions) || areDuplicates(contacts.a, contacts.b),
  );
  return regions
    .map(
      (region, i): Penetration => ({
        ...separations[i],
        pairs: region.pairs.length,
        trianglesA: region.trianglesA.size,
        trianglesB: region.trianglesB.size,
        size: sizeOf(region.points),
      }),
    )
    .sort((left, right) => right.depth - left.depth);
}

// Computes the separation for each region in which the solids overlap. In the other regions the solids only
// touch, so the depth is 0. If the solids overlap but no triangles cross, the overlap may be at any region,
// so a separation is computed for every region.
function separationsOf(
  finder: SegmentFinder,
  contacts: MeshContacts,
  regions: readonly Region[],
  overlap: boolean,
): Separation[] {
  const separator = new Separator(finder, contacts, regions);
  const isCrossed = regions.some(region => region.crossingCount > 0);
  return regions.map(region => {
    if (overlap && (region.crossingCount > 0 || !isCrossed)) return separator.separate(region);
    const point = region.points.slice(0, 3) as Vector;
    return { depth: 0, direction: [0, 0, 0], bound: 0, pointA: point, pointB: point };
  });
}

class Classifier {
  readonly #finder: SegmentFinder;
  readonly #contacts: MeshContacts;
  readonly #options: ClassifyOptions;
  readonly #distances: DistanceQuery;
  // A length that the overlap depth does not exceed.
  #most = Infinity;
  // Bounds that were found to compare the overlap depth with the tolerance.
  #compared: OverlapDepth | undefined;

  constructor(
    finder: SegmentFinder,
    contacts: MeshContacts,
    options: ClassifyOptions,
    distances: DistanceQuery,
  ) {
    this.#finder = finder;
    this.#contacts = contacts;
    this.#options = options;
    this.#distances = distances;
  }

  answer(): Classification {
    const answer = this.#contacts.pairs.a.length === 0 ? this.#withoutContact() : this.#withContact();
    const { a, b } = this.#contacts;
    // The depth may be rounded to 0 although the solids overlap.
    const isOverlap = answer.direction !== undefined;
    const boundsIf = <Answer>(isAsked: boolean | undefined, compute: () => Answer | undefined) =>
      !isAsked || !isClosed(a) || !isClosed(b) ? undefined : isOverlap ? compute() : { lower: 0, upper: 0 };
    const overlapDepth = boundsIf(this.#options.overlapDepth, () => this.#overlapDepth());
    const volume = boundsIf(this.#options.volume, () => commonVolumeOf(this.#contacts));
    // If a proven ball does not fit into the volume, a shell that turns itself inside out has made volumes cancel.
    const ballVolume = (Math.PI / 6) * (overlapDepth?.lower ?? 0) ** 3;
    return {
      ...answer,
      ...(overlapDepth && { overlapDepth }),
      ...(volume && volume.upper >= ballVolume * (1 - ROUNDING) && { volume }),
    };
  }

  #overlapDepth(): OverlapDepth | undefined {
    const bounds = this.#search({ maxPieces: this.#options.depthBudget });
    if (!bounds || !this.#compared) return bounds;
    const { lower, center } = bounds.lower >= this.#compared.lower ? bounds : this.#compared;
    return {
      lower,
      upper: Math.max(lower, Math.min(bounds.upper, this.#compared.upper)),
      ...(center && { center }),
    };
  }

  #search(bounds: Omit<DepthSearch, 'most'>): OverlapDepth | undefined {
    return overlapDepthOf(this.#contacts, { ...bounds, most: this.#most });
  }

  // Notes the distance to separate the meshes. If there is one region, the overlap depth is not larger: a ball in both
  // solids keeps them from separating until one of them has moved by the ball's diameter.
  #noteSeparation({ depth, bound }: Separation, regionCount: number): void {
    if (regionCount < 2) this.#most = depth + 4 * (bound + ROUNDING * depth);
  }

  #withoutContact(): Classification {
    const contacts = this.#contacts;
    const { a, b } = contacts;
    const { clearance = 0, transformA, transformB } = this.#options;
    const container = containerOf(contacts);
    const answer = {
      depth: 0,
      distance: this.#distances.run(a.mesh, b.mesh, { transformA, transformB })?.distance ?? Infinity,
      size: 0,
      pairs: 0,
      duplicate: false,
    };
    if (container === 'neither')
      return { class: answer.distance <= clearance ? 'clearance' : 'apart', ...answer };
    const separation = new Separator(this.#finder, contacts, []).separate(undefined);
    const { depth, direction } = separation;
    this.#noteSeparation(separation, 0);
    return container === 'in part'
      ? { class: 'hard', ...answer, depth, direction }
      : { class: 'contained', which: container, ...answer, depth, direction };
  }

  #withContact(): Classification {
    const contacts = this.#contacts;
    const { a, b, pairs } = this.#contacts;
    const finder = this.#finder;
    const { tolerance = 0 } = this.#options;
    const regions = regionsOf(contacts);
    const answer = {
      distance: 0,
      size: sizeOf(contacts.points),
      pairs: pairs.a.length,
      duplicate: areDuplicates(a, b),
    };
    const hasSharedArea = regions.some(region => region.sharingCount > 0);
    const overlap = solidsOverlap(contacts, regions);
    if (!overlap && !answer.duplicate)
      return { class: hasSharedArea ? 'coplanar' : 'touch', depth: 0, ...answer };
    const deepest = separationsOf(finder, contacts, regions, true).reduce((best, one) =>
      one.depth > best.depth ? one : best,
    );
    const { depth, direction } = deepest;
    this.#noteSeparation(deepest, regions.length);
    if (tolerance === 0 || answer.duplicate || this.#exceeds(depth, tolerance))
      return { class: 'hard', depth, direction, ...answer };
    return {
      class: hasSharedArea || isWide(regions, direction, tolerance) ? 'coplanar' : 'touch',
      depth,
      direction,
      ...answer,
    };
  }

  // Returns whether it is not proven that the solids overlap by at most the tolerance.
  #exceeds(depth: number, tolerance: number): boolean {
    if (this.#most <= tolerance) return false;
    // If the contact has several regions, `depth` says nothing about bodies that lie inside the other mesh.
    this.#compared = this.#search({ limit: tolerance });
    return this.#compared ? this.#compared.upper > tolerance : depth > tolerance;
  }
}

// Returns whether some contact region is wider than twice the tolerance along both coordinate axes across the
// direction. These are the two axes on which the direction does not have its largest component.
function isWide(regions: readonly Region[], direction: Vector, tolerance: number): boolean {
  const axis = direction.map(Math.abs).indexOf(Math.max(...direction.map(Math.abs)));
  return regions.some(({ points }) =>
    [1, 2].every(step => {
      const across = points.filter((_, i) => i % 3 === (axis + step) % 3);
      return sizeOf(across.flatMap(value => [value, 0, 0])) > 2 * tolerance;
    }),
  );
}
