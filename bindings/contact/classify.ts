// Two placed meshes -> whether one holds the other, how deep they are in each other region by region, and the
// class of the pair.
import { Unsupported } from '../core/errors.js';
import type { EngineHost } from '../core/module.js';
import { PLACED } from '../core/options.js';
import { checkSurplus, copyOptions, fromZero, type OptionTable } from '../core/optionTable.js';
import { printAs } from '../core/printing.js';
import type { Mesh } from '../mesh/mesh.js';
import type { DistanceAsker } from '../proximity/distance.js';
import { retry } from '../runtime/retry.js';
import { type Asked, askPairs, type Placements } from './asked.js';
import { isWithin, shareWithin } from './contained.js';
import { areSame } from './duplicate.js';
import { reachIn } from './overlap.js';
import { type Region, regionsOf } from './regions.js';
import type { SegmentFinder } from './segmentFinder.js';
import { type Separation, Separator, type Vector } from './separation.js';
import { shellsOf } from './shells.js';

/**
 * How two placed parts stand to each other, from far to near; 'contained' is one within the other, surfaces
 * apart.
 */
export type PairClass = 'apart' | 'clearance' | 'touch' | 'coplanar' | 'hard' | 'contained';

/** What classify may be asked for; all may be left out. */
export interface ClassifyOptions extends Placements {
  /**
   * Parts that are apart by this or less are of class 'clearance'. In units of the common frame, 0 or more.
   * Default 0.
   */
  clearance?: number;
  /**
   * What is in each other no deeper than this is of class 'touch' or 'coplanar', as its depth says. Likewise.
   * Default 0.
   */
  tolerance?: number;
}

const CLASSIFY: OptionTable<ClassifyOptions> = { ...PLACED, clearance: fromZero, tolerance: fromZero };

/** A pair of placed parts. */
export interface Classified {
  /** How the two stand to each other. */
  class: PairClass;
  /** Of class 'contained': which of the two holds the other. */
  which?: 'a' | 'b';
  /** How far A has to go to be out of B: the deepest region's. 0 but where parts are in each other. */
  depth: number;
  /** Which way A has to go: a unit vector; left out where depth is 0. */
  direction?: [number, number, number];
  /** Between the surfaces, as `distance` has it: 0 where they meet, Infinity where one is empty. */
  distance: number;
  /** Greatest extent of the contact along an axis; 0 where surfaces do not meet. */
  size: number;
  /** Pairs of triangles that share a point. */
  pairs: number;
  /** Whether both are the same triangles at the same places, in any order. */
  duplicate: boolean;
}

/** A region in which two placed meshes meet. */
export interface Penetration {
  /**
   * How far A has to go along `direction` to be out of B here, but for `bound`. 0 where the two only touch.
   */
  depth: number;
  /** A unit vector; 0, 0, 0 where depth is 0. */
  direction: [number, number, number];
  /** What rounding may add to the depth. */
  bound: number;
  /** The point of A that is deepest in B along `direction`. */
  pointA: [number, number, number];
  /** The point of B that is deepest in A. */
  pointB: [number, number, number];
  /** Pairs of triangles that share a point here. */
  pairs: number;
  /** How many triangles of A those are. */
  trianglesA: number;
  /** How many triangles of B. */
  trianglesB: number;
  /** Greatest extent of what they share, along an axis. */
  size: number;
}

const printedPenetration = printAs({} as Penetration, 'Penetration');
const printedClassified = printAs({} as Classified, 'Classified');

/** Verbs of solids. */
export class SolidVerbs {
  readonly #host: EngineHost;
  readonly #finder: SegmentFinder;
  readonly #distances: DistanceAsker;

  /** @internal */
  constructor(host: EngineHost, finder: SegmentFinder, distances: DistanceAsker) {
    this.#host = host;
    this.#finder = finder;
    this.#distances = distances;
  }

  /**
   * Whether mesh B lies wholly inside the solid that mesh A is the surface of, and touches it nowhere. Exact.
   * @throws Unsupported where A is not closed, InvalidTransform, Disposed, Capacity
   */
  contains(a: Mesh, b: Mesh, options?: Placements): boolean;
  contains(a: Mesh, b: Mesh, options: Placements = {}, surplus?: unknown): boolean {
    return this.#ask('contains', PLACED, a, b, options, surplus, contains);
  }

  /**
   * Regions in which two placed meshes meet, deepest first; the first has the depth that classify gives. If
   * surfaces do not meet, but one solid holds a part of the other mesh, one region without triangles.
   * @throws Unsupported, InvalidTransform, Disposed, Capacity
   */
  penetration(a: Mesh, b: Mesh, options?: Placements): Penetration[];
  penetration(a: Mesh, b: Mesh, options: Placements = {}, surplus?: unknown): Penetration[] {
    return this.#ask('penetration', PLACED, a, b, options, surplus, asked =>
      penetrations(this.#finder, asked).map(region => ({ __proto__: printedPenetration, ...region })),
    );
  }

  /**
   * The class of two placed parts. Exact, but for depth, size and distance. @throws Unsupported,
   * InvalidTransform, Disposed, Capacity
   */
  classify(a: Mesh, b: Mesh, options?: ClassifyOptions): Classified;
  classify(a: Mesh, b: Mesh, options: ClassifyOptions = {}, surplus?: unknown): Classified {
    return this.#ask('classify', CLASSIFY, a, b, options, surplus, (asked, plain) => ({
      __proto__: printedClassified,
      ...new Classifier(this.#finder, asked, plain, this.#distances).answer(),
    }));
  }

  #ask<Options extends Placements, Answer>(
    verb: string,
    table: OptionTable<Options>,
    a: Mesh,
    b: Mesh,
    given: Options,
    surplus: unknown,
    answer: (asked: Asked, options: Options) => Answer,
  ): Answer {
    this.#host.tick();
    const options = copyOptions(table, given);
    checkSurplus(surplus, `${verb}(a, b, options)`);
    return retry(() => answer(askPairs(this.#finder, a, b, options), options));
  }
}

function contains({ a, b, pairs }: Asked): boolean {
  const { openEdges } = shellsOf(a.mesh);
  if (openEdges > 0) {
    throw new Unsupported(
      `mesh ${a.mesh.id} has no inside: ${openEdges} of its edges are not used as often in one direction as in the other`,
      'close the mesh, or turn its triangles so that neighbours run their edge in opposite directions',
    );
  }
  return pairs.a.length === 0 && isWithin(b, a);
}

const sizeOf = (points: ArrayLike<number>): number => {
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    let least = Infinity;
    let most = -Infinity;
    for (let i = axis; i < points.length; i += 3) {
      least = Math.min(least, points[i]);
      most = Math.max(most, points[i]);
    }
    size = Math.max(size, most - least);
  }
  return size;
};

// Whether parts are in each other at all: what crosses, or reaches in without crossing.
const areInEachOther = ({ a, b, pairs }: Asked, regions: readonly Region[]): boolean =>
  regions.some(region => region.crossing > 0) || reachIn(a, b, pairs);

/**
 * Surfaces that do not meet: which solid holds the whole other mesh, or whether one holds only a part of the
 * other.
 */
function holderOf({ a, b }: Asked): 'neither' | 'a' | 'b' | 'in part' {
  const bInA = shareWithin(b, a);
  const aInB = shareWithin(a, b);
  if (bInA === 'none' && aInB === 'none') return 'neither';
  if (bInA === 'all' && aInB === 'none') return 'a';
  return aInB === 'all' && bInA === 'none' ? 'b' : 'in part';
}

function penetrations(finder: SegmentFinder, asked: Asked): Penetration[] {
  if (asked.pairs.a.length === 0) {
    return holderOf(asked) === 'in part'
      ? [
          {
            ...new Separator(finder, asked, []).separate(undefined),
            pairs: 0,
            trianglesA: 0,
            trianglesB: 0,
            size: 0,
          },
        ]
      : [];
  }
  const regions = regionsOf(asked);
  const separations = separationsOf(
    finder,
    asked,
    regions,
    areInEachOther(asked, regions) || areSame(asked.a, asked.b),
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

// Region by region; what only touches has no depth. Where nothing crosses, any region may be where parts
// reach in.
function separationsOf(
  finder: SegmentFinder,
  asked: Asked,
  regions: readonly Region[],
  areIn: boolean,
): Separation[] {
  const separator = new Separator(finder, asked, regions);
  const isCrossed = regions.some(region => region.crossing > 0);
  return regions.map(region => {
    if (areIn && (region.crossing > 0 || !isCrossed)) return separator.separate(region);
    const point = region.points.slice(0, 3) as Vector;
    return { depth: 0, direction: [0, 0, 0], bound: 0, pointA: point, pointB: point };
  });
}

class Classifier {
  readonly #finder: SegmentFinder;
  readonly #asked: Asked;
  readonly #options: ClassifyOptions;
  readonly #distances: DistanceAsker;

  constructor(finder: SegmentFinder, asked: Asked, options: ClassifyOptions, distances: DistanceAsker) {
    this.#finder = finder;
    this.#asked = asked;
    this.#options = options;
    this.#distances = distances;
  }

  answer(): Classified {
    return this.#asked.pairs.a.length === 0 ? this.#withoutContact() : this.#withContact();
  }

  #withoutContact(): Classified {
    const asked = this.#asked;
    const { a, b } = asked;
    const { clearance = 0, transformA, transformB } = this.#options;
    const holder = holderOf(asked);
    const answer = {
      depth: 0,
      distance: this.#distances.ask(a.mesh, b.mesh, { transformA, transformB })?.distance ?? Infinity,
      size: 0,
      pairs: 0,
      duplicate: false,
    };
    if (holder === 'neither')
      return { class: answer.distance <= clearance ? 'clearance' : 'apart', ...answer };
    if (holder !== 'in part') return { class: 'contained', which: holder, ...answer };
    const { depth, direction } = new Separator(this.#finder, asked, []).separate(undefined);
    return { class: 'hard', ...answer, depth, direction };
  }

  #withContact(): Classified {
    const asked = this.#asked;
    const { a, b, pairs } = this.#asked;
    const finder = this.#finder;
    const { tolerance = 0 } = this.#options;
    const regions = regionsOf(asked);
    const answer = {
      distance: 0,
      size: sizeOf(asked.points),
      pairs: pairs.a.length,
      duplicate: areSame(a, b),
    };
    const shares = regions.some(region => region.sharing > 0);
    const areIn = areInEachOther(asked, regions);
    if (!areIn && !answer.duplicate) return { class: shares ? 'coplanar' : 'touch', depth: 0, ...answer };
    const deepest = separationsOf(finder, asked, regions, true).reduce((best, one) =>
      one.depth > best.depth ? one : best,
    );
    const { depth, direction } = deepest;
    if (tolerance === 0 || depth > tolerance || answer.duplicate)
      return { class: 'hard', depth, direction, ...answer };
    return {
      class: shares || isWide(regions, direction, tolerance) ? 'coplanar' : 'touch',
      depth,
      direction,
      ...answer,
    };
  }
}

// Whether a contact is wider, across the direction, than twice the tolerance whichever way it is measured.
function isWide(regions: readonly Region[], direction: Vector, tolerance: number): boolean {
  const axis = direction.map(Math.abs).indexOf(Math.max(...direction.map(Math.abs)));
  return regions.some(({ points }) =>
    [1, 2].every(step => {
      const across = points.filter((_, i) => i % 3 === (axis + step) % 3);
      return sizeOf(across.flatMap(value => [value, 0, 0])) > 2 * tolerance;
    }),
  );
}
