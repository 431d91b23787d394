// Checks the arrays of a mesh and copies them into engine memory.

import type { MeshStatistics } from '../bvh/normalize.js';
import { checkAttached, copyIfEngineMemory } from '../core/checkOptions.js';
import { describe, InvalidMesh } from '../core/errors.js';
import { MeshRecord } from '../records/layout.js';
import type { BlockGroup } from '../runtime/blockGroup.js';
import type { EngineContext } from '../runtime/engineContext.js';
import { type DoubleVertices, makeDoubleVertices, toFloats } from './doubles.js';

/** Triangles as arrays. createMesh copies the arrays, so the caller may change them later. */
export interface MeshData {
  /** x, y, z of each vertex, in any unit, in the mesh's own frame. */
  positions: Float32Array;
  /** Three vertex numbers per triangle. Default: 0, 1, 2, ... */
  indices?: Uint32Array | Uint16Array | Uint8Array | Int32Array | readonly number[];
}

/**
 * Triangles with coordinates in doubles. Results are exact for the doubles. A coordinate that is not a
 * float32 number must have a magnitude of at least 2^-96. No magnitude may exceed the largest float32 number.
 */
export interface DoubleMeshData {
  /** x, y, z of each vertex, in any unit, in the mesh's own frame. */
  positions: Float64Array;
  /** Three vertex numbers per triangle. Default: 0, 1, 2, ... */
  indices?: MeshData['indices'];
}

/**
 * Checks the type and length of `positions`.
 * @throws InvalidMesh unless `positions` is a Float32Array with three values per vertex.
 */
export function checkPositions(positions: unknown): asserts positions is Float32Array {
  if (!(positions instanceof Float32Array)) {
    throw new InvalidMesh(
      `positions is ${describe(positions)}, not a Float32Array`,
      positions === undefined
        ? 'pass { positions, indices }, where positions has x, y and z of each vertex'
        : 'pass Float32Array.from(positions)',
    );
  }
  checkLength(positions);
}

function checkLength(positions: Float32Array | Float64Array): void {
  checkAttached('positions', positions, InvalidMesh);
  if (positions.length % 3 !== 0) {
    throw new InvalidMesh(
      `positions has length ${positions.length}, not a multiple of 3`,
      'pass x, y and z of each vertex',
    );
  }
}

/**
 * The arrays of a mesh. `doubles`: set if any coordinate is not a float32 number; `positions` is then
 * `doubles.floats`.
 */
export interface MeshShape {
  positions: Float32Array;
  indices: Uint32Array;
  doubles?: DoubleVertices;
}

/**
 * Checks the arrays of a mesh, whose positions may be a Float64Array. If all positions are float32 numbers, the
 * result is the same as for a Float32Array.
 * @throws InvalidMesh
 */
export function readShape(data: MeshData | DoubleMeshData): MeshShape {
  const positions: unknown = data?.positions;
  if (!(positions instanceof Float64Array)) return checkShape(data as MeshData);
  checkLength(positions);
  // `data` is not copied with a spread, because its fields may be getters of its class, which a spread omits.
  const { indices: given } = data;
  const shapeOf = (floats: Float32Array): MeshShape =>
    checkShape({ positions: floats, ...(given === undefined ? {} : { indices: given }) });
  const floats = toFloats(positions);
  if (floats) return shapeOf(floats);
  const { indices } = shapeOf(new Float32Array(positions.length));
  const doubles = makeDoubleVertices(positions, indices);
  return { positions: doubles.floats, indices, doubles };
}

/**
 * Checks the types and lengths of a mesh's arrays. Returns the indices as a Uint32Array. Arrays that may be
 * views of engine memory are copied.
 * @throws InvalidMesh
 */
export function checkShape(data: MeshData): MeshShape {
  if (typeof data !== 'object' || data === null)
    throw new InvalidMesh(
      `the mesh is ${describe(data)}, not { positions, indices }`,
      'pass an object with positions',
    );
  if ((data as { isBufferGeometry?: unknown }).isBufferGeometry)
    throw new InvalidMesh(
      'the mesh is a three.js BufferGeometry',
      "use meshFromGeometry(engine, geometry) of 'pfront/three'",
    );
  const { positions: given, indices } = data;
  checkPositions(given);
  const positions = copyIfEngineMemory(given);
  checkAttached('indices', indices, InvalidMesh);
  if (indices === undefined) {
    if (positions.length % 9 !== 0) {
      throw new InvalidMesh(
        `positions has length ${positions.length}, not a multiple of 9, and indices is missing`,
        'pass three vertices per triangle, or pass indices',
      );
    }
    return { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
  }
  const numbers = indices instanceof Uint32Array ? copyIfEngineMemory(indices) : toIndices(indices);
  if (numbers.length % 3 !== 0) {
    throw new InvalidMesh(
      `indices has length ${numbers.length}, not a multiple of 3`,
      'pass three vertex numbers per triangle',
    );
  }
  return { positions, indices: numbers };
}

function toIndices(indices: Exclude<MeshData['indices'], undefined>): Uint32Array {
  const isKnown =
    Array.isArray(indices) ||
    indices instanceof Uint16Array ||
    indices instanceof Uint8Array ||
    indices instanceof Int32Array;
  if (!isKnown)
    throw new InvalidMesh(
      `indices is ${describe(indices)}, not a Uint32Array`,
      'pass Uint32Array.from(indices)',
    );
  for (let i = 0; i < indices.length; i++) {
    const value = indices[i];
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
      throw new InvalidMesh(
        `indices[${i}] is ${String(value)}, not a vertex number`,
        'pass integers from 0 to vertexCount - 1',
      );
    }
  }
  return Uint32Array.from(indices);
}

/**
 * Checks that all positions are finite.
 * @throws InvalidMesh naming the first position value that is not finite.
 */
export function checkFinite(positions: Float32Array, statistics: MeshStatistics): void {
  if (statistics.areFinite) return;
  const at = positions.findIndex(value => !Number.isFinite(value));
  throw new InvalidMesh(
    `positions[${at}] is ${positions[at]}, not a finite number`,
    `correct vertex ${Math.floor(at / 3)}`,
  );
}

/**
 * Checks that every index names a vertex.
 * @throws InvalidMesh naming the first index that is too large.
 */
export function checkIndices(
  positions: Float32Array,
  indices: Uint32Array,
  statistics: MeshStatistics,
): void {
  const vertexCount = positions.length / 3;
  if (indices.length === 0 || statistics.maxIndex < vertexCount) return;
  const at = indices.findIndex(value => value >= vertexCount);
  throw new InvalidMesh(
    `indices[${at}] is ${indices[at]}, but there are ${vertexCount} vertices`,
    `correct triangle ${Math.floor(at / 3)}`,
  );
}

/**
 * Returns the size in bytes of the block that holds a mesh's positions. The block holds whole groups of four
 * vertices, and padding so that a 16-byte load at the last vertex stays inside the block.
 */
export const positionsBytes = (positions: Float32Array): number => Math.ceil(positions.length / 12) * 48 + 16;

export function writePositions({ arena }: EngineContext, positionsAt: number, positions: Float32Array): void {
  const at = positionsAt / 4;
  arena.f32.set(positions, at);
  for (let i = positions.length; i % 12 !== 0; i++) arena.f32[at + i] = positions[i % 3];
}

/**
 * Moves each unreferenced vertex to the position of vertex `used`, which a triangle references. The bounds of
 * all vertices then equal the bounds of the triangles.
 * @throws InvalidMesh if a coordinate of an unreferenced vertex is not finite.
 */
export function moveUnreferenced(
  { arena }: EngineContext,
  positionsAt: number,
  { unreferenced, used }: { unreferenced: Uint32Array; used: number },
): void {
  const { f32 } = arena;
  const at = positionsAt / 4;
  for (const vertex of unreferenced) {
    for (let axis = 0; axis < 3; axis++) {
      const value = f32[at + vertex * 3 + axis];
      if (!Number.isFinite(value))
        throw new InvalidMesh(
          `positions[${vertex * 3 + axis}] is ${value}, not a finite number`,
          `correct vertex ${vertex}`,
        );
      f32[at + vertex * 3 + axis] = f32[at + used * 3 + axis];
    }
  }
}

/**
 * Copies positions and indices to engine memory. Each copy is padded to whole groups of four vertices or
 * indices.
 * @returns the address of the new MeshRecord.
 */
export function copyMesh(
  context: EngineContext,
  own: BlockGroup,
  { positions, indices, doubles }: MeshShape,
): number {
  const { arena } = context;
  const meshAt = own.take(MeshRecord.size);
  const positionsAt = own.take(positionsBytes(positions));
  const indicesAt = own.take(Math.ceil(indices.length / 4) * 16 + 16);
  writePositions(context, positionsAt, positions);
  arena.u32.set(indices, indicesAt / 4);
  arena.u32.fill(0, indicesAt / 4 + indices.length, indicesAt / 4 + Math.ceil(indices.length / 4) * 4);
  const words = new Uint32Array(MeshRecord.size / 4);
  words.set([positionsAt, indicesAt, positions.length / 3, indices.length / 3]);
  arena.u32.set(words, meshAt / 4);
  if (doubles) {
    const doublesAt = own.take(doubles.exact.byteLength);
    arena.f64.set(doubles.exact, doublesAt / 8);
    arena.u32[(meshAt + MeshRecord.at.doublesAt) / 4] = doublesAt;
    arena.f32[(meshAt + MeshRecord.at.rounding) / 4] = doubles.rounding;
  }
  return meshAt;
}
