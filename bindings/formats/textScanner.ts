// The bytes of a text file -> its lines and words, one at a time; numbers are read without making strings.
import { EXPORT_AGAIN, InvalidFile, quote } from './part.js';

const SPACE = 0x20;
const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const NEWLINE = 0x0a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const HASH = 0x23;
const SLASH = 0x2f;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const decoder = new TextDecoder();
// nan, -inf, Infinity, nan(ind), -1.#IND
const NOT_FINITE = /^[+-]?(nan(\(\w*\))?|inf|infinity|1\.#(ind|inf|qnan|snan)\d*)$/i;
const NO_JOINS = new Uint32Array(0);
const LARGEST_FLOAT32 = 3.4028234663852886e38;

export class TextScanner {
  private lineCount: number;
  private lineEnd = -1;
  private at = 0;
  private wordAt = 0;
  private wordEnd = 0;

  /**
   * linesBefore: lines of the file in front of `bytes`. joinsAt: offsets of line breaks that were replaced by
   * blanks, in order.
   */
  constructor(
    readonly bytes: Uint8Array,
    private readonly linesBefore = 0,
    private readonly joinsAt: Uint32Array = NO_JOINS,
  ) {
    this.lineCount = linesBefore;
  }

  /** Number of the line of the current word, from 1. */
  get line(): number {
    let low = 0;
    let high = this.joinsAt.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.joinsAt[middle] < this.wordAt) low = middle + 1;
      else high = middle;
    }
    return this.lineCount + low;
  }

  /** Byte offset after the current line's newline. */
  get nextLineAt(): number {
    return this.lineEnd + 1;
  }

  /** Goes to the next line; false at the end of the file. */
  nextLine(): boolean {
    const start = this.lineEnd + 1;
    if (start >= this.bytes.length) return false;
    const found = this.bytes.indexOf(NEWLINE, start);
    this.lineEnd = found < 0 ? this.bytes.length : found;
    this.at = start;
    this.lineCount++;
    return true;
  }

  /** Goes to the next word of this line; false when there is none. */
  nextWord(): boolean {
    const { bytes, lineEnd } = this;
    let at = this.at;
    while (at < lineEnd && isBlank(bytes[at])) at++;
    this.wordAt = at;
    while (at < lineEnd && !isBlank(bytes[at])) at++;
    this.wordEnd = this.at = at;
    return at > this.wordAt;
  }

  /**
   * Goes to the next word of this line; false when there is none, or when the rest is a comment that begins
   * with #.
   */
  nextWordOfStatement(): boolean {
    if (!this.nextWord()) return false;
    if (this.firstByte !== HASH) return true;
    this.at = this.lineEnd;
    return false;
  }

  /** Goes back to the beginning of the file. */
  rewind(): void {
    this.lineEnd = -1;
    this.at = 0;
    this.lineCount = this.linesBefore;
  }

  /** Whether nothing but blanks is left of this line. */
  isBlankLine(): boolean {
    const start = this.at;
    const blank = !this.nextWord();
    this.at = start;
    return blank;
  }

  /** Goes to the next word, over line ends; false at the end of the file. */
  nextWordAnywhere(): boolean {
    while (!this.nextWord()) if (!this.nextLine()) return false;
    return true;
  }

  /** First byte of the current word. */
  get firstByte(): number {
    return this.bytes[this.wordAt];
  }

  /** The current word, by UTF-8. */
  word(): string {
    return decode(this.bytes.subarray(this.wordAt, this.wordEnd));
  }

  /** What is left of this line, without the blanks around it. */
  rest(): string {
    const text = decode(this.bytes.subarray(this.at, this.lineEnd)).trim();
    this.at = this.lineEnd;
    return text;
  }

  /** The current word as a number; NaN when it is none, infinite when it is beyond the doubles. */
  number(): number {
    const { bytes, wordEnd } = this;
    let at = this.wordAt;
    const negative = bytes[at] === MINUS;
    if (negative || bytes[at] === PLUS) at++;
    let digits = 0;
    let mantissa = 0;
    let exponent = 0;
    for (let seenPoint = false; at < wordEnd; at++) {
      const byte = bytes[at];
      if (byte === POINT && !seenPoint) {
        seenPoint = true;
        continue;
      }
      if (byte < ZERO || byte > NINE) break;
      mantissa = mantissa * 10 + (byte - ZERO);
      digits++;
      if (seenPoint) exponent--;
    }
    // Up to 15 digits and a power of ten up to 22 are doubles themselves, so that one rounding is left: the
    // right one.
    if (at < wordEnd || digits === 0 || digits > 15 || exponent < -22) return this.numberByWord();
    const value = mantissa / POWERS_OF_TEN[-exponent];
    return negative ? -value : value;
  }

  /**
   * The current word as a number, which may be infinite or NaN as C libraries write them; refuses other
   * words.
   */
  numberOrNotFinite(): number {
    const value = this.number();
    if (Number.isNaN(value) && !NOT_FINITE.test(this.word()))
      this.refuse(`${quote(this.word())} is not a number`);
    return value;
  }

  /** The current word as a float32 coordinate; refuses what is not one. */
  coordinate(): number {
    const value = this.number();
    const rounded = Math.fround(value);
    if (!Number.isFinite(rounded))
      this.refuse(`${quote(this.word())} is not a coordinate (a finite number up to ${LARGEST_FLOAT32})`);
    return rounded;
  }

  /** The current word as an integer; NaN when it is none. */
  integer(): number {
    return this.integerBefore(this.wordEnd);
  }

  /**
   * The integer in front of the first slash of the current word; NaN if it is none, or if more than two
   * integers or blanks follow between slashes.
   */
  integerBeforeSlash(): number {
    const { bytes, wordEnd } = this;
    const firstSlash = bytes.subarray(this.wordAt, wordEnd).indexOf(SLASH);
    if (firstSlash < 0) return this.integer();
    let slashes = 0;
    for (let at = this.wordAt + firstSlash; at < wordEnd; at++) {
      const byte = bytes[at];
      if (byte === SLASH) slashes++;
      else if (!isDigit(byte) && !(byte === MINUS && bytes[at - 1] === SLASH && isDigit(bytes[at + 1])))
        return NaN;
    }
    return slashes > 2 ? NaN : this.integerBefore(this.wordAt + firstSlash);
  }

  /** Throws InvalidFile with the number of this line. */
  refuse(what: string, fix = EXPORT_AGAIN): never {
    throw new InvalidFile(`line ${this.line}: ${what}`, fix);
  }

  private integerBefore(end: number): number {
    const { bytes } = this;
    let at = this.wordAt;
    const negative = bytes[at] === MINUS;
    if (negative || bytes[at] === PLUS) at++;
    if (at === end || end - at > 15) return NaN;
    let value = 0;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte < ZERO || byte > NINE) return NaN;
      value = value * 10 + (byte - ZERO);
    }
    return negative ? -value : value;
  }

  private numberByWord(): number {
    const word = this.word();
    return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word) ? Number(word) : NaN;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

// Short words by hand: a decoder's call costs more than a keyword.
function decode(bytes: Uint8Array): string {
  if (bytes.length > 12 || bytes.some(byte => byte > 0x7f)) return decoder.decode(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at++) text += String.fromCharCode(bytes[at]);
  return text;
}
