// Computes contact manifolds slowly and plainly from lists of placed triangles, to check the engine's.
// Follows docs/modules/manifolds.md step by step, and shares no code with the engine.

import type { Pair } from '../oracle/bruteForce.js';

export type Vector = readonly [number, number, number];

/** The placed triangles of a body: the coordinates of their corners, and the vertex of each corner. */
export interface Soup {
  /** Nine doubles per triangle. */
  corners: Float64Array;
  /** Three vertices per triangle. */
  vertices: Uint32Array;
  /** Whether the placement is a mirror image, which turns triangles that faced outward inward. */
  isMirrored: boolean;
}

/** Coordinates are float32 or float64. Without indices, each corner is a vertex of its own. */
export interface SoupData {
  positions: Float32Array | Float64Array;
  indices?: Uint32Array;
}

/** A point of a manifold. */
export interface SlowPoint {
  point: Vector;
  depth: number;
  /** 'a' or 'b' and the vertex, or 'e' and both edges: two vertices each, the smaller one first. */
  feature: string;
}

export interface SlowManifold {
  normal: Vector;
  points: SlowPoint[];
}

export interface SlowResult {
  manifolds: SlowManifold[];
  /**
   * The smallest of the differences whose signs decided the result, relative to the size of the triangles. If
   * it is not much greater than rounding errors, another order of operations may give another result.
   */
  margin: number;
}

/** Manifolds are joined if the dot product of their first normals is greater than this. */
const ALIKE = 0.75;
/** Triangles face the same way if the dot product of their normals is greater than this. */
const ALIGNED = 0.9;
/** A manifold may resolve a contact if the manifold's depth is at most this fraction of the contact's depth. */
const RESOLVED = 0.5;
/**
 * The motion of a manifold separates the triangles of a contact if their overlap along the normal is at most
 * this many times the depth of the contact or of the manifold, whichever is greater.
 */
const ROUNDED_UP = 1.01;
/** A candidate may be the first point if its depth is at least this fraction of the greatest depth. */
const NEARLY_AS_DEEP = 1 - 2 ** -10;
/** The points of a manifold are farther apart than this, relative to the extent of the manifold. */
const NEGLIGIBLE = 2 ** -20;
/** The points are also farther apart than this, relative to the sizes of the triangles of the first contact. */
const COINCIDENT = 2 ** -30;
/** A point this far outside of a prism still counts as inside. Relative to the sizes of the triangles. */
const TOLERANCE = 2 ** -40;

const plus = (a: Vector, b: Vector, factor = 1): Vector => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];
export const minus = (a: Vector, b: Vector): Vector => plus(a, b, -1);
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const lengthOf = (a: Vector): number => Math.hypot(...a);
export const scaled = (a: Vector, factor: number): Vector => [factor * a[0], factor * a[1], factor * a[2]];
const unit = (a: Vector): Vector => scaled(a, 1 / lengthOf(a));

/** Places the triangles of a mesh. transform: 16 numbers, column-major. */
export function soupOf({ positions, indices }: SoupData, transform?: ArrayLike<number>): Soup {
  const vertices = indices ?? Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  const corners = new Float64Array(3 * vertices.length);
  vertices.forEach((vertex, corner) => {
    const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
    for (let axis = 0; axis < 3; axis++)
      corners[3 * corner + axis] = transform
        ? transform[axis] * x + transform[4 + axis] * y + transform[8 + axis] * z + transform[12 + axis]
        : [x, y, z][axis];
  });
  return { corners, vertices, isMirrored: transform !== undefined && determinantOf(transform) < 0 };
}

const determinantOf = (transform: ArrayLike<number>): number => {
  const [x, y, z] = [0, 4, 8].map((i): Vector => [transform[i], transform[i + 1], transform[i + 2]]);
  return dot(cross(x, y), z);
};

interface Triangle {
  corners: Vector[];
  vertices: number[];
  /** Points outward. Undefined if the triangle has no area. */
  normal: Vector | undefined;
  /** The sum of the extents of two sides along the axes. */
  size: number;
}

function triangleOf({ corners, vertices, isMirrored }: Soup, triangle: number): Triangle {
  const own = [0, 1, 2].map(
    (i): Vector => [
      corners[9 * triangle + 3 * i],
      corners[9 * triangle + 3 * i + 1],
      corners[9 * triangle + 3 * i + 2],
    ],
  );
  const [u, v] = [minus(own[1], own[0]), minus(own[2], own[0])];
  const normal = isMirrored ? cross(v, u) : cross(u, v);
  return {
    corners: own,
    vertices: [...vertices.subarray(3 * triangle, 3 * triangle + 3)],
    normal: lengthOf(normal) === 0 ? undefined : unit(normal),
    size: [...u, ...v].reduce((sum, extent) => sum + Math.abs(extent), 0),
  };
}

/** Keeps the smallest of the differences whose signs decided the result. */
class Margin {
  min = Infinity;

  note(difference: number): void {
    this.min = Math.min(this.min, Math.abs(difference));
  }
}

/** A corner of a clipped triangle. */
interface Corner {
  at: Vector;
  /** The side of the polygon from this corner to the next: a side of the triangle, or one of the prism. */
  side: { of: 'triangle' | 'prism'; number: number };
  /** What this corner is: a vertex of the triangle or of the prism, or the crossing of a side of each. */
  from: { triangle?: number; prism?: number; sides?: [ofTriangle: number, ofPrism: number] };
}

const next = (i: number): number => (i + 1) % 3;

// Clips a triangle to the prism of another triangle.
function clip(subject: Triangle, prism: Triangle, tolerance: number, size: number, margin: Margin): Corner[] {
  let polygon = subject.corners.map(
    (at, i): Corner => ({ at, side: { of: 'triangle', number: i }, from: { triangle: i } }),
  );
  for (let i = 0; i < 3; i++) {
    const start = prism.corners[i];
    const across = cross(prism.normal!, minus(prism.corners[next(i)], start));
    const opposite = minus(prism.corners[next(next(i))], start);
    const inward = scaled(unit(across), Math.sign(dot(across, opposite)));
    const heights = polygon.map(({ at }) => dot(minus(at, start), inward) + tolerance);
    // The rules do not say exactly how far outside of the prism a point may lie because of rounding errors. So
    // a point that is outside by one to two times the tolerance counts as a tie.
    for (const height of heights) margin.note(height < 0 && height > -tolerance ? 0 : height / size);
    polygon = polygon.flatMap((corner, k) => {
      const k1 = (k + 1) % polygon.length;
      const isInside = heights[k] >= 0;
      const kept = isInside ? [corner] : [];
      if (isInside === heights[k1] >= 0) return kept;
      const share = heights[k] / (heights[k] - heights[k1]);
      const { of, number } = corner.side;
      const crossing: Corner = {
        at: plus(corner.at, minus(polygon[k1].at, corner.at), share),
        side: isInside ? { of: 'prism', number: i } : corner.side,
        // Two sides of the prism meet at one of its vertices.
        from: of === 'triangle' ? { sides: [number, i] } : { prism: next(number) === i ? i : number },
      };
      return [...kept, crossing];
    });
  }
  return polygon;
}

/** The contact of a pair of triangles. */
interface Contact {
  pair: Pair;
  a: Triangle;
  b: Triangle;
  normal: Vector;
  depth: number;
  candidates: SlowPoint[];
  /** The sum of the sizes of both triangles. */
  size: number;
}

const edgeName = (vertices: readonly number[], side: number): string =>
  [vertices[side], vertices[next(side)]].sort((p, q) => p - q).join();

function contactOf(a: Triangle, b: Triangle, pair: Pair, margin: Margin): Contact {
  const size = a.size + b.size;
  if (!a.normal && !b.normal) {
    const first = { point: a.corners[0], depth: 0, feature: `a${a.vertices[0]}` };
    return { pair, a, b, normal: [0, 0, 0], depth: 0, candidates: [first], size };
  }
  // Returns how far a triangle reaches behind the plane of the other. The one that reaches less far is clipped.
  const reach = (triangle: Triangle, plane: Triangle): number =>
    plane.normal ? Math.max(...triangle.corners.map(at => -heightFrom(plane, at))) : Infinity;
  const [reachA, reachB] = [reach(a, b), reach(b, a)];
  if (reachA !== reachB) margin.note((reachA - reachB) / size);
  return contactBehind(a, b, pair, margin, reachA <= reachB);
}

const heightFrom = (plane: Triangle, at: Vector): number => dot(minus(at, plane.corners[0]), plane.normal!);

// Makes the contact of a pair. isB: whether B's triangle is the reference, and A's triangle is clipped.
function contactBehind(a: Triangle, b: Triangle, pair: Pair, margin: Margin, isB: boolean): Contact {
  const size = a.size + b.size;
  const [clipped, reference] = isB ? [a, b] : [b, a];
  // The names of the bodies: first that of the clipped triangle, then that of the reference.
  const [own, other] = isB ? ['a', 'b'] : ['b', 'a'];
  let corners: Corner[] = [];
  for (let tolerance = TOLERANCE * size; corners.length === 0; tolerance *= 1024)
    corners = clip(clipped, reference, tolerance, size, margin).filter(
      ({ at }) => heightFrom(reference, at) <= tolerance,
    );
  const candidates = corners.map(({ at, from: { triangle, prism, sides } }): SlowPoint => {
    const height = heightFrom(reference, at);
    const edges = sides && [edgeName(clipped.vertices, sides[0]), edgeName(reference.vertices, sides[1])];
    return {
      point: plus(at, reference.normal!, -height / 2),
      depth: Math.max(0, -height),
      feature:
        triangle !== undefined
          ? `${own}${clipped.vertices[triangle]}`
          : prism !== undefined
            ? `${other}${reference.vertices[prism]}`
            : `e${(isB ? edges! : edges!.reverse()).join(' ')}`,
    };
  });
  return {
    pair,
    a,
    b,
    normal: isB ? scaled(b.normal!, -1) : a.normal!,
    depth: Math.max(...candidates.map(({ depth }) => depth)),
    candidates,
    size,
  };
}

// Drops the contacts whose two triangles face the same way, unless there are no other contacts.
function dropAligned(contacts: readonly Contact[], margin: Margin): readonly Contact[] {
  const rest = contacts.filter(({ a, b }) => {
    if (!a.normal || !b.normal) return true;
    const cosine = dot(a.normal, b.normal);
    margin.note(cosine - ALIGNED);
    return cosine <= ALIGNED;
  });
  return rest.length > 0 ? rest : contacts;
}

/** Divides contacts into manifolds. At first, each contact has a manifold of its own. */
class Manifolds {
  readonly #of: Map<Contact, Contact[]>;
  /**
   * Contacts of each triangle of A and of each triangle of B. When a contact is added to a list, the list has
   * no other contact of the same manifold.
   */
  readonly #lists = [new Map<number, Contact[]>(), new Map<number, Contact[]>()];
  readonly #contacts: readonly Contact[];
  readonly #dropped = new Set<Contact>();
  /** Dropped contacts (`from`), each computed again (`contact`) for another manifold: the manifold of `by`. */
  readonly #moved: { by: Contact; from: Contact; contact: Contact }[] = [];
  readonly #margin: Margin;

  constructor(contacts: readonly Contact[], margin: Margin) {
    this.#of = new Map(contacts.map(contact => [contact, [contact]]));
    this.#contacts = contacts;
    this.#margin = margin;
    // Each contact is compared with the manifolds that contain its triangle of A, then with those that contain
    // its triangle of B; the latest manifolds come first.
    for (const contact of contacts)
      for (const body of [0, 1] as const) {
        const list = this.#listOf(contact, body);
        for (const other of [...list].reverse()) this.#joinAlike(contact, other);
        if (!list.some(other => this.#of.get(other) === this.#of.get(contact))) list.push(contact);
      }
  }

  /**
   * Drops contacts that another manifold resolves. Joins the manifolds that resolve the same contact. Returns
   * all contacts of each manifold, and those that remain.
   */
  resolve(): { all: Contact[]; rest: Contact[] }[] {
    // Contacts that were dropped, each with a contact (`by`) of the manifold that resolves it.
    const resolvers: { contact: Contact; by: Contact }[] = [];
    for (const contact of this.#contacts) {
      let known: Contact | undefined;
      for (const body of [0, 1] as const)
        for (const other of [...this.#listOf(contact, body)].reverse()) {
          if (!this.#resolves(other, contact)) continue;
          if (known) this.#joinAlike(known, other);
          known ??= other;
        }
      if (!known) continue;
      this.#dropped.add(contact);
      this.#move(contact, known);
      resolvers.push({ contact, by: known });
    }
    if (this.#contacts.length === 0) return [];
    const largest = this.#contacts.reduce((one, other) =>
      this.#sizeOf(this.#of.get(other)!) > this.#sizeOf(this.#of.get(one)!) ? other : one,
    );
    for (const contact of this.#contacts) {
      if (this.#dropped.has(contact)) continue;
      const own = this.#of.get(contact);
      const first = resolvers.find(resolver => this.#of.get(resolver.contact) === own);
      const by = first?.by ?? largest;
      if (!this.#resolves(by, contact)) continue;
      this.#dropped.add(contact);
      this.#move(contact, by);
    }
    return [...new Set(this.#of.values())]
      .map(all => ({ all, rest: this.#remaining(all) }))
      .filter(({ rest }) => rest.length > 0);
  }

  // Computes a dropped contact again for the manifold of `by`, if one of the contact's triangles faces along
  // the normal of this manifold.
  #move(contact: Contact, by: Contact): void {
    const { a, b, pair } = contact;
    const { normal } = this.#of.get(by)![0];
    const alongA = a.normal ? dot(a.normal, normal) : 0;
    const alongB = b.normal ? -dot(b.normal, normal) : 0;
    if (alongA !== alongB) this.#margin.note(alongA - alongB);
    this.#margin.note(Math.max(alongA, alongB) - ALIKE);
    if (Math.max(alongA, alongB) <= ALIKE) return;
    this.#moved.push({
      by,
      from: contact,
      contact: contactBehind(a, b, pair, this.#margin, alongB >= alongA),
    });
  }

  // Returns the contacts that were moved to a manifold.
  #movedTo(manifold: readonly Contact[]): { from: Contact; contact: Contact }[] {
    return this.#moved.filter(({ by }) => this.#of.get(by) === manifold);
  }

  #sizeOf(manifold: readonly Contact[]): number {
    return manifold.length + this.#movedTo(manifold).length;
  }

  #depthOf(manifold: readonly Contact[]): number {
    return Math.max(
      ...manifold.map(({ depth }) => depth),
      ...this.#movedTo(manifold).map(({ contact }) => contact.depth),
    );
  }

  // Returns the contacts of a manifold that were not dropped, and those that were moved to it, in order.
  #remaining(manifold: readonly Contact[]): Contact[] {
    const moved = this.#movedTo(manifold);
    return this.#contacts.flatMap(contact => {
      const own = manifold.includes(contact) && !this.#dropped.has(contact) ? [contact] : [];
      return [...own, ...moved.filter(({ from }) => from === contact).map(entry => entry.contact)];
    });
  }

  #listOf({ pair }: Contact, body: 0 | 1): Contact[] {
    const list = this.#lists[body].get(pair[body]) ?? [];
    this.#lists[body].set(pair[body], list);
    return list;
  }

  // Joins the manifolds of two contacts if the normals of their first contacts are similar.
  #joinAlike(contact: Contact, other: Contact): void {
    const [one, two] = [this.#of.get(contact)!, this.#of.get(other)!];
    if (one === two) return;
    const cosine = dot(one[0].normal, two[0].normal);
    this.#margin.note(cosine - ALIKE);
    if (cosine <= ALIKE) return;
    const joined = this.#contacts.filter(member => one.includes(member) || two.includes(member));
    for (const member of joined) this.#of.set(member, joined);
  }

  // Returns whether the motion of the manifold of `other` resolves the contact.
  #resolves(other: Contact, contact: Contact): boolean {
    const [manifold, own] = [this.#of.get(other)!, this.#of.get(contact)!];
    if (manifold === own || this.#remaining(manifold).length === 0) return false;
    if (!this.#separates(manifold, contact)) return false;
    return this.#sizeOf(manifold) > this.#sizeOf(own) || this.#isShorter(manifold, contact);
  }

  // Returns whether the motion of a manifold separates the two triangles of a contact.
  #separates(manifold: readonly Contact[], contact: Contact): boolean {
    const limit = ROUNDED_UP * Math.max(contact.depth, this.#depthOf(manifold));
    return this.#isWithin(manifold, contact, limit);
  }

  // Returns whether two lengths are at most RESOLVED times the depth of a contact: the depth of the manifold,
  // and the overlap of the contact's triangles along the normal of the manifold.
  #isShorter(manifold: readonly Contact[], contact: Contact): boolean {
    const limit = RESOLVED * contact.depth;
    const depth = this.#depthOf(manifold);
    // The depth of a vertex is often equal in several contacts, so a difference of 0 is no tie.
    if (depth !== limit) this.#margin.note((depth - limit) / contact.size);
    return limit > 0 && depth <= limit && this.#isWithin(manifold, contact, limit);
  }

  // Returns whether the triangles of a contact overlap by at most `limit` along the normal of a manifold.
  #isWithin([{ normal }]: readonly Contact[], { a, b, size }: Contact, limit: number): boolean {
    const heights = ({ corners }: Triangle): number[] =>
      corners.map(corner => dot(minus(corner, a.corners[0]), normal));
    const overlap = Math.max(...heights(a)) - Math.min(...heights(b));
    this.#margin.note((overlap - limit) / size - TOLERANCE);
    return overlap <= limit + TOLERANCE * size;
  }
}

// Returns the distance of a candidate from the point, line or triangle of the chosen points, measured
// perpendicular to the normal.
function distanceFrom(chosen: readonly SlowPoint[], { point }: SlowPoint, normal: Vector): number {
  const flat = (vector: Vector): Vector => plus(vector, normal, -dot(vector, normal));
  const outside = (from: number, to: number, inner: number): number => {
    const side = flat(minus(chosen[to].point, chosen[from].point));
    const across = cross(normal, side);
    if (lengthOf(across) === 0) return 0;
    const height = dot(minus(point, chosen[from].point), unit(across));
    return dot(minus(chosen[inner].point, chosen[from].point), across) > 0 ? -height : height;
  };
  if (chosen.length === 0) return Infinity;
  if (chosen.length === 1) return lengthOf(flat(minus(point, chosen[0].point)));
  if (chosen.length === 2) return Math.abs(outside(0, 1, 0));
  return Math.max(outside(0, 1, 2), outside(1, 2, 0), outside(2, 0, 1));
}

// Makes a manifold from its contacts.
function summarize(
  { all, rest: contacts }: { all: readonly Contact[]; rest: readonly Contact[] },
  margin: Margin,
): SlowManifold {
  const total = contacts.reduce((sum, { depth }) => sum + depth, 0);
  const sum = contacts.reduce<Vector>(
    (part, { normal, depth }) => plus(part, normal, total > 0 ? depth / total : 1),
    [0, 0, 0],
  );
  const normal = lengthOf(sum) > 0 ? unit(sum) : all[0].normal;
  const candidates = contacts.flatMap(contact => contact.candidates);
  const coincident = COINCIDENT * all[0].size;
  const pick = (
    points: readonly SlowPoint[],
    negligible: number,
    minDepth: number,
  ): SlowPoint | undefined => {
    const scored = candidates
      .filter(({ feature }) => points.every(point => point.feature !== feature))
      .filter(({ depth }) => {
        if (minDepth > 0) margin.note((depth - minDepth) / all[0].size);
        return depth >= minDepth;
      })
      .map(candidate => {
        const distance = distanceFrom(points, candidate, normal);
        return { candidate, distance, score: (points.length === 0 ? 0 : distance) + candidate.depth };
      })
      .filter(({ distance }) => {
        if (points.length > 0) margin.note((distance - negligible) / all[0].size);
        return distance > negligible;
      });
    if (scored.length === 0) return undefined;
    const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
    const { point, depth, feature } = best.candidate;
    for (const { candidate, score } of scored) {
      // Neighboring triangles share vertices and edges, so they make equal candidates.
      const difference = lengthOf(minus(candidate.point, point)) + Math.abs(candidate.depth - depth);
      const isSame = difference <= (candidate.feature === feature ? 1e-12 * all[0].size : 0);
      if (!isSame) margin.note(best.score > 0 ? 1 - score / best.score : 0);
    }
    return best.candidate;
  };
  const deepest = pick([], 0, 0)!;
  const points = [pick([deepest], coincident, NEARLY_AS_DEEP * deepest.depth) ?? deepest];
  const extent = Math.max(...candidates.map(candidate => distanceFrom(points, candidate, normal)));
  while (points.length < 4) {
    const next = pick(points, Math.max(NEGLIGIBLE * extent, coincident), 0);
    if (!next) break;
    points.push(next);
  }
  return { normal, points };
}

/** Computes the manifolds of two bodies. pairs: the intersecting triangles, sorted by a, then by b. */
export function slowManifolds(a: Soup, b: Soup, pairs: readonly Pair[]): SlowResult {
  const margin = new Margin();
  const all = pairs.map(pair => contactOf(triangleOf(a, pair[0]), triangleOf(b, pair[1]), pair, margin));
  const contacts = dropAligned(all, margin);
  const manifolds = new Manifolds(contacts, margin).resolve().map(manifold => summarize(manifold, margin));
  return { manifolds, margin: margin.min };
}
