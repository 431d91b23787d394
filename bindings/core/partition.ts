// Distributes weighted items to p parts of nearly equal weight: the heaviest item first, always to the least
// loaded part (Zhang and Kim, section 3.3). Front nodes are distributed to threads, and work to devices and
// cluster nodes.

// Weights are sorted by their leading bits, in steps of an eighth of an octave. A full sort does not balance
// better.
const BUCKET_SHIFT = 20;
const BUCKETS = 1 << (31 - BUCKET_SHIFT);

// Heaviest first. The sign bit is ignored, so every item has a bucket, whatever its bits.
const bucketOf = (bits: number): number => BUCKETS - ((bits & 0x7fffffff) >>> BUCKET_SHIFT);

/** A reusable partition: it allocates nothing in steady use. */
export class Partition {
  /** Part of each item of the last distribution. */
  part = new Uint32Array(256);
  /** Weight of each part of the last distribution. */
  load = new Float64Array(16);
  /** Items of the last distribution, heaviest first. */
  order = new Uint32Array(256);
  readonly #bucketAt = new Uint32Array(BUCKETS + 1);
  #heap = new Uint32Array(16);

  /**
   * Distributes items 0..count-1 to `parts` parts. Weights are non-negative: weight i is `weights[i * stride
   * + first]`, and its float32 bits are `weightBits[i * stride + first]`.
   */
  distribute(
    weights: Float32Array,
    weightBits: Uint32Array,
    first: number,
    stride: number,
    count: number,
    parts: number,
  ): void {
    this.#reserve(count, parts);
    const { order, part, load } = this;
    const bucketAt = this.#bucketAt;
    const heap = this.#heap;
    bucketAt.fill(0);
    for (let i = 0; i < count; i++) bucketAt[bucketOf(weightBits[first + i * stride])]++;
    for (let b = 0, sum = 0; b <= BUCKETS; b++) {
      const n = bucketAt[b];
      bucketAt[b] = sum;
      sum += n;
    }
    for (let i = 0; i < count; i++) order[bucketAt[bucketOf(weightBits[first + i * stride])]++] = i;
    for (let p = 0; p < parts; p++) {
      load[p] = 0;
      heap[p] = p;
    }
    for (let k = 0; k < count; k++) {
      const item = order[k];
      const lightest = heap[0];
      part[item] = lightest;
      load[lightest] += weights[first + item * stride];
      this.#sink(parts);
    }
  }

  // Restores the heap of parts, lightest on top (then lowest number), after the weight of the top has grown.
  #sink(parts: number): void {
    const { load } = this;
    const heap = this.#heap;
    const moved = heap[0];
    const weight = load[moved];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= parts) break;
      if (child + 1 < parts && this.#lighter(heap[child + 1], heap[child])) child++;
      const candidate = heap[child];
      if (!(load[candidate] < weight || (load[candidate] === weight && candidate < moved))) break;
      heap[at] = candidate;
      at = child;
    }
    heap[at] = moved;
  }

  #lighter(a: number, b: number): boolean {
    return this.load[a] < this.load[b] || (this.load[a] === this.load[b] && a < b);
  }

  #reserve(count: number, parts: number): void {
    if (this.part.length < count) {
      this.part = new Uint32Array(count * 2);
      this.order = new Uint32Array(count * 2);
    }
    if (this.load.length < parts) {
      this.load = new Float64Array(parts);
      this.#heap = new Uint32Array(parts);
    }
  }
}
