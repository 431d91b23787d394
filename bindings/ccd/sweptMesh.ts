// A mesh that moves -> its points at the start and at the end, its faces with what they own: a SweptMesh
// record.

import type { Mesh } from '../mesh/mesh.js';
import { MeshRecord } from '../records/layout.js';
import { setWords } from '../records/record.js';
import { PlaceSweptJob, SweptMesh } from '../records/sweptLayout.js';
import type { Backend } from '../runtime/backend.js';
import { Buffer } from '../runtime/memory.js';
import { runStep } from '../runtime/steps.js';
import type { MeshTables } from './meshTables.js';

export const POINT_BYTES = 48;
const VERTICES_A_SLICE = 8192;

export class MovingMesh {
  vertexCount = 0;
  edgeCount = 0;
  faceCount = 0;
  readonly #backend: Backend;
  readonly #tables: MeshTables;
  readonly #record: Buffer;
  readonly #job: Buffer;
  readonly #points: Buffer;

  constructor(backend: Backend, tables: MeshTables) {
    this.#backend = backend;
    this.#tables = tables;
    const make = (): Buffer => new Buffer(backend.arena);
    [this.#record, this.#job, this.#points] = [make(), make(), make()];
  }

  /** Byte address of the SweptMesh. */
  get at(): number {
    return this.#record.at;
  }

  /** How many vertices, edges or faces it has, of so many corners. */
  countOf(corners: 1 | 2 | 3): number {
    return [this.vertexCount, this.edgeCount, this.faceCount][corners - 1];
  }

  /**
   * Takes the mesh's vertices from one placement to another: three rows of four; undefined where its
   * positions are the points. @throws WorkerLost, Capacity
   */
  place(mesh: Mesh, from: Float64Array | undefined, to: Float64Array | undefined): void {
    this.#take(mesh);
    const { arena, pool } = this.#backend;
    const sliceCount = Math.max(
      1,
      Math.min(pool.threadCount, Math.floor(this.vertexCount / VERTICES_A_SLICE)),
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
    runStep(this.#backend, 'placeSwept', jobAt, sliceCount);
  }

  /** Takes its vertices from one list of x, y, z to another. @throws Capacity */
  move(mesh: Mesh, from: ArrayLike<number>, to: ArrayLike<number>): void {
    this.#take(mesh);
    const { f64 } = this.#backend.arena;
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

  /** Six doubles a vertex: x, y, z at the start, then at the end. */
  copyPoints(): Float64Array {
    const from = this.#points.at / 8;
    return this.#backend.arena.f64.slice(from, from + (POINT_BYTES / 8) * this.vertexCount);
  }

  /** Takes its vertices along the ways that `copyPoints` told. @throws Disposed, Capacity */
  restore(mesh: Mesh, points: Float64Array): void {
    this.#take(mesh);
    this.#backend.arena.f64.set(points, this.#points.at / 8);
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
    setWords(this.#backend.arena.u32, at, SweptMesh, {
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

/** The placement that leaves everything where it is. */
export const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
