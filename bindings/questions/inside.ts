// A placed mesh that meets another -> which of its points lie within the other's solid, part of surface by part.
import type { Surface } from './surface.js';
import { Joined, shellsOf } from './shells.js';
import { holds } from './overlap.js';
import { pointOf } from './grid.js';

/** Points of one surface that hang together by triangles which meet nothing: all of them are within the other's solid, or none. */
export class Parts {
  private readonly surface: Surface;
  private readonly joined: Joined;
  private readonly members = new Map<number, number[]>();
  private readonly known = new Map<number, boolean>();

  /** met: triangles that meet the other surface. */
  constructor(surface: Surface, met: ReadonlySet<number>) {
    const { mesh: { triangleCount, vertexCount } } = surface, { points } = shellsOf(surface.mesh), used = new Uint8Array(vertexCount);
    this.surface = surface;
    this.joined = new Joined(vertexCount);
    for (let triangle = 0; triangle < triangleCount; triangle++) {
      const [x, y, z] = Array.from(surface.vertices(triangle), (vertex) => points[vertex]!) as [number, number, number];
      used[x] = used[y] = used[z] = 1;
      if (met.has(triangle)) continue;
      this.joined.join(x, y);
      this.joined.join(x, z);
    }
    for (let point = 0; point < vertexCount; point++) {
      if (!used[point]) continue;
      const part = this.joined.of(point), members = this.members.get(part);
      if (members) members.push(point);
      else this.members.set(part, [point]);
    }
  }

  /** The parts that these triangles reach. */
  at(triangles: Iterable<number>): Set<number> {
    const { points } = shellsOf(this.surface.mesh), found = new Set<number>();
    for (const triangle of triangles) for (const vertex of this.surface.vertices(triangle)) found.add(this.joined.of(points[vertex]!));
    return found;
  }

  /** Whether a part lies within a closed surface that its triangles do not meet. */
  isWithin(part: number, other: Surface): boolean {
    let known = this.known.get(part);
    if (known === undefined) this.known.set(part, known = holds(other, pointOf(this.place([part]))));
    return known;
  }

  /** Three doubles a point. */
  pointsOf(part: number): Float64Array { return this.place(this.members.get(part)!); }

  private place(vertices: readonly number[]): Float64Array {
    const placed = new Float64Array(3 * vertices.length);
    for (const [i, vertex] of vertices.entries()) this.surface.place(vertex, placed, 3 * i);
    return placed;
  }
}
