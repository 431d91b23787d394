// Meshes in motion -> what a GPU knows of them: points in whole numbers of a common grid, and the vertices of
// edges and faces.

import type { Corners } from '../../ccd/featureBoxes.js';
import type { MeshTables } from '../../ccd/meshTables.js';
import { floatAbove } from '../../core/floats.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshRecord } from '../../records/layout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import type { Commands } from '../device/commands.js';
import { type Gpu, GpuRoom } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import { LEAST_ERROR } from './gpuFeatureSweep.js';

/** Coordinates are at most 2^29 units from the middle: their differences are whole numbers below 2^31. */
const GRID_BITS = 29;
/** Exponents of units that floats hold with room to spare. */
const LEAST_EXPONENT = -120;
const MOST_EXPONENT = 60;

/** A mesh and its vertices' ways, six doubles each. */
export interface Way {
  mesh: Mesh;
  points: Float64Array;
}

/** 1 stands for `unit`, a power of two; a difference of two points is off by `error` at most. */
export interface Grid {
  unit: number;
  error: number;
}

export class GpuMovingPoints {
  grid: Grid = { unit: 1, error: 0 };
  readonly #context: EngineContext;
  readonly #tables: MeshTables;
  readonly #pointsRoom: GpuRoom;
  readonly #cornersRoom: GpuRoom;
  #known: readonly Mesh[] = [];
  // Of each mesh: its first vertex, and where its edges and faces begin.
  #places: readonly (readonly [number, number, number])[] = [];

  constructor(gpu: Gpu, context: EngineContext, tables: MeshTables) {
    this.#context = context;
    this.#tables = tables;
    this.#pointsRoom = new GpuRoom(gpu, 'moving points');
    this.#cornersRoom = new GpuRoom(gpu, 'corners');
  }

  get buffers(): { points: GPUBuffer; corners: GPUBuffer } {
    return { points: this.#pointsRoom.reserve(0), corners: this.#cornersRoom.reserve(0) };
  }

  /** Word or vertex that features of `corners` corners of a mesh begin with. */
  firstOf(mesh: number, corners: Corners): number {
    return this.#places[mesh][corners - 1];
  }

  /** Sends what the GPU does not have. @throws GpuUnfit, Disposed */
  load(commands: Commands, ways: readonly Way[]): void {
    const whole = wholePoints(ways.map(({ points }) => points));
    this.grid = whole.grid;
    commands.upload(this.#pointsRoom.reserve(whole.numbers.byteLength), 0, whole.numbers);
    const meshes = ways.map(({ mesh }) => mesh);
    if (meshes.length === this.#known.length && meshes.every((mesh, i) => mesh === this.#known[i])) return;
    // What fails midway is not known.
    this.#known = [];
    const corners = this.#cornersOf(meshes);
    commands.upload(this.#cornersRoom.reserve(corners.byteLength), 0, corners);
    this.#known = meshes;
  }

  dispose(): void {
    for (const room of [this.#pointsRoom, this.#cornersRoom]) room.dispose();
  }

  #cornersOf(meshes: readonly Mesh[]): Uint32Array {
    const { u32 } = this.#context.arena;
    const lists: Uint32Array[] = [];
    const places: [number, number, number][] = [];
    let vertex = 0;
    let word = 0;
    for (const mesh of meshes) {
      const { edges } = this.#tables.of(mesh);
      const indicesAt = u32[(mesh.recordAt + MeshRecord.at.indicesAt) / 4] / 4;
      const faces = u32.subarray(indicesAt, indicesAt + 3 * mesh.triangleCount);
      places.push([vertex, word, word + edges.length]);
      for (const list of [edges, faces]) lists.push(list.map(corner => corner + vertex));
      vertex += mesh.vertexCount;
      word += edges.length + faces.length;
    }
    this.#places = places;
    const all = new Uint32Array(word);
    let at = 0;
    for (const list of lists) {
      all.set(list, at);
      at += list.length;
    }
    return all;
  }
}

/** Points of all meshes on one grid. @throws GpuUnfit */
export function wholePoints(lists: readonly Float64Array[]): { numbers: Int32Array; grid: Grid } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const points of lists) {
    for (let i = 0, axis = 0; i < points.length; i++, axis = axis === 2 ? 0 : axis + 1) {
      const value = points[i];
      if (value < low[axis]) low[axis] = value;
      if (value > high[axis]) high[axis] = value;
    }
  }
  // Halves, so that nothing overflows. Where there is no point all is at 0.
  const middle = low.map((value, axis) => (value <= high[axis] ? 0.5 * value + 0.5 * high[axis] : 0));
  const size = Math.max(
    0,
    ...high.map((value, axis) => Math.max(value - middle[axis], middle[axis] - low[axis])),
  );
  const exponent = Math.max(LEAST_EXPONENT, Math.ceil(Math.log2(size)) + 1 - GRID_BITS);
  if (exponent > MOST_EXPONENT)
    throw new GpuUnfit(`coordinates are ${size} away from their middle: too far for floats`);
  const unit = 2 ** exponent;
  const perUnit = 2 ** -exponent;
  const numbers = new Int32Array(lists.reduce((sum, points) => sum + points.length, 0));
  let to = 0;
  for (const points of lists) {
    for (let i = 0, axis = 0; i < points.length; i++, axis = axis === 2 ? 0 : axis + 1)
      numbers[to++] = Math.round((points[i] - middle[axis]) * perUnit);
  }
  // Half a unit each, and what the subtraction of the middle is rounded by: far less than a thousandth.
  return { numbers, grid: { unit, error: Math.max(LEAST_ERROR, floatAbove(1.001 * unit)) } };
}
