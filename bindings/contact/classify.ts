// Determines how two placed solids relate: whether one contains the other, how deep they penetrate each other
// in each contact region, and the class of the pair.

import { copyOptions, nonNegative, type OptionTable, rejectExtraArgument } from '../core/checkOptions.js';
import type { EngineHost } from '../core/module.js';
import { printAs } from '../core/printing.js';
import { OVERLAP, type OverlapOptions, overlapOptionOf, PLACED, QUERY } from '../core/queryOptions.js';
import type { Mesh } from '../mesh/mesh.js';
import type { DistanceQuery } from '../proximity/distanceQuery.js';
import { retry } from '../runtime/retry.js';
import { areDuplicates } from './areDuplicates.js';
import type { ContactSegments } from './contactSegments.js';
import { exchangedClass, exchangedRegion, isOutOfOrder } from './fixedOrder.js';
import { type ClosedMesh, type CloseGapsOptions, closeGaps } from './gaps/closeGaps.js';
import { containedShare, isContained } from './isContained.js';
import { crosses, findMeshContacts, type MeshContacts, type Placements } from './meshContacts.js';
import type { OverlapFigures, RegionFigures } from './overlapFigures.js';
import { checkDepthBudget, OverlapMeasurer } from './overlapMeasurer.js';
import { overlapWithoutCrossing } from './overlapWithoutCrossing.js';
import { type Region, regionsOf } from './regions.js';
import { rejectForeign } from './rejectForeign.js';
import { checkClearance, type SegmentFinder, type SegmentOptions } from './segmentFinder.js';
import { type Separation, Separator, type Vector } from './separator.js';
import { rejectOpen } from './shells.js';
import { Surface } from './surface.js';

/**
 * How two placed meshes relate, from far to near:
 * - 'apart': the surfaces do not intersect, neither solid contains a part of the other mesh, and the distance
 *   is more than the option `clearance`.
 * - 'clearance': like 'apart', but the distance is at most `clearance`.
 * - 'touch': the surfaces intersect, but the solids overlap by no more than the option `tolerance`.
 * - 'coplanar': like 'touch', but the contact is an area: triangles share an area, or the solids overlap and
 *   a contact region is wider than twice `tolerance` along two axes.
 * - 'hard': the solids overlap by more than `tolerance`; or the surfaces do not intersect, but a solid
 *   contains only a part of the other mesh; or both meshes have the same triangles at the same positions.
 * - 'contained': one mesh lies inside the other's solid, and their surfaces do not intersect.
 */
export type PairClass = 'apart' | 'clearance' | 'touch' | 'coplanar' | 'hard' | 'contained';

/** Options of `classify`; all are optional. */
export interface ClassifyOptions extends Placements, OverlapOptions {
  /**
   * Two meshes have class 'clearance' if their surfaces do not intersect, neither solid contains a part of the
   * other mesh, and their distance is at most this value. In units of the common frame, 0 or more. Default 0.
   */
  clearance?: number;
  /**
   * Meshes whose surfaces intersect and whose overlap depth (see `overlapDepth`) is at most this value have
   * class 'touch' or 'coplanar' instead of 'hard', unless both have the same triangles. If a mesh is not
   * closed, `depth` is compared instead. In units of the common frame, 0 or more. Default 0.
   */
  tolerance?: number;
}

const CLASSIFY: OptionTable<ClassifyOptions> = {
  ...PLACED,
  clearance: nonNegative,
  tolerance: nonNegative,
  ...OVERLAP,
};
const PENETRATION: OptionTable<PenetrationOptions> = { ...PLACED, ...OVERLAP };
const CLOSE_GAPS: OptionTable<CloseGapsOptions> = { maxArea: nonNegative };

/** How two placed meshes relate. */
export interface Classification extends OverlapFigures {
  /** The class of the pair. */
  class: PairClass;
  /** Only for class 'contained': which of the two meshes contains the other. */
  which?: 'a' | 'b';
  /**
   * How far A has to move to be outside B in the deepest contact region, or entirely outside B if the
   * surfaces do not intersect. In units of the common frame; 0 if the solids do not overlap, unless
   * `duplicate` is true.
   */
  depth: number;
  /**
   * The direction in which A has to move: a unit vector in the common frame. Omitted if the solids do not
   * overlap, unless `duplicate` is true.
   */
  direction?: [number, number, number];
  /**
   * Upper bound of the rounding error of the depth, in the same units: if A moves by `depth` + `bound`, it is
   * proven to be outside B in the first region that `penetration` returns. `bound`, `pointA` and `pointB` are
   * those of this region, and are omitted if there is none.
   */
  bound?: number;
  /**
   * The point of A that is farthest opposite to `direction` in the first region of `penetration`, in the common
   * frame. If the meshes only touch, `pointA` and `pointB` are the same point, which both meshes share.
   */
  pointA?: [number, number, number];
  /**
   * The point of B that is farthest along `direction` in the first region of `penetration`, in the common
   * frame.
   */
  pointB?: [number, number, number];
  /**
   * Distance of the surfaces in units of the common frame, the same as `distance` computes: 0 if they
   * intersect. Infinity if a mesh is empty; `distance` then returns null.
   */
  distance: number;
  /** Largest extent of the contact along an axis of the common frame; 0 if the surfaces do not intersect. */
  size: number;
  /** Number of intersecting pairs of triangles. */
  pairs: number;
  /** Whether both meshes have the same triangles at the same positions, in any order. */
  duplicate: boolean;
}

/**
 * A region in which two placed meshes intersect. Points and directions are in the common frame, and lengths
 * are in its units.
 */
export interface Penetration extends RegionFigures {
  /**
   * How far A has to move along `direction` to be outside B in this region, up to an error of `bound`. 0 if the
   * meshes only touch in this region.
   */
  depth: number;
  /**
   * The direction in which A has to move: a unit vector; 0, 0, 0 if the solids do not overlap in this region.
   */
  direction: [number, number, number];
  /** Upper bound of the rounding error of the depth, in the same units. */
  bound: number;
  /**
   * The point of A in this region that is farthest opposite to `direction`. If the meshes only touch in this
   * region, `pointA` and `pointB` are the same point, which both meshes share.
   */
  pointA: [number, number, number];
  /** The point of B in this region that is farthest along `direction`. */
  pointB: [number, number, number];
  /** Number of intersecting pairs of triangles in this region. */
  pairs: number;
  /** Number of triangles of A in the pairs of this region. */
  trianglesA: number;
  /** Number of triangles of B in the pairs of this region. */
  trianglesB: number;
  /** Largest extent of the shared points along an axis of the common frame. */
  size: number;
  /**
   * Only if the surfaces do not intersect and one mesh lies inside the other's solid, as in the class
   * 'contained': which of the two contains the other.
   */
  which?: 'a' | 'b';
}

/** Options of `penetration`; all are optional. */
export interface PenetrationOptions extends Placements, OverlapOptions {}

/** The regions in which two placed meshes intersect, and figures of the overlap of the whole pair. */
export interface MeasuredPenetration extends OverlapFigures {
  /** The regions, deepest first. */
  regions: Penetration[];
}

const printedPenetration = printAs({} as Penetration, 'Penetration');
const printedMeasured = printAs({} as MeasuredPenetration, 'MeasuredPenetration');
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
   * Returns whether all of mesh B lies inside the solid that mesh A bounds, without touching A's surface, and
   * no part of A, such as the shell of a cavity, lies inside B's solid. The result is exact. Source: Jacobson
   * et al. 2013 (winding numbers).
   * @throws Unsupported if A is not closed; InvalidTransform, Disposed, Capacity
   */
  contains(a: Mesh, b: Mesh, options?: Placements): boolean;
  contains(a: Mesh, b: Mesh, given: Placements = {}, surplus?: unknown): boolean {
    this.#host.beginCall();
    const options = copyOptions(PLACED, given);
    rejectExtraArgument(surplus, 'contains(a, b, options)');
    return this.#run(a, b, options, contains);
  }

  /**
   * Returns the triangles of a mesh, followed by triangles between its vertices that close the mesh: together,
   * they use each edge equally often in both directions. The given mesh does not change. Vertices with equal
   * coordinates count as one vertex.
   *
   * First, open edges whose ends are close to each other are joined. The remaining open edges form loops, which
   * are filled. Source: Barequet and Sharir 1995.
   *
   * @returns undefined if the gaps are not narrow: if the added triangles would have a larger share of the area
   * than `maxArea`, as for sheets and for solids with missing faces; if more than 524,288 edges are open; or if
   * a loop has more than 4,096 edges.
   * @throws Unsupported if an option is unknown or invalid, or the mesh belongs to another engine; Disposed
   */
  closeGaps(mesh: Mesh, options?: CloseGapsOptions): ClosedMesh | undefined;
  closeGaps(mesh: Mesh, given: CloseGapsOptions = {}, surplus?: unknown): ClosedMesh | undefined {
    this.#host.beginCall();
    const options = copyOptions(CLOSE_GAPS, given);
    rejectExtraArgument(surplus, 'closeGaps(mesh, options)');
    rejectForeign(this.#host, mesh);
    return closeGaps(mesh, options);
  }

  /**
   * Returns the regions in which two placed meshes intersect, deepest first. The depth of the first region is
   * the depth that `classify` returns. If the surfaces do not intersect but one solid contains the other mesh
   * or a part of it, returns one region without triangles. If the whole other mesh is contained, `which`
   * names the mesh that contains it. Source: van den Bergen 2001; Ericson, Real-Time Collision Detection,
   * 9.3.8 (penetration depth).
   * @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  penetration(
    a: Mesh,
    b: Mesh,
    options?: PenetrationOptions & { overlapDepth?: false; volume?: false; contactSize?: false },
  ): Penetration[];
  /**
   * Returns an object with the regions in which two placed meshes intersect, and with those figures of their
   * overlap and contact that the options `overlapDepth`, `volume` and `contactSize` request. If `classify` is
   * called without the option `tolerance`, it returns the same figures, to the last bit. The overlap depth and
   * the volume of a region are those of the component of the common solid that the region bounds. With
   * `contactSize`, each region also has a `contactLength` and a `contactArea`. If regions share points, these
   * lengths and areas may add up to more than those of the whole contact. Source: as above; also Edelsbrunner
   * and Mücke 1990 (simulation of simplicity, for the volume).
   * @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  penetration(
    a: Mesh,
    b: Mesh,
    options: PenetrationOptions & ({ overlapDepth: true } | { volume: true } | { contactSize: true }),
  ): MeasuredPenetration;
  /**
   * Returns the regions or, if the options request a figure, an object with regions and figures. Choose this
   * form if the options are known only at run time.
   * @throws as with known options
   */
  penetration(a: Mesh, b: Mesh, options: PenetrationOptions): Penetration[] | MeasuredPenetration;
  penetration(
    a: Mesh,
    b: Mesh,
    given: PenetrationOptions = {},
    surplus?: unknown,
  ): Penetration[] | MeasuredPenetration {
    this.#host.beginCall();
    const options = copyOptions(PENETRATION, given);
    rejectExtraArgument(surplus, 'penetration(a, b, options)');
    checkDepthBudget(options);
    const answer = (contacts: MeshContacts) => measurePenetration(this.#finder, contacts, options);
    const { regions, ...figures } = this.#runInFixedOrder(a, b, options, answer, exchangedRegions);
    const printed = regions.map(
      (region): Penetration => ({ __proto__: printedPenetration, ...region }) as Penetration,
    );
    return options.overlapDepth || options.volume || options.contactSize
      ? ({ __proto__: printedMeasured, regions: printed, ...figures } as MeasuredPenetration)
      : printed;
  }

  /**
   * Returns the class of two placed meshes, with their depth, distance and other figures. The class is exact,
   * but `clearance` and `tolerance` are compared with lengths computed in doubles. Depth, size and distance
   * are rounded. Source: as for `contains`, `penetration` and `distance`.
   * @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  classify(a: Mesh, b: Mesh, options?: ClassifyOptions): Classification;
  classify(a: Mesh, b: Mesh, given: ClassifyOptions = {}, surplus?: unknown): Classification {
    this.#host.beginCall();
    const options = copyOptions(CLASSIFY, given);
    rejectExtraArgument(surplus, 'classify(a, b, options)');
    checkDepthBudget(options);
    const answer = (contacts: MeshContacts, placements: Placements): Classification =>
      new Classifier(this.#finder, contacts, { ...options, ...placements }, this.#distances).answer();
    const found = this.#runInFixedOrder(a, b, options, answer, exchangedClass);
    return { __proto__: printedClassified, ...found } as Classification;
  }

  /**
   * Runs `query` with want: 'segments', and computes the figures that the options ask for.
   * @throws as query
   * @internal
   */
  findSegments(a: Mesh, b: Mesh, given: SegmentOptions): ContactSegments {
    if (overlapOptionOf(given) === undefined) return this.#finder.findSegments(a, b, given);
    const options = copyOptions(QUERY, given) as SegmentOptions;
    checkDepthBudget(options);
    checkClearance(options);
    const answer = (contacts: MeshContacts): OverlapFigures => figuresOf(this.#finder, contacts, options);
    // The figures are computed first, because this computation reuses the memory in which the segments are
    // returned.
    const figures = this.#runInFixedOrder(a, b, options, answer, found => found);
    return this.#finder.findSegments(a, b, options, figures);
  }

  #run<Answer>(
    a: Mesh,
    b: Mesh,
    { transformA, transformB }: Placements,
    answer: (contacts: MeshContacts, placements: Placements) => Answer,
  ): Answer {
    const placements = { transformA, transformB };
    return retry(() => answer(findMeshContacts(this.#finder, a, b, placements), placements));
  }

  // Computes an answer with the meshes in a fixed order, so that its rounded values do not depend on which mesh
  // the caller names first. exchange: converts an answer for exchanged meshes to the answer of the call.
  #runInFixedOrder<Answer>(
    a: Mesh,
    b: Mesh,
    placements: Placements,
    answer: (contacts: MeshContacts, placements: Placements) => Answer,
    exchange: (answer: Answer) => Answer,
  ): Answer {
    const { transformA, transformB } = placements;
    return this.#isOutOfOrder(a, b, placements)
      ? exchange(this.#run(b, a, { transformA: transformB, transformB: transformA }, answer))
      : this.#run(a, b, placements, answer);
  }

  // Returns whether the meshes have to be exchanged. False for meshes of another engine, which the query
  // rejects.
  #isOutOfOrder(a: Mesh, b: Mesh, { transformA, transformB }: Placements): boolean {
    if (!this.#host.owns(a) || !this.#host.owns(b)) return false;
    return isOutOfOrder(new Surface(a, transformA, 'transformA'), new Surface(b, transformB, 'transformB'));
  }
}

const exchangedRegions = (answer: MeasuredPenetration): MeasuredPenetration => ({
  ...answer,
  regions: answer.regions.map(exchangedRegion),
});

function contains({ a, b, pairs }: MeshContacts): boolean {
  rejectOpen(a.mesh);
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

// Returns whether two solids overlap, given that their surfaces intersect: triangles cross, or the solids have
// a common part although no triangles cross.
const solidsOverlap = ({ a, b, pairs }: MeshContacts): boolean =>
  pairs.kind.some(crosses) || overlapWithoutCrossing(a, b, pairs);

// Returns whether the solids overlap or the meshes are duplicates. The surfaces may, but need not, intersect.
const isOverlapping = (contacts: MeshContacts): boolean =>
  contacts.pairs.a.length === 0
    ? containerOf(contacts) !== 'neither'
    : solidsOverlap(contacts) || areDuplicates(contacts.a, contacts.b);

/**
 * Returns which solid contains the whole other mesh; 'neither' if no solid contains a part of the other mesh;
 * and 'in part' otherwise: if a solid contains only a part of the other mesh, or each solid contains a part of
 * the other mesh. The surfaces must not intersect.
 */
function containerOf({ a, b }: MeshContacts): 'neither' | 'a' | 'b' | 'in part' {
  const bInA = containedShare(b, a);
  const aInB = containedShare(a, b);
  if (bInA === 'none' && aInB === 'none') return 'neither';
  if (bInA === 'all' && aInB === 'none') return 'a';
  return aInB === 'all' && bInA === 'none' ? 'b' : 'in part';
}

function measurePenetration(
  finder: SegmentFinder,
  contacts: MeshContacts,
  options: OverlapOptions,
): MeasuredPenetration {
  const measurer = new OverlapMeasurer(finder, contacts);
  if (contacts.pairs.a.length === 0) {
    const container = containerOf(contacts);
    const isOverlap = container !== 'neither';
    const separation = isOverlap ? new Separator(finder, contacts, []).separate(undefined) : undefined;
    if (separation) measurer.noteSeparation(separation, 0);
    const figures = measurer.figures(options, isOverlap);
    const { separation: _, ...ofRegion } = figures;
    const region = separation && {
      ...separation,
      pairs: 0,
      trianglesA: 0,
      trianglesB: 0,
      size: 0,
      ...(container === 'a' || container === 'b' ? { which: container } : {}),
      ...(figures.overlapDepth || figures.volume ? { component: 0 } : {}),
      ...ofRegion,
    };
    return { regions: region ? [region] : [], ...figures };
  }
  const isOverlap = isOverlapping(contacts);
  const found = regionsOf(contacts);
  const separations = separationsOf(finder, contacts, found, isOverlap);
  if (isOverlap) measurer.noteSeparation(separations[0], found.length);
  const figures = measurer.figures(options, isOverlap);
  const ofRegions = measurer.regionFigures(options, found, isOverlap, figures);
  const regions = found
    .map(
      (region, i): Penetration => ({
        ...separations[i],
        pairs: region.pairs.length,
        trianglesA: region.trianglesA.size,
        trianglesB: region.trianglesB.size,
        size: sizeOf(region.points),
        ...ofRegions[i],
        ...measurer.contactFigures(options, region.pairs),
      }),
    )
    .sort((left, right) => right.depth - left.depth);
  return { regions, ...figures };
}

// Computes the figures of a pair, but not the figures of its regions.
function figuresOf(finder: SegmentFinder, contacts: MeshContacts, options: OverlapOptions): OverlapFigures {
  const isOverlap = Boolean(options.overlapDepth || options.volume) && isOverlapping(contacts);
  return new OverlapMeasurer(finder, contacts).figures(options, isOverlap);
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
    return { direction: [0, 0, 0], ...touchOf(region) };
  });
}

// Describes a region in which the solids only touch: the depth is 0, and both points are the same shared
// point.
function touchOf({ points }: Region): Omit<Separation, 'direction'> {
  const point = points.slice(0, 3) as Vector;
  return { depth: 0, bound: 0, pointA: point, pointB: [...point] };
}

class Classifier {
  readonly #finder: SegmentFinder;
  readonly #contacts: MeshContacts;
  readonly #options: ClassifyOptions;
  readonly #distances: DistanceQuery;
  readonly #measurer: OverlapMeasurer;

  constructor(
    finder: SegmentFinder,
    contacts: MeshContacts,
    options: ClassifyOptions,
    distances: DistanceQuery,
  ) {
    this.#finder = finder;
    this.#contacts = contacts;
    this.#measurer = new OverlapMeasurer(finder, contacts);
    this.#options = options;
    this.#distances = distances;
  }

  answer(): Classification {
    const answer = this.#contacts.pairs.a.length === 0 ? this.#withoutContact() : this.#withContact();
    // The direction tells whether the solids overlap: the depth may be rounded to 0 although they do.
    return { ...answer, ...this.#measurer.figures(this.#options, answer.direction !== undefined) };
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
    this.#measurer.noteSeparation(separation, 0);
    return container === 'in part'
      ? { class: 'hard', ...answer, ...separation }
      : { class: 'contained', which: container, ...answer, ...separation };
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
    const overlap = solidsOverlap(contacts);
    if (!overlap && !answer.duplicate)
      return { class: hasSharedArea ? 'coplanar' : 'touch', ...answer, ...touchOf(regions[0]) };
    const deepest = separationsOf(finder, contacts, regions, true).reduce((best, one) =>
      one.depth > best.depth ? one : best,
    );
    this.#measurer.noteSeparation(deepest, regions.length);
    if (tolerance === 0 || answer.duplicate || this.#measurer.exceeds(deepest.depth, tolerance))
      return { class: 'hard', ...answer, ...deepest };
    return {
      class: hasSharedArea || isWide(regions, deepest.direction, tolerance) ? 'coplanar' : 'touch',
      ...answer,
      ...deepest,
    };
  }
}

// Returns whether some contact region is wider than twice the tolerance along two coordinate axes. The third
// axis, which does not count, is the one along which the direction has its largest component.
function isWide(regions: readonly Region[], direction: Vector, tolerance: number): boolean {
  const axis = direction.map(Math.abs).indexOf(Math.max(...direction.map(Math.abs)));
  return regions.some(({ points }) =>
    [1, 2].every(step => {
      const across = points.filter((_, i) => i % 3 === (axis + step) % 3);
      return sizeOf(across.flatMap(value => [value, 0, 0])) > 2 * tolerance;
    }),
  );
}
