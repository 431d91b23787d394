// Stores lists of body pairs, and compares the pairs of a frame (a time step) with the pairs of the previous
// frame, to find which pairs began, persisted and ended.

/** Pairs of bodies or boxes by their numbers, sorted by a, then b; a < b. */
export interface BodyPairs {
  /** The number of pairs. */
  count: number;
  /** The lower number of each pair. */
  a: Uint32Array;
  /** The higher number of each pair. */
  b: Uint32Array;
}

/**
 * A list of pairs that grows on demand. It is reused from frame to frame, so a steady scene allocates nothing.
 */
export class PairTable {
  count = 0;
  a = new Uint32Array(64);
  b = new Uint32Array(64);

  add(a: number, b: number): void {
    if (this.count === this.a.length) this.#grow();
    this.a[this.count] = a;
    this.b[this.count++] = b;
  }

  clear(): void {
    this.count = 0;
  }
  copy(): BodyPairs {
    return { count: this.count, a: this.a.slice(0, this.count), b: this.b.slice(0, this.count) };
  }
  view(): BodyPairs {
    return { count: this.count, a: this.a.subarray(0, this.count), b: this.b.subarray(0, this.count) };
  }

  /** Appends each pair k with begin <= k < end. Pair k consists of words[aAt + k] and words[bAt + k]. */
  append(words: Uint32Array, aAt: number, bAt: number, begin: number, end: number): void {
    if (this.count + end - begin > this.a.length) this.#grow(this.count + end - begin);
    this.a.set(words.subarray(aAt + begin, aAt + end), this.count);
    this.b.set(words.subarray(bAt + begin, bAt + end), this.count);
    this.count += end - begin;
  }

  appendFrom({ a, b }: PairTable, begin: number, end: number): void {
    if (this.count + end - begin > this.a.length) this.#grow(this.count + end - begin);
    this.a.set(a.subarray(begin, end), this.count);
    this.b.set(b.subarray(begin, end), this.count);
    this.count += end - begin;
  }

  #grow(minLength = 0): void {
    for (const field of ['a', 'b'] as const) {
      const larger = new Uint32Array(Math.max(2 * this[field].length, minLength));
      larger.set(this[field]);
      this[field] = larger;
    }
  }
}

/**
 * Compares two sorted lists of pairs. Writes to `began` the pairs that only `later` contains, to `persisted`
 * the pairs that both contain, and to `ended` the pairs that only `earlier` contains.
 */
export function comparePairs(
  earlier: BodyPairs,
  later: BodyPairs,
  began: PairTable,
  persisted: PairTable,
  ended: PairTable,
): void {
  began.clear();
  persisted.clear();
  ended.clear();
  let i = 0;
  let j = 0;
  while (i < earlier.count || j < later.count) {
    const order =
      j === later.count
        ? -1
        : i === earlier.count
          ? 1
          : earlier.a[i] - later.a[j] || earlier.b[i] - later.b[j];
    if (order < 0) ended.add(earlier.a[i], earlier.b[i++]);
    else if (order > 0) began.add(later.a[j], later.b[j++]);
    else {
      persisted.add(later.a[j], later.b[j++]);
      i++;
    }
  }
}
