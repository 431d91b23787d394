// Defines the tokens of an attribute list in STEP text (ISO 10303-21), and their kinds.
export const OPEN = 0,
  CLOSE = 1,
  ABSENT = 2,
  DERIVED = 3,
  INTEGER = 4,
  REAL = 5,
  TEXT = 6,
  ENUMERATION = 7,
  REFERENCE = 8,
  TYPED = 9,
  BINARY = 10;

/** The tokens of one attribute list, without its outer parentheses. The arrays are reused for every list. */
export class Tokens {
  count = 0;
  kinds = new Uint8Array(64);
  /** For a number, its value; for a reference, the record number; for a type, its index in StepFile.names. */
  values = new Float64Array(64);
  /** Offsets of each token's first byte (`starts`), and of the byte after its last byte (`ends`). */
  starts = new Uint32Array(64);
  ends = new Uint32Array(64);

  push(kind: number, value: number, start: number, end: number): void {
    const at = this.count++;
    if (at === this.kinds.length) this.grow();
    this.kinds[at] = kind;
    this.values[at] = value;
    this.starts[at] = start;
    this.ends[at] = end;
  }

  private grow(): void {
    const larger = <A extends Uint8Array | Uint32Array | Float64Array>(values: A, made: A): A => {
      made.set(values);
      return made;
    };
    const length = 2 * this.kinds.length;
    this.kinds = larger(this.kinds, new Uint8Array(length));
    this.values = larger(this.values, new Float64Array(length));
    this.starts = larger(this.starts, new Uint32Array(length));
    this.ends = larger(this.ends, new Uint32Array(length));
  }
}
