// Computes a digest of contacts or body states, which is the sum of their hashes. The sum does not depend on
// the order of the contacts or states, or on the nodes that found or hold them.

/** Scratch memory for splitting a double into two words. */
const scratch = new DataView(new ArrayBuffer(8));

/** The sum, modulo 2^64, of 64-bit hashes of rows. A row is the data of one contact or of one body state. */
export class Digest {
  low = 0;
  high = 0;
  private a = 0;
  private b = 0;

  /** Begins a row. */
  begin(): void {
    this.a = 0x9747b28c;
    this.b = 0x3c6ef372;
  }

  addWord(value: number): void {
    this.a = Math.imul(this.a ^ value, 0x85ebca6b);
    this.a = Math.imul(this.a ^ (this.a >>> 13), 0xc2b2ae35);
    this.b = Math.imul((this.b + value) | 0, 0x9e3779b1);
    this.b = Math.imul(this.b ^ (this.b >>> 15), 0x27d4eb2f) ^ (this.a >>> 16);
  }

  addDouble(value: number): void {
    scratch.setFloat64(0, value);
    this.addWord(scratch.getInt32(0));
    this.addWord(scratch.getInt32(4));
  }

  /** Ends a row and adds its hash. */
  end(): void {
    this.add((this.a ^ (this.a >>> 16)) >>> 0, (this.b ^ (this.b >>> 16)) >>> 0);
  }

  /** Adds a hash or another sum, given by its low and its high 32 bits. */
  add(low: number, high: number): void {
    const sum = this.low + low;
    this.low = sum >>> 0;
    this.high = (this.high + high + (sum >= 2 ** 32 ? 1 : 0)) >>> 0;
  }

  /** Returns the sum as 16 hexadecimal digits. */
  toString(): string {
    return [this.high, this.low].map(word => word.toString(16).padStart(8, '0')).join('');
  }
}
