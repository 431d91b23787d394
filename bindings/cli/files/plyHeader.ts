// The header of a PLY file -> its elements and where their rows begin.
import { EXPORT_AGAIN, InvalidFile, quote } from './part.js';
import { TextScanner } from './textScanner.js';

export type ScalarType = 'i1' | 'u1' | 'i2' | 'u2' | 'i4' | 'u4' | 'f4' | 'f8';

export interface PlyProperty {
  name: string;
  type: ScalarType;
  /** Type of the length in front of a list; undefined for a single value. */
  countType?: ScalarType;
}

export interface PlyElement {
  name: string;
  count: number;
  properties: PlyProperty[];
}

export interface PlyHeader {
  format: 'ascii' | 'binary_little_endian' | 'binary_big_endian';
  elements: PlyElement[];
  /** Offset of the first byte after the header, and the number of its last line. */
  bodyAt: number;
  lineCount: number;
}

const TYPES: Record<string, ScalarType> = {
  char: 'i1', int8: 'i1', uchar: 'u1', uint8: 'u1', short: 'i2', int16: 'i2', ushort: 'u2', uint16: 'u2',
  int: 'i4', int32: 'i4', uint: 'u4', uint32: 'u4', float: 'f4', float32: 'f4', double: 'f8', float64: 'f8',
};
const FORMATS = ['ascii', 'binary_little_endian', 'binary_big_endian'] as const;

export const scalarBytes = (type: ScalarType) => Number(type[1]);
export const isInteger = (type: ScalarType) => type[0] !== 'f';

export function readPlyHeader(bytes: Uint8Array): PlyHeader {
  const scanner = new TextScanner(bytes);
  if (!scanner.nextLine() || !scanner.nextWord() || scanner.word() !== 'ply') throw new InvalidFile('does not begin with "ply"', EXPORT_AGAIN);
  let format: PlyHeader['format'] | undefined;
  const elements: PlyElement[] = [];
  while (scanner.nextLine()) {
    if (!scanner.nextWord()) continue;
    const keyword = scanner.word();
    if (keyword === 'comment' || keyword === 'obj_info') continue;
    const words = scanner.rest().split(/\s+/).filter(Boolean);
    if (keyword === 'format') format = readFormat(scanner, words);
    else if (keyword === 'element') elements.push(readElement(scanner, words, elements));
    else if (keyword === 'property') readProperty(scanner, words, elements.at(-1));
    else if (keyword === 'end_header') {
      if (!format) return scanner.refuse('the header has no format line');
      checkSizes(elements, bytes.length - scanner.nextLineAt);
      return { format, elements, bodyAt: Math.min(scanner.nextLineAt, bytes.length), lineCount: scanner.line };
    } else scanner.refuse(`${quote(keyword)} is not a word of a PLY header`);
  }
  throw new InvalidFile('the header never ends (no end_header line)', EXPORT_AGAIN);
}

function readFormat(scanner: TextScanner, words: string[]): PlyHeader['format'] {
  const format = FORMATS.find((known) => known === words[0]);
  if (!format || words[1] !== '1.0' || words.length !== 2) scanner.refuse(`${quote(words.join(' '))} is not a PLY format (${FORMATS.join(', ')}, each 1.0)`);
  return format;
}

function readElement(scanner: TextScanner, words: string[], before: PlyElement[]): PlyElement {
  const [name, count] = words;
  if (words.length !== 2 || !/^\d{1,10}$/.test(count!)) scanner.refuse(`${quote(words.join(' '))} is not an element's name and count`);
  if (before.some((element) => element.name === name)) scanner.refuse(`element ${quote(name!)} comes twice`);
  return { name: name!, count: Number(count), properties: [] };
}

function readProperty(scanner: TextScanner, words: string[], element: PlyElement | undefined): void {
  if (!element) scanner.refuse('a property comes before every element');
  const isList = words[0] === 'list';
  if (words.length !== (isList ? 4 : 2)) scanner.refuse(`${quote(words.join(' '))} is not a property's type and name`);
  const [type, countType] = (isList ? [words[2], words[1]] : [words[0]]).map((word) => {
    if (!Object.hasOwn(TYPES, word)) scanner.refuse(`${quote(word)} is not a PLY number type`);
    return TYPES[word];
  });
  const name = words.at(-1)!;
  if (countType && !isInteger(countType)) scanner.refuse(`list ${quote(name)} is counted by floating-point numbers`);
  if (element.properties.some((property) => property.name === name)) scanner.refuse(`property ${quote(name)} comes twice`);
  element.properties.push({ name, type: type!, countType });
}

// Every value takes a byte at least, so a count beyond the bytes left is a lie, found before memory is asked for.
function checkSizes(elements: PlyElement[], bytesLeft: number): void {
  for (const { name, count, properties } of elements) {
    if (count > 0 && properties.length === 0) throw new InvalidFile(`element ${quote(name)} has no property`, EXPORT_AGAIN);
    if (count * properties.length > bytesLeft) {
      throw new InvalidFile(`says ${count} of element ${quote(name)}, more than its ${Math.max(bytesLeft, 0)} bytes can hold`, EXPORT_AGAIN);
    }
  }
}
