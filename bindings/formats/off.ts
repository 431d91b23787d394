// Reads OFF text (Object File Format), also with normals, colors and texture coordinates (NOFF, COFF, STOFF),
// as one part. Each polygon is split into a triangle fan from its first corner. This is a small, strict reader,
// because general loaders ignore surplus values in a row, and so do not notice a lost line break.
import { roundVertices } from './commonFrame.js';
import { type GrowingList, growingDoubles, growingIndices } from './growingList.js';
import { EXPORT_AGAIN, InvalidFile, type Part, quote } from './part.js';
import type { ReadContext } from './readContext.js';
import { TextScanner } from './textScanner.js';

/** The minimum and maximum number of values in the row of a vertex. */
interface VertexRow {
  min: number;
  max: number;
  keyword: string;
}

const AS_TEXT = 'Export the file as OFF text with three coordinates for each vertex.';

/**
 * Reads an OFF file. Returns no part if the file has no triangles.
 * @param name Name of the part.
 * @param bytes The file.
 * @throws InvalidFile
 */
export function parseOff(name: string, bytes: Uint8Array, context: ReadContext): Part[] {
  const { budget, onWarning, onProgress } = context;
  if (bytes.includes(0)) throw new InvalidFile('contains a NUL byte, so it is not OFF text', AS_TEXT);
  const scanner = new TextScanner(bytes);
  scanner.reportTo(onProgress);
  const row = readKeyword(scanner);
  const [vertexCount, faceCount] = readCounts(scanner);
  const points = growingDoubles(budget);
  const indices = growingIndices(budget);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    nextRow(scanner, `${vertex} of ${vertexCount} vertices`);
    readVertex(scanner, row, points);
  }
  let withoutArea = 0;
  for (let face = 0; face < faceCount; face++) {
    nextRow(scanner, `${face} of ${faceCount} faces`);
    if (!readFace(scanner, vertexCount, indices)) withoutArea++;
  }
  if (moveToRow(scanner)) scanner.refuse('there is text after the last face that the header declares');
  if (withoutArea > 0)
    onWarning(
      `left out ${withoutArea} points and lines, which have no area`,
      'Export them as surfaces to include them in the clash check.',
    );
  if (indices.length === 0) return [];
  return [{ name, indices: indices.toArray(), ...roundVertices(points.toArray(), context) }];
}

// Moves to the first word of the next line that is neither blank nor a comment. Returns false at the end of
// the file.
function moveToRow(scanner: TextScanner): boolean {
  do if (!scanner.nextLine()) return false;
  while (!scanner.nextWordOfStatement());
  return true;
}

function nextRow(scanner: TextScanner, read: string): void {
  if (!moveToRow(scanner)) throw new InvalidFile(`ends after ${read}`, EXPORT_AGAIN);
}

// Reads the keyword, such as COFF. ST, C and N announce texture coordinates, a color and a normal for each
// vertex. A 4 announces a fourth coordinate, and an n announces a number of coordinates other than three.
function readKeyword(scanner: TextScanner): VertexRow {
  if (!moveToRow(scanner)) throw new InvalidFile('is empty', EXPORT_AGAIN);
  const keyword = scanner.word();
  const found = /^(ST)?(C)?(N)?(4?n?)OFF$/.exec(keyword);
  if (!found)
    return scanner.refuse(
      `expected OFF, COFF, NOFF or STOFF, found ${quote(keyword)}`,
      'Begin the file with the word OFF, followed by a blank or a line break.',
    );
  const [, texture, color, normal, dimensions] = found;
  if (dimensions)
    scanner.refuse(`${keyword} declares vertices that do not have exactly three coordinates`, AS_TEXT);
  const others = 3 + (normal ? 3 : 0) + (texture ? 2 : 0);
  return { min: others + (color ? 3 : 0), max: others + (color ? 4 : 0), keyword };
}

// Reads the numbers of vertices, faces and edges, in the line of the keyword or the next line. The last number
// is not used, and some programs leave it out.
function readCounts(scanner: TextScanner): [vertices: number, faces: number] {
  if (!scanner.nextWordOfStatement()) nextRow(scanner, 'its keyword');
  const counts: number[] = [];
  do {
    if (/^BINARY$/i.test(scanner.word())) scanner.refuse('the file is binary OFF', AS_TEXT);
    const count = scanner.integer();
    if (!(count >= 0 && count <= 0xffffffff))
      scanner.refuse(`${quote(scanner.word())} is not a number of vertices, faces or edges`);
    counts.push(count);
  } while (scanner.nextWordOfStatement());
  if (counts.length < 2 || counts.length > 3)
    scanner.refuse(`expected the numbers of vertices, faces and edges, found ${counts.length} numbers`);
  return counts as [number, number];
}

function readVertex(
  scanner: TextScanner,
  { min, max, keyword }: VertexRow,
  points: GrowingList<Float64Array>,
): void {
  let count = 0;
  do {
    if (count < 3) points.push(scanner.coordinate());
    else scanner.numberOrNotFinite();
    count++;
  } while (scanner.nextWordOfStatement());
  if (count < min || count > max)
    scanner.refuse(
      `the vertex has ${count} numbers, not ${min === max ? min : `${min} or ${max}`}, as ${keyword} requires`,
    );
}

// Reads a face, and returns whether it has at least three corners. After the corners there may be a color: one,
// three or four numbers.
function readFace(scanner: TextScanner, vertexCount: number, indices: GrowingList<Uint32Array>): boolean {
  const cornerCount = scanner.integer();
  if (!(cornerCount >= 1)) scanner.refuse(`${quote(scanner.word())} is not a number of corners`);
  let first = 0;
  let previous = 0;
  for (let i = 0; i < cornerCount; i++) {
    if (!scanner.nextWordOfStatement())
      scanner.refuse(`the face has ${i} corners, but declares ${cornerCount}`);
    const corner = scanner.integer();
    if (!(corner >= 0 && corner < vertexCount))
      scanner.refuse(
        `the face names vertex ${quote(scanner.word())}, but the vertices are 0..${vertexCount - 1}`,
      );
    if (i === 0) first = corner;
    else if (i > 1) {
      indices.push(first);
      indices.push(previous);
      indices.push(corner);
    }
    previous = corner;
  }
  let colors = 0;
  for (; scanner.nextWordOfStatement(); colors++) scanner.numberOrNotFinite();
  if (colors === 2 || colors > 4)
    scanner.refuse(`the face has ${colors} numbers after its ${cornerCount} corners, not 0, 1, 3 or 4`);
  return cornerCount > 2;
}
