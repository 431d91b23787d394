// Bounds the length of the curves and the area of the faces that the surfaces of two placed meshes share.
//
// Both surfaces are sets of points: the union of their closed triangles. The area of their common set is the contact area.
// The contact length is the length of the rest of the common set, so the border of a shared area has none. Neither
// depends on the triangles: where a mesh crosses, overlaps or repeats itself, each point counts once.
//
// The common set is the union of the segments and polygons that pairs of triangles share. Equal pieces are found by name
// (distinctPieces.ts). A filter in doubles finds the pieces that may have more than an end or a side in common
// (pieceFilter.ts); between other meshes than those that cross or overlap themselves, these are few. Their union is
// computed exactly (exactLine.ts, exactArea.ts).

import { onCommonGrid, sharedCornersOf, type Vector } from '../intersectTrianglesExact.js';
import type { MeshContacts } from '../meshContacts.js';
import { UnionFind } from '../shells.js';
import type { ProvenBounds } from '../volume/faceSums.js';
import { forEachBoxPair } from './boxPairs.js';
import { distinctPieces } from './distinctPieces.js';
import { areaWithout, areInOnePlane, type ExactOverlap } from './exactArea.js';
import { areCollinear, type ExactSegment, lengthOnLine } from './exactLine.js';
import { BOX_ERROR, PieceFilter } from './pieceFilter.js';
import { BoundsSum, timesPower } from './roots.js';

/** Bounds of the size of a contact. */
export interface ContactSize {
  length: ProvenBounds;
  area: ProvenBounds;
}

/**
 * Limits of the pairs of pieces that are compared exactly. Beyond them, pieces that may have more than an error in common
 * with another piece have the lower bound 0.
 */
const MAX_EXACT_SEGMENTS = 2 ** 14;
const MAX_EXACT_AREAS = 2 ** 11;
/**
 * Limits of the pairs of pieces that are compared at all, for the whole contact or for each of its pieces, whichever
 * allows more. A fan has a pair for each two of its triangles. Beyond both limits, all pieces have the lower bound 0.
 */
const MAX_BOX_PAIRS = 2 ** 18;
const MAX_BOX_PAIRS_OF_PIECE = 32;
/** The integers of `onCommonGrid` are in units of 2^(shift - GRID_EXPONENT). */
const GRID_EXPONENT = 1074;

/** Coordinates below 2^MIN_EXPONENT are not scaled to 1, because powers of two would overflow. */
const MIN_EXPONENT = -1000;

/** Two pieces that may have more than an error in common. */
type Neighbors = readonly [number, number];

/** Measures the contact of two placed meshes. */
export class ContactMeasure {
  readonly #contacts: MeshContacts;
  // Coordinates are computed in units of 2^#exponent, so that none exceeds 1.
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
   * Bounds the length and the area of the points that some pairs of triangles share.
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

  // Bounds the length of the union of the segments without the areas.
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

  // Bounds the area of the union of the areas. Each area counts without the earlier ones with which it overlaps.
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

// Returns the smallest exponent of a power of two that no magnitude of a value exceeds.
function exponentOf(values: Float64Array): number {
  let max = 0;
  for (let i = 0; i < values.length; i++) max = Math.max(max, Math.abs(values[i]));
  let exponent = 0;
  while (2 ** exponent < max) exponent++;
  while (2 ** (exponent - 1) >= max && exponent > MIN_EXPONENT) exponent--;
  return exponent;
}

// Writes how far two boxes overlap along each axis; less than 0 if they do not.
function writeExtents(boxes: Float64Array, one: number, other: number, extents: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    extents[axis] =
      Math.min(boxes[one + 3 + axis], boxes[other + 3 + axis]) -
      Math.max(boxes[one + axis], boxes[other + axis]);
  }
}

/** Pairs of pieces that may have something in common. */
class CloseList {
  readonly #limit: number;
  /** The pairs that may have more in common than an error; at most one more than the limit. */
  readonly pairs: Neighbors[] = [];
  /** The pieces of all these pairs. */
  readonly members = new Set<number>();
  #excess = 0;
  #excessCount = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** common: bound of what the two pieces have in common. */
  add(one: number, other: number, common: number): void {
    if (common < Infinity) {
      this.#excess += common;
      this.#excessCount++;
      return;
    }
    this.members.add(one).add(other);
    if (this.pairs.length <= this.#limit) this.pairs.push([one, other]);
  }

  /** Bound of what all other pairs have in common, with the rounding errors of this sum. */
  get excess(): number {
    return this.#excess * (1 + (this.#excessCount + 4) * 2 ** -52);
  }
}

/** Close pairs of segments, of segments and the areas that may cover them, and of areas; whether these are all. */
type ClosePieces = Record<'segments' | 'covers' | 'areas', CloseList> & { isComplete: boolean };

/** The exact coordinates of some pieces. */
class ExactPieces {
  /** Coordinates are in units of 2^exponent. */
  readonly exponent: number;
  readonly #corners = new Map<number, readonly Vector[]>();
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

// Collects the segments that are close to others, by their lines. close: pairs of segments; covers: pairs of a segment and
// an area.
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
