// Filters pairs of bodies in linear motion on a GPU. Drops each pair of bodies whose vertices, edges and
// faces certainly stay apart during the motion.

import type { BodySweepRun } from '../../ccd/bodySweepRun.js';
import type { MeshTables } from '../../ccd/meshTables.js';
import type { SweepSettings } from '../../ccd/sweepOptions.js';
import { floatAbove } from '../../core/floats.js';
import type { Mesh } from '../../mesh/mesh.js';
import { BodyPairParams, GpuMovingBody } from '../../records/gpuContinuousLayout.js';
import { MeshRecord } from '../../records/layout.js';
import { BodyRecord } from '../../records/sceneLayout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { Commands, uniformOf } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import { MAX_SEPARATION, MIN_ERROR } from './gpuFeatureSweep.js';
import { toGrid } from './gpuMovingPoints.js';

/**
 * Max number of faces of a mesh that the GPU tests, because a workgroup tests them one by one. Pairs with a
 * larger mesh are left to the CPU, which uses trees.
 */
const MAX_FACES = 4096;
/**
 * Max size of coordinates and matrix entries. Heights of faces along a normal (`separates` in
 * filterBodyPairs.wgsl) grow with the third power of this size. Up to it, floats cannot overflow.
 */
export const MAX_SIZE = 2 ** 40;
const FACE_WORDS = 6;
const POINT_NUMBERS = 12;
const KERNELS = ['filterBodyPairs'] as const;
/** Size of a GpuMovingBody and offsets of its fields, in words. */
const RECORD_WORDS = GpuMovingBody.size / 4;
const at = GpuMovingBody.at;
const OFFSETS = {
  from0: at.from0 / 4,
  to0: at.to0 / 4,
  fromAt: at.fromAt / 4,
  firstVertex: at.firstVertex / 4,
  firstFace: at.firstFace / 4,
  faceCount: at.faceCount / 4,
};

/**
 * remaining: indices of the remaining pairs, ascending. stats.pairs: number of pairs that the GPU tested.
 * stats.apart: number of these pairs that are apart and were dropped.
 */
export interface RemainingBodyPairs {
  remaining: Uint32Array;
  stats: { pairs: number; apart: number };
}

/**
 * A mesh on the GPU. firstVertex, firstFace: indices of its first vertex and its first face in the buffers.
 * x, y, z: the max |x|, |y| and |z| of its vertices. factor: the largest of x, y and z.
 */
interface UploadedMesh {
  version: number;
  firstVertex: number;
  firstFace: number;
  x: number;
  y: number;
  z: number;
  factor: number;
}
/**
 * records: one GpuMovingBody per body slot. unit: the length that the integer 1 stands for in the records.
 * pointError: error bound of a difference of two points. coordinate: the max |coordinate| of all bodies.
 */
interface Written {
  records: Uint8Array;
  unit: number;
  pointError: number;
  coordinate: number;
}

/** The filter for pairs of bodies. All calls use the same buffers, so calls must not overlap. */
export class GpuBodyPairFilter {
  private readonly gpu: Gpu;
  readonly #context: EngineContext;
  readonly #tables: MeshTables;
  readonly #buffers: Readonly<Record<'vertices' | 'faces' | 'bodies' | 'pairs' | 'kept', ScratchBuffer>>;
  #uploaded = new Map<Mesh, UploadedMesh>();

  constructor(gpu: Gpu, context: EngineContext, tables: MeshTables) {
    const scratch = (label: string): ScratchBuffer => new ScratchBuffer(gpu, label);
    this.gpu = gpu;
    this.#context = context;
    this.#tables = tables;
    this.#buffers = {
      vertices: scratch('vertices of bodies'),
      faces: scratch('faces of bodies'),
      bodies: scratch('moving bodies'),
      pairs: scratch('pairs of bodies'),
      kept: scratch('remaining pairs'),
    };
  }

  /**
   * Returns which of the motion's pairs of bodies may touch. If a mesh of a pair has more than MAX_FACES
   * triangles, the pair is not tested and remains. @throws GpuLost, GpuUnfit, Capacity
   */
  async filter(motion: BodySweepRun<unknown>): Promise<RemainingBodyPairs> {
    const {
      query: {
        bodies: { slots },
        settings,
        motion: motionKind,
      },
      pairs: { a, b, count },
    } = motion;
    if (motionKind === 'rigid') throw new GpuUnfit('rotating bodies are swept on the CPU only');
    await this.gpu.prepare(KERNELS);
    const isSmall = (slot: number): boolean => slots[slot].mesh!.triangleCount <= MAX_FACES;
    const all = new Uint32Array(2 * count);
    const left = new Uint32Array(count);
    let tested = 0;
    for (let i = 0; i < count; i++) {
      if (!isSmall(a[i]) || !isSmall(b[i])) continue;
      all[2 * tested] = a[i];
      all[2 * tested++ + 1] = b[i];
    }
    if (tested === 0)
      throw new GpuUnfit(`meshes of more than ${MAX_FACES} triangles are swept on the CPU only`);
    const commands = new Commands(this.gpu);
    try {
      this.#record(commands, motion, all.subarray(0, 2 * tested), settings);
    } catch (error) {
      commands.drop();
      throw error;
    }
    const [kept] = await commands.submit();
    let found = 0;
    for (let i = 0, next = 0; i < count; i++)
      if (!isSmall(a[i]) || !isSmall(b[i]) || kept![next++] !== 0) left[found++] = i;
    return { remaining: left.slice(0, found), stats: { pairs: tested, apart: count - found } };
  }

  dispose(): void {
    for (const buffer of Object.values(this.#buffers)) buffer.dispose();
  }

  #record(
    commands: Commands,
    motion: BodySweepRun<unknown>,
    pairs: Uint32Array,
    settings: SweepSettings,
  ): void {
    const scratch = this.#buffers;
    const boxes = motion.copyBoxes();
    const { slots } = motion.query.bodies;
    const pairCount = pairs.length / 2;
    const bytes = 4 * pairCount;
    const meshes = new Set<Mesh>();
    for (const { mesh } of slots) if (mesh && mesh.triangleCount <= MAX_FACES) meshes.add(mesh);
    this.#load(commands, [...meshes]);
    const { records, unit, pointError, coordinate } = this.#write(motion, boxes);
    const separation = floatAbove(settings.separation);
    const buffers = {
      vertices: scratch.vertices.reserve(0),
      faces: scratch.faces.reserve(0),
      bodies: scratch.bodies.reserve(records.byteLength),
      pairs: scratch.pairs.reserve(pairs.byteLength),
      kept: scratch.kept.reserve(bytes),
    };
    commands.upload(buffers.bodies, 0, records);
    commands.upload(buffers.pairs, 0, pairs);
    commands.clear(buffers.kept, 0, bytes);
    // The margin of the CPU's boxes, plus the error of the GPU's points and the rounding of the CPU's boxes
    // to floats.
    const margin = floatAbove(settings.margin + pointError + 2 ** -22 * coordinate);
    const values = {
      pairCount,
      margin,
      unit,
      isSeparated: Number(separation > 0),
      separation: Math.min(separation, MAX_SEPARATION),
      pointError,
    };
    for (const isEdge of [1, 0])
      commands.runGroups(
        'filterBodyPairs',
        uniformOf(BodyPairParams, { ...values, isEdge }),
        buffers,
        pairCount,
      );
    commands.read(buffers.kept, 0, bytes);
  }

  // Uploads the vertices and faces of meshes that are missing or outdated on the GPU.
  #load(commands: Commands, meshes: readonly Mesh[]): void {
    if (
      meshes.length === this.#uploaded.size &&
      meshes.every(mesh => this.#uploaded.get(mesh)?.version === mesh.version)
    )
      return;
    // If the upload fails, nothing counts as uploaded.
    this.#uploaded = new Map();
    const sum = (of: (mesh: Mesh) => number): number => meshes.reduce((total, mesh) => total + of(mesh), 0);
    const sent = new Map<Mesh, UploadedMesh>();
    const vertices = new Float32Array(3 * sum(({ vertexCount }) => vertexCount));
    const faces = new Uint32Array(FACE_WORDS * sum(({ triangleCount }) => triangleCount));
    const faceTables = meshes.map(mesh => this.#tables.of(mesh).facesAt);
    const { u32, f32 } = this.#context.arena;
    let firstVertex = 0;
    let firstFace = 0;
    meshes.forEach((mesh, i) => {
      const { bounds, version, vertexCount, triangleCount } = mesh;
      const positions = u32[(mesh.recordAt + MeshRecord.at.positionsAt) / 4] / 4;
      const words = faceTables[i] / 4;
      vertices.set(f32.subarray(positions, positions + 3 * vertexCount), 3 * firstVertex);
      faces.set(u32.subarray(words, words + FACE_WORDS * triangleCount), FACE_WORDS * firstFace);
      const [x, y, z] = [0, 1, 2].map(axis =>
        triangleCount === 0 ? 0 : Math.max(Math.abs(bounds[axis]), Math.abs(bounds[axis + 3])),
      );
      sent.set(mesh, { version, firstVertex, firstFace, x, y, z, factor: Math.max(x, y, z) });
      firstVertex += vertexCount;
      firstFace += triangleCount;
    });
    commands.upload(this.#buffers.vertices.reserve(vertices.byteLength), 0, vertices);
    commands.upload(this.#buffers.faces.reserve(faces.byteLength), 0, faces);
    this.#uploaded = sent;
  }

  // Writes the records of all bodies, and computes the error bound of a difference of two points.
  //
  // Let u = 2^-23. Let E be `reach`: for each body, the distances of its points from its origin, plus the
  // extents of its box, are at most E along every axis. If the boxes of two bodies overlap, their origins are
  // within 2 * E of each other, and all of their points are within 3 * E of each other. The error of a point
  // is the sum of four terms: 5 * u * E for the rounded products of its row, 2 * u * E for the conversion of
  // its origin to float, 3 * u * E for the addition of products and origin, and one unit for the rounding of
  // two origins. The error of a difference of two points is twice this sum, plus 6 * u * E. The CPU's points
  // have rounding errors, too: those of doubles as large as `coordinate`. A product or a factor that is
  // flushed to 0 loses at most 2^-126 times the other factor.
  #write(
    {
      query: {
        bodies: { slots, recordsAt },
        from,
      },
    }: BodySweepRun<unknown>,
    boxes: Float32Array,
  ): Written {
    const { f64 } = this.#context.arena;
    const count = slots.length;
    const bytes = new Uint8Array(GpuMovingBody.size * count);
    const floats = new Float32Array(bytes.buffer);
    const words = new Int32Array(bytes.buffer);
    // For each slot: the body's origin at the start and at the end, and the min and max corner of its box.
    // All are NaN if the slot is empty.
    const points = new Float64Array(POINT_NUMBERS * count).fill(NaN);
    const { firstVertex, firstFace, faceCount, from0, to0 } = OFFSETS;
    let reach = 0;
    let coordinate = 0;
    let factor = 0;
    for (
      let slot = 0, at = 0, point = 0, end = (recordsAt + BodyRecord.at.rows) / 8;
      slot < count;
      slot++, at += RECORD_WORDS, point += POINT_NUMBERS, end += BodyRecord.size / 8
    ) {
      const { mesh } = slots[slot];
      const sent = mesh && mesh.triangleCount > 0 ? this.#uploaded.get(mesh) : undefined;
      if (!mesh || !sent) continue;
      words[at + firstVertex] = sent.firstVertex;
      words[at + firstFace] = sent.firstFace;
      words[at + faceCount] = mesh.triangleCount;
      const { x, y, z, factor: maxCoordinate } = sent;
      factor = Math.max(factor, maxCoordinate);
      let own = 0;
      let extent = 0;
      for (let row = 0; row < 6; row++) {
        const rows = row < 3 ? from : f64;
        const first = row < 3 ? point + 4 * row : end + 4 * (row - 3);
        const to = at + (row < 3 ? from0 + 4 * row : to0 + 4 * (row - 3));
        const a = rows[first];
        const b = rows[first + 1];
        const c = rows[first + 2];
        floats[to] = a;
        floats[to + 1] = b;
        floats[to + 2] = c;
        own = Math.max(own, Math.abs(a) * x + Math.abs(b) * y + Math.abs(c) * z);
        factor = Math.max(factor, Math.abs(a), Math.abs(b), Math.abs(c));
        points[point + row] = rows[first + 3];
        coordinate = Math.max(coordinate, Math.abs(points[point + row]));
      }
      for (let axis = 0; axis < 3; axis++) {
        const low = boxes[6 * slot + axis];
        const high = boxes[6 * slot + 3 + axis];
        points[point + 6 + axis] = low;
        points[point + 9 + axis] = high;
        extent = Math.max(extent, high - low);
        coordinate = Math.max(coordinate, Math.abs(low), Math.abs(high));
      }
      reach = Math.max(reach, own + extent);
    }
    if (!(Math.max(reach, coordinate, factor) <= MAX_SIZE))
      throw new GpuUnfit('the sizes or coordinates of bodies exceed 2^40');
    const {
      numbers,
      grid: { unit },
    } = toGrid([points]);
    for (let slot = 0, to = OFFSETS.fromAt, i = 0; slot < count; slot++, to += RECORD_WORDS) {
      for (let place = 0; place < 16; place += 4, i += 3) {
        words[to + place] = numbers[i];
        words[to + place + 1] = numbers[i + 1];
        words[to + place + 2] = numbers[i + 2];
      }
    }
    return {
      records: bytes,
      unit,
      coordinate,
      pointError: floatAbove(
        64 * 2 ** -23 * reach + 2 * unit + 2 ** -48 * coordinate + 2 ** -120 * factor + 8 * MIN_ERROR,
      ),
    };
  }
}
