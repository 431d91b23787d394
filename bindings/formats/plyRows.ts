// Reads the values of a PLY body in file order, for all encodings.

import { EXPORT_AGAIN, InvalidFile, quote } from './part.js';
import {
  type IntegerType,
  isInteger,
  type PlyElement,
  type PlyHeader,
  RANGES,
  type ScalarType,
  scalarBytes,
} from './plyHeader.js';
import { everyHundredth } from './readContext.js';
import { TextScanner } from './textScanner.js';

/** A reader of the rows of a PLY body, in file order. */
export interface BodyReader {
  /** Moves to a row of an element. @throws InvalidFile if an ASCII body ends before the row */
  beginRow(element: PlyElement, row: number): void;
  /** Returns the next value. @throws InvalidFile if it is missing, or is not a value of this type */
  value(type: ScalarType): number;
  endRow(): void;
  /**
   * Checks that the body ends after the last row. An ASCII body may end with blanks and line breaks, and a
   * binary body with up to two bytes that are CR or LF.
   * @throws InvalidFile
   */
  end(): void;
}

export function plyRows(
  bytes: Uint8Array,
  header: PlyHeader,
  onProgress?: (done: number) => void,
): BodyReader {
  return header.format === 'ascii'
    ? textRows(bytes, header, onProgress)
    : binaryRows(bytes, header, onProgress);
}

// Reads ASCII rows. Each line must hold exactly the values of one row, apart from blank lines between rows.
// Otherwise, after a missing or surplus value, all later values would be read into the wrong properties.
function textRows(
  bytes: Uint8Array,
  header: PlyHeader,
  onProgress: ((done: number) => void) | undefined,
): BodyReader {
  const scanner = new TextScanner(bytes.subarray(header.bodyAt), header.lineCount);
  scanner.reportTo(onProgress);
  const refuse = (what: string): never => scanner.refuse(what);
  return {
    beginRow({ name, count }, row) {
      do
        if (!scanner.nextLine())
          throw new InvalidFile(`ends after ${row} of ${count} rows of element "${name}"`, EXPORT_AGAIN);
      while (scanner.isBlankLine());
    },
    value(type) {
      if (!scanner.nextWord()) refuse('the row has too few values');
      return isInteger(type) ? wholeNumber(scanner, type) : realNumber(scanner, type);
    },
    endRow() {
      if (scanner.nextWord()) refuse('the row has too many values');
    },
    end() {
      if (scanner.nextWordAnywhere()) refuse('there is text after the last row that the header declares');
    },
  };
}

function wholeNumber(scanner: TextScanner, type: IntegerType): number {
  const value = scanner.integer();
  const [min, max] = RANGES[type];
  // Integers have no negative zero.
  if (value >= min && value <= max) return value + 0;
  return scanner.refuse(
    Number.isNaN(value)
      ? `${quote(scanner.word())} is not a whole number`
      : `${value} is not in ${min}..${max}, the range of its type`,
  );
}

function realNumber(scanner: TextScanner, type: ScalarType): number {
  const value = scanner.numberOrNotFinite();
  const rounded = type === 'f4' ? Math.fround(value) : value;
  if (Math.abs(rounded) === Infinity)
    scanner.refuse(`${quote(scanner.word())} is beyond the range of its type`);
  return value;
}

function binaryRows(
  bytes: Uint8Array,
  header: PlyHeader,
  onProgress: ((done: number) => void) | undefined,
): BodyReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittleEndian = header.format === 'binary_little_endian';
  let at = header.bodyAt;
  let place = '';
  const report = everyHundredth(bytes.length, onProgress);
  return {
    beginRow({ name, count }, row) {
      if (row === 0) place = `the ${count} rows of element "${name}"`;
    },
    value(type) {
      const valueAt = at;
      at += scalarBytes(type);
      if (at > bytes.length) throw new InvalidFile(`ends inside ${place}`, EXPORT_AGAIN);
      return readScalar(view, valueAt, type, isLittleEndian);
    },
    endRow() {
      report(at);
    },
    end() {
      // Some programs end a binary body with a line break.
      const rest = bytes.subarray(at);
      if (rest.length > 2 || !rest.every(byte => byte === 0x0a || byte === 0x0d)) {
        throw new InvalidFile(
          `has ${rest.length} bytes after the last row that the header declares`,
          EXPORT_AGAIN,
        );
      }
    },
  };
}

function readScalar(view: DataView, at: number, type: ScalarType, isLittleEndian: boolean): number {
  switch (type) {
    case 'i1':
      return view.getInt8(at);
    case 'u1':
      return view.getUint8(at);
    case 'i2':
      return view.getInt16(at, isLittleEndian);
    case 'u2':
      return view.getUint16(at, isLittleEndian);
    case 'i4':
      return view.getInt32(at, isLittleEndian);
    case 'u4':
      return view.getUint32(at, isLittleEndian);
    case 'f4':
      return view.getFloat32(at, isLittleEndian);
    case 'f8':
      return view.getFloat64(at, isLittleEndian);
  }
}
