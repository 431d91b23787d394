// Runs point queries on all threads: finds closest points, and whether points are inside a solid. Each thread
// processes one block of points after another.

import { Surface } from '../contact/surface.js';
import type { EngineHost } from '../core/module.js';
import type { Mesh } from '../mesh/mesh.js';
import { limits } from '../records/layout.js';
import { NearTriangle, PointsJob, PointsSlice, pointsLimits } from '../records/pointsLayout.js';
import { setWords } from '../records/record.js';
import { BlockGroup } from '../runtime/blockGroup.js';
import { retry } from '../runtime/retry.js';
import { runStep } from '../runtime/steps.js';
import { nearestExactly } from './nearestExactly.js';

const { INSIDE, ON_SURFACE, POINT_ENTRY_BYTES, POINT_SCRATCH_BYTES, UNDECIDED_TRIANGLE } = pointsLimits;
/** Max number of points that are in engine memory at the same time. */
const BATCH = 1 << 15;
/**
 * Initial capacity of the list of triangles that may be nearest to a point. The list is used only if the kernel
 * cannot decide which triangle is nearest.
 */
const LIST_CAPACITY = 256;

const at = PointsJob.at;

/** Output of a closest-point query: one triangle, one distance and one position per point. */
export interface ClosestArrays {
  triangle: Int32Array;
  distance: Float64Array;
  position: Float64Array;
}

export class PointsQuery {
  readonly #host: EngineHost;
  /** The engine memory of one batch. */
  readonly #blocks: BlockGroup;
  #listCapacity = LIST_CAPACITY;

  constructor(host: EngineHost) {
    this.#host = host;
    this.#blocks = new BlockGroup(host.context.arena);
  }

  /**
   * Finds the closest points and writes them to `out`. For points whose distance is more than `max`, the
   * entries of `out` stay unchanged. @throws Capacity, Disposed
   */
  findClosest(mesh: Mesh, points: Float64Array, max: number, out: ClosestArrays): void {
    this.#inBatches(points, (some, from) => this.#findClosestOf(mesh, some, max, out, from));
  }

  /**
   * Returns OUTSIDE, INSIDE or ON_SURFACE for each point. The mesh must be closed. @throws Capacity, Disposed
   */
  classify(mesh: Mesh, points: Float64Array): Uint8Array {
    const sides = new Uint8Array(points.length / 3);
    this.#inBatches(points, (some, from) => {
      const count = some.length / 3;
      const jobAt = this.#prepare(mesh, some, Infinity);
      const sidesAt = this.#blocks.take(count);
      const { arena } = this.#host.context;
      arena.u32[(jobAt + at.sidesAt) / 4] = sidesAt;
      this.#run('classifyPoints', jobAt, count);
      sides.set(arena.u8.subarray(sidesAt, sidesAt + count), from);
    });
    return sides;
  }

  #inBatches(points: Float64Array, run: (some: Float64Array, from: number) => void): void {
    const release = (): void => this.#blocks.releaseAll();
    for (let from = 0; from < points.length / 3; from += BATCH) {
      const some = points.subarray(3 * from, 3 * (from + BATCH));
      try {
        retry(() => run(some, from), release);
      } finally {
        release();
      }
    }
  }

  // Writes the points and a job for them to engine memory. Returns the address of the job.
  #prepare(mesh: Mesh, points: Float64Array, limit: number): number {
    const {
      context: { arena, pool },
    } = this.#host;
    const sliceCount = pool.threadCount;
    const stackBytes = POINT_ENTRY_BYTES * (3 * mesh.depth + 4);
    const bytes = Math.ceil((stackBytes + POINT_SCRATCH_BYTES) / 64) * 64;
    const jobAt = this.#blocks.take(PointsJob.size);
    const pointsAt = this.#blocks.take(8 * points.length);
    const slicesAt = this.#blocks.take(sliceCount * PointsSlice.size);
    const memoryAt = this.#blocks.take(sliceCount * bytes);
    arena.u8.fill(0, jobAt, jobAt + PointsJob.size);
    arena.u8.fill(0, slicesAt, slicesAt + sliceCount * PointsSlice.size);
    for (let i = 0; i < sliceCount; i++)
      setWords(arena.u32, slicesAt + i * PointsSlice.size, PointsSlice, {
        scratchAt: memoryAt + i * bytes,
        stackAt: memoryAt + i * bytes + POINT_SCRATCH_BYTES,
      });
    arena.f64.set(points, pointsAt / 8);
    setWords(arena.u32, jobAt, PointsJob, {
      meshAt: mesh.recordAt,
      pointsAt,
      pointCount: points.length / 3,
      slicesAt,
    });
    arena.f32.set(mesh.bounds, (jobAt + at.bounds) / 4);
    arena.f64[(jobAt + at.limit) / 8] = limit;
    return jobAt;
  }

  #run(kernel: 'closestPoints' | 'classifyPoints', jobAt: number, count: number): void {
    const { context } = this.#host;
    runStep(
      context,
      kernel,
      jobAt,
      Math.min(context.pool.threadCount, Math.ceil(count / pointsLimits.POINT_BLOCK)),
    );
  }

  #findClosestOf(mesh: Mesh, points: Float64Array, max: number, out: ClosestArrays, from: number): void {
    const { arena } = this.#host.context;
    const count = points.length / 3;
    const jobAt = this.#prepare(mesh, points, limitOf(mesh, max));
    const trianglesAt = this.#blocks.take(4 * count);
    const distancesAt = this.#blocks.take(8 * count);
    const nearestAt = this.#blocks.take(24 * count);
    setWords(arena.u32, jobAt, PointsJob, { trianglesAt, distancesAt, nearestAt });
    this.#run('closestPoints', jobAt, count);
    for (let i = 0; i < count; i++) {
      const { u32, f64 } = arena;
      const triangle = u32[trianglesAt / 4 + i];
      if (triangle === limits.NOTHING) continue;
      if (triangle === UNDECIDED_TRIANGLE) this.#decide(mesh, points, jobAt, i, max, out, from + i);
      else if (f64[distancesAt / 8 + i] <= max)
        write(out, from + i, triangle, f64[distancesAt / 8 + i], f64, nearestAt / 8 + 3 * i);
    }
  }

  // Decides in BigInt which triangle is nearest to point i of a batch.
  #decide(
    mesh: Mesh,
    points: Float64Array,
    jobAt: number,
    i: number,
    max: number,
    out: ClosestArrays,
    to: number,
  ): void {
    const { arena } = this.#host.context;
    const [listAt, count] = this.#listNear(jobAt, i);
    const { u32, f64 } = arena;
    const entryAt = (entry: number): number => listAt + entry * NearTriangle.size;
    const numbers = Array.from({ length: count }, (_, entry) => u32[entryAt(entry) / 4]);
    const corners = new Float64Array(9 * count);
    const surface = new Surface(mesh);
    numbers.forEach((triangle, entry) => {
      surface.writeCorners(triangle, corners, 9 * entry);
    });
    const best = nearestExactly(points.subarray(3 * i, 3 * i + 3), corners, numbers);
    const distance = f64[(entryAt(best) + NearTriangle.at.distance) / 8];
    if (distance <= max)
      write(out, to, numbers[best], distance, f64, (entryAt(best) + NearTriangle.at.point) / 8);
  }

  // Lists the triangles that may be nearest to a point. Returns the address of the list and its length.
  #listNear(jobAt: number, i: number): [listAt: number, count: number] {
    const {
      context: { arena, pool },
    } = this.#host;
    const blocks = this.#blocks;
    for (;;) {
      let listAt = arena.u32[(jobAt + at.listAt) / 4];
      if (listAt === 0) {
        listAt = blocks.take(this.#listCapacity * NearTriangle.size);
        setWords(arena.u32, jobAt, PointsJob, { listAt, listCapacity: this.#listCapacity });
      }
      arena.u32[(jobAt + at.listCount) / 4] = 0;
      pool.kernels.listNearTriangles(jobAt, i, i + 1);
      const count = arena.u32[(jobAt + at.listCount) / 4];
      if (count <= arena.u32[(jobAt + at.listCapacity) / 4]) return [listAt, count];
      this.#listCapacity = Math.max(count, 2 * this.#listCapacity);
      arena.u32[(jobAt + at.listAt) / 4] = 0;
    }
  }
}

// Returns the limit of the search for a given `max`: a little more than `max`, so that the limit excludes no
// triangle whose computed distance is at most `max`.
function limitOf({ bounds }: Mesh, max: number): number {
  const reach = bounds.reduce((sum, value) => sum + Math.abs(value), 0);
  return max + 2 ** -40 * (max + reach);
}

function write(
  { triangle, distance, position }: ClosestArrays,
  i: number,
  number: number,
  length: number,
  points: Float64Array,
  at: number,
): void {
  triangle[i] = number;
  distance[i] = length;
  for (let axis = 0; axis < 3; axis++) position[3 * i + axis] = points[at + axis];
}

/** Returns whether a result of `classify` counts as inside. */
export const isInside = (side: number): boolean => side === INSIDE || side === ON_SURFACE;
