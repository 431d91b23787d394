// Bodies in motion, and pairs of them -> the pairs that may be near on the way: a GPU drops those of which all features are surely apart.
import type { Backend } from '../backend.js';
import { floatAbove } from '../floats.js';
import { DropBodiesParams, GpuMovingBody } from '../gpuContinuousLayout.js';
import { MeshRecord } from '../layout.js';
import type { Mesh } from '../mesh.js';
import { BodyRecord } from '../sceneLayout.js';
import type { SweepHow } from '../sweepOptions.js';
import { Turns } from '../turns.js';
import { Commands } from '../webgpu/commands.js';
import { GpuRoom, type Gpu } from '../webgpu/gpu.js';
import { GpuUnfit } from '../webgpu/gpuErrors.js';
import type { BodyMotion } from './bodyMotion.js';
import { GREATEST, LEAST_ERROR } from './gpuFeatureSweep.js';
import { wholePoints } from './gpuMovingPoints.js';
import type { MeshTables } from './meshTables.js';

/** Faces of a mesh that a workgroup goes through one by one: of larger ones the CPU looks into their trees. */
const MOST_FACES = 4096;
/** Coordinates, and what they are multiplied by, beyond which floats may not hold what comes of them. */
const MOST_SIZE = 2 ** 60;
const FACE_WORDS = 6, NUMBERS = 12;
const KERNELS = ['dropFarBodies'] as const;

/** Places of the pairs that are left, ascending. stats: pairs that were asked about, and those of them that are apart. */
export interface LeftBodies { left: Uint32Array; stats: { pairs: number; apart: number } }

/** Where a mesh begins, as it was when it was sent, and the greatest |x|, |y|, |z| of its vertices. */
interface Sent { version: number; firstVertex: number; firstFace: number; size: readonly number[] }
/** What bodies are for the GPU; what a difference of two points may be off by; greatest |coordinate|. */
interface Written { records: Uint8Array; unit: number; pointError: number; coordinate: number }

export class GpuBodySweep {
  private readonly gpu: Gpu;
  private readonly backend: Backend;
  private readonly tables: MeshTables;
  private readonly rooms: Readonly<Record<'vertices' | 'faces' | 'bodies' | 'pairs' | 'kept', GpuRoom>>;
  private sent = new Map<Mesh, Sent>();
  private readonly turns = new Turns();

  constructor(gpu: Gpu, backend: Backend, tables: MeshTables) {
    const room = (label: string): GpuRoom => new GpuRoom(gpu, label);
    this.gpu = gpu;
    this.backend = backend;
    this.tables = tables;
    this.rooms = { vertices: room('vertices of bodies'), faces: room('faces of bodies'), bodies: room('moving bodies'), pairs: room('pairs of bodies'), kept: room('pairs that are left') };
  }

  /** Of the pairs that were chosen. @throws GpuLost, GpuUnfit, Capacity */
  leave(motion: BodyMotion<unknown>): Promise<LeftBodies> { return this.turns.take(() => this.ask(motion)); }

  dispose(): void { for (const room of Object.values(this.rooms)) room.dispose(); }

  private async ask(motion: BodyMotion<unknown>): Promise<LeftBodies> {
    const { question: { bodies: { slots }, how, motion: way }, pairs: { a, b, count } } = motion;
    if (way === 'rigid') throw new GpuUnfit('bodies that turn are followed on the CPU');
    await this.gpu.prepare(KERNELS);
    const isSmall = (slot: number): boolean => slots[slot]!.mesh!.triangleCount <= MOST_FACES, asked = Uint32Array.from({ length: count }, (_, i) => i).filter((i) => isSmall(a[i]!) && isSmall(b[i]!));
    if (asked.length === 0) throw new GpuUnfit('these meshes are so large that their trees are looked into');
    const pairs = new Uint32Array(2 * asked.length);
    asked.forEach((pair, i) => pairs.set([a[pair]!, b[pair]!], 2 * i));
    const commands = new Commands(this.gpu);
    try {
      this.record(commands, motion, pairs, how);
    } catch (error) {
      commands.drop();
      throw error;
    }
    const [kept] = await commands.submit(), isFar = new Uint8Array(count);
    asked.forEach((pair, i) => { isFar[pair] = kept![i] === 0 ? 1 : 0; });
    const left = Uint32Array.from({ length: count }, (_, i) => i).filter((i) => isFar[i] === 0);
    return { left, stats: { pairs: asked.length, apart: count - left.length } };
  }

  private record(commands: Commands, motion: BodyMotion<unknown>, pairs: Uint32Array, how: SweepHow): void {
    const { rooms } = this, boxes = motion.copyBoxes(), pairCount = pairs.length / 2, bytes = 4 * pairCount;
    this.load(commands, motion.question.bodies.slots.flatMap(({ mesh }) => (mesh && mesh.triangleCount <= MOST_FACES ? [mesh] : [])));
    const { records, unit, pointError, coordinate } = this.write(motion, boxes), separation = floatAbove(how.separation);
    const buffers = { vertices: rooms.vertices.reserve(0), faces: rooms.faces.reserve(0), bodies: rooms.bodies.reserve(records.byteLength), pairs: rooms.pairs.reserve(pairs.byteLength), kept: rooms.kept.reserve(bytes) };
    commands.upload(buffers.bodies, 0, records);
    commands.upload(buffers.pairs, 0, pairs);
    commands.clear(buffers.kept, 0, bytes);
    // What the CPU's boxes are grown by; what their floats are rounded by, and these are off by.
    const grown = floatAbove(how.margin + pointError + 2 ** -22 * coordinate);
    const values = { pairCount, grown, unit, isSeparated: Number(separation > 0), separation: Math.min(separation, GREATEST), pointError };
    for (const isEdge of [1, 0]) commands.runGroups('dropFarBodies', { layout: DropBodiesParams, values: { ...values, isEdge } }, buffers, pairCount);
    commands.read(buffers.kept, 0, bytes);
  }

  // Vertices and faces of meshes that the GPU does not have as they are now.
  private load(commands: Commands, all: readonly Mesh[]): void {
    const meshes = [...new Set(all)];
    if (meshes.length === this.sent.size && meshes.every((mesh) => this.sent.get(mesh)?.version === mesh.version)) return;
    // What fails midway is not known.
    this.sent = new Map();
    const sum = (of: (mesh: Mesh) => number): number => meshes.reduce((total, mesh) => total + of(mesh), 0), sent = new Map<Mesh, Sent>();
    const vertices = new Float32Array(3 * sum(({ vertexCount }) => vertexCount)), faces = new Uint32Array(FACE_WORDS * sum(({ triangleCount }) => triangleCount)), places = meshes.map((mesh) => this.tables.of(mesh).facesAt);
    const { u32, f32 } = this.backend.arena;
    let firstVertex = 0, firstFace = 0;
    meshes.forEach((mesh, i) => {
      const { bounds, version, vertexCount, triangleCount } = mesh, positions = u32[(mesh.recordAt + MeshRecord.at.positionsAt) / 4]! / 4, words = places[i]! / 4;
      vertices.set(f32.subarray(positions, positions + 3 * vertexCount), 3 * firstVertex);
      faces.set(u32.subarray(words, words + FACE_WORDS * triangleCount), FACE_WORDS * firstFace);
      sent.set(mesh, { version, firstVertex, firstFace, size: [0, 1, 2].map((axis) => (triangleCount === 0 ? 0 : Math.max(Math.abs(bounds[axis]!), Math.abs(bounds[axis + 3]!)))) });
      firstVertex += vertexCount;
      firstFace += triangleCount;
    });
    commands.upload(this.rooms.vertices.reserve(vertices.byteLength), 0, vertices);
    commands.upload(this.rooms.faces.reserve(faces.byteLength), 0, faces);
    this.sent = sent;
  }

  // With u = 2^-23 and E the greatest `reach`: the origins of two bodies whose boxes meet are within 2 E of each other, and all points within 3 E. A
  // point is off by 5 u E where its row is a sum of rounded products, 2 u E where its origin is made a float, 3 u E where both are added, and
  // by a unit for two rounded origins; a difference of two by twice that and 6 u E. The CPU's own points are off by what doubles of such
  // coordinates are; products and factors that are flushed lose 2^-126 times what they are multiplied by.
  private write({ question: { bodies: { slots, recordsAt }, from } }: BodyMotion<unknown>, boxes: Float32Array): Written {
    const { f64 } = this.backend.arena, points = new Float64Array(NUMBERS * slots.length).fill(NaN), bytes = new Uint8Array(GpuMovingBody.size * slots.length), floats = new Float32Array(bytes.buffer), words = new Int32Array(bytes.buffer);
    let reach = 0, coordinate = 0, factor = 0;
    slots.forEach(({ mesh }, slot) => {
      const sent = mesh && this.sent.get(mesh);
      if (!sent) return;
      const at = GpuMovingBody.size * slot, word = (field: keyof typeof GpuMovingBody.at): number => (at + GpuMovingBody.at[field]) / 4, box = 6 * slot, end = (recordsAt + slot * BodyRecord.size + BodyRecord.at.rows) / 8;
      let own = 0, extent = 0;
      for (const [numbers, first, field, place] of [[from, NUMBERS * slot, 'from0', 0], [f64, end, 'to0', 3]] as const) {
        for (let row = 0; row < 3; row++) {
          let sum = 0;
          for (let axis = 0; axis < 3; axis++) {
            const value = numbers[first + 4 * row + axis]!, size = sent.size[axis]!;
            floats[word(field) + 4 * row + axis] = value;
            sum += Math.abs(value) * size;
            factor = Math.max(factor, Math.abs(value), size);
          }
          own = Math.max(own, sum);
          points[NUMBERS * slot + place + row] = numbers[first + 4 * row + 3]!;
        }
      }
      for (let axis = 0; axis < 3; axis++) {
        const low = boxes[box + axis]!, high = boxes[box + 3 + axis]!;
        points[NUMBERS * slot + 6 + axis] = low;
        points[NUMBERS * slot + 9 + axis] = high;
        extent = Math.max(extent, high - low);
      }
      for (let i = NUMBERS * slot; i < NUMBERS * (slot + 1); i++) coordinate = Math.max(coordinate, Math.abs(points[i]!));
      reach = Math.max(reach, own + extent);
      words[word('firstVertex')] = sent.firstVertex;
      words[word('firstFace')] = sent.firstFace;
      words[word('faceCount')] = mesh.triangleCount;
    });
    if (!(Math.max(reach, coordinate, factor) <= MOST_SIZE)) throw new GpuUnfit('bodies are larger, or farther away, than floats hold');
    const { numbers, grid: { unit } } = wholePoints([points]);
    for (let slot = 0, to = GpuMovingBody.at.fromAt / 4; slot < slots.length; slot++, to += GpuMovingBody.size / 4) {
      for (let i = 0; i < NUMBERS; i++) words[to + 4 * Math.floor(i / 3) + i % 3] = numbers[NUMBERS * slot + i]!;
    }
    return { records: bytes, unit, coordinate, pointError: floatAbove(64 * 2 ** -23 * reach + 2 * unit + 2 ** -48 * coordinate + 2 ** -120 * factor + 8 * LEAST_ERROR) };
  }
}
