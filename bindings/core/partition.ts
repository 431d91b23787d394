// Distributes weighted items to p parts of nearly equal weight, the heaviest items first (Zhang and Kim,
// section 3.3). Used to distribute front nodes (from which a query starts) to threads, and other work to GPUs
// and cluster nodes.

// Weights are sorted by their leading bits, in steps of an eighth of an octave. A full sort would not give a
// better balance.
const BUCKET_SHIFT = 20;
const BUCKETS = 1 << (31 - BUCKET_SHIFT);

// Returns the bucket of a weight from its float32 bits. Heavier weights have lower buckets. The sign bit is
// ignored, so any 32 bits give a valid bucket.
const bucketOf = (bits: number): number => BUCKETS - ((bits & 0x7fffffff) >>> BUCKET_SHIFT);

/**
 * Items are dealt in turns as soon as a sum of two values is at most 1/48 of a part's mean final load. The
 * two values are the weight of the next item, and the difference between the largest and the smallest load.
 */
const ITEMS_PER_PART = 48;

/** A reusable partition: it allocates nothing in steady use. */
export class Partition {
  /** Part of each item of the last distribution. */
  partOfItem = new Uint32Array(256);
  /** Weight of each part of the last distribution. */
  loads = new Float64Array(16);
  /** Number of items of each part of the last distribution. */
  size = new Uint32Array(16);
  /** Items of the last distribution, heaviest first. */
  order = new Uint32Array(256);
  /** Weights of the items, heaviest first. */
  #weight = new Float32Array(256);
  readonly #bucketAt = new Uint32Array(BUCKETS + 1);
  /** The parts, least loaded first. */
  #byLoad = new Uint32Array(16);

  /**
   * Distributes items 0..count-1 to `parts` parts. Weights are non-negative: weight i is `weights[i * stride
   * + first]`, and its float32 bits are `weightBits[i * stride + first]`.
   *
   * The heaviest items go to the least loaded part, until all loads are nearly equal. Further items are dealt
   * in turns, forward and back, which keeps the loads nearly equal without comparing them. The lightest items
   * go to the least loaded part again.
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
    const total = this.#sort(weights, weightBits, first, stride, count);
    const { partOfItem, loads, size, order } = this;
    const byLoad = this.#byLoad;
    const weight = this.#weight;
    for (let p = 0; p < parts; p++) {
      loads[p] = size[p] = 0;
      byLoad[p] = p;
    }
    const give = (k: number, p: number): void => {
      partOfItem[order[k]] = p;
      size[p]++;
      loads[p] += weight[k];
    };
    const dealEnd = 0.875 * count - 2 * parts;
    for (let k = 0; k < count; ) {
      const spread = loads[byLoad[parts - 1]] - loads[byLoad[0]];
      if (k < parts || k > dealEnd || (spread + weight[k]) * ITEMS_PER_PART * parts > total) {
        give(k++, byLoad[0]);
        this.#sink(0, parts);
        continue;
      }
      for (; k <= dealEnd; k += 2 * parts)
        for (let turn = 0; turn < parts; turn++) {
          give(k + turn, byLoad[turn]);
          give(k + 2 * parts - 1 - turn, byLoad[turn]);
        }
      for (let i = parts - 2; i >= 0; i--) this.#sink(i, parts);
    }
  }

  // Sorts the items by their buckets. @returns the sum of the weights.
  #sort(
    weights: Float32Array,
    weightBits: Uint32Array,
    first: number,
    stride: number,
    count: number,
  ): number {
    const bucketAt = this.#bucketAt.fill(0);
    const end = first + count * stride;
    for (let at = first; at < end; at += stride) bucketAt[bucketOf(weightBits[at])]++;
    for (let b = 0, sum = 0; b <= BUCKETS; b++) {
      const n = bucketAt[b];
      bucketAt[b] = sum;
      sum += n;
    }
    const { order } = this;
    const weight = this.#weight;
    let total = 0;
    for (let i = 0, at = first; i < count; i++, at += stride) {
      const k = bucketAt[bucketOf(weightBits[at])]++;
      order[k] = i;
      total += weight[k] = weights[at];
    }
    return total;
  }

  // Moves the part at index `from` of #byLoad behind all later parts whose loads are not larger. The parts
  // after index `from` must already be sorted.
  #sink(from: number, parts: number): void {
    const { loads } = this;
    const byLoad = this.#byLoad;
    const moved = byLoad[from];
    let at = from;
    for (; at + 1 < parts && loads[byLoad[at + 1]] <= loads[moved]; at++) byLoad[at] = byLoad[at + 1];
    byLoad[at] = moved;
  }

  #reserve(count: number, parts: number): void {
    if (this.partOfItem.length < count) {
      this.partOfItem = new Uint32Array(count * 2);
      this.order = new Uint32Array(count * 2);
      this.#weight = new Float32Array(count * 2);
    }
    if (this.loads.length < parts) {
      this.loads = new Float64Array(parts);
      this.size = new Uint32Array(parts);
      this.#byLoad = new Uint32Array(parts);
    }
  }
}
