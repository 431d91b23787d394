// Wavefront OBJ text -> parts: `o` and `g` begin them; polygons are fanned from their first corner.
// A small strict reader: general loaders skip what they do not understand, and a skipped face is a lost clash.
import { identity, EXPORT_AGAIN, growingFloats, growingIndices, InvalidFile, quote, uniqueNames, VertexPicker, type GrowingList, type Part } from './part.js';
import { TextScanner } from './textScanner.js';

// Free-form surfaces, includes and shell commands: leaving them out would leave geometry out.
const UNREAD_GEOMETRY = new Set(['cstype', 'surf', 'curv', 'curv2', 'call', 'csh', 'bzp', 'bsp', 'cdp', 'cdc', 'res']);

class Parts {
  readonly names: string[] = [];
  readonly lists: GrowingList<Uint32Array>[] = [];
  current: GrowingList<Uint32Array>;
  private object = '';
  private numbers = new Map<string, number>();

  constructor(private readonly fileName: string) {
    this.current = this.group('');
  }

  /** A new object, even when an earlier one had its name. */
  beginObject(name: string): void {
    this.object = name;
    this.numbers = new Map();
    this.current = this.group('');
  }

  /** A group of the current object; naming it again goes on with it. */
  beginGroup(name: string): void {
    this.current = this.group(name);
  }

  private group(name: string): GrowingList<Uint32Array> {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.numbers.set(name, number);
      this.names.push([this.object, name].filter(Boolean).join('/') || this.fileName);
      this.lists.push(growingIndices());
    }
    return this.lists[number];
  }
}

/** bytes: the file. name: for faces outside every object and group. Parts without a face are left out. */
export function parseObj(name: string, bytes: Uint8Array): Part[] {
  if (bytes.includes(0)) throw new InvalidFile('holds a NUL byte, so it is not OBJ text', EXPORT_AGAIN);
  const scanner = new TextScanner(joinContinuedLines(bytes));
  const positions = growingFloats();
  const parts = new Parts(name);
  let largestIndex = -1, largestIndexLine = 0;
  while (scanner.nextLine()) {
    if (!scanner.nextWord()) continue;
    const keyword = scanner.word();
    if (keyword === 'v') readVertex(scanner, positions);
    else if (keyword === 'f' || keyword === 'fo') {
      const largest = readFace(scanner, positions.length / 3, parts.current);
      if (largest > largestIndex) { largestIndex = largest; largestIndexLine = scanner.line; }
    } else if (keyword === 'o') parts.beginObject(scanner.rest());
    else if (keyword === 'g') parts.beginGroup(scanner.rest());
    else if (/^[fv][\d.+-]/.test(keyword)) scanner.refuse(`${quote(keyword)} lacks the blank after its first letter`);
    else if (UNREAD_GEOMETRY.has(keyword)) scanner.refuse(`${quote(keyword)} is geometry that cannot be read`, 'Export the surfaces as polygons.');
  }
  const vertexCount = positions.length / 3;
  if (largestIndex >= vertexCount) {
    throw new InvalidFile(`line ${largestIndexLine}: the face names vertex ${largestIndex + 1} of ${vertexCount}`, EXPORT_AGAIN);
  }
  return collect(parts, positions.toArray());
}

function readVertex(scanner: TextScanner, positions: GrowingList<Float32Array>): void {
  for (let axis = 0; axis < 3; axis++) {
    if (!scanner.nextWord()) scanner.refuse(`the vertex has ${axis} numbers, not 3`);
    positions.push(scanner.coordinate());
  }
}

// Returns the largest vertex number of the face: vertices may follow their faces, so the end of the file decides.
function readFace(scanner: TextScanner, vertexCount: number, indices: GrowingList<Uint32Array>): number {
  let first = -1, previous = -1, largest = -1, cornerCount = 0;
  while (scanner.nextWord() && scanner.firstByte !== 0x23) {
    const corner = readCorner(scanner, vertexCount);
    if (corner > largest) largest = corner;
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
  return largest;
}

function readCorner(scanner: TextScanner, vertexCount: number): number {
  const number = scanner.integerBeforeSlash();
  if (Number.isNaN(number)) scanner.refuse(`${quote(scanner.word())} is not a face corner (vertex, vertex/texture, vertex/texture/normal)`);
  if (number === 0) scanner.refuse('vertex 0 is named, but vertices are numbered from 1');
  const vertex = number > 0 ? number - 1 : vertexCount + number;
  if (vertex < 0) scanner.refuse(`vertex ${number} is named, but only ${vertexCount} come before`);
  if (vertex > 0xfffffffe) scanner.refuse(`vertex ${number} is named, beyond every possible vertex`);
  return vertex;
}

function collect(parts: Parts, positions: Float32Array): Part[] {
  const used = parts.lists.map((list, number) => ({ list, name: parts.names[number] })).filter(({ list }) => list.length > 0);
  const names = uniqueNames(used.map(({ name }) => name));
  if (used.length === 1) return [{ name: names[0], positions, indices: used[0].list.toArray(), transform: identity() }];
  const picker = new VertexPicker(positions);
  return used.map(({ list }, number) => ({ name: names[number], ...picker.mesh(list.toArray()), transform: identity() }));
}

function joinContinuedLines(bytes: Uint8Array): Uint8Array {
  let joined: Uint8Array | undefined;
  for (let at = bytes.indexOf(0x5c); at >= 0; at = bytes.indexOf(0x5c, at + 1)) {
    const newlineAt = bytes[at + 1] === 0x0d ? at + 2 : at + 1;
    if (bytes[newlineAt] !== 0x0a) continue;
    joined ??= bytes.slice();
    joined.fill(0x20, at, newlineAt + 1);
  }
  return joined ?? bytes;
}
