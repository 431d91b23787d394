// Finds vertices at the same position, with a hash table.

export const HASH = 0x9e3779b1;

/**
 * Makes a hash table that is at most half full with `count` entries, and the mask that maps a hash to a slot.
 */
export function tableFor(count: number): { slots: Int32Array; mask: number } {
  const size = 2 ** Math.ceil(Math.log2(2 * count + 2));
  return { slots: new Int32Array(size).fill(-1), mask: size - 1 };
}

/**
 * Returns, for each vertex, the first vertex with the same coordinates. 0 and -0 are the same.
 * @param positions x, y, z of each vertex.
 */
export function weldPositions(positions: Float32Array | Float64Array): Uint32Array {
  // Adding 0 turns -0 into 0, so that equal numbers have equal bits.
  const whole = positions.map(value => value + 0);
  const words = new Int32Array(whole.buffer);
  const isDouble = whole instanceof Float64Array;
  const bitsOf = (i: number): number =>
    isDouble ? words[2 * i] ^ Math.imul(words[2 * i + 1], HASH) : words[i];
  const points = new Uint32Array(positions.length / 3);
  const { slots, mask } = tableFor(points.length);
  for (let i = 0; i < points.length; i++) {
    const x = whole[3 * i];
    const y = whole[3 * i + 1];
    const z = whole[3 * i + 2];
    let hash = Math.imul(
      bitsOf(3 * i) ^ Math.imul(bitsOf(3 * i + 1) ^ Math.imul(bitsOf(3 * i + 2), HASH), HASH),
      HASH,
    );
    for (hash ^= hash >>> 15; ; hash++) {
      const other = slots[hash & mask];
      if (other < 0) slots[hash & mask] = i;
      else if (whole[3 * other] !== x || whole[3 * other + 1] !== y || whole[3 * other + 2] !== z) continue;
      points[i] = other < 0 ? i : other;
      break;
    }
  }
  return points;
}
