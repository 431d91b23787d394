// Reads PLY files, text or binary of either byte order, as one part. Polygons and triangle strips are split
// into triangles. This is a small, strict reader, because general loaders do not support strips, and read
// missing values as zeros, even if the whole end of the file is missing.
import { roundVertices } from './commonFrame.js';
import { type GrowingList, growingDoubles, growingFloats, growingIndices } from './growingList.js';
import { EXPORT_AGAIN, InvalidFile, identity, type Part, quote } from './part.js';
import { isInteger, type PlyElement, type PlyHeader, type PlyProperty, readPlyHeader } from './plyHeader.js';
import { type BodyReader, plyRows } from './plyRows.js';
import type { ReadContext } from './readContext.js';

type RowReader = (row: number) => void;
type Coordinates = Pick<GrowingList<Float32Array | Float64Array>, 'push'>;

/** Receives the corners of faces or strips, one face or strip after another. */
interface Corners {
  begin(length: number, row: number): void;
  add(vertex: number): void;
}

/**
 * Reads a PLY file. Returns no part if the file has no triangles.
 * @param name Name of the part.
 * @param bytes The file.
 * @throws InvalidFile
 */
export function parsePly(name: string, bytes: Uint8Array, context: ReadContext): Part[] {
  const { budget, onProgress } = context;
  const header = readPlyHeader(bytes, budget);
  const rows = plyRows(bytes, header, onProgress);
  const positions = hasLongCoordinates(header) ? growingDoubles(budget) : growingFloats(budget);
  const indices = growingIndices(budget);
  for (const element of header.elements) {
    const readRow = rowReader(element, rows, positions, indices);
    for (let row = 0; row < element.count; row++) {
      rows.beginRow(element, row);
      readRow(row);
      rows.endRow();
    }
  }
  rows.end();
  return indices.length === 0 ? [] : [partOf(name, positions.toArray(), indices.toArray(), context)];
}

// Returns whether coordinates are of a type that float32 cannot represent exactly.
function hasLongCoordinates({ elements }: PlyHeader): boolean {
  const vertex = elements.find(({ name }) => name === 'vertex');
  return (
    vertex?.properties.some(({ name, type }) => axisOf(name) >= 0 && ['f8', 'i4', 'u4'].includes(type)) ??
    false
  );
}

const axisOf = (name: string): number => ['x', 'y', 'z'].indexOf(name);

function partOf(
  name: string,
  points: Float32Array | Float64Array,
  indices: Uint32Array,
  context: ReadContext,
): Part {
  const vertexCount = points.length / 3;
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= vertexCount)
      throw new InvalidFile(
        `triangle ${Math.floor(i / 3)} names vertex ${indices[i]}, but the vertices are 0..${vertexCount - 1}`,
        EXPORT_AGAIN,
      );
  }
  return points instanceof Float64Array
    ? { name, indices, ...roundVertices(points, context) }
    : { name, positions: points, indices, transform: identity() };
}

function rowReader(
  element: PlyElement,
  rows: BodyReader,
  positions: Coordinates,
  indices: GrowingList<Uint32Array>,
): RowReader {
  if (element.name === 'vertex') return vertexReader(element, rows, positions);
  if (element.name === 'face') return listReader(element, rows, polygons(indices));
  if (element.name === 'tristrips') return listReader(element, rows, strips(indices));
  const corners = element.properties.find(isCorners);
  if (element.count > 0 && corners)
    throw new InvalidFile(
      `element ${quote(element.name)} has ${quote(corners.name)}, but only face and tristrips may have it`,
      EXPORT_AGAIN,
    );
  return () => {
    for (const property of element.properties) skip(property, rows);
  };
}

function vertexReader(
  { properties, count }: PlyElement,
  rows: BodyReader,
  positions: Coordinates,
): (row: number) => void {
  const axes = properties.map(({ name, countType }) => (countType ? -1 : axisOf(name)));
  if (count > 0 && ![0, 1, 2].every(axis => axes.includes(axis)))
    throw new InvalidFile('element "vertex" lacks x, y or z', EXPORT_AGAIN);
  const vertex = [0, 0, 0];
  return row => {
    for (let i = 0; i < properties.length; i++) {
      if (axes[i] < 0) {
        skip(properties[i], rows);
        continue;
      }
      const value = rows.value(properties[i].type);
      if (!Number.isFinite(Math.fround(value)))
        throw new InvalidFile(`vertex ${row}: ${value} is not a coordinate (a finite float32)`, EXPORT_AGAIN);
      vertex[axes[i]] = value;
    }
    for (const value of vertex) positions.push(value);
  };
}

function isCorners({ name }: PlyProperty): boolean {
  return name === 'vertex_indices' || name === 'vertex_index';
}

function listReader({ name, count, properties }: PlyElement, rows: BodyReader, corners: Corners): RowReader {
  const lists = properties.filter(isCorners);
  const [list] = lists;
  if (count > 0 && !(lists.length === 1 && list.countType && isInteger(list.type))) {
    throw new InvalidFile(
      `element ${quote(name)} must have exactly one list of integers named vertex_indices or vertex_index`,
      EXPORT_AGAIN,
    );
  }
  return row => {
    for (const property of properties) {
      if (property !== list) {
        skip(property, rows);
        continue;
      }
      const length = listLength(property, rows);
      corners.begin(length, row);
      for (let i = 0; i < length; i++) corners.add(rows.value(property.type));
    }
  };
}

function skip({ type, countType }: PlyProperty, rows: BodyReader): void {
  const length = countType ? listLength({ name: '', type, countType }, rows) : 1;
  for (let i = 0; i < length; i++) rows.value(type);
}

function listLength({ countType }: PlyProperty, rows: BodyReader): number {
  const length = rows.value(countType!);
  if (length < 0) throw new InvalidFile(`a list has length ${length}, less than 0`, EXPORT_AGAIN);
  return length;
}

function polygons(indices: GrowingList<Uint32Array>): Corners {
  let first = 0;
  let previous = 0;
  let count = 0;
  return {
    begin(length, row) {
      if (length < 3) throw new InvalidFile(`face ${row} has ${length} corners, fewer than 3`, EXPORT_AGAIN);
      count = 0;
    },
    add(vertex) {
      if (count === 0) first = vertex;
      else if (count > 1) pushTriangle(indices, first, previous, vertex);
      previous = vertex;
      count++;
    },
  };
}

// A vertex number of -1 ends a strip. Every second triangle of a strip is flipped, so that all triangles of
// the strip face the same way.
function strips(indices: GrowingList<Uint32Array>): Corners {
  let beforePrevious = 0;
  let previous = 0;
  let count = 0;
  return {
    begin() {
      count = 0;
    },
    add(vertex) {
      if (vertex === -1) {
        count = 0;
        return;
      }
      if (count > 1) {
        if (count % 2 === 0) pushTriangle(indices, beforePrevious, previous, vertex);
        else pushTriangle(indices, previous, beforePrevious, vertex);
      }
      beforePrevious = previous;
      previous = vertex;
      count++;
    },
  };
}

function pushTriangle(indices: GrowingList<Uint32Array>, a: number, b: number, c: number): void {
  pushIndex(indices, a);
  pushIndex(indices, b);
  pushIndex(indices, c);
}

function pushIndex(indices: GrowingList<Uint32Array>, index: number): void {
  if (index < 0)
    throw new InvalidFile(`a triangle names vertex ${index}, but vertices are numbered from 0`, EXPORT_AGAIN);
  indices.push(index);
}
