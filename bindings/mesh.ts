// Positions and indices of a user -> a checked mesh with its tree in engine memory.
import type { Backend } from './backend.js';
import { Blocks } from './blocks.js';
import { Disposed, InvalidMesh } from './errors.js';
import { BuildRecord, MeshRecord } from './layout.js';
import { boundReferenced, setFrame, surveyMesh, type Survey } from './normalise.js';
import { boundTriangles, buildTree } from './tree.js';

export interface MeshData {
  /** x, y, z of each vertex. */
  positions: Float32Array;
  /** Three vertex numbers a triangle; 0, 1, 2, ... where omitted. */
  indices?: Uint32Array | Uint16Array | Uint8Array | Int32Array | readonly number[];
}

export interface MeshOptions {
  /** 'sah': best queries. 'morton': built several times faster. Default 'sah'. */
  builder?: 'sah' | 'morton';
  /** Whether `update` may be called. Default false. */
  deformable?: boolean;
  /** Bounding volume of the tree. Default 'aabb'. */
  volume?: 'aabb';
}

let nextId = 1;

/** A mesh that lives in an engine. Made by createMesh. */
export class Mesh {
  readonly id = nextId++;
  readonly triangleCount: number;
  readonly vertexCount: number;
  /** Least x, y, z, then greatest x, y, z of all triangles, in the user's units; 0 where there is none. */
  readonly bounds: Float32Array;
  /** Raised whenever coordinates or tree change. */
  version = 1;
  private readonly backend: Backend;
  private readonly own: Blocks;
  private readonly tree: Blocks;
  private readonly meshAt: number;
  private isDisposed = false;

  constructor(backend: Backend, own: Blocks, tree: Blocks, meshAt: number, bounds: Float32Array) {
    this.backend = backend;
    this.own = own;
    this.tree = tree;
    this.meshAt = meshAt;
    this.bounds = bounds;
    this.triangleCount = this.read('triangleCount');
    this.vertexCount = this.read('vertexCount');
  }

  /** Byte address of the MeshRecord. */
  get recordAt(): number {
    if (this.isDisposed) throw new Disposed(`mesh ${this.id} was disposed`, 'create the mesh again, or dispose it after its last use');
    return this.meshAt;
  }

  get nodeCount(): number { return this.read('nodeCount'); }
  get leafCount(): number { return this.read('leafCount'); }
  /** Nodes on the longest way from the root down, the root included. */
  get depth(): number { return this.read('depth'); }
  /** Bytes of engine memory that the mesh holds. */
  get bytes(): number { return this.own.bytes + this.tree.bytes; }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.tree.releaseAll();
    this.own.releaseAll();
  }

  [Symbol.dispose](): void { this.dispose(); }

  private read(field: 'triangleCount' | 'vertexCount' | 'nodeCount' | 'leafCount' | 'depth'): number {
    return this.backend.arena.u32[(this.recordAt + MeshRecord.at[field]) / 4]!;
  }
}

/**
 * Copies positions and indices into the engine, checks them and builds the tree. Vertices are never welded, triangles
 * without area are kept.
 * @throws InvalidMesh naming the first offending index; Capacity when memory does not suffice.
 */
export function createMesh(backend: Backend, data: MeshData, options: MeshOptions = {}): Mesh {
  void options;
  const { positions, indices } = checkShape(data);
  const { arena } = backend;
  const own = new Blocks(arena);
  const scratch = new Blocks(arena);
  try {
    const meshAt = copyIn(backend, own, positions, indices);
    const survey = surveyMesh(backend, meshAt);
    checkValues(positions, indices, survey);
    const recordsAt = scratch.take(Math.max(1, indices.length / 3) * BuildRecord.size);
    const { bounds, box } = frameMesh(backend, meshAt, recordsAt, survey);
    const tree = buildTree(backend, meshAt, recordsAt, box);
    return new Mesh(backend, own, tree, meshAt, bounds);
  } catch (error) {
    own.releaseAll();
    throw error;
  } finally {
    scratch.releaseAll();
  }
}

function checkShape({ positions, indices }: MeshData): { positions: Float32Array; indices: Uint32Array } {
  if (!(positions instanceof Float32Array)) {
    throw new InvalidMesh(`positions is ${describe(positions)}, not a Float32Array`, 'pass Float32Array.from(positions)');
  }
  if (positions.length % 3 !== 0) {
    throw new InvalidMesh(`positions has length ${positions.length}, not a multiple of 3`, 'give x, y and z of each vertex');
  }
  if (indices === undefined) {
    if (positions.length % 9 !== 0) {
      throw new InvalidMesh(`positions has length ${positions.length}, not a multiple of 9, and indices is missing`,
        'give three vertices a triangle, or pass indices');
    }
    return { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
  }
  const numbers = indices instanceof Uint32Array ? indices : toIndices(indices);
  if (numbers.length % 3 !== 0) {
    throw new InvalidMesh(`indices has length ${numbers.length}, not a multiple of 3`, 'give three vertex numbers a triangle');
  }
  return { positions, indices: numbers };
}

function toIndices(indices: Exclude<MeshData['indices'], undefined>): Uint32Array {
  const isKnown = Array.isArray(indices) || indices instanceof Uint16Array || indices instanceof Uint8Array || indices instanceof Int32Array;
  if (!isKnown) throw new InvalidMesh(`indices is ${describe(indices)}, not a Uint32Array`, 'pass Uint32Array.from(indices)');
  for (let i = 0; i < indices.length; i++) {
    const value = indices[i]!;
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
      throw new InvalidMesh(`indices[${i}] is ${String(value)}, not a vertex number`, 'give whole numbers from 0 to vertexCount - 1');
    }
  }
  return Uint32Array.from(indices);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? `a ${value.constructor?.name ?? 'object'}` : `a ${typeof value}`;
}

// Both arrays are padded to whole groups of four, and so that 16 bytes may be read at the last vertex.
function copyIn({ arena }: Backend, own: Blocks, positions: Float32Array, indices: Uint32Array): number {
  const meshAt = own.take(MeshRecord.size);
  const positionsAt = own.take(Math.ceil(positions.length / 12) * 48 + 16);
  const indicesAt = own.take(Math.ceil(indices.length / 4) * 16 + 16);
  arena.f32.set(positions, positionsAt / 4);
  for (let i = positions.length; i % 12 !== 0; i++) arena.f32[positionsAt / 4 + i] = positions[i % 3]!;
  arena.u32.set(indices, indicesAt / 4);
  arena.u32.fill(0, indicesAt / 4 + indices.length, indicesAt / 4 + Math.ceil(indices.length / 4) * 4);
  arena.u32.fill(0, meshAt / 4, (meshAt + MeshRecord.size) / 4);
  const at = meshAt / 4;
  arena.u32[at + MeshRecord.at.positionsAt / 4] = positionsAt;
  arena.u32[at + MeshRecord.at.indicesAt / 4] = indicesAt;
  arena.u32[at + MeshRecord.at.vertexCount / 4] = positions.length / 3;
  arena.u32[at + MeshRecord.at.triangleCount / 4] = indices.length / 3;
  return meshAt;
}

function checkValues(positions: Float32Array, indices: Uint32Array, survey: Survey): void {
  if (!survey.isFinite) {
    const at = positions.findIndex((value) => !Number.isFinite(value));
    throw new InvalidMesh(`positions[${at}] is ${positions[at]}, not a finite number`, `correct vertex ${Math.floor(at / 3)}`);
  }
  const vertexCount = positions.length / 3;
  if (indices.length > 0 && survey.greatestIndex >= vertexCount) {
    const at = indices.findIndex((value) => value >= vertexCount);
    throw new InvalidMesh(`indices[${at}] is ${indices[at]}, but there are ${vertexCount} vertices`, `correct triangle ${Math.floor(at / 3)}`);
  }
}

// Vertices that no triangle uses must not take digits from those that are used.
function frameMesh(backend: Backend, meshAt: number, recordsAt: number, survey: Survey): { bounds: Float32Array; box: Float32Array } {
  setFrame(backend, meshAt, survey.bounds, survey.tiniest);
  const box = boundTriangles(backend, meshAt, recordsAt);
  if (isImage(backend, meshAt, survey.bounds, box)) return { bounds: survey.bounds, box };
  const bounds = boundReferenced(backend, meshAt);
  setFrame(backend, meshAt, bounds, survey.tiniest);
  return { bounds, box: boundTriangles(backend, meshAt, recordsAt) };
}

function isImage({ arena }: Backend, meshAt: number, bounds: Float32Array, box: Float32Array): boolean {
  const scale = arena.f32[(meshAt + MeshRecord.at.scale) / 4]!;
  return bounds.every((value, i) => {
    const center = arena.f32[(meshAt + MeshRecord.at.centerX) / 4 + (i % 3)]!;
    return Math.fround(Math.fround(value - center) * scale) === box[i];
  });
}
