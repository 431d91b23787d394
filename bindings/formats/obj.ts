// Reads Wavefront OBJ text. The statements `o` (object) and `g` (group) begin parts; each polygon is split
// into a triangle fan from its first corner. This is a small, strict reader, because general loaders skip
// what they do not understand, and a skipped face is a missed clash.

import { roundVertices } from './commonFrame.js';
import { type GrowingList, growingDoubles, growingIndices } from './growingList.js';
import type { MemoryBudget } from './memoryBudget.js';
import { ObjParts } from './objParts.js';
import { readName, skipStatement, skipVertices, UNREADABLE, WITHOUT_AREA } from './objStatements.js';
import { EXPORT_AGAIN, InvalidFile, type Part, quote } from './part.js';
import type { ReadContext } from './readContext.js';
import { byteOrderMark, isBlank, TextScanner } from './textScanner.js';
import { uniqueNames } from './uniqueNames.js';
import { VertexPicker } from './vertexPicker.js';

const HASH = 0x23;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** Totals over all statements of the file. */
interface Totals {
  faces: number;
  withoutArea: number;
  maxIndex: number;
  maxIndexLine: number;
}

/**
 * Reads an OBJ file. Parts without a face are left out.
 * @param name Name of the part for faces outside every object and group.
 * @param bytes The file.
 * @throws InvalidFile
 */
export function parseObj(name: string, bytes: Uint8Array, context: ReadContext): Part[] {
  const { budget, onWarning, onProgress } = context;
  if (bytes.includes(0)) throw new InvalidFile('contains a NUL byte, so it is not OBJ text', EXPORT_AGAIN);
  const { joined, joinsAt } = joinContinuedLines(bytes, budget);
  const scanner = new TextScanner(joined, 0, joinsAt);
  scanner.reportTo(onProgress);
  const positions = growingDoubles(budget);
  const parts = new ObjParts(name, budget);
  const totals: Totals = { faces: 0, withoutArea: 0, maxIndex: -1, maxIndexLine: 0 };
  const counts = readCounts(scanner);
  while (scanner.nextLine()) {
    if (scanner.nextWordOfStatement()) readStatement(scanner, positions, parts, totals);
  }
  checkTotals(totals, positions.length / 3, counts);
  if (totals.withoutArea > 0)
    onWarning(
      `left out ${totals.withoutArea} points, lines and curves, which have no area`,
      'Export them as surfaces to include them in the clash check.',
    );
  return collect(parts, positions.toArray(), context);
}

function readStatement(
  scanner: TextScanner,
  positions: GrowingList<Float64Array>,
  parts: ObjParts,
  totals: Totals,
): void {
  const keyword = scanner.word();
  if (keyword === 'v') readVertex(scanner, positions);
  else if (keyword === 'f' || keyword === 'fo') {
    const maxIndex = readFace(scanner, positions.length / 3, parts.current);
    totals.faces++;
    if (maxIndex > totals.maxIndex) {
      totals.maxIndex = maxIndex;
      totals.maxIndexLine = scanner.line;
    }
  } else if (keyword === 'o') parts.beginObject(readName(scanner));
  else if (keyword === 'g') parts.beginGroup(readName(scanner));
  else if (WITHOUT_AREA.has(keyword)) {
    skipVertices(keyword, scanner);
    totals.withoutArea++;
  } else if (UNREADABLE.has(keyword))
    scanner.refuse(`the statement ${quote(keyword)} is not supported`, 'Export the surfaces as polygons.');
  else if (!skipStatement(keyword, scanner))
    scanner.refuse(
      `${quote(keyword)} is not an OBJ statement`,
      'Correct the line, or delete it if it is not part of the model.',
    );
}

// Reads the first line if it consists of two numbers: the numbers of vertices and faces. Some programs write
// such a line, although it is not in the specification.
function readCounts(scanner: TextScanner): [vertices: number, faces: number] | undefined {
  if (!scanner.nextLine()) return undefined;
  const counts: number[] = [];
  while (counts.length < 3 && scanner.nextWord()) counts.push(scanner.integer());
  if (counts.length === 2 && counts.every(count => count >= 0)) return counts as [number, number];
  scanner.rewind();
  return undefined;
}

function checkTotals(
  { faces, maxIndex, maxIndexLine }: Totals,
  vertexCount: number,
  counts: [number, number] | undefined,
): void {
  if (counts && (counts[0] !== vertexCount || counts[1] !== faces)) {
    throw new InvalidFile(
      `line 1 declares ${counts[0]} vertices and ${counts[1]} faces, but there are ${vertexCount} and ${faces}`,
      EXPORT_AGAIN,
    );
  }
  if (maxIndex >= vertexCount) {
    throw new InvalidFile(
      `line ${maxIndexLine}: the face names vertex ${maxIndex + 1}, but there are only ${vertexCount} vertices`,
      EXPORT_AGAIN,
    );
  }
}

// Reads a vertex. After x, y and z there may be a weight, a color, or a color with a weight or an opacity.
// Any other number of values indicates a lost line break. Weights are for rational curves and surfaces.
// Programs disagree about the effect of a weight other than 1 on a polygon, so such a weight is rejected.
function readVertex(scanner: TextScanner, positions: GrowingList<Float64Array>): void {
  for (let axis = 0; axis < 3; axis++) {
    if (!scanner.nextWordOfStatement()) scanner.refuse(`the vertex has ${axis} numbers, not 3`);
    positions.push(scanner.coordinate());
  }
  let more = 0;
  let last = 1;
  for (; scanner.nextWordOfStatement(); more++) last = scanner.numberOrNotFinite();
  if (more === 2 || more > 4) scanner.refuse(`the vertex has ${3 + more} numbers, not 3, 4, 6 or 7`);
  if (more === 1 && last !== 1)
    scanner.refuse(
      `the vertex has the weight ${last}, but only vertices of curves and surfaces may have weights`,
    );
}

// Returns the largest vertex index of the face. Vertices may follow the faces that use them, so indices are
// checked at the end of the file.
function readFace(scanner: TextScanner, vertexCount: number, indices: GrowingList<Uint32Array>): number {
  let first = -1;
  let previous = -1;
  let maxIndex = -1;
  let cornerCount = 0;
  while (scanner.nextWordOfStatement()) {
    const corner = readCorner(scanner, vertexCount);
    if (corner > maxIndex) maxIndex = corner;
    if (cornerCount === 0) first = corner;
    else if (cornerCount > 1) {
      indices.push(first);
      indices.push(previous);
      indices.push(corner);
    }
    previous = corner;
    cornerCount++;
  }
  if (cornerCount < 3) scanner.refuse(`the face has ${cornerCount} corners, fewer than 3`);
  return maxIndex;
}

function readCorner(scanner: TextScanner, vertexCount: number): number {
  const number = scanner.integerBeforeSlash();
  if (Number.isNaN(number))
    scanner.refuse(
      `${quote(scanner.word())} is not a face corner (vertex, vertex/texture, vertex/texture/normal)`,
    );
  if (number === 0) scanner.refuse('the face names vertex 0, but vertices are numbered from 1');
  const vertex = number > 0 ? number - 1 : vertexCount + number;
  if (vertex < 0)
    scanner.refuse(`the face names vertex ${number}, but only ${vertexCount} vertices come before it`);
  if (vertex > 0xfffffffe)
    scanner.refuse(`the face names vertex ${number}, above the maximum of ${0xffffffff}`);
  return vertex;
}

function collect({ names, lists }: ObjParts, points: Float64Array, context: ReadContext): Part[] {
  const { budget } = context;
  if (lists.length === 0) return [];
  const unique = uniqueNames(names, budget);
  const vertices = roundVertices(points, context);
  const { positions, exact, ...frame } = vertices;
  if (lists.length === 1)
    return [
      { name: unique[0], positions, indices: lists[0].toArray(), ...frame, ...(exact ? { exact } : {}) },
    ];
  const picker = new VertexPicker(vertices, budget);
  return lists.map((list, number) => ({
    name: unique[number],
    ...picker.extractMesh(list.toArray()),
    ...frame,
  }));
}

// Joins each line that ends with a backslash with the next line, except in a comment. joinsAt: offsets of the
// line breaks that were replaced by blanks; they are needed to compute line numbers.
function joinContinuedLines(
  bytes: Uint8Array,
  budget: MemoryBudget,
): { joined: Uint8Array; joinsAt: Uint32Array } {
  const joinsAt = growingIndices(budget);
  let joined: Uint8Array | undefined;
  for (let at = bytes.indexOf(BACKSLASH); at >= 0; at = bytes.indexOf(BACKSLASH, at + 1)) {
    const newlineAt = bytes[at + 1] === CARRIAGE_RETURN ? at + 2 : at + 1;
    if (bytes[newlineAt] !== NEWLINE || isInComment(bytes, at)) continue;
    joined ??= bytes.slice();
    joined.fill(SPACE, at, newlineAt + 1);
    joinsAt.push(newlineAt);
  }
  return { joined: joined ?? bytes, joinsAt: joinsAt.toArray() };
}

function isInComment(bytes: Uint8Array, at: number): boolean {
  const lineAt = (at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1) || byteOrderMark(bytes);
  for (let i = lineAt; i < at; i++)
    if (bytes[i] === HASH && (i === lineAt || isBlank(bytes[i - 1]))) return true;
  return false;
}
