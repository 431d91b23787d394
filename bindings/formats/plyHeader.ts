// Reads the header of a PLY file: the elements that it declares, and the offset at which their rows begin.
import type { MemoryBudget } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile, quote } from './part.js';
import { TextScanner } from './textScanner.js';

export type ScalarType = 'i1' | 'u1' | 'i2' | 'u2' | 'i4' | 'u4' | 'f4' | 'f8';

export type IntegerType = Exclude<ScalarType, 'f4' | 'f8'>;

export interface PlyProperty {
  name: string;
  type: ScalarType;
  /**
   * If the property is a list: the type of the length that precedes the list's values. Otherwise undefined.
   */
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
  /** Offset of the first byte after the header. */
  bodyAt: number;
  /** Line number of the header's last line. */
  lineCount: number;
}

const TYPES: Record<string, ScalarType> = {
  char: 'i1',
  int8: 'i1',
  uchar: 'u1',
  uint8: 'u1',
  short: 'i2',
  int16: 'i2',
  ushort: 'u2',
  uint16: 'u2',
  int: 'i4',
  int32: 'i4',
  uint: 'u4',
  uint32: 'u4',
  float: 'f4',
  float32: 'f4',
  double: 'f8',
  float64: 'f8',
};
/** The smallest and largest value of each integer type. */
export const RANGES: Record<IntegerType, readonly [min: number, max: number]> = {
  i1: [-128, 127],
  u1: [0, 255],
  i2: [-32768, 32767],
  u2: [0, 65535],
  i4: [-(2 ** 31), 2 ** 31 - 1],
  u4: [0, 2 ** 32 - 1],
};
/** Bytes of memory for the declaration of one element or property. */
const DECLARATION_BYTES = 192;
const FORMATS = ['ascii', 'binary_little_endian', 'binary_big_endian'] as const;

export const scalarBytes = (type: ScalarType) => Number(type[1]);
export const isInteger = (type: ScalarType): type is IntegerType => type[0] !== 'f';

/** Reads and checks a header. @throws InvalidFile */
export function readPlyHeader(bytes: Uint8Array, budget: MemoryBudget): PlyHeader {
  const scanner = new TextScanner(bytes);
  if (!scanner.nextLine() || !scanner.nextWord() || scanner.word() !== 'ply')
    throw new InvalidFile('does not begin with "ply"', EXPORT_AGAIN);
  const declarations = new Declarations(scanner, budget);
  while (scanner.nextLine()) {
    if (!scanner.nextWord()) continue;
    const keyword = scanner.word();
    if (keyword === 'comment' || keyword === 'obj_info') {
      scanner.skipComment();
      continue;
    }
    const words = scanner.rest().split(/\s+/).filter(Boolean);
    if (keyword === 'format') declarations.setFormat(words);
    else if (keyword === 'element') declarations.addElement(words);
    else if (keyword === 'property') declarations.addProperty(words);
    else if (keyword === 'end_header' && words.length === 0)
      return declarations.end(Math.min(scanner.nextLineAt, bytes.length), bytes.length);
    else scanner.refuse(`${quote([keyword, ...words].join(' '))} is not a line of a PLY header`);
  }
  throw new InvalidFile('the header has no end_header line', EXPORT_AGAIN);
}

class Declarations {
  private format: PlyHeader['format'] | undefined;
  private readonly elements: PlyElement[] = [];
  private readonly elementNames = new Set<string>();
  /** Properties of the last element. */
  private readonly propertyNames = new Set<string>();

  constructor(
    private readonly scanner: TextScanner,
    private readonly budget: MemoryBudget,
  ) {}

  setFormat(words: string[]): void {
    if (this.format) this.scanner.refuse('the format is declared twice');
    const format = FORMATS.find(known => known === words[0]);
    if (!format || words[1] !== '1.0' || words.length !== 2)
      this.scanner.refuse(`${quote(words.join(' '))} is not a PLY format (${FORMATS.join(', ')}, each 1.0)`);
    this.format = format;
  }

  addElement(words: string[]): void {
    const [name, count] = words;
    if (words.length !== 2 || !/^\d{1,10}$/.test(count!))
      this.scanner.refuse(`${quote(words.join(' '))} is not an element's name and count`);
    if (this.elementNames.has(name!)) this.scanner.refuse(`element ${quote(name!)} is declared twice`);
    this.budget.take(DECLARATION_BYTES, 'its header');
    this.elementNames.add(name!);
    this.propertyNames.clear();
    this.elements.push({ name: name!, count: Number(count), properties: [] });
  }

  addProperty(words: string[]): void {
    const { scanner } = this;
    const element = this.elements.at(-1);
    if (!element) return scanner.refuse('a property is declared before any element');
    const isList = words[0] === 'list';
    if (words.length !== (isList ? 4 : 2))
      scanner.refuse(`${quote(words.join(' '))} is not a property's type and name`);
    const [type, countType] = (isList ? [words[2], words[1]] : [words[0]]).map(word => this.typeOf(word));
    const name = words.at(-1)!;
    if (countType && !isInteger(countType))
      scanner.refuse(`the length of list ${quote(name)} is a floating-point number`);
    if (this.propertyNames.has(name)) scanner.refuse(`property ${quote(name)} is declared twice`);
    this.budget.take(DECLARATION_BYTES, 'its header');
    this.propertyNames.add(name);
    element.properties.push({ name, type: type!, countType });
  }

  /** @param bodyAt Offset of the first byte after the header. @param fileBytes Size of the whole file. */
  end(bodyAt: number, fileBytes: number): PlyHeader {
    const { format, elements, scanner } = this;
    if (!format) return scanner.refuse('the header has no format line');
    checkSizes(elements, format, fileBytes - bodyAt);
    return { format, elements, bodyAt, lineCount: scanner.line };
  }

  private typeOf(word: string): ScalarType {
    if (!Object.hasOwn(TYPES, word)) this.scanner.refuse(`${quote(word)} is not a PLY number type`);
    return TYPES[word];
  }
}

// Checks, before memory is allocated, that the body is long enough for the declared rows. A single value
// takes the bytes of its type. A list takes at least the bytes of the length that precedes it. In text, a
// value or a length takes at least two bytes: a digit and a blank.
function checkSizes(elements: PlyElement[], format: PlyHeader['format'], bodyBytes: number): void {
  let bytesLeft = format === 'ascii' ? bodyBytes + 1 : bodyBytes;
  for (const { name, count, properties } of elements) {
    if (count > 0 && properties.length === 0)
      throw new InvalidFile(`element ${quote(name)} has no property`, EXPORT_AGAIN);
    const rowBytes = properties.reduce(
      (sum, { type, countType }) => sum + (format === 'ascii' ? 2 : scalarBytes(countType ?? type)),
      0,
    );
    if (count * rowBytes > bytesLeft) {
      throw new InvalidFile(
        `declares ${count} rows of element ${quote(name)}, more than fit into the ${Math.max(bytesLeft, 0)} bytes left`,
        EXPORT_AGAIN,
      );
    }
    bytesLeft -= count * rowBytes;
  }
}
