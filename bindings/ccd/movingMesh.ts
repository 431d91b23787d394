// Keeps a moving mesh in engine memory (a SweptMesh record): its points at the start and at the end of a step,
// its edges, and its faces. Each edge, and each vertex that faces use, is owned by one face.

import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { PlaceSweptJob, SweptMesh } from '../records/sweptLayout.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { GrowableBlock } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import type { MeshTables } from './meshTables.js';

export const POINT_BYTES = 48;
const VERTICES_PER_SLICE = 8192;

export class MovingMesh {
  vertexCount = 0;
  edgeCount = 0;
  faceCount = 0;
  readonly #context: EngineContext;
  readonly #tables: MeshTables;
  readonly #record: GrowableBlock;
  readonly #job: GrowableBlock;
  readonly #points: GrowableBlock;

  constructor(context: EngineContext, tables: MeshTables) {
    this.#context = context;
    this.#tables = tables;
    const make = (): GrowableBlock => new GrowableBlock(context.arena);
    [this.#record, this.#job, this.#points] = [make(), make(), make()];
  }

  /** Byte address of the SweptMesh. */
  get at(): number {
    return this.#record.at;
  }

  /** Returns the number of vertices (1 corner), edges (2 corners) or faces (3 corners). */
  countOf(corners: 1 | 2 | 3): number {
    return [this.vertexCount, this.edgeCount, this.faceCount][corners - 1];
  }

  /**
   * Places the mesh's vertices at the start and at the end. from, to: placements, each as three rows of four
   * numbers. For an undefined placement, the mesh's own positions are used.
   * @throws WorkerLost, Capacity
   */
  place(mesh: Mesh, from: Float64Array | undefined, to: Float64Array | undefined): void {
    this.#take(mesh);
    const { arena, pool } = this.#context;
    const sliceCount = Math.max(
      1,
      Math.min(pool.threadCount, Math.floor(this.vertexCount / VERTICES_PER_SLICE)),
    );
    const jobAt = this.#job.reserve(PlaceSweptJob.size);
    const { f64, u32 } = arena;
    f64.set(from ?? IDENTITY, (jobAt + PlaceSweptJob.at.from) / 8);
    f64.set(to ?? IDENTITY, (jobAt + PlaceSweptJob.at.to) / 8);
    setWords(u32, jobAt, PlaceSweptJob, {
      sweptAt: this.at,
      positionsAt: u32[(mesh.recordAt + MeshRecord.at.positionsAt) / 4],
      isPlaced: from || to ? 1 : 0,
      sliceCount,
    });
    runStep(this.#context, 'placeSwept', jobAt, sliceCount);
  }

  /**
   * Sets the vertices' positions at the start and at the end. from, to: x, y, z of each vertex.
   * @throws Capacity
   */
  move(mesh: Mesh, from: ArrayLike<number>, to: ArrayLike<number>): void {
    this.#take(mesh);
    const { f64 } = this.#context.arena;
    for (
      let vertex = 0, at = this.#points.at / 8;
      vertex < this.vertexCount;
      vertex++, at += POINT_BYTES / 8
    ) {
      for (let axis = 0; axis < 3; axis++) {
        f64[at + axis] = from[3 * vertex + axis];
        f64[at + 3 + axis] = to[3 * vertex + axis];
      }
    }
  }

  /** Returns a copy of the points, six doubles per vertex: x, y, z at the start, then at the end. */
  copyPoints(): Float64Array {
    const from = this.#points.at / 8;
    return this.#context.arena.f64.slice(from, from + (POINT_BYTES / 8) * this.vertexCount);
  }

  /** Sets the points to a copy that `copyPoints` returned. @throws Disposed, Capacity */
  restore(mesh: Mesh, points: Float64Array): void {
    this.#take(mesh);
    this.#context.arena.f64.set(points, this.#points.at / 8);
  }

  dispose(): void {
    for (const buffer of [this.#record, this.#job, this.#points]) buffer.dispose();
  }

  #take(mesh: Mesh): void {
    const { facesAt, edgesAt, edges, vertexFacesAt, edgeFacesAt } = this.#tables.of(mesh);
    this.vertexCount = mesh.vertexCount;
    this.edgeCount = edges.length / 2;
    this.faceCount = mesh.triangleCount;
    const pointsAt = this.#points.reserve(POINT_BYTES * this.vertexCount);
    const at = this.#record.reserve(SweptMesh.size);
    setWords(this.#context.arena.u32, at, SweptMesh, {
      pointsAt,
      vertexCount: this.vertexCount,
      facesAt,
      faceCount: this.faceCount,
      edgesAt,
      edgeCount: this.edgeCount,
      vertexFacesAt,
      edgeFacesAt,
      startsAt: 0,
    });
  }
}

/** The identity placement. */
export const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
