// Divides the common solid of two placed, closed meshes into components, and finds the contact regions at each of them.
//
// Components are joined rather than divided in error: two components with overlapping boxes count as one. So no ball in
// both solids, and no part of the common volume, belongs to two components.
//
// The surface of a connected common solid consists of parts of triangles. The border of such a part consists of segments,
// in which triangles cross, and of parts of edges inside the other solid. Segments that follow each other belong to one
// contact region. The ends of a part of an edge are crossings or corners, so the regions of the crossings and the patches
// of the corners are joined. Everything else that a part may touch, such as a hole in it, lies in the box of its border:
// a part that lies in the box of another one is joined to it.
//
// Which edges cross is decided after an infinitesimal movement of mesh A (see generalPosition.ts). It divides no common
// solid: a path through the inside of the solid has some distance from the surfaces.

import { emptyBox, extendBox } from './boxAround.js';
import { forEachBoxPair } from './contactSize/boxPairs.js';
import type { MeshContacts } from './meshContacts.js';
import type { Region } from './regions.js';
import { UnionFind } from './shells.js';
import type { Surface } from './surface.js';
import { hitPoint, type MovedCrossings, SIDES, type SideNumber } from './volume/movedCrossings.js';

/** A component of the common solid: the triangles of each mesh that bound it, and its box. */
export interface OverlapComponent {
  readonly triangles: readonly [readonly number[], readonly number[]];
  /** Minimum x, y, z, then maximum x, y, z. */
  readonly box: Float64Array;
  /** Whether the component may have a volume. If not, its regions only touch. */
  readonly isSolid: boolean;
}

/** A place at which an edge of a triangle crosses the other mesh. */
interface Hit {
  region: number;
  /** By how much the winding number of the other mesh changes. */
  jump: number;
  /** Where the crossing is in the list of the pairs' points. */
  at: number;
}

/** The components of a common solid. */
export class OverlapComponents {
  readonly all: readonly OverlapComponent[];
  readonly #contacts: MeshContacts;
  readonly #crossings: MovedCrossings;
  readonly #regionOfPair: Int32Array;
  // Disjoint sets of the contact regions, then of A's patches, then of B's. A patch has the number of a vertex.
  readonly #joined: UnionFind;
  readonly #firstPatch: readonly [number, number];
  // The number of the component for each representative of a set.
  readonly #numbers = new Map<number, number>();

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
    for (const side of SIDES) this.#joinAlongEdges(side);
    const boxes = this.#joinBoxes(this.#boxesOf(regions));
    for (const root of boxes.keys()) this.#numbers.set(root, this.#numbers.size);
    this.all = this.#describe([...boxes.values()]);
  }

  get boxes(): readonly Float64Array[] {
    return this.all.map(({ box }) => box);
  }

  /** Returns the number of the component to which a contact region belongs. */
  ofRegion(region: number): number {
    return this.#numberOf(region);
  }

  /** Returns the number of the component to which a pair of triangles belongs. */
  ofPair(pair: number): number {
    return this.#numberOf(this.#regionOfPair[pair]);
  }

  /** Returns the number of the component to which a vertex belongs. The vertex must lie inside the other solid. */
  ofVertex(side: SideNumber, vertex: number): number {
    return this.#numberOf(this.#patch(side, vertex));
  }

  #numberOf(item: number): number {
    return this.#numbers.get(this.#joined.find(item))!;
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

  // Joins what bounds the same part of an edge inside the other solid.
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
        // Between crossings at different heights, the winding number is known. Rounding keeps the order of heights, but it
        // may make them equal, so crossings at one height are joined.
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

  // Returns the box of each set: of the points of its regions, and of its vertices inside the other solid.
  #boxesOf(regions: readonly Region[]): Map<number, Float64Array> {
    const boxes = new Map<number, Float64Array>();
    const boxAt = (item: number): Float64Array => {
      const root = this.#joined.find(item);
      let box = boxes.get(root);
      if (!box) boxes.set(root, (box = emptyBox()));
      return box;
    };
    regions.forEach(({ points }, i) => {
      extendBox(boxAt(i), points);
    });
    const corners = new Float64Array(9);
    for (const side of SIDES) {
      const surface = this.#surface(side);
      for (let triangle = 0; triangle < surface.mesh.triangleCount; triangle++) {
        const around = this.#crossings.windings[side].at(triangle);
        if (around.every(winding => winding === 0)) continue;
        const patches = Array.from(surface.vertices(triangle), vertex => this.#patch(side, vertex));
        surface.writeCorners(triangle, corners, 0);
        for (let i = 0; i < 3; i++)
          if (around[i] !== 0) extendBox(boxAt(patches[i]), corners.subarray(3 * i, 3 * i + 3));
      }
    }
    return boxes;
  }

  // Joins sets whose boxes overlap, until no boxes do.
  #joinBoxes(boxes: Map<number, Float64Array>): Map<number, Float64Array> {
    const roots = [...boxes.keys()];
    const list = new Float64Array(6 * roots.length);
    roots.forEach((root, i) => {
      list.set(boxes.get(root)!, 6 * i);
    });
    forEachBoxPair(list, 0, Infinity, (i, j) => {
      this.#joined.union(roots[i], roots[j]);
    });
    const joined = new Map<number, Float64Array>();
    for (const root of roots) {
      const box = boxes.get(root)!;
      const known = joined.get(this.#joined.find(root));
      if (known) extendBox(known, box);
      else joined.set(this.#joined.find(root), box);
    }
    return joined.size === boxes.size ? joined : this.#joinBoxes(joined);
  }

  #describe(boxes: readonly Float64Array[]): OverlapComponent[] {
    const found = boxes.map(box => ({
      box,
      triangles: [[], []] as [number[], number[]],
      isSolid: false,
    }));
    for (const side of SIDES) {
      const surface = this.#surface(side);
      const owners = new Map<number, Set<number>>();
      this.#intersecting(side).forEach((triangle, pair) => {
        const component = this.ofPair(pair);
        found[component].isSolid ||= this.#crossings.crosses(pair) || this.#hasHit(side, pair);
        const known = owners.get(triangle);
        if (known) known.add(component);
        else owners.set(triangle, new Set([component]));
      });
      for (let triangle = 0; triangle < surface.mesh.triangleCount; triangle++) {
        const around = this.#crossings.windings[side].at(triangle);
        const components = owners.get(triangle) ?? new Set();
        surface.vertices(triangle).forEach((vertex, i) => {
          if (around[i] === 0) return;
          const component = this.ofVertex(side, vertex);
          components.add(component);
          found[component].isSolid = true;
        });
        for (const component of components) found[component].triangles[side].push(triangle);
      }
    }
    return found;
  }

  #hasHit(side: SideNumber, pair: number): boolean {
    return [0, 1, 2].some(edge => this.#crossings.edgeHit(side, pair, edge) !== 0);
  }
}
