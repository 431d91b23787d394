// STEP text (ISO 10303-21) -> its records, with the syntax of each one checked. IFC files are STEP files.
import { EXPORT_AGAIN, InvalidFile, quote } from './part.js';
import {
  ABSENT,
  BINARY,
  CLOSE,
  DERIVED,
  ENUMERATION,
  INTEGER,
  OPEN,
  REAL,
  REFERENCE,
  TEXT,
  Tokens,
  TYPED,
} from './stepTokens.js';

const LARGEST_NUMBER = 2 ** 32 - 1;
const [NEWLINE, QUOTES, HASH, DOLLAR, APOSTROPHE, LEFT, RIGHT, STAR, COMMA, DOT, SLASH, SEMICOLON, EQUALS] = [
  ...'\n"#$\'()*,./;=',
].map(character => character.charCodeAt(0));

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
// Upper-case letters, digits and underscores.
const isNameByte = (byte: number): boolean => (byte >= 65 && byte <= 90) || isDigit(byte) || byte === 95;

const isLowerCase = (byte: number): boolean => byte >= 97 && byte <= 122;

/**
 * The records of a file. Throws InvalidFile with the line of the first syntax error, of a number that two
 * records have, or of a missing section.
 */
export class StepFile {
  /** Entity and type names that occur. */
  readonly names: string[] = [];
  count = 0;
  /**
   * Per record: the number behind its #, its entity's place in `names`, and where its attribute list begins.
   */
  numbers = new Uint32Array(1024);
  entities = new Uint32Array(1024);
  lists = new Uint32Array(1024);
  readonly tokens = new Tokens();
  private readonly nameAt = new Map<string, number>();
  private at = 0;
  // Records by number, where the file does not have them in that order.
  private sorted: Uint32Array | undefined;

  constructor(readonly bytes: Uint8Array) {
    this.readHeader();
    while (this.skip() === HASH) this.readRecord();
    this.expectWord('ENDSEC');
    this.expect(SEMICOLON, ';');
    this.expectWord('END-ISO-10303-21');
    this.expect(SEMICOLON, ';');
    this.indexNumbers();
  }

  /** Reads the attributes of a record into `tokens`. */
  load(record: number): Tokens {
    this.at = this.lists[record];
    this.readList();
    return this.tokens;
  }

  /** The record with a number, or -1. */
  recordOf(number: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const record = this.sorted ? this.sorted[middle] : middle;
      const found = this.numbers[record];
      if (found === number) return record;
      if (found < number) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The text of a token, as the file has it. */
  textOf(token: number): string {
    return this.textBetween(this.tokens.starts[token], this.tokens.ends[token]);
  }

  private readHeader(): void {
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.at = 3;
    this.expectWord('ISO-10303-21');
    this.expect(SEMICOLON, ';');
    this.expectWord('HEADER');
    this.expect(SEMICOLON, ';');
    while (this.skip() !== undefined && !this.isWord('ENDSEC')) {
      this.readName();
      this.readList();
      this.expect(SEMICOLON, ';');
    }
    this.expectWord('ENDSEC');
    this.expect(SEMICOLON, ';');
    this.expectWord('DATA');
    this.expect(SEMICOLON, ';');
  }

  private readRecord(): void {
    const number = this.readNumberAfterHash();
    this.expect(EQUALS, '=');
    this.skip();
    const entity = this.readName();
    if (this.count === this.numbers.length) this.grow();
    const record = this.count++;
    this.numbers[record] = number;
    this.entities[record] = entity;
    this.skip();
    this.lists[record] = this.at;
    this.readList();
    this.expect(SEMICOLON, ';');
  }

  private grow(): void {
    const larger = (values: Uint32Array): Uint32Array<ArrayBuffer> => {
      const made = new Uint32Array(2 * values.length);
      made.set(values);
      return made;
    };
    this.numbers = larger(this.numbers);
    this.entities = larger(this.entities);
    this.lists = larger(this.lists);
  }

  private indexNumbers(): void {
    const { numbers, count } = this;
    let isAscending = true;
    for (let i = 1; i < count && isAscending; i++) isAscending = numbers[i - 1] <= numbers[i];
    if (!isAscending)
      this.sorted = Uint32Array.from({ length: count }, (_, i) => i).sort((x, y) => numbers[x] - numbers[y]);
    for (let i = 1; i < count; i++) {
      const before = this.sorted ? this.sorted[i - 1] : i - 1;
      const record = this.sorted ? this.sorted[i] : i;
      if (numbers[before] === numbers[record])
        this.fail(this.lists[Math.max(before, record)], `#${numbers[record]} is the number of two records`);
    }
  }

  // '(' values separated by ',' ')' -> tokens.
  private readList(): void {
    const { tokens } = this;
    tokens.count = 0;
    this.expect(LEFT, '(');
    let depth = 0;
    let isValueNext = true;
    let isListEmpty = true;
    for (;;) {
      const byte = this.skip();
      const start = this.at;
      if (byte === RIGHT) {
        if (isValueNext && !isListEmpty) this.fail(start, 'a value is missing before )');
        this.at++;
        if (depth-- === 0) return;
        tokens.push(CLOSE, 0, start, this.at);
        isValueNext = isListEmpty = false;
      } else if (byte === COMMA) {
        if (isValueNext) this.fail(start, 'a value is missing before ,');
        this.at++;
        isValueNext = true;
      } else {
        if (!isValueNext) this.fail(start, `${this.quoted(start)} stands where , or ) belongs`);
        isListEmpty = byte === LEFT || this.readValue(byte, start);
        if (byte === LEFT) {
          this.at++;
          tokens.push(OPEN, 0, start, this.at);
        }
        if (isListEmpty) depth++;
        isValueNext = isListEmpty;
      }
    }
  }

  // Returns whether the value is a type whose own list has been opened.
  private readValue(byte: number | undefined, start: number): boolean {
    const { tokens } = this;
    if (byte === HASH) tokens.push(REFERENCE, this.readNumberAfterHash(), start, this.at);
    else if (byte === DOLLAR) tokens.push(ABSENT, 0, start, ++this.at);
    else if (byte === STAR) tokens.push(DERIVED, 0, start, ++this.at);
    else if (byte === APOSTROPHE) this.readText(start);
    else if (byte === DOT) this.readEnumeration(start);
    else if (byte === QUOTES) this.readBinary(start);
    else if (byte === 0x2b || byte === 0x2d || (byte !== undefined && isDigit(byte))) this.readNumber(start);
    else {
      const name = this.readName();
      tokens.push(TYPED, name, start, this.at);
      const open =
        this.skip() === LEFT ? this.at : this.fail(this.at, `${this.quoted(this.at)} stands where ( belongs`);
      tokens.push(OPEN, 0, open, ++this.at);
      return true;
    }
    return false;
  }

  private readNumber(start: number): void {
    const { bytes } = this;
    let at = start;
    let value = 0;
    let isReal = false;
    if (!isDigit(bytes[at])) at++;
    if (!isDigit(bytes[at])) this.fail(start, `${this.quoted(start)} is not a number`);
    for (; isDigit(bytes[at]); at++) value = 10 * value + bytes[at] - 48;
    if (bytes[at] === DOT) {
      isReal = true;
      for (at++; isDigit(bytes[at]); at++);
    }
    if (bytes[at] === 0x45 || bytes[at] === 0x65) {
      isReal = true;
      if (bytes[++at] === 0x2b || bytes[at] === 0x2d) at++;
      if (!isDigit(bytes[at])) this.fail(start, `${this.quoted(start)} is not a number`);
      for (; isDigit(bytes[at]); at++);
    }
    this.at = at;
    if (isReal) value = Number(this.textBetween(start, at));
    else if (bytes[start] === 0x2d) value = -value;
    this.tokens.push(isReal ? REAL : INTEGER, value, start, at);
  }

  private readNumberAfterHash(): number {
    const start = this.at++;
    let value = 0;
    for (; isDigit(this.bytes[this.at]); this.at++) value = 10 * value + this.bytes[this.at] - 48;
    if (this.at === start + 1 || value === 0 || value > LARGEST_NUMBER)
      this.fail(start, `${this.quoted(start)} is not the number of a record, from #1 to #${LARGEST_NUMBER}`);
    return value;
  }

  // Programs write line ends and bytes of other alphabets into texts; web-ifc reads them.
  private readText(start: number): void {
    const { bytes } = this;
    for (;;) {
      this.at = bytes.indexOf(APOSTROPHE, this.at + 1);
      if (this.at < 0) this.fail(start, `the text ${this.quoted(start)} never ends`);
      if (bytes[this.at + 1] !== APOSTROPHE) break;
      this.at++;
    }
    this.tokens.push(TEXT, 0, start, ++this.at);
  }

  private readEnumeration(start: number): void {
    for (this.at++; isNameByte(this.bytes[this.at]); this.at++);
    if (this.bytes[this.at] !== DOT || this.at === start + 1)
      this.fail(start, `${this.quoted(start)} is neither a number nor a name between dots`);
    this.tokens.push(ENUMERATION, 0, start, ++this.at);
  }

  private readBinary(start: number): void {
    for (this.at++; isNameByte(this.bytes[this.at]); this.at++);
    if (this.bytes[this.at] !== QUOTES) this.fail(start, `${this.quoted(start)} is not binary data`);
    this.tokens.push(BINARY, 0, start, ++this.at);
  }

  private readName(): number {
    const start = this.at;
    // A name in lower case is no syntax error, but no known entity either.
    while (isNameByte(this.bytes[this.at]) || isLowerCase(this.bytes[this.at])) this.at++;
    if (this.at === start || isDigit(this.bytes[start]))
      this.fail(start, `${this.quoted(start)} stands where a name or a value belongs`);
    const name = this.textBetween(start, this.at);
    const known = this.nameAt.get(name);
    if (known !== undefined) return known;
    this.nameAt.set(name, this.names.length);
    return this.names.push(name) - 1;
  }

  // Blanks and comments; returns the byte behind them.
  private skip(): number | undefined {
    const { bytes } = this;
    while (this.at < bytes.length) {
      const byte = bytes[this.at];
      if (byte === SLASH && bytes[this.at + 1] === STAR) this.skipComment();
      else if (byte === 32 || (byte >= 9 && byte <= 13)) this.at++;
      else return byte;
    }
    return undefined;
  }

  private skipComment(): void {
    const start = this.at;
    for (this.at += 2; this.bytes[this.at] !== STAR || this.bytes[this.at + 1] !== SLASH; this.at++) {
      if (this.at >= this.bytes.length) this.fail(start, 'a comment never ends');
    }
    this.at += 2;
  }

  private expect(byte: number, shown: string): void {
    if (this.skip() !== byte) this.fail(this.at, `${this.quoted(this.at)} stands where ${shown} belongs`);
    this.at++;
  }

  private isWord(word: string): boolean {
    return this.textBetween(this.at, this.at + word.length) === word;
  }

  private expectWord(word: string): void {
    this.skip();
    if (!this.isWord(word)) this.fail(this.at, `${this.quoted(this.at)} stands where ${word} belongs`);
    this.at += word.length;
  }

  private textBetween(start: number, end: number): string {
    let text = '';
    for (let at = start; at < end && at < this.bytes.length; at++)
      text += String.fromCharCode(this.bytes[at]);
    return text;
  }

  private quoted(at: number): string {
    return at >= this.bytes.length
      ? 'the end of the file'
      : quote(this.textBetween(at, at + 24).split('\n')[0]);
  }

  private fail(at: number, message: string): never {
    let line = 1;
    for (let i = this.bytes.indexOf(NEWLINE); i >= 0 && i < at; i = this.bytes.indexOf(NEWLINE, i + 1))
      line++;
    throw new InvalidFile(`line ${line}: ${message}`, EXPORT_AGAIN);
  }
}
