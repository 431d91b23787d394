// Holds moving meshes on a GPU: their points, rounded to a common grid of integers, and the vertex numbers of
// their edges and faces.

import type { Corners } from '../../ccd/featureBoxes.js';
import type { MeshTables } from '../../ccd/meshTables.js';
import { ceilLog2 } from '../../core/exponent.js';
import { floatAbove } from '../../core/floats.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshRecord } from '../../records/layout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import type { Commands } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import { MIN_ERROR } from './gpuFeatureSweep.js';

/** Coordinates are at most 2^29 units from the center, so differences are integers below 2^31. */
const GRID_BITS = 29;
/** Range of the exponent of a grid's unit. Outside of this range, floats could overflow or underflow. */
const MIN_EXPONENT = -120;
const MAX_EXPONENT = 60;

/** A mesh and the motions of its vertices, six doubles each. */
export interface MeshMotion {
  mesh: Mesh;
  points: Float64Array;
}

/**
 * The grid that points are rounded to. The integer 1 stands for the length `unit`, a power of two. `error`
 * bounds the error of a difference of two points.
 */
export interface Grid {
  unit: number;
  error: number;
}

export class GpuMovingPoints {
  grid: Grid = { unit: 1, error: 0 };
  readonly #context: EngineContext;
  readonly #tables: MeshTables;
  readonly #points: ScratchBuffer;
  readonly #corners: ScratchBuffer;
  #loadedMeshes: readonly Mesh[] = [];
  // For each mesh: the number of its first vertex, and the word offsets of its edges and of its faces.
  #offsets: readonly (readonly [number, number, number])[] = [];

  constructor(gpu: Gpu, context: EngineContext, tables: MeshTables) {
    this.#context = context;
    this.#tables = tables;
    this.#points = new ScratchBuffer(gpu, 'moving points');
    this.#corners = new ScratchBuffer(gpu, 'corners');
  }

  get buffers(): { points: GPUBuffer; corners: GPUBuffer } {
    return { points: this.#points.reserve(0), corners: this.#corners.reserve(0) };
  }

  /**
   * Returns where the vertices, edges or faces of a mesh begin. corners: 1, 2 or 3 selects vertices, edges or
   * faces. For vertices, the result is the number of the first one; for edges and faces, it is a word offset
   * in the buffer of corners.
   */
  firstOf(mesh: number, corners: Corners): number {
    return this.#offsets[mesh][corners - 1];
  }

  /**
   * Uploads the points. Also uploads the corners if the meshes differ from the meshes of the last call. @throws
   * GpuUnfit, Disposed
   */
  load(commands: Commands, motions: readonly MeshMotion[]): void {
    const rounded = toGrid(motions.map(({ points }) => points));
    this.grid = rounded.grid;
    commands.upload(this.#points.reserve(rounded.numbers.byteLength), 0, rounded.numbers);
    const meshes = motions.map(({ mesh }) => mesh);
    if (
      meshes.length === this.#loadedMeshes.length &&
      meshes.every((mesh, i) => mesh === this.#loadedMeshes[i])
    )
      return;
    // If the upload fails, nothing counts as uploaded.
    this.#loadedMeshes = [];
    const corners = this.#cornersOf(meshes);
    commands.upload(this.#corners.reserve(corners.byteLength), 0, corners);
    this.#loadedMeshes = meshes;
  }

  dispose(): void {
    for (const buffer of [this.#points, this.#corners]) buffer.dispose();
  }

  #cornersOf(meshes: readonly Mesh[]): Uint32Array {
    const { u32 } = this.#context.arena;
    const lists: Uint32Array[] = [];
    const offsets: [number, number, number][] = [];
    let vertex = 0;
    let word = 0;
    for (const mesh of meshes) {
      const { edges } = this.#tables.of(mesh);
      const indicesAt = u32[(mesh.recordAt + MeshRecord.at.indicesAt) / 4] / 4;
      const faces = u32.subarray(indicesAt, indicesAt + 3 * mesh.triangleCount);
      offsets.push([vertex, word, word + edges.length]);
      for (const list of [edges, faces]) lists.push(list.map(corner => corner + vertex));
      vertex += mesh.vertexCount;
      word += edges.length + faces.length;
    }
    this.#offsets = offsets;
    const all = new Uint32Array(word);
    let at = 0;
    for (const list of lists) {
      all.set(list, at);
      at += list.length;
    }
    return all;
  }
}

/** Rounds the points of all meshes to one grid. @throws GpuUnfit */
export function toGrid(lists: readonly Float64Array[]): { numbers: Int32Array; grid: Grid } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const points of lists) {
    for (let i = 0, axis = 0; i < points.length; i++, axis = axis === 2 ? 0 : axis + 1) {
      const value = points[i];
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  // Halving first avoids overflow. If there are no points, the center is 0.
  const center = low.map((value, axis) => (value <= high[axis] ? 0.5 * value + 0.5 * high[axis] : 0));
  const size = Math.max(
    0,
    ...high.map((value, axis) => Math.max(value - center[axis], center[axis] - low[axis])),
  );
  const exponent = Math.max(MIN_EXPONENT, ceilLog2(size) + 1 - GRID_BITS);
  if (exponent > MAX_EXPONENT)
    throw new GpuUnfit(`coordinates are up to ${size} from their center, too far for floats`);
  const unit = 2 ** exponent;
  const perUnit = 2 ** -exponent;
  const numbers = new Int32Array(lists.reduce((sum, points) => sum + points.length, 0));
  let to = 0;
  for (const points of lists) {
    for (let i = 0, axis = 0; i < points.length; i++, axis = axis === 2 ? 0 : axis + 1)
      numbers[to++] = Math.round((points[i] - center[axis]) * perUnit);
  }
  // The error of a difference is at most half a unit for each of the two points, plus the rounding errors of
  // subtracting the center, which are far below a thousandth of a unit.
  return { numbers, grid: { unit, error: Math.max(MIN_ERROR, floatAbove(1.001 * unit)) } };
}
