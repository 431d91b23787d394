// The results of casts and overlap tests of shapes.

import { printAs } from '../core/printing.js';
import type { FirstContact, HitTriangle } from './shapeCaster.js';

/** The first contact of a moving shape. */
export class ShapeHit {
  /**
   * The time of the contact, from 0 (start) to 1 (the shape has moved by `motion`). There is no contact before
   * this time. It is 0 if the shape touches or overlaps a triangle at the start.
   */
  readonly t: number;
  /**
   * The triangle that the shape touches. If the shape touches several triangles at the same time, this is the
   * one with the smallest separation. At equal separation, it is the one in the body with the lowest id, and
   * then the one with the lowest number.
   */
  readonly triangle: number;
  /** For scenes, the id of the body. For meshes, undefined. */
  readonly body: number | undefined;
  /**
   * For castMesh, the triangle of the moving mesh that touches `triangle`. If several triangles touch it with
   * the same separation, this is the one with the lowest number. For other casts, undefined.
   */
  readonly movingTriangle: number | undefined;
  /**
   * The point of `triangle` that is nearest to the center of the sphere, to the segment of the capsule, or to
   * the triangle of the moving mesh, at the time `t`. `point` and `normal` are in the frame of the cast (see
   * `castSphere`).
   */
  readonly point: readonly [x: number, y: number, z: number];
  /**
   * Unit vector from `point` toward the center, the segment or the triangle of the moving mesh. If that center,
   * segment or triangle shares a point with `triangle` at the start, `normal` is the normal of a triangle
   * instead. For a sphere or a capsule, this is the normal of `triangle` that points to the side on which the
   * center or the middle of the segment lies. For a moving mesh, there are three cases. If one of the two
   * triangles lies on one side of the plane of the other triangle, `normal` is perpendicular to this plane and
   * points from `triangle` toward the moving triangle. If both triangles lie in one plane, `normal` is the
   * normal of the front of `triangle`. Otherwise, it is the normal of `triangle` that points against the
   * motion. If the triangle whose normal is taken has no area, `normal` is 0, 0, 0.
   */
  readonly normal: readonly [x: number, y: number, z: number];
  /**
   * The distance of the shape from the triangle at the time `t`, in units of the frame of the cast: 0 except
   * for rounding, or negative if a sphere or a capsule overlaps the triangle at the start. If it is negative,
   * moving the shape along the normal by -separation separates it from this triangle, unless the triangle
   * passes through the segment. For a moving mesh that intersects the triangle at the start, it is 0.
   */
  readonly separation: number;

  /** @internal */
  constructor({ t, triangle, body, movingTriangle, point, normal, separation }: FirstContact) {
    this.t = t;
    this.triangle = triangle;
    this.body = body;
    this.movingTriangle = movingTriangle;
    this.point = point;
    this.normal = normal;
    this.separation = separation;
  }
}
printAs(ShapeHit.prototype, 'ShapeHit', [
  't',
  'triangle',
  'body',
  'movingTriangle',
  'point',
  'normal',
  'separation',
]);

/**
 * The triangles that a shape overlaps, sorted by body, then by triangle. The arrays are copies; later calls
 * do not change them.
 */
export interface OverlappingTriangles {
  /** Number of triangles. */
  count: number;
  /** The triangles. */
  triangle: Int32Array;
  /** For scenes, the id of the body of each triangle. For meshes, undefined. */
  body: Uint32Array | undefined;
}

const printed = printAs({} as OverlappingTriangles, 'OverlappingTriangles');

export function overlappingTriangles(found: readonly HitTriangle[], isScene: boolean): OverlappingTriangles {
  return Object.assign(Object.create(printed) as OverlappingTriangles, {
    count: found.length,
    triangle: Int32Array.from(found, ({ triangle }) => triangle),
    body: isScene ? Uint32Array.from(found, ({ body }) => body!) : undefined,
  });
}
