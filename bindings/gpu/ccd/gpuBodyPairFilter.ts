// Filters pairs of bodies in linear motion on a GPU. Drops each pair of bodies whose vertices, edges and
// faces certainly stay apart during the motion.

import type { BodySweepRun } from '../../ccd/bodySweepRun.js';
import type { MeshTables } from '../../ccd/meshTables.js';
import { floatAbove } from '../../core/floats.js';
import type { Mesh } from '../../mesh/mesh.js';
import { GpuMovingBody } from '../../records/gpuContinuousLayout.js';
import { MeshRecord } from '../../records/layout.js';
import { BodyRecord } from '../../records/sceneLayout.js';
import type { EngineContext } from '../../runtime/engineContext.js';
import { GpuMeshes, type TreeLocation } from '../bvh/gpuMeshes.js';
import { frameOf, type StoredFrame } from '../bvh/gpuTrees.js';
import type { Commands } from '../device/commands.js';
import { type Gpu, ScratchBuffer } from '../device/gpu.js';
import { GpuUnfit } from '../device/gpuErrors.js';
import { GpuBodyTraversal, type MovingBodies } from './gpuBodyTraversal.js';
import { MAX_SEPARATION, MIN_ERROR } from './gpuFeatureSweep.js';
import { toGrid } from './gpuMovingPoints.js';

/**
 * Max size of coordinates and matrix entries. Heights of faces along a normal (`separates` in
 * filterBodyPairs.wgsl) grow with the third power of these sizes. With sizes up to this one, floats cannot
 * overflow.
 */
export const MAX_SIZE = 2 ** 40;
const FACE_WORDS = 6;
/** Numbers per slot in the list of origins: x, y, z at the start of the motion, then x, y, z at its end. */
const POINT_NUMBERS = 6;
/** Size of a GpuMovingBody and offsets of its fields, in words. */
const RECORD_WORDS = GpuMovingBody.size / 4;
const at = GpuMovingBody.at;
const OFFSETS = {
  from0: at.from0 / 4,
  to0: at.to0 / 4,
  fromAt: at.fromAt / 4,
  frame: at.frame / 4,
  firstVertex: at.firstVertex / 4,
  firstFace: at.firstFace / 4,
  firstNode: at.firstNode / 4,
  firstLeaf: at.firstLeaf / 4,
};

/**
 * remaining: indices of the remaining pairs, ascending. stats.pairs: number of all pairs of the motion.
 * stats.apart: number of these pairs that were dropped, because the two bodies are apart or because one of them
 * has no triangles.
 */
export interface RemainingBodyPairs {
  remaining: Uint32Array;
  stats: { pairs: number; apart: number };
}

/**
 * A mesh on the GPU. firstVertex, firstFace: indices of its first vertex and its first face in the buffers.
 * x, y, z: the max |x|, |y| and |z| of its vertices. factor: the largest of x, y and z. frame: the frame of the
 * coordinates in its tree.
 */
interface UploadedMesh {
  version: number;
  firstVertex: number;
  firstFace: number;
  x: number;
  y: number;
  z: number;
  factor: number;
  frame: StoredFrame;
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
  readonly #context: EngineContext;
  readonly #tables: MeshTables;
  readonly #meshes: GpuMeshes;
  readonly #traversal: GpuBodyTraversal;
  readonly #buffers: Readonly<Record<'vertices' | 'faces' | 'bodies', ScratchBuffer>>;
  #uploaded = new Map<Mesh, UploadedMesh>();

  /**
   * meshes: the trees of meshes on the GPU. capacity: initial capacity of the lists of the traversal, in
   * entries.
   */
  constructor(
    gpu: Gpu,
    context: EngineContext,
    tables: MeshTables,
    meshes = new GpuMeshes(context.arena, gpu),
    capacity?: number,
  ) {
    const scratch = (label: string): ScratchBuffer => new ScratchBuffer(gpu, label);
    this.#context = context;
    this.#tables = tables;
    this.#meshes = meshes;
    this.#traversal = new GpuBodyTraversal(gpu, capacity);
    this.#buffers = {
      vertices: scratch('vertices of bodies'),
      faces: scratch('faces of bodies'),
      bodies: scratch('moving bodies'),
    };
  }

  /** Returns which of the motion's pairs of bodies may touch. @throws GpuLost, GpuUnfit, Capacity */
  async filter(motion: BodySweepRun<unknown>): Promise<RemainingBodyPairs> {
    const {
      query: {
        bodies: { slots },
        motion: motionKind,
      },
      pairs: { a, b, count },
    } = motion;
    if (motionKind === 'rigid') throw new GpuUnfit('rotating bodies are swept on the CPU only');
    // Bodies without triangles touch nothing.
    const hasFaces = (slot: number): boolean => (slots[slot].mesh?.triangleCount ?? 0) > 0;
    const meshes = new Set<Mesh>();
    slots.forEach(({ mesh }, slot) => {
      if (hasFaces(slot)) meshes.add(mesh!);
    });
    const tested = Uint32Array.from({ length: count }, (_, i) => i).filter(
      i => hasFaces(a[i]) && hasFaces(b[i]),
    );
    if (tested.length === 0) return { remaining: tested, stats: { pairs: count, apart: count } };
    const pairs = new Uint32Array(2 * tested.length);
    tested.forEach((pair, i) => {
      pairs[2 * i] = a[pair];
      pairs[2 * i + 1] = b[pair];
    });
    await this.#meshes.prepare(GpuBodyTraversal.kernels, [...meshes]);
    try {
      const states = await this.#traversal.run(pairs, commands => this.#load(commands, motion, [...meshes]));
      const remaining = tested.filter((_, i) => states[i] !== 0);
      return { remaining, stats: { pairs: count, apart: count - remaining.length } };
    } catch (error) {
      this.#meshes.undo();
      throw error;
    }
  }

  dispose(): void {
    for (const resource of [this.#meshes, this.#traversal, ...Object.values(this.#buffers)])
      resource.dispose();
  }

  // Records the upload of the bodies, and of the meshes that are missing or outdated on the GPU.
  #load(commands: Commands, motion: BodySweepRun<unknown>, meshes: readonly Mesh[]): MovingBodies {
    const { settings } = motion.query;
    const boxes = motion.copyBoxes();
    const places = this.#meshes.update(commands, meshes);
    this.#loadFaces(commands, meshes);
    const { records, unit, pointError, coordinate } = this.#write(
      motion,
      boxes,
      new Map(meshes.map((mesh, i) => [mesh, places[i]])),
    );
    const bodies = this.#buffers.bodies.reserve(records.byteLength);
    commands.upload(bodies, 0, records);
    const separation = floatAbove(settings.separation);
    return {
      buffers: {
        bodies,
        nodes: this.#meshes.nodes,
        leaves: this.#meshes.leaves,
        vertices: this.#buffers.vertices.reserve(0),
        faces: this.#buffers.faces.reserve(0),
      },
      depth: meshes.reduce((max, mesh) => Math.max(max, mesh.depth), 0),
      values: {
        // The margin of the CPU's boxes, plus the error of the GPU's points and the rounding of the CPU's boxes
        // to floats.
        margin: floatAbove(settings.margin + pointError + 2 ** -22 * coordinate),
        unit,
        isSeparated: Number(separation > 0),
        separation: Math.min(separation, MAX_SEPARATION),
        pointError,
      },
    };
  }

  // Uploads the vertices and faces of meshes that are missing or outdated on the GPU.
  #loadFaces(commands: Commands, meshes: readonly Mesh[]): void {
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
    const { arena } = this.#context;
    const { u32, f32 } = arena;
    let firstVertex = 0;
    let firstFace = 0;
    meshes.forEach((mesh, i) => {
      const { bounds, version, vertexCount, triangleCount, recordAt } = mesh;
      const positions = u32[(recordAt + MeshRecord.at.positionsAt) / 4] / 4;
      const words = faceTables[i] / 4;
      vertices.set(f32.subarray(positions, positions + 3 * vertexCount), 3 * firstVertex);
      faces.set(u32.subarray(words, words + FACE_WORDS * triangleCount), FACE_WORDS * firstFace);
      const [x, y, z] = [0, 1, 2].map(axis => Math.max(Math.abs(bounds[axis]), Math.abs(bounds[axis + 3])));
      const frame = frameOf(arena, recordAt);
      sent.set(mesh, { version, firstVertex, firstFace, x, y, z, factor: Math.max(x, y, z), frame });
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
  // within 2 * E of each other, and all of their points are within 3 * E of each other. The error of a point's
  // coordinate is the sum of four terms: 5 * u * E for the rounded products of a matrix row and a vertex,
  // 2 * u * E for the conversion of the body's origin to float, 3 * u * E for the addition of products and
  // origin, and one unit for the rounding of two origins. The error of a difference of two points is twice
  // this sum, plus 6 * u * E. The CPU's points have rounding errors, too: the rounding errors of doubles that
  // are as large as `coordinate`. Flushing a product to 0 loses at most 2^-126. Flushing a factor to 0 loses at
  // most 2^-126 times the other factor.
  #write(
    {
      query: {
        bodies: { slots, recordsAt },
        from,
      },
    }: BodySweepRun<unknown>,
    boxes: Float32Array,
    places: ReadonlyMap<Mesh, TreeLocation>,
  ): Written {
    const { f64 } = this.#context.arena;
    const count = slots.length;
    const bytes = new Uint8Array(GpuMovingBody.size * count);
    const floats = new Float32Array(bytes.buffer);
    const words = new Int32Array(bytes.buffer);
    // For each slot: the body's origin at the start and at the end. Both are NaN if the slot is empty.
    const points = new Float64Array(POINT_NUMBERS * count).fill(NaN);
    const { firstVertex, firstFace, firstNode, firstLeaf, frame, from0, to0 } = OFFSETS;
    let reach = 0;
    let coordinate = 0;
    let factor = 0;
    for (
      let slot = 0, at = 0, point = 0, end = (recordsAt + BodyRecord.at.rows) / 8;
      slot < count;
      slot++, at += RECORD_WORDS, point += POINT_NUMBERS, end += BodyRecord.size / 8
    ) {
      const { mesh } = slots[slot];
      const sent = mesh && this.#uploaded.get(mesh);
      const place = mesh && places.get(mesh);
      if (!sent || !place) continue;
      words[at + firstVertex] = sent.firstVertex;
      words[at + firstFace] = sent.firstFace;
      words[at + firstNode] = place.firstNode;
      words[at + firstLeaf] = place.firstLeaf;
      const { x, y, z, factor: maxCoordinate } = sent;
      floats.set(sent.frame.center, at + frame);
      floats[at + frame + 3] = 1 / sent.frame.scale;
      factor = Math.max(factor, maxCoordinate);
      let own = 0;
      let extent = 0;
      for (let row = 0; row < 6; row++) {
        const rows = row < 3 ? from : f64;
        const first = row < 3 ? 2 * point + 4 * row : end + 4 * (row - 3);
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
      for (let place = 0; place < 8; place += 4, i += 3) {
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
