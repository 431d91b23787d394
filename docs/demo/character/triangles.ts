// Builds meshes from boxes, prisms and walls. The y axis points up.
import type { Vector } from 'pfront/samples';

/** A list of triangles, nine numbers each. */
export class Triangles {
  readonly numbers: number[] = [];

  /** Adds a quadrilateral. Its corners run counterclockwise, seen from outside. */
  quad(a: Vector, b: Vector, c: Vector, d: Vector): void {
    this.numbers.push(...a, ...b, ...c, ...a, ...c, ...d);
  }

  /** Adds a prism between two values of z. The outline is convex and runs counterclockwise in the xy plane. */
  prism(outline: readonly (readonly [x: number, y: number])[], back: number, front: number): void {
    outline.forEach(([x, y], i) => {
      const [nextX, nextY] = outline[(i + 1) % outline.length]!;
      this.quad([x, y, front], [x, y, back], [nextX, nextY, back], [nextX, nextY, front]);
    });
    const [[x, y]] = outline as [readonly [number, number]];
    for (let i = 1; i + 1 < outline.length; i++) {
      const [[bx, by], [cx, cy]] = [outline[i]!, outline[i + 1]!];
      this.numbers.push(x, y, front, bx, by, front, cx, cy, front);
      this.numbers.push(x, y, back, cx, cy, back, bx, by, back);
    }
  }

  box([ax, ay, az]: Vector, [bx, by, bz]: Vector): void {
    this.prism(
      [
        [ax, ay],
        [bx, ay],
        [bx, by],
        [ax, by],
      ],
      az,
      bz,
    );
  }

  /** Adds an upright wall that is 0.3 m thick, from one point (x, z) to another. */
  wall(from: readonly [number, number], to: readonly [number, number], bottom: number, top: number): void {
    const [x, z] = [to[0] - from[0], to[1] - from[1]];
    const scale = 0.15 / Math.hypot(x, z);
    const corners = [
      [from[0] - scale * z, from[1] + scale * x],
      [to[0] - scale * z, to[1] + scale * x],
      [to[0] + scale * z, to[1] - scale * x],
      [from[0] + scale * z, from[1] - scale * x],
    ] as [number, number][];
    this.upright(corners, bottom, top);
  }

  /** Adds an upright prism. The corners x, z run counterclockwise, seen from above. */
  upright(corners: readonly (readonly [x: number, z: number])[], bottom: number, top: number): void {
    corners.forEach(([x, z], i) => {
      const [nextX, nextZ] = corners[(i + 1) % corners.length]!;
      this.quad([x, bottom, z], [nextX, bottom, nextZ], [nextX, top, nextZ], [x, top, z]);
    });
    const [[x, z]] = corners as [readonly [number, number]];
    for (let i = 1; i + 1 < corners.length; i++) {
      const [[bx, bz], [cx, cz]] = [corners[i]!, corners[i + 1]!];
      this.numbers.push(x, top, z, bx, top, bz, cx, top, cz);
    }
  }

  pillar(x: number, z: number, radius: number, height: number, sides = 24): void {
    const corners = Array.from({ length: sides }, (_, i) => {
      const angle = (-2 * Math.PI * i) / sides;
      return [x + radius * Math.cos(angle), z + radius * Math.sin(angle)] as const;
    });
    this.upright(corners, -0.5, height);
  }
}
