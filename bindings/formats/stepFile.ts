// Splits STEP text (ISO 10303-21) into records and checks the syntax of each. IFC files are STEP files.
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
import { byteOrderMark } from './textScanner.js';

const MAX_NUMBER = 2 ** 32 - 1;
const [NEWLINE, QUOTES, HASH, DOLLAR, APOSTROPHE, LEFT, RIGHT, STAR, COMMA, DOT, SLASH, SEMICOLON, EQUALS] = [
  ...'\n"#$\'()*,./;=',
].map(character => character.charCodeAt(0));

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
// Upper-case letters, digits and underscores.
const isNameByte = (byte: number): boolean => (byte >= 65 && byte <= 90) || isDigit(byte) || byte === 95;

const isLowerCase = (byte: number): boolean => byte >= 97 && byte <= 122;

/** The name in `StepFile.names` of a record that has several entities: `#4=(LENGTH_UNIT()NAMED_UNIT(*));`. */
export const SEVERAL_ENTITIES = '';

/**
 * The records of a file. The constructor throws InvalidFile, with the line, for a syntax error, a record
 * number that occurs twice, a missing section, or text after the last section.
 */
export class StepFile {
  /** Names of the entities and types that occur. */
  readonly names: string[] = [];
  count = 0;
  /**
   * For each record: the number after its #, the index of its entity in `names`, and the offset of its
   * attribute list.
   */
  numbers = new Uint32Array(1024);
  entities = new Uint32Array(1024);
  lists = new Uint32Array(1024);
  readonly tokens = new Tokens();
  private readonly nameIndex = new Map<string, number>();
  private at = 0;
  // Indices of the records, sorted by record number; undefined if the file has this order already.
  private recordsByNumber: Uint32Array | undefined;

  /** @param areSeveralAllowed Whether a record may have several entities. In IFC files it may not. */
  constructor(
    readonly bytes: Uint8Array,
    private readonly areSeveralAllowed = false,
  ) {
    this.readHeader();
    while (this.skip() === HASH) this.readRecord();
    this.expectWord('ENDSEC');
    this.expect(SEMICOLON, ';');
    this.expectWord('END-ISO-10303-21');
    this.expect(SEMICOLON, ';');
    // Text after the end may be a second file, whose elements would be lost.
    if (this.skip() !== undefined)
      this.fail(this.at, `expected the end of the file, found ${this.quoted(this.at)}`);
    this.indexNumbers();
  }

  /**
   * Reads the attributes of a record into `tokens`, and returns `tokens`. If the record has several entities,
   * each is a typed value: the token of its name, then its attributes between OPEN and CLOSE.
   */
  load(record: number): Tokens {
    this.at = this.lists[record];
    if (this.names[this.entities[record]] === SEVERAL_ENTITIES) this.readEntities();
    else this.readList();
    return this.tokens;
  }

  /** Returns the index of the record with this number, or -1. */
  recordOf(number: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const record = this.recordsByNumber ? this.recordsByNumber[middle] : middle;
      const found = this.numbers[record];
      if (found === number) return record;
      if (found < number) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Returns the text of a token, as it is in the file. */
  textOf(token: number): string {
    return this.textBetween(this.tokens.starts[token], this.tokens.ends[token]);
  }

  private readHeader(): void {
    this.at = byteOrderMark(this.bytes);
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
    const isSeveral = this.skip() === LEFT && this.areSeveralAllowed;
    const entity = isSeveral ? this.indexOfName(SEVERAL_ENTITIES) : this.readName();
    if (this.count === this.numbers.length) this.grow();
    const record = this.count++;
    this.numbers[record] = number;
    this.entities[record] = entity;
    this.skip();
    this.lists[record] = this.at;
    if (isSeveral) this.readEntities();
    else this.readList();
    this.expect(SEMICOLON, ';');
  }

  // Reads several entities: '(', a name and a list of attributes for each, ')'.
  private readEntities(): void {
    const { tokens } = this;
    tokens.count = 0;
    this.expect(LEFT, '(');
    do {
      this.skip();
      const start = this.at;
      tokens.push(TYPED, this.readName(), start, this.at);
      tokens.push(OPEN, 0, this.at, this.at);
      this.appendList();
      tokens.push(CLOSE, 0, this.at, this.at);
    } while (this.skip() !== RIGHT);
    this.at++;
  }

  private grow(): void {
    const grown = (values: Uint32Array): Uint32Array<ArrayBuffer> => {
      const made = new Uint32Array(2 * values.length);
      made.set(values);
      return made;
    };
    this.numbers = grown(this.numbers);
    this.entities = grown(this.entities);
    this.lists = grown(this.lists);
  }

  private indexNumbers(): void {
    const { numbers, count } = this;
    let isAscending = true;
    for (let i = 1; i < count && isAscending; i++) isAscending = numbers[i - 1] <= numbers[i];
    if (!isAscending)
      this.recordsByNumber = Uint32Array.from({ length: count }, (_, i) => i).sort(
        (x, y) => numbers[x] - numbers[y],
      );
    for (let i = 1; i < count; i++) {
      const before = this.recordsByNumber ? this.recordsByNumber[i - 1] : i - 1;
      const record = this.recordsByNumber ? this.recordsByNumber[i] : i;
      if (numbers[before] === numbers[record])
        this.fail(this.lists[Math.max(before, record)], `two records have the number #${numbers[record]}`);
    }
  }

  // Reads a list: '(', values separated by ',', ')'.
  private readList(): void {
    this.tokens.count = 0;
    this.appendList();
  }

  private appendList(): void {
    const { tokens } = this;
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
        if (!isValueNext) this.fail(start, `expected , or ), found ${this.quoted(start)}`);
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

  // Reads a value. If the value is the name of a type, also reads the parenthesis that opens the list of the
  // type, and returns true. Returns false for all other values.
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
        this.skip() === LEFT ? this.at : this.fail(this.at, `expected (, found ${this.quoted(this.at)}`);
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
    if (this.at === start + 1 || value === 0 || value > MAX_NUMBER)
      this.fail(start, `${this.quoted(start)} is not a record number from #1 to #${MAX_NUMBER}`);
    return value;
  }

  // Some programs write line breaks and bytes of other encodings into texts. web-ifc accepts these texts, so
  // they are accepted here too.
  private readText(start: number): void {
    const { bytes } = this;
    for (;;) {
      this.at = bytes.indexOf(APOSTROPHE, this.at + 1);
      if (this.at < 0) this.fail(start, `the text ${this.quoted(start)} has no closing apostrophe`);
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
    // A name in lower case is accepted here, because it is an unknown entity, not a syntax error.
    while (isNameByte(this.bytes[this.at]) || isLowerCase(this.bytes[this.at])) this.at++;
    if (this.at === start || isDigit(this.bytes[start]))
      this.fail(start, `expected a name or a value, found ${this.quoted(start)}`);
    return this.indexOfName(this.textBetween(start, this.at));
  }

  private indexOfName(name: string): number {
    const known = this.nameIndex.get(name);
    if (known !== undefined) return known;
    this.nameIndex.set(name, this.names.length);
    return this.names.push(name) - 1;
  }

  // Skips blanks and comments; returns the next byte.
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
      if (this.at >= this.bytes.length) this.fail(start, 'a comment has no end (*/)');
    }
    this.at += 2;
  }

  private expect(byte: number, shown: string): void {
    if (this.skip() !== byte) this.fail(this.at, `expected ${shown}, found ${this.quoted(this.at)}`);
    this.at++;
  }

  private isWord(word: string): boolean {
    return this.textBetween(this.at, this.at + word.length) === word;
  }

  private expectWord(word: string): void {
    this.skip();
    if (!this.isWord(word)) this.fail(this.at, `expected ${word}, found ${this.quoted(this.at)}`);
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
