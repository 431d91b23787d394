// The engine module 'points': closest points of a mesh, and whether points are inside a solid.

import { rejectForeign } from '../contact/rejectForeign.js';
import { rejectOpen } from '../contact/shells.js';
import {
  copyOptions,
  nonNegative,
  type OptionTable,
  rejectExtraArgument,
  trueOrFalse,
} from '../core/checkOptions.js';
import type { EngineHost, EngineModule } from '../core/module.js';
import { printAs } from '../core/printing.js';
import type { Mesh } from '../mesh/mesh.js';
import { pointsLimits } from '../records/pointsLayout.js';
import { isInside, PointsQuery } from './pointsQuery.js';
import { type Points, readPoints } from './readPoints.js';
import { nameLength, wasmGzipBase64 } from '../wasm/points.wasm.js';

export type { Points };

/** Options of `closestPoints`. All are optional. */
export interface ClosestPointsOptions {
  /**
   * The largest distance of interest, in units of the mesh's own frame: points that are farther from the mesh
   * have triangle -1. A small `max` makes the search faster. Default: no limit.
   */
  max?: number;
  /**
   * Whether the distance of a point is negative if the point is inside the solid that the mesh bounds. The
   * mesh must be closed. Default false.
   */
  signed?: boolean;
}

const CLOSEST: OptionTable<ClosestPointsOptions> = { max: nonNegative, signed: trueOrFalse };

/**
 * The closest points of a mesh: one entry for each point that was passed. The arrays are copies, which stay
 * valid.
 */
export interface ClosestPoints {
  /**
   * The triangle that is nearest to each point. If several triangles are exactly equally near, this is the
   * one with the lowest number. It is -1 if the mesh has no triangles, or if the distance is more than `max`.
   */
  triangle: Int32Array;
  /** x, y and z of the closest point on this triangle, in the mesh's own frame; NaN if `triangle` is -1. */
  position: Float64Array;
  /**
   * The distance of each point from the mesh, in units of the mesh's own frame; Infinity if `triangle` is -1.
   * It is 0 only if the point is on the surface, which is decided exactly. With `signed`, it is negative if
   * the point is inside the solid.
   */
  distance: Float64Array;
}

const printedClosest = printAs({} as ClosestPoints, 'ClosestPoints');

/** The engine's methods for points. */
export class PointsMethods {
  readonly #host: EngineHost;
  readonly #query: PointsQuery;

  /** @internal */
  constructor(host: EngineHost) {
    this.#host = host;
    this.#query = new PointsQuery(host);
  }

  /**
   * Returns, for each of many points, the closest point of a mesh, the triangle on which it lies, and its
   * distance. The triangle is exact: no other triangle is nearer, and if several triangles are equally near,
   * the one with the lowest number is returned. The error of distance and position is at most 2^-45 times the
   * longest side of the axis-aligned box around the triangle and the point; the coordinates of the position are
   * also rounded to doubles. The call is synchronous and uses all threads; its result is the same for any
   * number of threads. Source: Ericson, Real-Time Collision Detection, 5.1.5; with `signed`, Jacobson et al.
   * 2013 (winding numbers).
   * @param points x, y and z of each point, in the mesh's own frame
   * @throws Unsupported if an argument or option is invalid, or with `signed` if the mesh is not closed;
   * Disposed, Capacity
   */
  closestPoints(mesh: Mesh, points: Points, options?: ClosestPointsOptions): ClosestPoints;
  closestPoints(
    mesh: Mesh,
    points: Points,
    options: ClosestPointsOptions = {},
    surplus?: unknown,
  ): ClosestPoints {
    this.#host.beginCall();
    const { max = Infinity, signed = false } = copyOptions(CLOSEST, options);
    rejectExtraArgument(surplus, 'closestPoints(mesh, points, options)');
    const list = this.#read(mesh, points);
    if (signed) rejectOpen(mesh);
    const count = list.length / 3;
    this.#host.context.pool.chooseThreads('closestPoints', count);
    const found = {
      triangle: new Int32Array(count).fill(-1),
      position: new Float64Array(3 * count).fill(NaN),
      distance: new Float64Array(count).fill(Infinity),
    };
    if (mesh.triangleCount > 0) {
      this.#query.findClosest(mesh, list, max, found);
      if (signed) {
        const sides = this.#query.classify(mesh, list);
        for (let i = 0; i < count; i++)
          if (sides[i] === pointsLimits.INSIDE && found.triangle[i] >= 0) found.distance[i] *= -1;
      }
    }
    this.#host.context.pool.endCall();
    return { __proto__: printedClosest, ...found } as ClosestPoints;
  }

  /**
   * Returns, for each of many points, 1 if it is inside the solid that a closed mesh bounds, and 0 if it is
   * outside. A point is inside if the winding number of the mesh around it is not 0. Points on the surface
   * count as inside. The result is exact. The call is synchronous and uses all threads. A mesh without
   * triangles contains no points. Source: Jacobson et al. 2013 (winding numbers); Edelsbrunner and Mücke 1990
   * (symbolic perturbation of the ray that counts crossings).
   * @param points x, y and z of each point, in the mesh's own frame
   * @throws Unsupported if an argument is invalid, or if the mesh is not closed; Disposed, Capacity
   */
  containsPoints(mesh: Mesh, points: Points): Uint8Array;
  containsPoints(mesh: Mesh, points: Points, surplus?: unknown): Uint8Array {
    this.#host.beginCall();
    rejectExtraArgument(surplus, 'containsPoints(mesh, points)');
    const list = this.#read(mesh, points);
    rejectOpen(mesh);
    if (mesh.triangleCount === 0) return new Uint8Array(list.length / 3);
    this.#host.context.pool.chooseThreads('containsPoints', list.length / 3);
    const sides = this.#query.classify(mesh, list);
    this.#host.context.pool.endCall();
    return sides.map(side => (isInside(side) ? 1 : 0));
  }

  #read(mesh: Mesh, points: unknown): Float64Array {
    rejectForeign(this.#host, mesh);
    const list = readPoints(points);
    // Throws if the mesh was disposed of.
    void mesh.recordAt;
    return list;
  }
}

export const points: EngineModule<PointsMethods> = {
  inlined: { nameLength, wasmGzipBase64 },
  makeMethods: host => new PointsMethods(host),
};
