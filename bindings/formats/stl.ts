// Reads STL files: a binary file is one part, a text file has a part for each `solid`. Each triangle has its
// own three vertices. This is a small, strict reader, because general loaders trust the count in the header
// and read truncated files as if they were complete.

import { exactOf, roundInCommonFrame } from './commonFrame.js';
import { type GrowingList, growingDoubles } from './growingList.js';
import { type MemoryBudget, PART_BYTES } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile, identity, type Part, quote } from './part.js';
import { everyHundredth, type ReadContext } from './readContext.js';
import { TextScanner } from './textScanner.js';
import { uniqueNames } from './uniqueNames.js';

const HEADER_BYTES = 84;
const TRIANGLE_BYTES = 50;
// Matches a statement after the name of a solid.
const LOST_LINE_BREAK = /(^|\s)(endsolid(\s|$)|facet\s+(normal|outer)\s)/i;
const SOLID = /(^|\s)solid(\s|$)/i;

/**
 * Reads an STL file. Solids without a facet are left out.
 * @param name Name of the part if the file does not name its solid.
 * @param bytes The file.
 * @throws InvalidFile
 */
export function parseStl(name: string, bytes: Uint8Array, reading: ReadContext): Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= HEADER_BYTES ? view.getUint32(80, true) : 0;
  // Only the length distinguishes the formats, because the header of a binary file may begin with "solid",
  // too. In a text file, bytes 80 to 83 are characters; read as a count, they would require a much longer
  // file.
  if (bytes.length >= HEADER_BYTES && bytes.length === HEADER_BYTES + TRIANGLE_BYTES * count)
    return parseBinary(name, view, count, reading);
  if (startsWithSolid(bytes)) return parseText(name, bytes, reading);
  if (bytes.length < HEADER_BYTES)
    throw new InvalidFile(
      `has ${bytes.length} bytes, fewer than the ${HEADER_BYTES} of an STL header`,
      EXPORT_AGAIN,
    );
  const held = Math.floor((bytes.length - HEADER_BYTES) / TRIANGLE_BYTES);
  throw new InvalidFile(
    `declares ${count} triangles, but has room for ${held} (${bytes.length} bytes)`,
    EXPORT_AGAIN,
  );
}

function parseBinary(
  name: string,
  view: DataView,
  count: number,
  { budget, onProgress }: ReadContext,
): Part[] {
  if (count === 0) return [];
  budget.take(36 * count, 'its triangles');
  const positions = new Float32Array(count * 9);
  const report = everyHundredth(count, onProgress);
  for (
    let triangle = 0, at = HEADER_BYTES + 12, out = 0;
    triangle < count;
    triangle++, at += TRIANGLE_BYTES
  ) {
    report(triangle);
    for (let i = 0; i < 9; i++, out++) {
      const value = view.getFloat32(at + 4 * i, true);
      if (!Number.isFinite(value))
        throw new InvalidFile(`triangle ${triangle}: ${value} is not a finite coordinate`, EXPORT_AGAIN);
      positions[out] = value;
    }
  }
  return [soup(name, positions, budget)];
}

function startsWithSolid(bytes: Uint8Array): boolean {
  const scanner = new TextScanner(bytes.subarray(0, 1024));
  return scanner.nextWordAnywhere() && scanner.word().toLowerCase() === 'solid';
}

function parseText(
  fileName: string,
  bytes: Uint8Array,
  { budget, onProgress, keepsDoubles }: ReadContext,
): Part[] {
  if (bytes.includes(0))
    throw new InvalidFile(
      'begins like STL text, but contains a NUL byte and is not a complete binary STL file',
      EXPORT_AGAIN,
    );
  const scanner = new TextScanner(bytes);
  scanner.reportTo(onProgress);
  const solids: { name: string; points: Float64Array }[] = [];
  while (scanner.nextWordAnywhere()) {
    expectWord(scanner, 'solid');
    const name = readName(scanner);
    const points = growingDoubles(budget);
    while (expectNext(scanner, 'facet', 'endsolid') === 'facet') readFacet(scanner, points);
    const endName = readName(scanner);
    if (endName !== name && SOLID.test(endName)) refuseName(scanner, endName);
    if (points.length === 0) continue;
    budget.take(PART_BYTES, 'its solids');
    solids.push({ name: name || fileName, points: points.toArray() });
  }
  const names = uniqueNames(
    solids.map(({ name }) => name),
    budget,
  );
  for (const { points } of solids) budget.take((keepsDoubles ? 12 : 4) * points.length, 'its triangles');
  const { positions, transform, rounding, doubles } = roundInCommonFrame(
    solids.map(({ points }) => points),
    keepsDoubles,
  );
  for (const { points } of solids) budget.release(points.byteLength);
  return solids.map((_, number) => ({
    ...soup(names[number], positions[number], budget),
    transform,
    ...(rounding[number] > 0 ? { rounding: rounding[number] } : {}),
    ...exactOf(doubles[number]),
  }));
}

// Returns the name of a solid: the rest of the line, which may be any text without signs of a lost line break.
function readName(scanner: TextScanner): string {
  const name = scanner.restOfText();
  if (LOST_LINE_BREAK.test(name)) refuseName(scanner, name);
  return name;
}

function refuseName(scanner: TextScanner, name: string): never {
  return scanner.refuse(`the name ${quote(name)} contains a statement: a line break may be missing`);
}

function readFacet(scanner: TextScanner, points: GrowingList<Float64Array>): void {
  readNormal(scanner);
  expectNext(scanner, 'outer');
  expectNext(scanner, 'loop');
  for (let corner = 0; corner < 3; corner++) {
    expectNext(scanner, 'vertex');
    for (let axis = 0; axis < 3; axis++) {
      if (!scanner.nextWord()) scanner.refuse(`the vertex has ${axis} numbers, not 3`);
      points.push(scanner.coordinate());
    }
  }
  expectNext(scanner, 'endloop');
  expectNext(scanner, 'endfacet');
}

// Triangles are defined by their corners alone, so the normal may be missing and its values do not matter.
function readNormal(scanner: TextScanner): void {
  if (!scanner.nextWord()) return;
  expectWord(scanner, 'normal');
  for (let axis = 0; axis < 3; axis++) {
    if (!scanner.nextWord()) scanner.refuse(`the normal has ${axis} numbers, not 3`);
    scanner.numberOrNotFinite();
  }
}

function expectNext(scanner: TextScanner, ...words: string[]): string {
  if (!scanner.nextWordAnywhere())
    throw new InvalidFile(`expected ${words.join(' or ')}, found the end of the file`, EXPORT_AGAIN);
  return expectWord(scanner, ...words);
}

function expectWord(scanner: TextScanner, ...words: string[]): string {
  const word = scanner.word().toLowerCase();
  if (!words.includes(word)) scanner.refuse(`expected ${words.join(' or ')}, found ${quote(scanner.word())}`);
  return word;
}

function soup(name: string, positions: Float32Array, budget: MemoryBudget): Part {
  budget.take((4 * positions.length) / 3, 'its triangles');
  const indices = new Uint32Array(positions.length / 3);
  for (let i = 0; i < indices.length; i++) indices[i] = i;
  return { name, positions, indices, transform: identity() };
}
