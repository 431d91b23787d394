// ProvenBounds the length of the curves and the area of the faces that the surfaces of two meshes share.

import { contactKinds } from '../contactSegments.js';
import { type MeshContacts, sharesArea } from '../meshContacts.js';
import { shellsOf } from '../shells.js';
import { sidesOf } from '../sides.js';
import type { Surface } from '../surface.js';
import { FaceSums, type ProvenBounds } from './faceSums.js';

/** The length and the area that the surfaces of two placed meshes share; both as bounds that rounding separates. */
export interface ContactSize {
  /** Length of the curves in which the surfaces cross or touch, with the borders of shared areas. */
  length: ProvenBounds;
  /** Area of the faces in which the surfaces coincide. */
  area: ProvenBounds;
}

/** Measures the contacts of some pairs of triangles. No two triangles of one mesh may overlap. */
export class ContactMeasure {
  readonly #contacts: MeshContacts;
  readonly #sums: FaceSums;
  readonly #corners = new Float64Array(18);
  readonly #sides = new Int8Array(6);

  constructor(contacts: MeshContacts) {
    const { points } = contacts;
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i++) {
      box[i % 3] = Math.min(box[i % 3], points[i]);
      box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], points[i]);
    }
    this.#contacts = contacts;
    this.#sums = new FaceSums(points.length > 0 ? box : [0, 0, 0, 0, 0, 0]);
  }

  /** @param pairs Numbers of pairs; default: all. */
  sizeOf(pairs: Iterable<number> = this.#contacts.pairs.a.keys()): ContactSize {
    const { pairs: all, pointsAt, points } = this.#contacts;
    const known = new Set<string>();
    const lengths: ProvenBounds[] = [];
    const areas: ProvenBounds[] = [];
    for (const i of pairs) {
      const kind = all.kind[i];
      const first = 3 * pointsAt[i];
      const end = 3 * pointsAt[i + 1];
      if (sharesArea(kind)) {
        const face = this.#sums.faceAt(points, first);
        for (let at = first + 3; at < end - 3; at += 3)
          this.#sums.addTriangle(face, points, at, points, at + 3, 1);
        areas.push(this.#sums.areaOf(face));
      } else if (kind === contactKinds.CROSS) {
        lengths.push(this.#sums.lengthOf(points, first, first + 3));
      } else if (kind === contactKinds.TOUCH_SEGMENT) {
        const name = this.#nameOf(i);
        if (name === undefined || known.has(name)) continue;
        known.add(name);
        lengths.push(this.#sums.lengthOf(points, first, first + 3));
      }
    }
    return { length: sumOf(lengths), area: sumOf(areas) };
  }

  // Returns the name of a segment in which two triangles touch: the triangles, or those of their edges along which the
  // segment runs. All triangles at these edges share this segment. Returns undefined if the triangles lie in one plane,
  // where the segment is not a border of the contact, or if one of them has no area.
  #nameOf(i: number): string | undefined {
    const { a, b, pairs } = this.#contacts;
    const p = this.#corners;
    const sides = this.#sides;
    a.writeCorners(pairs.a[i], p, 0);
    b.writeCorners(pairs.b[i], p, 9);
    sidesOf(p, 9, 0, sides, 0);
    sidesOf(p, 0, 9, sides, 3);
    const [ofA, ofB] = [edgeName(a, pairs.a[i], sides, 0), edgeName(b, pairs.b[i], sides, 3)];
    return ofA === undefined || ofB === undefined ? undefined : `${ofA} ${ofB}`;
  }
}

// Returns the name of the edge that lies in the other triangle's plane, or that of the triangle if there is none.
function edgeName(surface: Surface, triangle: number, sides: Int8Array, at: number): string | undefined {
  const { weldedVertices } = shellsOf(surface.mesh);
  const ends = [...surface.vertices(triangle)].filter((_, corner) => sides[at + corner] === 0);
  if (ends.length === 3) return undefined;
  if (ends.length < 2) return `${triangle}`;
  const [x, y] = ends.map(vertex => weldedVertices[vertex]);
  return `${Math.min(x, y)}-${Math.max(x, y)}`;
}

// Adds up bounds. Each sum of n numbers that are not negative has a relative rounding error of at most n * 2^-53.
function sumOf(list: readonly ProvenBounds[]): ProvenBounds {
  const error = list.length * 2 ** -52;
  const lower = list.reduce((sum, bounds) => sum + bounds.lower, 0);
  const upper = list.reduce((sum, bounds) => sum + bounds.upper, 0);
  return { lower: lower * (1 - error), upper: upper * (1 + error) };
}
