// Splits the bytes of a text file into lines and words, one at a time; reads most numbers without creating
// strings.
import { MAX_FLOAT } from '../core/floatRange.js';
import { decimalNumber } from './decimalNumber.js';
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
// Matches, for example, nan, -inf, Infinity, nan(ind) and -1.#IND.
const NOT_FINITE = /^[+-]?(nan(\(\w*\))?|inf|infinity|1\.#(ind|inf|qnan|snan)\d*)$/i;
const NO_JOINS = new Uint32Array(0);

/** A cursor over the words of a text file. */
export class TextScanner {
  private lineCount: number;
  private lineEnd = -1;
  private at = 0;
  private wordAt = 0;
  private wordEnd = 0;
  private onProgress: ((done: number) => void) | undefined;
  private reportsAt = Infinity;

  /**
   * @param linesBefore Number of lines of the file before `bytes`.
   * @param joinsAt Offsets of line breaks that were replaced by blanks, in order.
   */
  constructor(
    readonly bytes: Uint8Array,
    private readonly linesBefore = 0,
    private readonly joinsAt: Uint32Array = NO_JOINS,
  ) {
    this.lineCount = linesBefore;
  }

  /** Calls the function about a hundred times while the file is read, with the share that is done, 0 to 1. */
  reportTo(onProgress: ((done: number) => void) | undefined): void {
    this.onProgress = onProgress;
    this.reportsAt = onProgress ? this.bytes.length / 100 : Infinity;
  }

  /** The line number of the current word, from 1. */
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

  /** Offset of the byte after the current line's newline. */
  get nextLineAt(): number {
    return this.lineEnd + 1;
  }

  /** Moves to the next line; returns false at the end of the file. */
  nextLine(): boolean {
    const start = this.lineEnd + 1;
    if (start >= this.reportsAt) this.report(start);
    if (start >= this.bytes.length) return false;
    const found = this.bytes.indexOf(NEWLINE, start);
    this.lineEnd = found < 0 ? this.bytes.length : found;
    this.at = start === 0 && this.linesBefore === 0 ? byteOrderMark(this.bytes) : start;
    this.lineCount++;
    return true;
  }

  /** Moves to the next word of this line; returns false if there is none. */
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
   * Moves to the next word of this line; returns false if there is none, or if the rest is a comment that
   * begins with #.
   * @throws InvalidFile if skipComment throws
   */
  nextWordOfStatement(): boolean {
    if (!this.nextWord()) return false;
    if (this.firstByte !== HASH) return true;
    this.skipComment();
    return false;
  }

  /**
   * Moves to the end of this line.
   * @throws InvalidFile if text follows a carriage return in this line: some programs end the line there, so
   * this text may be a statement
   */
  skipComment(): void {
    const { bytes, lineEnd } = this;
    let end = lineEnd;
    while (end > this.at && isBlank(bytes[end - 1])) end--;
    if (bytes.subarray(this.at, end).includes(CARRIAGE_RETURN))
      this.refuse('a comment contains a carriage return', 'Write line breaks as LF or as CR LF.');
    this.at = lineEnd;
  }

  /** Moves back to the beginning of the file. */
  rewind(): void {
    this.lineEnd = -1;
    this.at = 0;
    this.lineCount = this.linesBefore;
  }

  /** Returns whether the rest of this line is blank. */
  isBlankLine(): boolean {
    const start = this.at;
    const blank = !this.nextWord();
    this.at = start;
    return blank;
  }

  /** Moves to the next word on this or a later line; returns false at the end of the file. */
  nextWordAnywhere(): boolean {
    while (!this.nextWord()) if (!this.nextLine()) return false;
    return true;
  }

  /** The first byte of the current word. */
  get firstByte(): number {
    return this.bytes[this.wordAt];
  }

  /** Returns the current word, decoded as UTF-8. */
  word(): string {
    return decode(this.bytes.subarray(this.wordAt, this.wordEnd));
  }

  /** Returns the rest of this line without surrounding blanks, and moves to its end. */
  rest(): string {
    const text = decode(this.bytes.subarray(this.at, this.lineEnd)).trim();
    this.at = this.lineEnd;
    return text;
  }

  /**
   * Returns the rest of this line, which may be any text, without surrounding blanks, and moves to its end.
   * @throws InvalidFile if it contains a control character other than a tab, which suggests a lost line break
   */
  restOfText(): string {
    const text = this.rest();
    if (/[\x00-\x08\x0a-\x1f]/.test(text)) this.refuse(`${quote(text)} contains a control character`);
    return text;
  }

  /**
   * Returns the current word as a number: NaN if it is not a number, infinite if it is beyond the range of
   * doubles.
   */
  number(): number {
    const { bytes, wordEnd } = this;
    let at = this.wordAt;
    const isNegative = bytes[at] === MINUS;
    if (isNegative || bytes[at] === PLUS) at++;
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
    // Integers of up to 15 digits and powers of ten up to 10^22 are exact as doubles. So only the division
    // rounds, and the result is correctly rounded.
    if (at < wordEnd || digits === 0 || digits > 15 || exponent < -22) return this.numberByWord();
    const value = mantissa / POWERS_OF_TEN[-exponent];
    return isNegative ? -value : value;
  }

  /**
   * Returns the current word as a number, as `number` does. If the word is infinity or NaN, as C libraries
   * spell them, returns NaN.
   * @throws InvalidFile for any other word
   */
  numberOrNotFinite(): number {
    const value = this.number();
    if (Number.isNaN(value) && !NOT_FINITE.test(this.word()))
      this.refuse(`${quote(this.word())} is not a number`);
    return value;
  }

  /**
   * Returns the current word as a coordinate, in double precision.
   * @throws InvalidFile if it is not finite as a float32 number
   */
  coordinate(): number {
    const value = this.number();
    if (!Number.isFinite(Math.fround(value)))
      this.refuse(`${quote(this.word())} is not a coordinate (a finite number up to ${MAX_FLOAT})`);
    return value;
  }

  /** Returns the current word as an integer; NaN if the word is not an integer or has more than 15 digits. */
  integer(): number {
    return this.integerBefore(this.wordEnd);
  }

  /**
   * Returns the integer before the first slash of the current word. Up to two more fields may follow, each
   * after a slash. Returns NaN if the first field is not an integer, or if another field is neither empty nor
   * an integer.
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

  /** Throws InvalidFile with the number of the current line. */
  refuse(what: string, fix = EXPORT_AGAIN): never {
    throw new InvalidFile(`line ${this.line}: ${what}`, fix);
  }

  private report(at: number): void {
    this.onProgress!(Math.min(1, at / Math.max(1, this.bytes.length)));
    this.reportsAt = at + this.bytes.length / 100;
  }

  private integerBefore(end: number): number {
    const { bytes } = this;
    let at = this.wordAt;
    const isNegative = bytes[at] === MINUS;
    if (isNegative || bytes[at] === PLUS) at++;
    if (at === end || end - at > 15) return NaN;
    let value = 0;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte < ZERO || byte > NINE) return NaN;
      value = value * 10 + (byte - ZERO);
    }
    return isNegative ? -value : value;
  }

  private numberByWord(): number {
    return decimalNumber(this.word());
  }
}

/** Returns the length of the byte order mark of UTF-8 at the start of a file: 3, or 0 if there is none. */
export function byteOrderMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

// Short ASCII words are decoded here, because calling a decoder takes longer than decoding a keyword.
function decode(bytes: Uint8Array): string {
  if (bytes.length > 12 || bytes.some(byte => byte > 0x7f)) return decoder.decode(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at++) text += String.fromCharCode(bytes[at]);
  return text;
}
