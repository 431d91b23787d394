// Bounds the length of the curves and the area of the faces that the surfaces of two placed meshes share.
//
// A surface is the set of all points of its triangles, including their borders. The contact area is the area of
// the set of points that both surfaces share. The contact length is the length of the curves of this set that
// lie outside of its areas, so the border of a shared area does not count. Neither the area nor the length
// depends on how the surfaces are divided into triangles: where a mesh crosses, overlaps or repeats itself,
// each point counts once.
//
// The shared set is the union of its pieces: the segments and polygons that pairs of triangles share. Equal
// pieces are found by the names of their triangles and edges (cells.ts, distinctPieces.ts). A filter in doubles
// (pieceFilter.ts) finds the pairs of pieces that may have more than an end or a side in common. There are few
// such pairs, unless a mesh crosses or overlaps itself. The union of their pieces is computed exactly
// (exactLine.ts, exactArea.ts).

import type { IntegerVector } from '../../core/integers.js';
import { onCommonGrid, sharedCornersOf } from '../intersectTrianglesExact.js';
import type { MeshContacts } from '../meshContacts.js';
import { UnionFind } from '../shells.js';
import type { ProvenBounds } from '../volume/faceSums.js';
import { forEachBoxPair } from './boxPairs.js';
import { distinctPieces } from './distinctPieces.js';
import { areaWithout, areInOnePlane, type ExactOverlap } from './exactArea.js';
import { areCollinear, type ExactSegment, lengthOnLine } from './exactLine.js';
import { BOX_ERROR, PieceFilter } from './pieceFilter.js';
import { BoundsSum, timesPower } from './roots.js';

/** Bounds of the length of a contact, in units of the common frame, and of its area, in square units. */
export interface ContactSize {
  length: ProvenBounds;
  area: ProvenBounds;
}

/**
 * Max number of pairs of pieces that are compared exactly: MAX_EXACT_SEGMENTS for pairs of a segment and any
 * other piece, and MAX_EXACT_AREAS for pairs of polygons. If there are more pairs of the first sort, the lower
 * bound of the length of each segment in them is 0. If there are more pairs of the second sort, the lower bound
 * of the area of each polygon in them is 0.
 */
const MAX_EXACT_SEGMENTS = 2 ** 14;
const MAX_EXACT_AREAS = 2 ** 11;
/**
 * Max number of pairs of pieces whose boxes overlap: MAX_BOX_PAIRS for the whole contact, or
 * MAX_BOX_PAIRS_OF_PIECE times the number of its pieces if this is more. A limit is needed because all pieces
 * of a large fan of triangles may meet at one point, so that any two of them are a pair. If there are more
 * pairs, the lower bound of all pieces is 0.
 */
const MAX_BOX_PAIRS = 2 ** 18;
const MAX_BOX_PAIRS_OF_PIECE = 32;
/** The integers of `onCommonGrid` are in units of 2^(shift - GRID_EXPONENT). */
const GRID_EXPONENT = 1074;

/** The unit of coordinates is at least 2^MIN_EXPONENT, because smaller powers of two could underflow. */
const MIN_EXPONENT = -1000;

/** Two pieces that may have so much in common that exact arithmetic has to compare them. */
type Neighbors = readonly [number, number];

/** Measures the contact of two placed meshes. */
export class ContactMeasure {
  readonly #contacts: MeshContacts;
  // Coordinates are computed in units of 2^#exponent, so that no magnitude exceeds 1.
  readonly #exponent: number;
  readonly #filter: PieceFilter;
  #whole: ContactSize | undefined;

  constructor(contacts: MeshContacts) {
    const { points, pointsAt } = contacts;
    this.#contacts = contacts;
    this.#exponent = exponentOf(points);
    const unit = 2 ** this.#exponent;
    const scaled = points.slice();
    for (let i = 0; i < scaled.length; i++) scaled[i] /= unit;
    this.#filter = new PieceFilter(scaled, pointsAt);
  }

  /**
   * Returns bounds of the length and the area of what some pairs of triangles share.
   * @param pairs Numbers of pairs; default: all.
   */
  sizeOf(pairs?: readonly number[]): ContactSize {
    const all = this.#contacts.pairs.a;
    return pairs && pairs.length < all.length
      ? this.#measure(pairs)
      : (this.#whole ??= this.#measure(all.keys()));
  }

  #measure(pairs: Iterable<number>): ContactSize {
    const { segments, areas } = distinctPieces(this.#contacts, pairs);
    const close = this.#closePieces(segments, areas);
    return {
      length: timesPower(this.#lengthOf(segments, close), this.#exponent),
      area: timesPower(this.#areaOf(areas, close), 2 * this.#exponent),
    };
  }

  #closePieces(segments: readonly number[], areas: readonly number[]): ClosePieces {
    const filter = this.#filter;
    const pieces = [...segments, ...areas];
    const boxes = new Float64Array(6 * pieces.length);
    pieces.forEach((piece, i) => {
      filter.writeBox(piece, boxes, 6 * i);
    });
    const close = {
      segments: new CloseList(MAX_EXACT_SEGMENTS),
      covers: new CloseList(MAX_EXACT_SEGMENTS),
      areas: new CloseList(MAX_EXACT_AREAS),
    };
    const extents = new Float64Array(3);
    const maxPairs = Math.max(MAX_BOX_PAIRS, MAX_BOX_PAIRS_OF_PIECE * pieces.length);
    const isComplete = forEachBoxPair(boxes, BOX_ERROR, maxPairs, (one, other) => {
      const [i, j] = one < other ? [one, other] : [other, one];
      const [first, last] = [pieces[i], pieces[j]];
      writeExtents(boxes, 6 * i, 6 * j, extents);
      if (j < segments.length) close.segments.add(first, last, filter.commonOfSegments(first, last, extents));
      else if (i < segments.length)
        close.covers.add(first, last, filter.commonOfSegmentAndPolygon(first, last, extents));
      else close.areas.add(first, last, filter.commonOfPolygons(first, last, extents));
    });
    return { ...close, isComplete };
  }

  // Bounds the length of those parts of the union of the segments that lie outside of the areas.
  #lengthOf(
    segments: readonly number[],
    { segments: crossing, covers, isComplete }: ClosePieces,
  ): ProvenBounds {
    const sum = new BoundsSum();
    if (isComplete) sum.addExcess(crossing.excess + covers.excess);
    const pairs = [...crossing.pairs, ...covers.pairs];
    const isExact = isComplete && pairs.length <= MAX_EXACT_SEGMENTS;
    for (const segment of segments) {
      const bounds = this.#filter.lengthOf(segment);
      if (isComplete && !crossing.members.has(segment) && !covers.members.has(segment)) sum.add(bounds);
      else if (!isExact) sum.add({ lower: 0, upper: bounds.upper });
    }
    if (!isExact) return sum.bounds;
    const exact = new ExactPieces(this.#contacts, pairs.flat());
    for (const { segments, areas } of linesOf(exact, crossing.pairs, covers.pairs))
      sum.add(lengthOnLine(segments, areas, exact.exponent - this.#exponent));
    return sum.bounds;
  }

  // Bounds the area of the union of the areas. Each area counts only where no earlier area overlaps it.
  #areaOf(
    areas: readonly number[],
    { areas: { pairs, members, excess }, isComplete }: ClosePieces,
  ): ProvenBounds {
    const sum = new BoundsSum();
    if (isComplete) sum.addExcess(excess);
    const isExact = isComplete && pairs.length <= MAX_EXACT_AREAS;
    for (const area of areas) {
      const bounds = this.#filter.areaOf(area);
      if (isComplete && !members.has(area)) sum.add(bounds);
      else if (!isExact) sum.add({ lower: 0, upper: bounds.upper });
    }
    if (!isExact) return sum.bounds;
    const exact = new ExactPieces(this.#contacts, members);
    const earlier = new Map([...members].map((area): [number, ExactOverlap[]] => [area, []]));
    for (const [one, other] of pairs)
      if (areInOnePlane(exact.overlap(one), exact.overlap(other)))
        earlier.get(other)!.push(exact.overlap(one));
    for (const [area, others] of earlier)
      sum.add(areaWithout(exact.overlap(area), others, exact.exponent - this.#exponent));
    return sum.bounds;
  }
}

// Returns the smallest exponent, at least MIN_EXPONENT, such that no value exceeds 2^exponent in magnitude.
function exponentOf(values: Float64Array): number {
  let max = 0;
  for (let i = 0; i < values.length; i++) max = Math.max(max, Math.abs(values[i]));
  let exponent = 0;
  while (2 ** exponent < max) exponent++;
  while (2 ** (exponent - 1) >= max && exponent > MIN_EXPONENT) exponent--;
  return exponent;
}

// Writes how far two boxes overlap along each axis: a negative number if they are apart along this axis.
function writeExtents(boxes: Float64Array, one: number, other: number, extents: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    extents[axis] =
      Math.min(boxes[one + 3 + axis], boxes[other + 3 + axis]) -
      Math.max(boxes[one + axis], boxes[other + axis]);
  }
}

/** Collects pairs of pieces whose boxes overlap, and how much the two pieces of each pair have in common. */
class CloseList {
  readonly #limit: number;
  /**
   * The pairs that exact arithmetic has to compare. The list stops at one pair more than the limit, which
   * shows that there are too many.
   */
  readonly pairs: Neighbors[] = [];
  /** The pieces of all pairs that exact arithmetic has to compare, including pairs that are not kept. */
  readonly members = new Set<number>();
  #excess = 0;
  #excessCount = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Adds a pair.
   * @param common Upper bound of the length or area that the two pieces have in common; Infinity if exact
   * arithmetic has to decide.
   */
  add(one: number, other: number, common: number): void {
    if (common < Infinity) {
      this.#excess += common;
      this.#excessCount++;
      return;
    }
    this.members.add(one).add(other);
    if (this.pairs.length <= this.#limit) this.pairs.push([one, other]);
  }

  /** Upper bound of the sum of the finite values of `common`, including rounding errors of the sum. */
  get excess(): number {
    return this.#excess * (1 + (this.#excessCount + 4) * 2 ** -52);
  }
}

/**
 * segments: pairs of segments. covers: pairs of a segment and an area that may cover parts of it. areas: pairs
 * of areas. isComplete: whether all pairs of pieces whose boxes overlap were examined; false if there are more
 * than MAX_BOX_PAIRS and MAX_BOX_PAIRS_OF_PIECE allow.
 */
type ClosePieces = Record<'segments' | 'covers' | 'areas', CloseList> & { isComplete: boolean };

/** The exact coordinates of some pieces. */
class ExactPieces {
  /** Coordinates are in units of 2^exponent. */
  readonly exponent: number;
  readonly #corners = new Map<number, readonly IntegerVector[]>();
  readonly #segments = new Map<number, ExactSegment>();

  constructor({ a, b, pairs }: MeshContacts, pieces: Iterable<number>) {
    const numbers = [...new Set(pieces)];
    const corners = new Float64Array(18 * numbers.length);
    numbers.forEach((piece, i) => {
      a.writeCorners(pairs.a[piece], corners, 18 * i);
      b.writeCorners(pairs.b[piece], corners, 18 * i + 9);
    });
    const { whole, shift } = onCommonGrid(corners);
    this.exponent = shift - GRID_EXPONENT;
    numbers.forEach((piece, i) => {
      this.#corners.set(piece, whole.slice(6 * i, 6 * i + 6));
    });
  }

  /** Returns the ends of the segment that the triangles of a pair share. */
  segment(piece: number): ExactSegment {
    let known = this.#segments.get(piece);
    if (!known) {
      const [from, to] = sharedCornersOf(this.#corners.get(piece)!);
      this.#segments.set(piece, (known = { from, to }));
    }
    return known;
  }

  /** Returns the two triangles of a pair. */
  overlap(piece: number): ExactOverlap {
    const corners = this.#corners.get(piece)!;
    return [corners.slice(0, 3), corners.slice(3)];
  }
}

/** Segments on one line, and areas that may cover parts of them. */
interface Line {
  segments: ExactSegment[];
  areas: ExactOverlap[];
}

// Groups the segments of all pairs by lines: two segments of a pair are in one group if they lie on one line.
// Adds to each group the areas that may cover its segments. close: pairs of segments. covers: pairs of a
// segment and an area.
function linesOf(
  exact: ExactPieces,
  close: readonly Neighbors[],
  covers: readonly Neighbors[],
): Iterable<Line> {
  const segments = [...new Set([...close.flat(), ...covers.map(([segment]) => segment)])];
  const places = new Map(segments.map((segment, i) => [segment, i]));
  const joined = new UnionFind(segments.length);
  for (const [one, other] of close) {
    const [i, j] = [places.get(one)!, places.get(other)!];
    if (joined.find(i) !== joined.find(j) && areCollinear(exact.segment(one), exact.segment(other)))
      joined.union(i, j);
  }
  const lines = new Map<number, Line>();
  segments.forEach((segment, i) => {
    const first = joined.find(i);
    const line = lines.get(first);
    if (line) line.segments.push(exact.segment(segment));
    else lines.set(first, { segments: [exact.segment(segment)], areas: [] });
  });
  for (const [segment, area] of covers)
    lines.get(joined.find(places.get(segment)!))!.areas.push(exact.overlap(area));
  return lines.values();
}
