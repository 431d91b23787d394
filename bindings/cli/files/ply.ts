// PLY, text or binary of either byte order -> one part; polygons are fanned, triangle strips unrolled.
// A small strict reader: general loaders know no strips, and read short files and missing values as zeros.
import { EXPORT_AGAIN, growingFloats, growingIndices, identity, InvalidFile, type GrowingList, type Part } from './part.js';
import { isInteger, readPlyHeader, scalarBytes, type PlyElement, type PlyHeader, type PlyProperty, type ScalarType } from './plyHeader.js';
import { TextScanner } from './textScanner.js';

/** Values of the body in file order, whatever its encoding. */
interface Rows {
  beginRow(element: PlyElement, row: number): void;
  value(type: ScalarType): number;
  endRow(): void;
  /** Refuses bytes after the last row. */
  end(): void;
}

/** bytes: the file. name: of the part. A file without triangles gives no part. */
export function parsePly(name: string, bytes: Uint8Array): Part[] {
  const header = readPlyHeader(bytes);
  const rows = header.format === 'ascii' ? textRows(bytes, header) : binaryRows(bytes, header);
  const positions = growingFloats();
  const indices = growingIndices();
  for (const element of header.elements) {
    const readRow = rowReader(element, rows, positions, indices);
    for (let row = 0; row < element.count; row++) {
      rows.beginRow(element, row);
      readRow(row);
      rows.endRow();
    }
  }
  rows.end();
  checkIndices(indices, positions.length / 3);
  return indices.length === 0 ? [] : [{ name, positions: positions.toArray(), indices: indices.toArray(), transform: identity() }];
}

function rowReader(element: PlyElement, rows: Rows, positions: GrowingList<Float32Array>, indices: GrowingList<Uint32Array>): (row: number) => void {
  if (element.name === 'vertex') return vertexReader(element, rows, positions);
  if (element.name === 'face') return listReader(element, rows, (list, row) => fan(list, row, indices));
  if (element.name === 'tristrips') return listReader(element, rows, (list) => unrollStrips(list, indices));
  return () => { for (const property of element.properties) skip(property, rows); };
}

function vertexReader({ properties, count }: PlyElement, rows: Rows, positions: GrowingList<Float32Array>): (row: number) => void {
  const axes = properties.map(({ name, countType }) => countType ? -1 : ['x', 'y', 'z'].indexOf(name));
  if (count > 0 && ![0, 1, 2].every((axis) => axes.includes(axis))) throw new InvalidFile('element "vertex" lacks x, y or z', EXPORT_AGAIN);
  const vertex = [0, 0, 0];
  return (row) => {
    for (let i = 0; i < properties.length; i++) {
      if (axes[i] < 0) { skip(properties[i], rows); continue; }
      const value = rows.value(properties[i].type);
      if (!Number.isFinite(Math.fround(value))) throw new InvalidFile(`vertex ${row}: ${value} is not a coordinate (a finite float32)`, EXPORT_AGAIN);
      vertex[axes[i]] = value;
    }
    for (const value of vertex) positions.push(value);
  };
}

function listReader({ name, count, properties }: PlyElement, rows: Rows, take: (list: number[], row: number) => void): (row: number) => void {
  const corners = properties.find((property) => property.name === 'vertex_indices' || property.name === 'vertex_index');
  if (count > 0 && !(corners?.countType && isInteger(corners.type))) {
    throw new InvalidFile(`element "${name}" has no list of whole numbers called vertex_indices`, EXPORT_AGAIN);
  }
  const list: number[] = [];
  return (row) => {
    for (const property of properties) {
      if (property !== corners) { skip(property, rows); continue; }
      const length = listLength(property, rows);
      list.length = 0;
      for (let i = 0; i < length; i++) list.push(rows.value(property.type));
      take(list, row);
    }
  };
}

function skip({ type, countType }: PlyProperty, rows: Rows): void {
  const length = countType ? listLength({ name: '', type, countType }, rows) : 1;
  for (let i = 0; i < length; i++) rows.value(type);
}

function listLength({ countType }: PlyProperty, rows: Rows): number {
  const length = rows.value(countType!);
  if (length < 0) throw new InvalidFile(`a list has length ${length}`, EXPORT_AGAIN);
  return length;
}

function fan(corners: number[], face: number, indices: GrowingList<Uint32Array>): void {
  if (corners.length < 3) throw new InvalidFile(`face ${face} has ${corners.length} corners, fewer than 3`, EXPORT_AGAIN);
  for (let i = 2; i < corners.length; i++) {
    pushIndex(indices, corners[0]);
    pushIndex(indices, corners[i - 1]);
    pushIndex(indices, corners[i]);
  }
}

// -1 ends a strip. Every other triangle of a strip is turned round, so that all face one way.
function unrollStrips(list: number[], indices: GrowingList<Uint32Array>): void {
  for (let i = 0, start = 0; i < list.length; i++) {
    if (list[i] === -1) { start = i + 1; continue; }
    if (i - start < 2) continue;
    const turn = (i - start) & 1;
    pushIndex(indices, list[i - 2 + turn]);
    pushIndex(indices, list[i - 1 - turn]);
    pushIndex(indices, list[i]);
  }
}

function pushIndex(indices: GrowingList<Uint32Array>, index: number): void {
  if (index < 0) throw new InvalidFile(`vertex ${index} is named, but vertices are numbered from 0`, EXPORT_AGAIN);
  indices.push(index);
}

function checkIndices(indices: GrowingList<Uint32Array>, vertexCount: number): void {
  for (let i = 0; i < indices.length; i++) {
    if (indices.at(i) >= vertexCount) throw new InvalidFile(`triangle ${Math.floor(i / 3)} names vertex ${indices.at(i)}, but the vertices are 0..${vertexCount - 1}`, EXPORT_AGAIN);
  }
}

// One row a line, every value of it and nothing more: a shifted value would otherwise be read as its neighbour.
function textRows(bytes: Uint8Array, header: PlyHeader): Rows {
  const scanner = new TextScanner(bytes.subarray(header.bodyAt));
  const refuse = (what: string): never => {
    throw new InvalidFile(`line ${header.lineCount + scanner.line}: ${what}`, EXPORT_AGAIN);
  };
  return {
    beginRow({ name, count }, row) {
      do if (!scanner.nextLine()) throw new InvalidFile(`ends after ${row} of ${count} of element "${name}"`, EXPORT_AGAIN);
      while (scanner.isBlankLine());
    },
    value(type) {
      if (!scanner.nextWord()) refuse('the row is too short');
      if (!isInteger(type)) return scanner.number();
      const value = scanner.integer();
      return Number.isNaN(value) ? refuse('a whole number is due') : value;
    },
    endRow() { if (scanner.nextWord()) refuse('the row is too long'); },
    end() { if (scanner.nextWordAnywhere()) refuse('there is more after the last row that the header counts'); },
  };
}

function binaryRows(bytes: Uint8Array, header: PlyHeader): Rows {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const littleEndian = header.format === 'binary_little_endian';
  let at = header.bodyAt, place = '';
  return {
    beginRow({ name, count }, row) { if (row === 0) place = `element "${name}" (${count})`; },
    value(type) {
      const valueAt = at;
      at += scalarBytes(type);
      if (at > bytes.length) throw new InvalidFile(`ends inside ${place}`, EXPORT_AGAIN);
      return readScalar(view, valueAt, type, littleEndian);
    },
    endRow() {},
    end() {
      // Some writers close a binary body with a newline.
      const rest = bytes.subarray(at);
      if (rest.length > 2 || !rest.every((byte) => byte === 0x0a || byte === 0x0d)) {
        throw new InvalidFile(`has ${rest.length} bytes after the last row that the header counts`, EXPORT_AGAIN);
      }
    },
  };
}

function readScalar(view: DataView, at: number, type: ScalarType, littleEndian: boolean): number {
  switch (type) {
    case 'i1': return view.getInt8(at);
    case 'u1': return view.getUint8(at);
    case 'i2': return view.getInt16(at, littleEndian);
    case 'u2': return view.getUint16(at, littleEndian);
    case 'i4': return view.getInt32(at, littleEndian);
    case 'u4': return view.getUint32(at, littleEndian);
    case 'f4': return view.getFloat32(at, littleEndian);
    case 'f8': return view.getFloat64(at, littleEndian);
  }
}
