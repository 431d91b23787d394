// Makes engine meshes from three.js geometries, with the triangles in the geometry's order.
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import { anyValue, copyOptions, type OptionTable, rejectExtraArgument } from '../core/checkOptions.js';
import { InvalidMesh, Unsupported } from '../core/errors.js';
import type { Mesh, MeshData, MeshOptions } from '../mesh/mesh.js';

/** Options of meshFromGeometry. All are optional. */
export interface GeometryOptions extends MeshOptions {
  /**
   * Indices into geometry.groups. The mesh gets the triangles of the draw range that are in one of these
   * groups. A triangle in several of the groups is added once. Default: all triangles of the draw range.
   */
  groups?: readonly number[];
}

// The values of options that are passed on to createMesh are not checked here: createMesh checks them.
const GEOMETRY: OptionTable<GeometryOptions> = {
  builder: anyValue,
  deformable: anyValue,
  volume: anyValue,
  thresholds: anyValue,
  groups: value => !Array.isArray(value) && 'an array of indices into geometry.groups',
};

/** An object that makes meshes: an engine, or a scene, which makes the meshes in its engine. */
export interface MeshFactory {
  /**
   * Copies a mesh into the engine, checks it and builds its tree.
   * @throws InvalidMesh, Unsupported, Disposed, Capacity
   */
  createMesh(data: MeshData, options?: MeshOptions): Mesh;
}

/**
 * The triangles of a mesh to be made. starts: the element of the geometry at which each triangle begins,
 * which is an offset into the geometry's index, or a vertex number if there is no index. Without `starts`,
 * triangle i begins at element 3i.
 */
export interface Triangles extends MeshData {
  starts?: Uint32Array;
}

const startsOf = new WeakMap<Mesh, Uint32Array>();

/**
 * Makes a mesh from the triangles that three.js draws: the triangles of the draw range. The geometry is not
 * changed. Positions may have any format that three.js reads, such as interleaved, normalized or half-float;
 * in the mesh they are float32.
 * @throws InvalidMesh; Unsupported, such as for groups that do not exist; Disposed, Capacity
 */
export function meshFromGeometry(
  engine: MeshFactory,
  geometry: BufferGeometry,
  options: GeometryOptions = {},
): Mesh {
  rejectExtraArgument(arguments[3], 'meshFromGeometry(engine, geometry, options)');
  const { groups, ...meshOptions } = copyOptions(GEOMETRY, options);
  return makeMesh(engine, readTriangles(geometry, groups), meshOptions);
}

/**
 * Returns the number of a triangle in the geometry, given its number in a mesh that meshFromGeometry made.
 * Like faceIndex in three.js, the number in the geometry is the element at which the triangle begins, divided
 * by 3. The two numbers differ only if the draw range or the first chosen group does not begin at 0, or if
 * there are gaps between the chosen groups.
 */
export function triangleOf(mesh: Mesh, triangle: number): number {
  return Math.floor(startOf(mesh, triangle) / 3);
}

/**
 * Returns the element of the geometry at which a triangle of the mesh begins: an offset into the geometry's
 * index, or a vertex number if there is no index.
 */
export const startOf = (mesh: Mesh, triangle: number): number =>
  startsOf.get(mesh)?.[triangle] ?? 3 * triangle;

/** Makes a mesh, and records where its triangles begin in the geometry. */
export function makeMesh(engine: MeshFactory, { starts, ...data }: Triangles, options: MeshOptions): Mesh {
  const mesh = engine.createMesh(data, options);
  if (starts) setStarts(mesh, starts);
  return mesh;
}

/** Records where the triangles of a mesh begin in the geometry. Replaces what was recorded before. */
export function setStarts(mesh: Mesh, starts: Uint32Array): void {
  startsOf.set(mesh, starts);
}

/** Reads the triangles of a geometry's draw range, or of some of its groups. */
export function readTriangles(geometry: BufferGeometry, groups?: readonly number[]): Triangles {
  const { index, drawRange } = geometry;
  const position = geometry.attributes.position;
  if (!position)
    throw new InvalidMesh(
      "the geometry has no attribute 'position'",
      "set it with geometry.setAttribute('position', ...)",
    );
  const positions = readPositions(position);
  const elementCount = index ? index.count : position.count;
  const first = Math.max(0, drawRange.start);
  const last = Math.min(elementCount, drawRange.start + drawRange.count);
  if (groups || first > 0) {
    const ranges = groups
      ? groups.map(group => rangeOf(geometry, group, first, last))
      : [[first, last] as const];
    return gather(index, positions, listStarts(ranges));
  }
  const count = 3 * Math.floor(last / 3);
  if (!index) return { positions: positions.subarray(0, 3 * count) };
  return { positions, indices: readIndices(index, count) };
}

/**
 * Returns x, y and z of vertices as float32. If the attribute's own array has this form, the result is a view
 * of the array; otherwise it is a copy.
 */
export function readPositions(
  attribute: BufferAttribute | InterleavedBufferAttribute,
  first = 0,
  count = attribute.count - first,
): Float32Array {
  const { itemSize, normalized } = attribute;
  const array = 'data' in attribute ? undefined : attribute.array;
  if (array instanceof Float32Array && itemSize === 3 && !normalized)
    return array.subarray(3 * first, 3 * (first + count));
  if (typeof attribute.getX !== 'function')
    throw new InvalidMesh(
      "the data of the attribute 'position' is only on the GPU",
      'give the geometry a BufferAttribute',
    );
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    positions[3 * i] = attribute.getX(first + i);
    positions[3 * i + 1] = itemSize > 1 ? attribute.getY(first + i) : 0;
    positions[3 * i + 2] = itemSize > 2 ? attribute.getZ(first + i) : 0;
  }
  return positions;
}

function readIndices({ array }: BufferAttribute, count: number): Uint32Array | Uint16Array | Uint8Array {
  if (array instanceof Uint32Array || array instanceof Uint16Array || array instanceof Uint8Array)
    return array.subarray(0, count);
  return Uint32Array.from(array.subarray(0, count));
}

function rangeOf(
  { groups }: BufferGeometry,
  number: number,
  first: number,
  last: number,
): readonly [number, number] {
  const group = groups[number];
  if (!group)
    throw new Unsupported(
      `the geometry has no group ${number}; it has ${groups.length} groups`,
      'pass indices into geometry.groups',
    );
  return [Math.max(first, group.start), Math.min(last, group.start + group.count)];
}

// Returns the elements at which the triangles of the ranges begin, in ascending order, each once. An
// incomplete triangle at the end of a range is left out.
function listStarts(ranges: readonly (readonly [first: number, last: number])[]): Uint32Array {
  const starts = new Set<number>();
  for (const [first, last] of ranges) for (let at = first; at + 3 <= last; at += 3) starts.add(at);
  return Uint32Array.from(starts).sort();
}

function gather(index: BufferAttribute | null, positions: Float32Array, starts: Uint32Array): Triangles {
  const indices = new Uint32Array(3 * starts.length);
  starts.forEach((start, i) => {
    for (let corner = 0; corner < 3; corner++)
      indices[3 * i + corner] = index ? index.getX(start + corner) : start + corner;
  });
  return starts.every((start, i) => start === 3 * i)
    ? { positions, indices }
    : { positions, indices, starts };
}
