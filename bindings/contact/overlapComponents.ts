// Divides the common solid of two placed, closed meshes into components, and finds the contact regions at each
// of them.
//
// The surface of a connected common solid consists of parts of triangles. The border of such a part consists of
// segments, in which triangles cross, and of parts of edges inside the other solid. Segments that follow each
// other belong to one contact region. The ends of a part of an edge are crossings or corners, so the regions of
// the crossings and the patches of the corners (see surfacePatches.ts) are joined. A set of joined regions and
// patches is called a boundary. Everything in a boundary bounds the same component. A component can have
// several boundaries only if a part of its surface has a hole whose border does not touch the part's outer
// border, or if the component has a cavity.
//
// Every component lies in the union of the convex hulls of its boundaries. Proof: fill the holes of each part
// of the component's surface. Add a copy of each filling, turned around, to the boundary that contains the
// hole's border. The filled parts and the turned fillings of one boundary form a closed surface in its convex
// hull. The fillings cancel out, so the sum of these surfaces is the surface of the component. This
// surface winds around each inner point of the component, so at least one of the closed surfaces does, too. A
// closed surface winds only around points of its convex hull.
//
// Holes and cavities lie in the convex hulls of the boundaries around them. So boundaries are grouped: those
// whose polytopes (see polytopes.ts) are not proven to be apart count as one component. Each part
// of the common volume, and each ball inside both solids, belongs to only one group. A group may contain several
// components that could not be told apart.
//
// Whether an edge crosses a triangle is decided after an infinitesimal movement of mesh A (see
// generalPosition.ts). This movement does not cut a component of the common solid in two: any two of its inner
// points are connected by a path that keeps a positive distance from the surfaces.

import { emptyBox, extendBox } from './boxAround.js';
import { largestNormals } from './candidateDirections.js';
import { forEachBoxPair } from './contactSize/boxPairs.js';
import { crosses, type MeshContacts } from './meshContacts.js';
import { type Polytope, Polytopes } from './polytopes.js';
import type { Region } from './regions.js';
import { UnionFind } from './shells.js';
import { triangleContains } from './sides.js';
import type { Surface } from './surface.js';
import { hitPoint, type MovedCrossings, SIDES, type SideNumber } from './volume/movedCrossings.js';

/** How many normals of large faces of each mesh are among the directions of the polytopes. */
const MAX_NORMALS = 8;

/**
 * A component of the common solid, or one of its boundaries: the triangles of each mesh that bound it, and the
 * box around them.
 */
export interface OverlapComponent {
  readonly triangles: readonly [readonly number[], readonly number[]];
  /** Minimum x, y, z, then maximum x, y, z. */
  readonly box: Float64Array;
  /** Whether it may have a volume. If not, the solids only touch in its regions. */
  readonly isSolid: boolean;
  /**
   * Returns whether a point in both solids belongs to this component. For a boundary: true only if the point
   * belongs to the component that the boundary bounds.
   */
  has(point: Float64Array): boolean;
}

/**
 * A division of the common solid into components, groups of components or boundaries: the entries of `all`. It
 * tells to which entry each contact region, triangle pair and vertex belongs.
 */
export interface Division {
  readonly all: readonly OverlapComponent[];
  /** Returns the index of the entry to which a contact region belongs. */
  ofRegion(region: number): number;
  /** Returns the index of the entry to which a pair of triangles belongs. */
  ofPair(pair: number): number;
  /** Returns the index of the entry to which a vertex belongs. The vertex must lie inside the other solid. */
  ofVertex(side: SideNumber, vertex: number): number;
}

/** A place at which an edge of a triangle crosses the other mesh. */
interface Hit {
  region: number;
  /** By how much the winding number of the other mesh changes. */
  jump: number;
  /** The offset of the crossing's coordinates in the points of all pairs (see MeshContacts). */
  at: number;
}

/** The components of a common solid. */
export interface OverlapComponents {
  /** The components or, where they could not be told apart, groups of components. */
  readonly components: Division;
  /** The boundaries. Each of them bounds one component. */
  readonly boundaries: Division;
  /** For each component or group: the numbers of its boundaries. */
  readonly boundariesOf: readonly (readonly number[])[];
}

/** Divides the common solid of two placed, closed meshes into components. */
export function overlapComponentsOf(
  contacts: MeshContacts,
  regions: readonly Region[],
  crossings: MovedCrossings,
): OverlapComponents {
  const divider = new Divider(contacts, regions, crossings);
  const { boundariesOf } = divider;
  const groupOf = new Int32Array(boundariesOf.flat().length);
  boundariesOf.forEach((group, i) => {
    for (const boundary of group) groupOf[boundary] = i;
  });
  const components = divider.divide(
    boundary => groupOf[boundary],
    boundariesOf,
    // A point of a component lies in the convex hull of one of its boundaries.
    (component, point) => boundariesOf[component].some(boundary => divider.mayContain(boundary, point)),
  );
  // In most cases, each component has only one boundary.
  if (groupOf.length === boundariesOf.length) return { components, boundaries: components, boundariesOf };
  const boundaries = divider.divide(
    boundary => boundary,
    Array.from(groupOf, (_, boundary) => [boundary]),
    // If the point lies in the polytope of only one boundary, it lies in the component of this boundary.
    (boundary, point) =>
      boundariesOf[groupOf[boundary]].every(
        other => divider.mayContain(other, point) === (other === boundary),
      ),
  );
  return { components, boundaries, boundariesOf };
}

class Divider {
  /** For each component or group of components: the numbers of its boundaries. */
  readonly boundariesOf: readonly (readonly number[])[];
  readonly #contacts: MeshContacts;
  readonly #crossings: MovedCrossings;
  readonly #regionOfPair: Int32Array;
  // Disjoint sets of contact regions and patches. The numbers of the regions come first, then those of A's
  // patches, then those of B's. Within its mesh, a patch has the number of one of its vertices.
  readonly #joined: UnionFind;
  readonly #firstPatch: readonly [number, number];
  // The number of the boundary for each representative of a set.
  readonly #numbers = new Map<number, number>();
  readonly #space: Polytopes;
  readonly #polytopes: readonly Polytope[];
  readonly #tolerance: number;

  constructor(contacts: MeshContacts, regions: readonly Region[], crossings: MovedCrossings) {
    const { a, b, pairs } = contacts;
    this.#contacts = contacts;
    this.#crossings = crossings;
    this.#regionOfPair = new Int32Array(pairs.a.length);
    regions.forEach((region, i) => {
      for (const pair of region.pairs) this.#regionOfPair[pair] = i;
    });
    this.#firstPatch = [regions.length, regions.length + a.mesh.vertexCount];
    this.#joined = new UnionFind(this.#firstPatch[1] + b.mesh.vertexCount);
    for (const side of SIDES) {
      this.#joinAlongEdges(side);
      this.#joinAtVertices(side);
    }
    this.#space = new Polytopes([
      ...largestNormals(a, new Set(pairs.a), MAX_NORMALS),
      ...largestNormals(b, new Set(pairs.b), MAX_NORMALS),
    ]);
    const polytopes = this.#polytopesOf(regions);
    for (const root of polytopes.keys()) this.#numbers.set(root, this.#numbers.size);
    this.#polytopes = [...polytopes.values()];
    this.#tolerance = this.#space.toleranceOf(this.#polytopes);
    this.boundariesOf = this.#groupBoundaries();
  }

  /** Returns whether a point lies in the polytope of a boundary, up to rounding. */
  mayContain(boundary: number, point: Float64Array): boolean {
    return this.#space.contains(this.#polytopes[boundary], point, this.#tolerance);
  }

  /**
   * Describes a division (see Division).
   * @param numberOf Returns the index of the entry of `all` to which a boundary belongs.
   * @param boundariesOf The boundaries of each entry of `all`.
   * @param has Returns whether a point in both solids belongs to an entry of `all`.
   */
  divide(
    numberOf: (boundary: number) => number,
    boundariesOf: readonly (readonly number[])[],
    has: (entry: number, point: Float64Array) => boolean,
  ): Division {
    const numberAt = (item: number): number => numberOf(this.#numbers.get(this.#joined.find(item))!);
    const division = {
      ofRegion: (region: number) => numberAt(region),
      ofPair: (pair: number) => numberAt(this.#regionOfPair[pair]),
      ofVertex: (side: SideNumber, vertex: number) => numberAt(this.#patch(side, vertex)),
    };
    const boxes = boundariesOf.map(boundaries => {
      const box = emptyBox();
      for (const boundary of boundaries) extendBox(box, this.#space.boxOf(this.#polytopes[boundary]));
      return box;
    });
    const all = this.#describe(division, boxes).map((found, entry) => ({
      ...found,
      has: (point: Float64Array) => has(entry, point),
    }));
    return { ...division, all };
  }

  #patch(side: SideNumber, vertex: number): number {
    return this.#firstPatch[side] + this.#crossings.windings[side].patchOf(vertex);
  }

  #surface(side: SideNumber): Surface {
    return side === 0 ? this.#contacts.a : this.#contacts.b;
  }

  #intersecting(side: SideNumber): Uint32Array {
    const { pairs } = this.#contacts;
    return side === 0 ? pairs.a : pairs.b;
  }

  // For each part of an edge that lies inside the other solid, joins the regions or patches at its two ends.
  #joinAlongEdges(side: SideNumber): void {
    const surface = this.#surface(side);
    const { points } = this.#contacts;
    const windings = this.#crossings.windings[side];
    const hits = this.#hitsOf(side);
    const corners = new Float64Array(9);
    for (const triangle of new Set(this.#intersecting(side))) {
      const around = windings.at(triangle);
      const patches = Array.from(surface.vertices(triangle), vertex => this.#patch(side, vertex));
      surface.writeCorners(triangle, corners, 0);
      for (let i = 0; i < 3; i++) {
        const j = i === 2 ? 0 : i + 1;
        const edge = [0, 1, 2].map(axis => corners[3 * j + axis] - corners[3 * i + axis]);
        const size = edge.map(Math.abs);
        const axis = size.indexOf(Math.max(...size));
        const heightOf = ({ at }: Hit): number => Math.sign(edge[axis]) * points[at + axis];
        const sorted = (hits.get(3 * triangle + i) ?? []).sort(
          (one, other) => heightOf(one) - heightOf(other),
        );
        // Between crossings at different heights, the winding number is known. Rounding keeps the order of
        // heights, but it may make them equal, so crossings at one height are joined.
        let before = patches[i];
        let winding = around[i];
        sorted.forEach((hit, k) => {
          const isSame = k > 0 && heightOf(hit) === heightOf(sorted[k - 1]);
          if (isSame || winding !== 0) this.#joined.union(before, hit.region);
          winding += hit.jump;
          before = hit.region;
        });
        if (winding !== 0) this.#joined.union(before, patches[j]);
      }
    }
  }

  // Lists the crossings of each edge; entry 3 t + i belongs to the edge of triangle t that begins at corner i.
  #hitsOf(side: SideNumber): Map<number, Hit[]> {
    const { pointsAt } = this.#contacts;
    const hits = new Map<number, Hit[]>();
    this.#intersecting(side).forEach((triangle, pair) => {
      const first = 3 * pointsAt[pair];
      const last = 3 * (pointsAt[pair + 1] - 1);
      for (let edge = 0; edge < 3; edge++) {
        const direction = this.#crossings.edgeHit(side, pair, edge);
        if (direction === 0) continue;
        const hit = {
          region: this.#regionOfPair[pair],
          jump: -direction,
          at: hitPoint(side, direction, first, last),
        };
        const known = hits.get(3 * triangle + edge);
        if (known) known.push(hit);
        else hits.set(3 * triangle + edge, [hit]);
      }
    });
    return hits;
  }

  // If a pair of triangles only touches, and does so at a vertex inside the other solid, joins the pair's
  // region and the vertex's patch. The infinitesimal movement of A may separate such a region from the vertex.
  #joinAtVertices(side: SideNumber): void {
    const { pairs, pointsAt, points } = this.#contacts;
    const [own, other] = [this.#surface(side), this.#surface(side === 0 ? 1 : 0)];
    const corners = new Float64Array(9);
    const triangle = new Float64Array(9);
    for (let i = 0; i < pairs.a.length; i++) {
      if (crosses(pairs.kind[i])) continue;
      const [of, at] = side === 0 ? [pairs.a[i], pairs.b[i]] : [pairs.b[i], pairs.a[i]];
      const around = this.#crossings.windings[side].at(of);
      if (around.every(winding => winding === 0)) continue;
      own.writeCorners(of, corners, 0);
      other.writeCorners(at, triangle, 0);
      for (let corner = 0; corner < 3; corner++) {
        if (around[corner] === 0) continue;
        const vertex = corners.subarray(3 * corner, 3 * corner + 3);
        let isShared = false;
        for (let k = pointsAt[i]; k < pointsAt[i + 1]; k++)
          isShared ||= vertex.every((value, axis) => value === points[3 * k + axis]);
        // The shared point is rounded, so it may equal the vertex even if the exact point does not.
        if (isShared && triangleContains(triangle, vertex))
          this.#joined.union(this.#regionOfPair[i], this.#patch(side, own.vertices(of)[corner]));
      }
    }
  }

  // Returns the polytope of each boundary. It contains the points of the boundary's regions, and all vertices
  // of its patches that lie inside the other solid.
  #polytopesOf(regions: readonly Region[]): Map<number, Polytope> {
    const polytopes = new Map<number, Polytope>();
    const extend = (item: number, points: ArrayLike<number>): void => {
      const root = this.#joined.find(item);
      let polytope = polytopes.get(root);
      if (!polytope) polytopes.set(root, (polytope = this.#space.empty()));
      this.#space.extend(polytope, points);
    };
    regions.forEach(({ points }, i) => {
      extend(i, points);
    });
    const place = new Float64Array(3);
    for (const side of SIDES) {
      const surface = this.#surface(side);
      const isDone = new Uint8Array(surface.mesh.vertexCount);
      for (let triangle = 0; triangle < surface.mesh.triangleCount; triangle++) {
        const around = this.#crossings.windings[side].at(triangle);
        for (let i = 0; i < 3; i++) {
          if (around[i] === 0) continue;
          const vertex = surface.vertices(triangle)[i];
          if (isDone[vertex]) continue;
          isDone[vertex] = 1;
          surface.place(vertex, place, 0);
          extend(this.#patch(side, vertex), place);
        }
      }
    }
    return polytopes;
  }

  // Groups the boundaries: those whose polytopes are not proven to be apart belong to one group.
  #groupBoundaries(): number[][] {
    const joined = new UnionFind(this.#polytopes.length);
    const boxes = new Float64Array(6 * this.#polytopes.length);
    this.#polytopes.forEach((polytope, i) => {
      boxes.set(this.#space.boxOf(polytope), 6 * i);
    });
    forEachBoxPair(boxes, 0, Infinity, (i, j) => {
      if (!this.#space.areApart(this.#polytopes[i], this.#polytopes[j], this.#tolerance)) joined.union(i, j);
    });
    const groups = new Map<number, number[]>();
    this.#polytopes.forEach((_, boundary) => {
      const known = groups.get(joined.find(boundary));
      if (known) known.push(boundary);
      else groups.set(boundary, [boundary]);
    });
    return [...groups.values()];
  }

  #describe(
    division: Omit<Division, 'all'>,
    boxes: readonly Float64Array[],
  ): Omit<OverlapComponent, 'has'>[] {
    const found = boxes.map(box => ({
      box,
      triangles: [[], []] as [number[], number[]],
      isSolid: false,
    }));
    for (const side of SIDES) {
      const surface = this.#surface(side);
      const owners = new Map<number, Set<number>>();
      this.#intersecting(side).forEach((triangle, pair) => {
        const owner = division.ofPair(pair);
        found[owner].isSolid ||= this.#crossings.crosses(pair) || this.#hasHit(side, pair);
        const known = owners.get(triangle);
        if (known) known.add(owner);
        else owners.set(triangle, new Set([owner]));
      });
      for (let triangle = 0; triangle < surface.mesh.triangleCount; triangle++) {
        const around = this.#crossings.windings[side].at(triangle);
        const ownersHere = owners.get(triangle) ?? new Set();
        surface.vertices(triangle).forEach((vertex, i) => {
          if (around[i] === 0) return;
          const owner = division.ofVertex(side, vertex);
          ownersHere.add(owner);
          found[owner].isSolid = true;
        });
        for (const owner of ownersHere) found[owner].triangles[side].push(triangle);
      }
    }
    return found;
  }

  #hasHit(side: SideNumber, pair: number): boolean {
    return [0, 1, 2].some(edge => this.#crossings.edgeHit(side, pair, edge) !== 0);
  }
}
